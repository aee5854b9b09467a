"""A record to a report: evidence joined, disposed, measured. Renderings compute nothing."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.dispositions.disposition import (
    STABLE,
    TWO_VERDICTS,
    Disposition,
    dispose,
    verdicts_of,
)
from counterbalance.dispositions.evidence import GroupId, PairEvidence, collect
from counterbalance.dispositions.requirements import accepted_winner, requirement_results
from counterbalance.dispositions.strategy_result import (
    StrategyResult,
    balanced_calibration,
    plain_result,
)
from counterbalance.dispositions.transition import transition_table
from counterbalance.errors import InputError
from counterbalance.items.frames import Order, Slot
from counterbalance.measures.catalogue import group_measures, group_tests
from counterbalance.measures.group import JudgedPair, main_outcomes, slot_counts
from counterbalance.parsing.outcome import FailureKind, OutcomeKind
from counterbalance.presentations.assignment import excluded_reason, held_out_ids
from counterbalance.protocol.loading import protocol_from_canonical
from counterbalance.report.report import (
    CategoryRow,
    Counts,
    GroupReport,
    LabelReport,
    Reconciliation,
    Report,
    StrategyReport,
)
from counterbalance.report.warning import warnings_for
from counterbalance.statistics.multiplicity import FamilyTest, holm

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from counterbalance.items.item import Pair, PairId
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.record.attempt import Attempt
    from counterbalance.record.store import RecordHeader, Store

__all__ = ["Evidence", "build_report", "read_evidence"]


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
    """

    header: RecordHeader
    protocol: Protocol
    rows: int
    excluded: Mapping[PairId, str]
    held_out: frozenset[PairId]
    groups: Mapping[GroupId, tuple[JudgedPair, ...]]


def read_evidence(store: Store) -> Evidence:
    """Read a record and give every pair of every group its disposition.

    Parameters
    ----------
    store : Store
        An open record.

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
    excluded = {
        pair.id: reason for pair in pairs if (reason := excluded_reason(pair, protocol)) is not None
    }
    held_out = held_out_ids(pairs, protocol)
    kept = [pair for pair in pairs if pair.id not in excluded and pair.id not in held_out]
    found = collect(store.plan(), store.attempts())
    groups = {
        GroupId(judge.name, labelling.name): tuple(
            _judged(pair, found.get(GroupId(judge.name, labelling.name), {})) for pair in kept
        )
        for judge in protocol.judges
        for labelling in protocol.labellings
    }
    return Evidence(header, protocol, len(pairs), excluded, held_out, groups)


def _judged(pair: Pair, found: Mapping[PairId, PairEvidence]) -> JudgedPair:
    evidence = found.get(pair.id)
    return JudgedPair(dispose(pair, evidence), evidence or PairEvidence())


def build_report(store: Store, kind: str = "run") -> Report:
    """Make the report of a record.

    Parameters
    ----------
    store : Store
        An open record.
    kind : str
        ``run`` or ``demo``.

    Returns
    -------
    Report
        The same data for every rendering.
    """
    evidence = read_evidence(store)
    header, protocol = evidence.header, evidence.protocol
    groups = tuple(_group(group, pairs, evidence) for group, pairs in evidence.groups.items())
    reconciliation = _reconciliation(evidence)
    return Report(
        kind=kind,
        title=protocol.title,
        protocol=header.protocol,
        protocol_digest=header.protocol_digest,
        begun_at=header.created_at,
        program=header.program,
        pairs_file=header.pairs_file,
        pairs_sha256=header.pairs_sha256,
        rows=evidence.rows,
        reconciliation=reconciliation,
        groups=groups,
        strategies=tuple(_strategies(evidence)),
        labels=tuple(_labels(evidence)),
        planned_measures=frozenset(protocol.analysis.measures),
        margins={str(name): margin for name, margin in protocol.analysis.margins.items()},
        family=_family(groups, protocol),
        warnings=warnings_for(
            header.notes,
            protocol,
            groups,
            reconciliation,
            evidence.excluded,
            len(evidence.held_out),
        ),
    )


def _reconciliation(evidence: Evidence) -> Reconciliation:
    """Count unique presentations; one that serves two purposes was planned and asked once."""
    unique = {
        shown.presentation.key: shown.attempts
        for pairs in evidence.groups.values()
        for judged in pairs
        for held in (judged.evidence.main, judged.evidence.stability)
        for presentations in held.values()
        for shown in presentations
    }
    last = [attempts[-1].outcome for attempts in unique.values() if attempts]
    lost = [_lost(attempts) for attempts in unique.values()]
    without = Counter(
        f"failed:{o.failure}" if o.failure else o.kind.value for o in last if not o.is_verdict
    )
    made = sum(len(attempts) for attempts in unique.values())
    asked = sum(1 for attempts, n in zip(unique.values(), lost, strict=True) if len(attempts) > n)
    return Reconciliation(
        planned=len(unique),
        with_verdict=sum(o.is_verdict for o in last),
        without_verdict=dict(sorted(without.items())),
        not_run=len(unique) - len(last),
        attempts=made,
        retries=made - sum(lost) - asked,
        lost=sum(lost),
    )


def _lost(attempts: Sequence[Attempt]) -> int:
    return sum(1 for attempt in attempts if attempt.outcome.failure is FailureKind.LOST)


def _group(group: GroupId, pairs: tuple[JudgedPair, ...], evidence: Evidence) -> GroupReport:
    found = Counter(judged.result.disposition for judged in pairs)
    details = Counter(
        judged.result.detail
        for judged in pairs
        if judged.result.disposition is Disposition.ORDER_DISAGREEMENT
    )
    outcomes = Counter(outcome.kind for judged in pairs for _, outcome in main_outcomes(judged))
    reasons = Counter[str]()
    for judged in pairs:
        if judged.result.disposition is Disposition.INCOMPLETE:
            reasons.update(judged.result.reasons)
    protocol, analysis = evidence.protocol, evidence.protocol.analysis
    return GroupReport(
        judge=group.judge,
        labelling=group.labelling,
        strategy="S1" if protocol.orders.assignment == "both" else "B0",
        counts=_counts(pairs, evidence),
        systems=_systems(pairs),
        dispositions={d.value: found[d] for d in Disposition},
        details={name: details[name] for name in ("primacy", "recency")},
        incomplete_reasons=dict(sorted(reasons.items())),
        outcomes={kind.value: outcomes[kind] for kind in OutcomeKind},
        transition=transition_table(judged.result for judged in pairs),
        measures=tuple(
            group_measures(
                pairs,
                baseline=protocol.baseline,
                cluster=analysis.cluster,
                level=analysis.confidence_level,
            )
        ),
        tests=tuple(group_tests(pairs, analysis.cluster)),
        categories=tuple(_categories(pairs)),
        accepted_winners=_accepted(pairs),
        stable_against_reference=tuple(_against_reference(pairs)),
        label_mass=_label_mass(pairs),
    )


def _counts(pairs: Sequence[JudgedPair], evidence: Evidence) -> Counts:
    shown = [p for j in pairs for held in j.evidence.main.values() for p in held]
    return Counts(
        items=len({judged.pair.item.id for judged in pairs}),
        clusters=len({judged.pair.item.cluster for judged in pairs}),
        pairs=len(pairs),
        held_out=len(evidence.held_out),
        excluded=len(evidence.excluded),
        presentations=len(shown),
        attempts=sum(len(p.attempts) for p in shown),
    )


def _systems(pairs: Sequence[JudgedPair]) -> dict[str, str]:
    named = {(judged.pair.a.system, judged.pair.b.system) for judged in pairs}
    a, b = named.pop() if len(named) == 1 else ("", "")
    return {"a": a, "b": b}


def _label_mass(pairs: Sequence[JudgedPair]) -> float | None:
    masses = [
        outcome.label_mass
        for judged in pairs
        for _, outcome in main_outcomes(judged)
        if outcome.label_mass is not None
    ]
    return sum(masses) / len(masses) if masses else None


def _categories(pairs: Sequence[JudgedPair]) -> Iterable[CategoryRow]:
    by_name: dict[str, list[JudgedPair]] = defaultdict(list)
    for judged in pairs:
        by_name[judged.pair.item.category].append(judged)
    for name, members in sorted(by_name.items()):
        found = [judged.result.disposition for judged in members]
        both = [(j.pair.reference, verdicts_of(j.result)) for j in members]
        rated = [(r, v) for r, v in both if r is not None and v is not None]
        yield CategoryRow(
            category=name,
            pairs=len(members),
            stable=sum(d in STABLE for d in found),
            two_verdicts=sum(d in TWO_VERDICTS for d in found),
            order_disagreement=found.count(Disposition.ORDER_DISAGREEMENT),
            agreeing=sum(all(x in r.accepted for x in v) for r, v in rated),
            referenced=len(rated),
        )


def _accepted(pairs: Sequence[JudgedPair]) -> dict[str, int]:
    counts = {"a": 0, "b": 0, "breached": 0}
    for judged in pairs:
        if judged.result.winner is None:
            continue
        results = requirement_results(judged.pair, judged.evidence)
        winner = accepted_winner(judged.result, results)
        counts["breached" if winner is None else winner.value] += 1
    return counts


def _against_reference(pairs: Sequence[JudgedPair]) -> list[str]:
    wrong = [
        judged.pair
        for judged in pairs
        if judged.result.disposition in STABLE
        and judged.pair.reference is not None
        and judged.verdict(Order.FORWARD) not in judged.pair.reference.accepted
    ]
    return [pair.id for pair in sorted(wrong, key=lambda p: (-p.item.consequence, p.id))]


def _labels(evidence: Evidence) -> Iterable[LabelReport]:
    """Count choices by label and by slot, where exchanged labels can tell them apart."""
    protocol = evidence.protocol
    if len(protocol.labellings) == 1:
        return
    for judge in protocol.judges:
        by_label, by_slot = Counter[str](), Counter[str]()
        for labelling in protocol.labellings:
            pairs = evidence.groups[GroupId(judge.name, labelling.name)]
            for slot, n in zip(Slot, map(sum, _slots(pairs)), strict=True):
                by_slot[slot.value] += n
                by_label[labelling.label(slot)] += n
        names = tuple(labelling.name for labelling in protocol.labellings)
        yield LabelReport(judge.name, names, dict(sorted(by_label.items())), dict(by_slot))


def _slots(pairs: Sequence[JudgedPair]) -> tuple[list[int], list[int]]:
    counts = [slot_counts(judged) for judged in pairs]
    return [first for first, _, _ in counts], [second for _, second, _ in counts]


def _strategies(evidence: Evidence) -> Iterable[StrategyReport]:
    for group, pairs in evidence.groups.items():
        results = [plain_result(judged.result) for judged in pairs]
        yield _strategy(group.judge, (group.labelling,), pairs, results)
    if "balanced_calibration" not in evidence.protocol.strategies:
        return
    for judge in evidence.protocol.judges:
        members = [pairs for group, pairs in evidence.groups.items() if group.judge == judge.name]
        labellings = tuple(g.labelling for g in evidence.groups if g.judge == judge.name)
        results = [
            balanced_calibration([judged.evidence for judged in same_pair])
            for same_pair in zip(*members, strict=True)
        ]
        yield _strategy(judge.name, labellings, members[0], results)


def _strategy(
    judge: str,
    labellings: tuple[str, ...],
    pairs: Sequence[JudgedPair],
    results: Sequence[StrategyResult],
) -> StrategyReport:
    counts = Counter(result.value for result in results)
    rated = [
        (judged.pair.reference, result.value)
        for judged, result in zip(pairs, results, strict=True)
        if judged.pair.reference is not None and result.value != "none"
    ]
    return StrategyReport(
        judge=judge,
        strategy=results[0].strategy if results else "S1",
        labellings=labellings,
        results={value: counts[value] for value in ("a", "b", "tie", "neither", "none")},
        from_disagreement=sum(result.from_disagreement for result in results),
        agreeing=sum(value in {v.value for v in r.accepted} for r, value in rated),
        referenced=len(rated),
    )


def _family(groups: Sequence[GroupReport], protocol: Protocol) -> FamilyTest | None:
    planned = protocol.analysis.family
    if not planned:
        return None
    p_values = {
        f"{test.name} [{group.name}]": test.p_value
        for group in groups
        for test in group.tests
        if test.name in planned
    }
    size = len(planned) * len(protocol.judges) * len(protocol.labellings)
    return holm(p_values, size, 1 - protocol.analysis.confidence_level)
