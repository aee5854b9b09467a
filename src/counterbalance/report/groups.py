"""One judge under one labelling, counted and measured."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from counterbalance.dispositions.disposition import (
    STABLE,
    TWO_VERDICTS,
    Disposition,
    verdicts_of,
)
from counterbalance.dispositions.requirements import accepted_winner, requirement_results
from counterbalance.dispositions.transition import transition_table
from counterbalance.items.frames import Order
from counterbalance.measures.catalogue import group_measures, group_tests
from counterbalance.measures.group import main_outcomes
from counterbalance.measures.margins import against_margin
from counterbalance.parsing.outcome import OutcomeKind
from counterbalance.report.report import (
    CategoryRow,
    Counts,
    GroupReport,
    MarginReport,
    RequirementRow,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from counterbalance.dispositions.evidence import GroupId
    from counterbalance.measures.estimate import Estimate
    from counterbalance.measures.group import JudgedPair
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.report.evidence import Evidence

__all__ = ["group_report"]


def group_report(group: GroupId, pairs: tuple[JudgedPair, ...], evidence: Evidence) -> GroupReport:
    """Measure one judge under one labelling.

    Parameters
    ----------
    group : GroupId
        Judge and labelling.
    pairs : tuple[JudgedPair, ...]
        Every planned pair with its disposition.
    evidence : Evidence
        Holds the protocol, and what is counted outside the group.

    Returns
    -------
    GroupReport
        Everything that renderings show of the group.
    """
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
    measures = group_measures(
        pairs,
        baseline=protocol.baseline,
        cluster=analysis.cluster,
        level=analysis.confidence_level,
    )
    mass, n_masses = _label_mass(pairs)
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
        measures=tuple(measures),
        margins=tuple(_margins(measures, protocol)),
        tests=tuple(group_tests(pairs, analysis.cluster)),
        categories=tuple(_categories(pairs)),
        accepted_winners=_accepted(pairs),
        stable_against_reference=tuple(_against_reference(pairs)),
        requirements=tuple(_requirements(pairs)),
        label_mass=mass,
        n_label_masses=n_masses,
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


def _margins(measures: Iterable[Estimate], protocol: Protocol) -> Iterable[MarginReport]:
    declared = {str(name): margin for name, margin in protocol.analysis.margins.items()}
    for estimate in measures:
        if estimate.name in declared:
            margin = declared[estimate.name]
            yield MarginReport(estimate.name, margin, against_margin(estimate, margin))


def _label_mass(pairs: Sequence[JudgedPair]) -> tuple[float | None, int]:
    masses = [
        outcome.label_mass
        for judged in pairs
        for _, outcome in main_outcomes(judged)
        if outcome.label_mass is not None
    ]
    return (sum(masses) / len(masses) if masses else None), len(masses)


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
    """Count stable winners: accepted by side, in breach of a mandatory requirement, or unknown."""
    counts = {"a": 0, "b": 0, "breached": 0, "unknown": 0}
    for judged in pairs:
        side = judged.result.winner
        if side is None:
            continue
        results = requirement_results(judged.pair, judged.evidence)
        winner = accepted_winner(judged.result, results)
        met = [r.is_met for r in results if r.side is side and r.requirement.mandatory]
        counts[winner.value if winner else "breached" if False in met else "unknown"] += 1
    return counts


def _requirements(pairs: Sequence[JudgedPair]) -> Iterable[RequirementRow]:
    """Count what candidates make of each requirement, whoever was preferred."""
    counts: dict[tuple[str, bool], Counter[tuple[str, bool | None]]] = {}
    for judged in pairs:
        for result in requirement_results(judged.pair, judged.evidence):
            place = result.requirement.id, result.requirement.mandatory
            counts.setdefault(place, Counter())[result.side.value, result.is_met] += 1
    for (name, mandatory), found in sorted(counts.items()):
        yield RequirementRow(
            requirement=name,
            mandatory=mandatory,
            met={side: found[side, True] for side in ("a", "b")},
            breached={side: found[side, False] for side in ("a", "b")},
            unknown={side: found[side, None] for side in ("a", "b")},
        )


def _against_reference(pairs: Sequence[JudgedPair]) -> list[str]:
    wrong = [
        judged.pair
        for judged in pairs
        if judged.result.disposition in STABLE
        and judged.pair.reference is not None
        and judged.verdict(Order.FORWARD) not in judged.pair.reference.accepted
    ]
    return [pair.id for pair in sorted(wrong, key=lambda p: (-p.item.consequence, p.id))]
