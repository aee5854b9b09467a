"""Plan and attempts joined for strategies: what each voter says of each pair, and the result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from counterbalance.dispositions.combining import VoterEvidence, combine
from counterbalance.dispositions.disposition import dispose
from counterbalance.dispositions.evidence import (
    PairEvidence,
    PresentationEvidence,
    collected,
)
from counterbalance.items.frames import Side, Slot
from counterbalance.parsing.beside_verdict import score_difference
from counterbalance.presentations.order import side_in
from counterbalance.presentations.presentation import Purpose
from counterbalance.protocol.strategies.voting import Voter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from counterbalance.dispositions.strategy_result import StrategyResult
    from counterbalance.items.item import Pair, PairId
    from counterbalance.presentations.presentation import PlanEntry
    from counterbalance.protocol.labelling import Labelling
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.protocol.strategies.voting import StrategyRow
    from counterbalance.protocol.verdict_format import VerdictFormat
    from counterbalance.record.attempt import Attempt

__all__ = ["StrategyEvidence", "strategy_evidence", "voter_evidence"]


@dataclass(frozen=True, slots=True)
class StrategyEvidence:
    """One strategy with one judge or panel, over the pairs.

    Attributes
    ----------
    row : StrategyRow
        The strategy, its judge or panel, and its voters.
    pairs : tuple[Pair, ...]
        The pairs, in the order of the pair file.
    results : tuple[StrategyResult, ...]
        What the rule makes of each.
    voters : Mapping[Voter, tuple[VoterEvidence, ...]]
        What each voter says of each; one on call has evidence only where it was needed.
    """

    row: StrategyRow
    pairs: tuple[Pair, ...]
    results: tuple[StrategyResult, ...]
    voters: Mapping[Voter, tuple[VoterEvidence, ...]]
    _by_pair: dict[PairId, StrategyResult] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def by_pair(self) -> Mapping[PairId, StrategyResult]:
        """The results by pair."""
        if not self._by_pair:
            found = {pair.id: r for pair, r in zip(self.pairs, self.results, strict=True)}
            self._by_pair.update(found)
        return self._by_pair

    def presentations(self) -> Iterable[PresentationEvidence]:
        """Yield every presentation of the strategy once, whoever else it serves."""
        seen: set[str] = set()
        for found in self.voters.values():
            for each in found:
                for presentations in each.evidence.main.values():
                    for shown in presentations:
                        if shown.presentation.key not in seen:
                            seen.add(shown.presentation.key)
                            yield shown


def strategy_evidence(
    protocol: Protocol,
    pairs: Sequence[Pair],
    plan: Sequence[PlanEntry],
    attempts: Iterable[Attempt],
    *,
    counts_beyond: bool = False,
) -> tuple[StrategyEvidence, ...]:
    """Give every pair its result under every strategy.

    Parameters
    ----------
    protocol : Protocol
        Declares the strategies.
    pairs : Sequence[Pair]
        The pairs that are judged: answers, or probes, which belong to no one number.
    plan : Sequence[PlanEntry]
        Every planned presentation that is needed.
    attempts : Iterable[Attempt]
        Every finished attempt, in any order.
    counts_beyond : bool
        Whether attempts beyond the retry rule count as well.

    Returns
    -------
    tuple[StrategyEvidence, ...]
        One for each row of `Protocol.strategy_rows`, in that order.
    """
    rows = protocol.strategy_rows
    if not rows:
        return ()
    held: dict[tuple[str, Voter], dict[PairId, PairEvidence]] = {}
    for entry, found in collected(plan, attempts, protocol, counts_beyond=counts_beyond):
        if entry.purpose is Purpose.STRATEGY:
            shown = entry.presentation
            voter = Voter(shown.prompt, shown.judge, shown.temperature, shown.labelling)
            by_pair = held.setdefault((entry.strategy, voter), {})
            main = by_pair.setdefault(shown.pair_id, PairEvidence()).main
            main.setdefault(shown.order, []).append(found)
    return tuple(_of_row(row, protocol, pairs, held) for row in rows)


def _of_row(
    row: StrategyRow,
    protocol: Protocol,
    pairs: Sequence[Pair],
    held: Mapping[tuple[str, Voter], Mapping[PairId, PairEvidence]],
) -> StrategyEvidence:
    voters: dict[Voter, tuple[VoterEvidence, ...]] = {}
    for voter in row.voters:
        found = held.get((row.strategy.id, voter.standing), {})
        reading = _Reading.under(protocol, voter)
        if voter.is_on_call:
            # Who is on call for several judges may have been asked for another one's sake.
            first = voters[row.voters[0]]
            in_doubt = {p.id for p, v in zip(pairs, first, strict=True) if v.is_in_doubt}
            found = {pair_id: each for pair_id, each in found.items() if pair_id in in_doubt}
        voters[voter] = tuple(_judged(pair, found.get(pair.id), reading) for pair in pairs)
    standing = [found for voter, found in voters.items() if not voter.is_on_call]
    on_call = [found for voter, found in voters.items() if voter.is_on_call]
    results = tuple(
        combine(
            row.strategy,
            row.quorum,
            [found[i] for found in standing],
            [found[i] for found in on_call],
        )
        for i in range(len(pairs))
    )
    return StrategyEvidence(row, tuple(pairs), results, voters)


@dataclass(frozen=True, slots=True)
class _Reading:
    """How a voter's replies are read beside their verdict."""

    verdict: VerdictFormat
    labelling: Labelling

    @classmethod
    def under(cls, protocol: Protocol, voter: Voter) -> _Reading:
        first = protocol.labellings[0]
        known = {x.name: x for x in (first.exchanged, *protocol.labellings)}
        return cls(protocol.under(voter.prompt).verdict, known[voter.labelling])

    def score_difference(self, shown: PresentationEvidence) -> float | None:
        """Return the score of candidate a less that of b."""
        attempt = shown.decisive
        if attempt is None or attempt.reply is None:
            return None
        found = score_difference(self.verdict, self.labelling, attempt.reply.text, attempt.outcome)
        is_first = side_in(Slot.FIRST, shown.presentation.order) is Side.A
        return found if found is None or is_first else -found


def voter_evidence(
    protocol: Protocol, voter: Voter, pair: Pair, evidence: PairEvidence | None
) -> VoterEvidence:
    """Return what one voter says of a pair, by its presentations alone.

    Parameters
    ----------
    protocol : Protocol
        That it was asked under.
    voter : Voter
        Who was asked.
    pair : Pair
        What was asked about.
    evidence : PairEvidence | None
        Its presentations; None where there are none.

    Returns
    -------
    VoterEvidence
        Over all of them, and for each repetition.
    """
    return _judged(pair, evidence, _Reading.under(protocol, voter))


def _judged(pair: Pair, evidence: PairEvidence | None, reading: _Reading) -> VoterEvidence:
    found = evidence or PairEvidence()
    by_repetition: dict[int, PairEvidence] = {}
    for order, presentations in found.main.items():
        for shown in presentations:
            one = by_repetition.setdefault(shown.presentation.repetition, PairEvidence())
            one.main[order] = [shown]
    whole = dispose(pair, evidence)
    if len(by_repetition) > 1:
        each = tuple(dispose(pair, by_repetition[n]) for n in sorted(by_repetition))
    else:
        each = (whole,)
    scores = (
        tuple(tuple(map(reading.score_difference, shown)) for shown in found.main.values())
        if reading.verdict.scores is not None
        else ()
    )
    return VoterEvidence(whole, each, found, scores)
