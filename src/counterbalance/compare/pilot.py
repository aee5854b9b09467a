"""What a pilot shows of each judge and strategy: whether its decisions agree, and what they cost.

One number for each time a strategy decided a pair comes out, with its pair, cluster and order:
whether that decision agrees with the reference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.dispositions.cell import verdict_of
from counterbalance.dispositions.strategy_blocks import decisions_of
from counterbalance.items.frames import Order, Verdict
from counterbalance.measures.cost import spent_on

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from counterbalance.dispositions.attempt_columns import ClusterKind
    from counterbalance.dispositions.evidence import PairEvidence, PresentationEvidence
    from counterbalance.dispositions.strategy_evidence import StrategyEvidence
    from counterbalance.dispositions.strategy_result import StrategyResult
    from counterbalance.items.item import Pair
    from counterbalance.measures.cost import Spent
    from counterbalance.measures.group import JudgedPair
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.protocol.strategies.voting import StrategyRow

__all__ = ["Arm", "Asked", "Decision", "calibrated_arm", "plain_arms", "strategy_arm"]

_TIED_BY_RULE = frozenset({Verdict.A, Verdict.B, Verdict.TIE})
"""Two different ones of these are a tie under S1; against anything else there is no result."""
_RESULTS = _TIED_BY_RULE | {Verdict.NEITHER}


@dataclass(frozen=True, slots=True)
class Decision:
    """One time that a strategy decided a pair with a reference.

    Attributes
    ----------
    value : float
        1 where it agrees with the reference, 0 where not.
    pair : str
        The pair.
    cluster : str
        Its unit of uncertainty.
    order : str
        The order that was shown; empty where both enter the decision.
    """

    value: float
    pair: str
    cluster: str
    order: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What one judge is asked for a decision.

    Attributes
    ----------
    judge : str
        Its name.
    calls : float
        Calls for one decision, without retries; a judge on call is asked about some pairs only.
    spent : Spent
        What its calls took in the pilot, for the price of one.
    """

    judge: str
    calls: float
    spent: Spent


@dataclass(frozen=True, slots=True)
class Arm:
    """One judge or panel with one strategy, as a pilot shows it.

    Attributes
    ----------
    judge : str
        Name of the judge; the names of a panel, joined by `` + ``.
    strategy : str
        What the strategy is called.
    decisions : tuple[Decision, ...]
        Each decision on a pair with a reference.
    asked : tuple[Asked, ...]
        What a decision asks of whom.
    n_referenced : int
        Pairs of the pilot with a reference; on some the strategy may have come to no result.
    missing : str
        Why the pilot shows nothing of it, in a sentence; empty where it does.
    notes : tuple[str, ...]
        What limits what it shows, in sentences.
    known_as : str
        What the pilot calls the strategy; empty for the same.
    """

    judge: str
    strategy: str
    decisions: tuple[Decision, ...] = ()
    asked: tuple[Asked, ...] = ()
    n_referenced: int = 0
    missing: str = ""
    notes: tuple[str, ...] = ()
    known_as: str = ""

    @property
    def calls_per_decision(self) -> float:
        """Calls for one decision, without retries."""
        return sum(each.calls for each in self.asked)

    @property
    def n_pairs(self) -> int:
        """Pairs with a decision and a reference."""
        return len({each.pair for each in self.decisions})

    @property
    def agreement(self) -> float | None:
        """Mean over pairs of their mean; None without any."""
        by_pair: dict[str, list[float]] = {}
        for each in self.decisions:
            by_pair.setdefault(each.pair, []).append(each.value)
        means = [sum(found) / len(found) for found in by_pair.values()]
        return sum(means) / len(means) if means else None


def plain_arms(
    judge: str, pairs: Sequence[JudgedPair], cluster: ClusterKind = "cluster"
) -> tuple[Arm, ...]:
    """Return what a pilot shows of one judge under each plain strategy.

    Parameters
    ----------
    judge : str
        Name of the judge.
    pairs : Sequence[JudgedPair]
        Its pairs in the pilot.
    cluster : ClusterKind
        Unit of uncertainty.

    Returns
    -------
    tuple[Arm, ...]
        B0: one call in one order. S1, where both orders were asked: a tie where they disagree. The
        repetitions of a subset count as further decisions of its pairs, as long as they were asked
        like all others.
    """
    spent = spent_on(
        attempt for each in pairs for _, shown in each.main() for attempt in shown.attempts
    )
    one = [decision for each in pairs for decision in _one_call(each, cluster)]
    both = [decision for each in pairs for decision in _both_orders(each, cluster)]
    n_referenced = sum(bool(_accepted(each.pair)) for each in pairs)
    arms = [Arm(judge, "B0", tuple(one), (Asked(judge, 1, spent),), n_referenced)]
    if both:
        asked = (Asked(judge, len(Order), spent),)
        arms.append(Arm(judge, "S1", tuple(both), asked, n_referenced))
    return tuple(arms)


def strategy_arm(
    row: StrategyRow, found: StrategyEvidence, protocol: Protocol, cluster: ClusterKind = "cluster"
) -> Arm:
    """Return what a pilot shows of a strategy that it asked.

    Parameters
    ----------
    row : StrategyRow
        The strategy as it is planned.
    found : StrategyEvidence
        The same as the pilot has it, with as many repetitions or more.
    protocol : Protocol
        Of the pilot.
    cluster : ClusterKind
        Unit of uncertainty.

    Returns
    -------
    Arm
        A decision for every time that the pilot asked what the strategy asks.
    """
    orders = {
        shown.presentation.pair_id: shown.presentation.order for shown in found.presentations()
    }
    decisions = [
        decision
        for pair, results in zip(found.pairs, decisions_of(row, found, protocol), strict=True)
        for decision in _decided(
            pair, results, cluster, "" if row.has_both_orders else orders.get(pair.id, "")
        )
    ]
    times = found.row.strategy.repetitions / row.strategy.repetitions
    return Arm(
        judge=row.judge,
        strategy=row.strategy.id,
        decisions=tuple(decisions),
        asked=_asked(found.presentations(), len(found.pairs) * times),
        n_referenced=sum(bool(_accepted(pair)) for pair in found.pairs),
        known_as=found.row.strategy.id,
    )


def calibrated_arm(
    judge: str,
    groups: Sequence[Sequence[JudgedPair]],
    results: Sequence[StrategyResult],
    cluster: ClusterKind = "cluster",
) -> Arm:
    """Return what a pilot shows of label log-odds averaged over all that was asked anyhow.

    Parameters
    ----------
    judge : str
        Name of the judge.
    groups : Sequence[Sequence[JudgedPair]]
        Its pairs under each labelling, in the same sequence.
    results : Sequence[StrategyResult]
        The result of each pair.
    cluster : ClusterKind
        Unit of uncertainty.

    Returns
    -------
    Arm
        One decision for each pair.
    """
    pairs = [each.pair for each in groups[0]]
    shown = [shown for group in groups for each in group for _, shown in each.main()]
    return Arm(
        judge=judge,
        strategy=results[0].strategy if results else "balanced_calibration",
        decisions=tuple(
            decision
            for pair, result in zip(pairs, results, strict=True)
            for decision in _decided(pair, [result], cluster, "")
        ),
        asked=_asked(shown, len(pairs)),
        n_referenced=sum(bool(_accepted(pair)) for pair in pairs),
    )


def _asked(found: Iterable[PresentationEvidence], n_decisions: float) -> tuple[Asked, ...]:
    by_judge: dict[str, list[PresentationEvidence]] = {}
    for shown in found:
        by_judge.setdefault(shown.presentation.judge, []).append(shown)
    return tuple(
        Asked(judge, len(held) / n_decisions, spent_on(a for s in held for a in s.attempts))
        for judge, held in by_judge.items()
    )


def _decided(
    pair: Pair, results: Iterable[StrategyResult], cluster: ClusterKind, order: str
) -> Iterator[Decision]:
    accepted = _accepted(pair)
    for result in results:
        if accepted and result.value != "none":
            yield _decision(pair, Verdict(result.value), cluster, order)


def _one_call(judged: JudgedPair, cluster: ClusterKind) -> Iterator[Decision]:
    """Yield whether each call agrees, by its order."""
    if not _accepted(judged.pair):
        return
    for order, shown in _repeated(judged.evidence).items():
        for verdict in map(_verdict, shown):
            if verdict is not None:
                yield _decision(judged.pair, verdict, cluster, order)


def _both_orders(judged: JudgedPair, cluster: ClusterKind) -> Iterator[Decision]:
    """Yield whether each couple of both orders agrees, a tie where they say different things."""
    shown = _repeated(judged.evidence)
    if not _accepted(judged.pair) or set(shown) != set(Order):
        return
    for couple in zip(*(shown[order] for order in Order), strict=False):
        said = {_verdict(each) for each in couple}
        if len(said) == 1 and said <= _RESULTS:
            yield _decision(judged.pair, next(iter(said)), cluster)
        elif said <= _TIED_BY_RULE:
            yield _decision(judged.pair, Verdict.TIE, cluster)


def _decision(
    pair: Pair, verdict: Verdict | None, cluster: ClusterKind, order: str = ""
) -> Decision:
    names = {"cluster": pair.item.cluster, "item": pair.item.id, "pair": pair.id}
    return Decision(float(verdict in _accepted(pair)), pair.id, str(names[cluster]), order)


def _accepted(pair: Pair) -> frozenset[Verdict]:
    return frozenset() if pair.reference is None else pair.reference.accepted


def _verdict(shown: PresentationEvidence) -> Verdict | None:
    decisive = shown.decisive
    if decisive is None:
        return None
    return verdict_of(decisive.outcome, shown.presentation.order)


def _repeated(evidence: PairEvidence) -> dict[Order, list[PresentationEvidence]]:
    """Return the presentations of a pair by order, repetitions of the subset among them."""
    found: dict[Order, list[PresentationEvidence]] = {}
    for order, main in evidence.main.items():
        digests = {shown.presentation.judge_digest for shown in main}
        further = [
            shown
            for shown in evidence.stability.get(order, ())
            if shown.presentation.judge_digest in digests
        ]
        unique = {shown.presentation.key: shown for shown in (*main, *further)}
        found[order] = list(unique.values())
    return found
