"""One judge under one labelling of a live run: its columns, and what only its replies show."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from counterbalance.dispositions.requirements import accepted_winner, requirement_results
from counterbalance.measures.cost import group_spent, unit_costs
from counterbalance.measures.margins import against_margin
from counterbalance.report.controlling import with_controls
from counterbalance.report.cost import CostReport
from counterbalance.report.counting import counted_group
from counterbalance.report.group_parts import RequirementRow
from counterbalance.report.probe_measures import probe_estimates
from counterbalance.report.report import MarginReport
from counterbalance.report.text_counts import pair_counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from counterbalance.dispositions.evidence import GroupId
    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.measures.controls import Controls
    from counterbalance.measures.group import JudgedPair
    from counterbalance.report.evidence import Evidence
    from counterbalance.report.report import GroupReport

__all__ = ["group_report"]


def group_report(
    group: GroupId, columns: PairColumns, evidence: Evidence, controls: Controls | None = None
) -> GroupReport:
    """Measure one judge under one labelling.

    Parameters
    ----------
    group : GroupId
        Judge and labelling.
    columns : PairColumns
        Its pairs in columns.
    evidence : Evidence
        Holds the pairs themselves, the protocol, and what is counted outside the group.
    controls : Controls | None
        What is kept apart from quality.

    Returns
    -------
    GroupReport
        Everything that renderings show of the group.
    """
    protocol, pairs = evidence.protocol, evidence.groups[group]
    counted = counted_group(
        group,
        columns,
        strategy="S1" if protocol.orders.assignment == "both" else "B0",
        baseline=protocol.baseline,
        level=protocol.analysis.confidence_level,
        margins={str(name): margin for name, margin in protocol.analysis.margins.items()},
        held_out=len(evidence.held_out),
        excluded=len(evidence.excluded),
    )
    mass, n_masses = _label_mass(pairs)
    if controls is not None and controls.is_asked:
        counted = with_controls(
            counted,
            columns,
            pair_counts(pairs, controls),
            controls,
            baseline=protocol.baseline,
            level=protocol.analysis.confidence_level,
        )
    if group.labelling == protocol.labellings[0].name:
        counted = _with_probes(counted, group, evidence)
    spent, price = group_spent(pairs), protocol.prices.get(group.judge)
    return replace(
        counted,
        accepted_winners=_accepted(pairs),
        requirements=tuple(_requirements(pairs)),
        label_mass=mass,
        n_label_masses=n_masses,
        cost=CostReport(
            spent, unit_costs(spent, columns), "" if price is None else price.provenance
        ),
    )


def _with_probes(counted: GroupReport, group: GroupId, evidence: Evidence) -> GroupReport:
    """Add the score of each probe, which is over every labelling, to the group of the first."""
    level = evidence.protocol.analysis.confidence_level
    found = probe_estimates(evidence, group.judge, level)
    bias = evidence.protocol.bias
    margin = None if bias is None else bias.margin
    margins = (
        ()
        if margin is None
        else tuple(MarginReport(each.name, margin, against_margin(each, margin)) for each in found)
    )
    return replace(
        counted,
        measures=(*counted.measures, *found),
        margins=(*counted.margins, *margins),
    )


def _label_mass(pairs: Sequence[JudgedPair]) -> tuple[float | None, int]:
    masses = [
        shown.decisive.outcome.label_mass
        for judged in pairs
        for _, shown in judged.main()
        if shown.decisive is not None and shown.decisive.outcome.label_mass is not None
    ]
    return (sum(masses) / len(masses) if masses else None), len(masses)


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
