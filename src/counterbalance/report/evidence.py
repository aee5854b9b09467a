"""A record read once: pairs with their dispositions by group, and what was planned and asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypedDict

from counterbalance.dispositions.disposition import dispose
from counterbalance.dispositions.evidence import GroupId, PairEvidence, collect, collected
from counterbalance.dispositions.on_call import needed_entries
from counterbalance.dispositions.strategy_evidence import StrategyEvidence, strategy_evidence
from counterbalance.dispositions.strategy_result import StrategyResult, balanced_calibration
from counterbalance.errors import InputError
from counterbalance.measures.group import JudgedPair
from counterbalance.presentations.assignment import (
    excluded_reasons,
    held_out_ids,
    is_shown_under,
)
from counterbalance.protocol.loading import protocol_from_canonical
from counterbalance.record.imported import refuse_import
from counterbalance.report.history import History
from counterbalance.report.human_reading import read_review

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from counterbalance.items.item import Pair, PairId
    from counterbalance.parsing.outcome import Outcome
    from counterbalance.presentations.presentation import (
        PlanEntry,
        Presentation,
        PresentationKey,
    )
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.record.attempt import Attempt
    from counterbalance.record.store import RecordHeader, Store
    from counterbalance.report.human_reading import ReviewReading

__all__ = ["Evidence", "read_evidence"]


class _ByKind(TypedDict):
    """Strategies over pairs of answers, and over probes."""

    strategies: tuple[StrategyEvidence, ...]
    on_probes: tuple[StrategyEvidence, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a record holds under its newest revision, joined by pair.

    Attributes
    ----------
    header : RecordHeader
        What the newest revision is of.
    protocol : Protocol
        Its protocol.
    history : History
        Its revisions, and when held-out pairs were opened.
    rows : int
        Pairs in the pair file.
    excluded : Mapping[PairId, str]
        Pairs left out, and why.
    held_out : frozenset[PairId]
        Pairs kept back for a confirmation: they are in no group.
    groups : Mapping[GroupId, tuple[JudgedPair, ...]]
        Pairs by judge and labelling, in the order of the pair file; a probe only where it is shown.
    n_planned : int
        Presentations of the order plan, counted from the plan and not from the groups.
    n_unplanned : int
        Attempts at presentations that no plan of any revision holds.
    n_under_way : int
        Calls that were started and have not come back: a run is going on, or was killed.
    counts_beyond_rule : bool
        Whether attempts beyond the retry rule count: everything is exploratory then.
    confirmation : Evidence | None
        The same of the held-out pairs, once they were opened under this revision: a part of its
        own, whose pairs are in no group of this one.
    is_held_out : bool
        Whether this is that part.
    review : ReviewReading | None
        The blind review of this revision; None without one, and for the held-out part.
    strategies : tuple[StrategyEvidence, ...]
        Every strategy with each judge or panel, over the pairs that are no probes; empty where the
        protocol names none.
    on_probes : tuple[StrategyEvidence, ...]
        The same over the probes; empty where there are none.
    n_not_needed : int
        Presentations for judges on call that no strategy needed: outside of ``n_planned``.
    """

    header: RecordHeader
    protocol: Protocol
    history: History
    rows: int
    excluded: Mapping[PairId, str]
    held_out: frozenset[PairId]
    groups: Mapping[GroupId, tuple[JudgedPair, ...]]
    n_planned: int
    n_unplanned: int
    n_under_way: int
    counts_beyond_rule: bool = False
    confirmation: Evidence | None = None
    is_held_out: bool = False
    review: ReviewReading | None = None
    strategies: tuple[StrategyEvidence, ...] = ()
    on_probes: tuple[StrategyEvidence, ...] = ()
    n_not_needed: int = 0

    def strategy_results(self, pair_id: PairId, judge: str) -> Iterator[tuple[str, StrategyResult]]:
        """Yield the results of a pair under each strategy that a judge takes part in.

        Parameters
        ----------
        pair_id : PairId
            The pair.
        judge : str
            Name of the judge.

        Yields
        ------
        tuple[str, StrategyResult]
            The judge or panel, and what the rule makes of the pair.
        """
        for found in (*self.strategies, *self.on_probes):
            takes_part = any(voter.judge == judge for voter in found.row.voters)
            if takes_part and pair_id in found.by_pair:
                yield found.row.judge, found.by_pair[pair_id]

    def calibrated(self, judge: str) -> dict[PairId, StrategyResult]:
        """Return the balanced-calibration result of each pair; empty where it was not planned."""
        if "balanced_calibration" not in self.protocol.strategies:
            return {}
        members = [
            {each.pair.id: each for each in pairs}
            for group, pairs in self.groups.items()
            if group.judge == judge
        ]
        return {name: _calibrated([held.get(name) for held in members]) for name in members[0]}


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
    headers = store.headers()
    if not headers:
        msg = "the record holds nothing yet; `counterbalance run` begins it"
        raise InputError(msg)
    header = headers[-1]
    refuse_import(header, "the record", "`recorded_log` and `build_log_report` read it")
    protocol = protocol_from_canonical(header.protocol, header.pairs_file)
    pairs = list(store.pairs())
    excluded = excluded_reasons(pairs, protocol)
    held_out = held_out_ids(pairs, protocol, header.held_out or ())
    attempts = list(store.attempts())
    plan, n_not_needed = _needed(store, protocol, pairs, attempts)
    opened, n_not_opened = _needed(store, protocol, pairs, attempts, opened=True)
    under_way = [call.key for call in store.unfinished()]
    shown, shown_opened = _keys(plan), _keys(opened)
    strange = [attempt for attempt in attempts if attempt.key not in shown | shown_opened]
    elsewhere = _keys_of_others(store, headers[:-1]) if strange else frozenset()
    n_outside = sum(attempt.key in elsewhere for attempt in strange)
    history = History(headers, store.openings(), len(held_out), n_outside)
    kept = [pair for pair in pairs if pair.id not in excluded and pair.id not in held_out]
    whole = Evidence(
        header=header,
        protocol=protocol,
        history=history,
        rows=len(pairs),
        excluded=excluded,
        held_out=held_out,
        groups=_groups(
            protocol,
            kept,
            plan,
            attempts,
            counts_beyond=exploratory,
        ),
        n_planned=len(shown),
        n_unplanned=len(strange) - n_outside,
        n_under_way=sum(key not in shown_opened for key in under_way),
        counts_beyond_rule=exploratory,
        review=read_review(store, header.number),
        n_not_needed=n_not_needed,
        **_strategies(protocol, kept, plan, attempts, counts_beyond=exploratory),
    )
    if history.opening is None:
        return whole
    kept_back = [pair for pair in pairs if pair.id in held_out]
    confirmation = replace(
        whole,
        excluded={},
        held_out=frozenset(),
        groups=_groups(
            protocol,
            kept_back,
            opened,
            attempts,
            counts_beyond=exploratory,
        ),
        n_planned=len(shown_opened),
        n_unplanned=0,
        n_under_way=sum(key in shown_opened for key in under_way),
        is_held_out=True,
        review=None,
        n_not_needed=n_not_opened,
        **_strategies(protocol, kept_back, opened, attempts, counts_beyond=exploratory),
    )
    return replace(whole, confirmation=confirmation)


def _strategies(
    protocol: Protocol,
    kept: Sequence[Pair],
    plan: Sequence[PlanEntry],
    attempts: Sequence[Attempt],
    *,
    counts_beyond: bool,
) -> _ByKind:
    """Give answers and probes their results apart: no number pools the two."""
    answers = [pair for pair in kept if not pair.probe]
    probes = [pair for pair in kept if pair.probe]

    def over(pairs: Sequence[Pair]) -> tuple[StrategyEvidence, ...]:
        return strategy_evidence(protocol, pairs, plan, attempts, counts_beyond=counts_beyond)

    return {
        "strategies": over(answers) if answers or not probes else (),
        "on_probes": over(probes) if probes else (),
    }


def _needed(
    store: Store,
    protocol: Protocol,
    pairs: Sequence[Pair],
    attempts: Sequence[Attempt],
    *,
    opened: bool = False,
) -> tuple[list[PlanEntry], int]:
    """Return the plan without what judges on call were not needed for, and how much that is."""
    plan = list(store.plan(opened=opened))
    if not protocol.on_call:
        return plan, 0
    found = {
        entry.presentation.key: shown.decisive
        for entry, shown in collected(plan, attempts, protocol)
    }

    def outcome_of(presentation: Presentation) -> Outcome | None:
        decisive = found[presentation.key]
        return None if decisive is None else decisive.outcome

    needed = needed_entries(protocol, plan, pairs, outcome_of)
    return needed, len(_keys(plan)) - len(_keys(needed))


def _keys(plan: Iterable[PlanEntry]) -> frozenset[PresentationKey]:
    return frozenset(entry.presentation.key for entry in plan)


def _keys_of_others(store: Store, headers: Sequence[RecordHeader]) -> frozenset[PresentationKey]:
    """Return what earlier revisions planned."""
    return frozenset(
        entry.presentation.key
        for header in headers
        for is_opened in (False, True)
        for entry in store.plan(header.number, opened=is_opened)
    )


def _groups(
    protocol: Protocol,
    kept: Sequence[Pair],
    plan: Sequence[PlanEntry],
    attempts: Sequence[Attempt],
    *,
    counts_beyond: bool,
) -> dict[GroupId, tuple[JudgedPair, ...]]:
    found = collect(plan, attempts, protocol, counts_beyond=counts_beyond)
    return {
        GroupId(judge, labelling.name): tuple(
            _judged(pair, found.get(GroupId(judge, labelling.name), {}))
            for pair in kept
            if is_shown_under(pair, protocol, place)
        )
        for judge in protocol.standing_judges
        for place, labelling in enumerate(protocol.labellings)
    }


def _judged(pair: Pair, found: Mapping[PairId, PairEvidence]) -> JudgedPair:
    evidence = found.get(pair.id)
    return JudgedPair(dispose(pair, evidence), evidence or PairEvidence())


def _calibrated(same_pair: Sequence[JudgedPair | None]) -> StrategyResult:
    """Average one pair over its labellings, unless its orders differ in more than the order."""
    shown = [judged for judged in same_pair if judged is not None]
    is_whole = len(shown) == len(same_pair) and not any(j.result.is_confounded for j in shown)
    return balanced_calibration([judged.evidence for judged in shown] if is_whole else [])
