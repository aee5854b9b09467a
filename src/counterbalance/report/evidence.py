"""A record read once: pairs with their dispositions by group, and what was planned and asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.dispositions.disposition import dispose
from counterbalance.dispositions.evidence import GroupId, PairEvidence, collect
from counterbalance.dispositions.strategy_result import StrategyResult, balanced_calibration
from counterbalance.errors import InputError
from counterbalance.measures.group import JudgedPair
from counterbalance.presentations.assignment import excluded_reasons, held_out_ids
from counterbalance.protocol.loading import protocol_from_canonical

if TYPE_CHECKING:
    from collections.abc import Mapping

    from counterbalance.items.item import Pair, PairId
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.record.store import RecordHeader, Store

__all__ = ["Evidence", "read_evidence"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a record holds, joined by pair.

    Attributes
    ----------
    header : RecordHeader
        What the record is of.
    protocol : Protocol
        The protocol it was begun with.
    rows : int
        Pairs in the pair file.
    excluded : Mapping[PairId, str]
        Pairs left out, and why.
    held_out : frozenset[PairId]
        Pairs kept back for a confirmation: they are in no group.
    groups : Mapping[GroupId, tuple[JudgedPair, ...]]
        Pairs by judge and labelling, in the order of the pair file.
    n_planned : int
        Presentations of the order plan, counted from the plan and not from the groups.
    n_unplanned : int
        Attempts at presentations that the plan does not hold.
    n_under_way : int
        Calls that were started and have not come back: a run is going on, or was killed.
    counts_beyond_rule : bool
        Whether attempts beyond the retry rule count: everything is exploratory then.
    """

    header: RecordHeader
    protocol: Protocol
    rows: int
    excluded: Mapping[PairId, str]
    held_out: frozenset[PairId]
    groups: Mapping[GroupId, tuple[JudgedPair, ...]]
    n_planned: int
    n_unplanned: int
    n_under_way: int
    counts_beyond_rule: bool = False

    def calibrated(self, judge: str) -> dict[PairId, StrategyResult]:
        """Return the balanced-calibration result of each pair; empty where it was not planned."""
        if "balanced_calibration" not in self.protocol.strategies:
            return {}
        members = [pairs for group, pairs in self.groups.items() if group.judge == judge]
        return {same[0].pair.id: _calibrated(same) for same in zip(*members, strict=True)}


def read_evidence(store: Store, *, exploratory: bool = False) -> Evidence:
    """Read a record and give every pair of every group its disposition.

    Parameters
    ----------
    store : Store
        An open record.
    exploratory : bool
        Whether attempts beyond the retry rule, which was fixed in advance, count as well.

    Returns
    -------
    Evidence
        Everything that reports and case files are made of.

    Raises
    ------
    InputError
        If the record holds no study yet.
    """
    header = store.header()
    if header is None:
        msg = "the record holds nothing yet; `counterbalance run` begins it"
        raise InputError(msg)
    protocol = protocol_from_canonical(header.protocol, header.pairs_file)
    pairs = list(store.pairs())
    excluded = excluded_reasons(pairs, protocol)
    held_out = held_out_ids(pairs, protocol)
    kept = [pair for pair in pairs if pair.id not in excluded and pair.id not in held_out]
    plan = list(store.plan())
    attempts = list(store.attempts())
    planned = {entry.presentation.key for entry in plan}
    found = collect(plan, attempts, protocol, counts_beyond=exploratory)
    groups = {
        GroupId(judge.name, labelling.name): tuple(
            _judged(pair, found.get(GroupId(judge.name, labelling.name), {})) for pair in kept
        )
        for judge in protocol.judges
        for labelling in protocol.labellings
    }
    return Evidence(
        header=header,
        protocol=protocol,
        rows=len(pairs),
        excluded=excluded,
        held_out=held_out,
        groups=groups,
        n_planned=len(planned),
        n_unplanned=sum(attempt.key not in planned for attempt in attempts),
        n_under_way=sum(1 for _ in store.unfinished()),
        counts_beyond_rule=exploratory,
    )


def _judged(pair: Pair, found: Mapping[PairId, PairEvidence]) -> JudgedPair:
    evidence = found.get(pair.id)
    return JudgedPair(dispose(pair, evidence), evidence or PairEvidence())


def _calibrated(same_pair: tuple[JudgedPair, ...]) -> StrategyResult:
    """Average one pair over its labellings, unless its orders differ in more than the order."""
    is_confounded = any(judged.result.is_confounded for judged in same_pair)
    return balanced_calibration([] if is_confounded else [j.evidence for j in same_pair])
