"""Strategies in a report: a row for each judge or panel, and the dispositions under it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from counterbalance.dispositions.disposition import Disposition
from counterbalance.dispositions.strategy_columns import strategy_columns
from counterbalance.measures.from_judged import pairs_from_judged
from counterbalance.measures.group import JudgedPair
from counterbalance.measures.strategies import strategy_agreement
from counterbalance.measures.swap_identity import SwapIdentity, swap_identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from counterbalance.dispositions.combining import VoterEvidence
    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.dispositions.strategy_evidence import StrategyEvidence
    from counterbalance.measures.estimate import Estimate
    from counterbalance.protocol.strategies.voting import Voter
    from counterbalance.report.evidence import Evidence

__all__ = ["StrategyReport", "VoterReport", "declared_strategies", "swap_identities"]


@dataclass(frozen=True, slots=True)
class VoterReport:
    """What one voter of a strategy says of the pairs, before any rule.

    Attributes
    ----------
    name : str
        Judge, prompt, temperature and labelling.
    is_on_call : bool
        Whether it was asked only where the first voter disagreed with itself.
    pairs : int
        Pairs that it was to be asked about.
    dispositions : Mapping[str, int]
        Those pairs by disposition; only those that occur.
    details : Mapping[str, int]
        Order disagreements by detail: primacy, recency.
    incomplete_reasons : Mapping[str, int]
        Why pairs are incomplete or have no verdict, in presentations.
    """

    name: str
    is_on_call: bool
    pairs: int
    dispositions: Mapping[str, int]
    details: Mapping[str, int]
    incomplete_reasons: Mapping[str, int]

    @property
    def without_verdict(self) -> int:
        """Presentations that left a pair incomplete or without a verdict."""
        return sum(self.incomplete_reasons.values())


@dataclass(frozen=True, slots=True)
class StrategyReport:
    """What one strategy made of the pairs, beside their dispositions.

    Attributes
    ----------
    judge : str
        Name of the judge, or names of the panel.
    strategy : str
        Id of the strategy.
    labellings : tuple[str, ...]
        The labellings it was formed from.
    results : Mapping[str, int]
        Pairs by result: a, b, tie, neither, none.
    from_disagreement : int
        Results that the rule made out of orders or votes that disagree.
    agreement : Estimate
        Share of results in the accepted reference set.
    agreement_all : Estimate
        The same, with pairs without a result counted as wrong.
    title : str
        What the strategy does; empty for the rule that the dispositions imply.
    self_disagreeing : int
        Pairs on which a voter's own two orders disagree, whatever the rule made of it.
    split : int
        Pairs on which voters do not all say the same.
    escalated : int
        Pairs that the judge on call decided.
    voters : tuple[VoterReport, ...]
        What each voter says; empty for the rule that the dispositions imply.
    """

    judge: str
    strategy: str
    labellings: tuple[str, ...]
    results: Mapping[str, int]
    from_disagreement: int
    agreement: Estimate
    agreement_all: Estimate
    title: str = ""
    self_disagreeing: int = 0
    split: int = 0
    escalated: int = 0
    voters: tuple[VoterReport, ...] = field(default=())

    @property
    def without_verdict(self) -> int:
        """Presentations of all voters that left a pair incomplete or without a verdict."""
        return sum(voter.without_verdict for voter in self.voters)

    @property
    def dispositions(self) -> dict[str, int]:
        """Votes of all voters by disposition, in the order of the classes."""
        found = Counter[str]()
        for voter in self.voters:
            found.update(voter.dispositions)
        return {d.value: found[d.value] for d in Disposition if found[d.value]}


def declared_strategies(evidence: Evidence) -> Iterator[StrategyReport]:
    """Yield a row for each strategy of the protocol with each judge or panel.

    Parameters
    ----------
    evidence : Evidence
        Holds what each voter says.

    Yields
    ------
    StrategyReport
        In the order of the protocol.
    """
    analysis = evidence.protocol.analysis
    for found in evidence.strategies:
        if not found.pairs:
            continue
        pairs = pair_columns(found, evidence)
        columns = strategy_columns(found.results)
        agreement, agreement_all = (
            strategy_agreement(pairs, columns, analysis.confidence_level, missing_is_wrong=missing)
            for missing in (False, True)
        )
        yield StrategyReport(
            judge=found.row.judge,
            strategy=found.row.strategy.id,
            labellings=tuple(dict.fromkeys(voter.labelling for voter in found.row.voters)),
            results=columns.counts,
            from_disagreement=int(columns.from_disagreement.sum()),
            agreement=agreement,
            agreement_all=agreement_all,
            title=found.row.strategy.title,
            self_disagreeing=sum(result.n_self_disagreeing > 0 for result in found.results),
            split=sum(result.is_split for result in found.results),
            escalated=sum(result.is_escalated for result in found.results),
            voters=tuple(_voters(found)),
        )


def swap_identities(evidence: Evidence) -> dict[str, SwapIdentity]:
    """Return the identity between S1 and B0 for each judge that both are tried with.

    Parameters
    ----------
    evidence : Evidence
        Holds the results.

    Returns
    -------
    dict[str, SwapIdentity]
        By judge; empty where the protocol does not name both.
    """
    by_id = {(found.row.strategy.id, found.row.judge): found for found in evidence.strategies}
    return {
        judge: swap_identity(
            pair_columns(both, evidence),
            strategy_columns(by_id["B0", judge].results),
            strategy_columns(both.results),
        )
        for (strategy, judge), both in by_id.items()
        if strategy == "S1" and both.pairs and ("B0", judge) in by_id
    }


def pair_columns(found: StrategyEvidence, evidence: Evidence) -> PairColumns:
    """Return the pairs of a strategy in columns, with the cells of its first voter."""
    first = found.voters[found.row.voters[0]]
    return pairs_from_judged(_judged(first), evidence.protocol.analysis.cluster)


def _judged(found: Sequence[VoterEvidence]) -> list[JudgedPair]:
    return [JudgedPair(each.result, each.evidence) for each in found]


def _voters(found: StrategyEvidence) -> Iterable[VoterReport]:
    for voter in found.row.voters:
        yield _voter(voter, found.voters[voter])


def _voter(voter: Voter, found: Sequence[VoterEvidence]) -> VoterReport:
    asked = [each for each in found if each.evidence.main or not voter.is_on_call]
    reasons = Counter[str]()
    for each in asked:
        reasons.update(each.result.reasons)
    details = [each.result.detail for each in asked if each.result.detail in _DETAILS]
    return VoterReport(
        name=voter.name,
        is_on_call=voter.is_on_call,
        pairs=len(asked),
        dispositions=dict(Counter(each.result.disposition.value for each in asked)),
        details=dict(Counter(details)),
        incomplete_reasons=dict(sorted(reasons.items())),
    )


_DETAILS = frozenset({"primacy", "recency"})
