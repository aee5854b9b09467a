"""Measures with their intervals on an axis, tests, and the family that was planned."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from counterbalance.measures.exploratory import LOG_ODDS_MEASURES
from counterbalance.report.html.family_table import family_table
from counterbalance.report.html.figures import Forest, ForestRow
from counterbalance.report.html.plot import Plot
from counterbalance.report.html.sections import Block, Fold, Part, Section
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.layout import p_value, visible
from counterbalance.report.measure_text import IN_FULL_ONLY, SIGNED, count_text, notes, value_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.measures.estimate import Estimate
    from counterbalance.measures.tested import TestResult
    from counterbalance.report.report import GroupReport, Report

__all__ = ["REPETITION", "measures", "planned_tests", "repetition"]

REPETITION = frozenset({"repetition_stability", "repeat_disagreement", "order_excess_disagreement"})
"""Measures that tell the order from ordinary variability; they have a section of their own."""
_FAMILIES = (
    ("Slot preference", ("bias_position", "preference_fairness", "order_effect")),
    ("Verdicts that survive the exchange", ("position_consistency", "first_slot_rate", "tie_rate")),
    ("Agreement with the reference", ("agreement",)),
    ("Kappa", ("kappa",)),
    ("Agreement beyond chance, otherwise understood", ("ac1", "alpha")),
    ("Win rates of candidate a", ("win_rate", "length_controlled")),
)
"""Captions, and how the names of their measures begin."""
_LOG_ODDS = "Order effect between equal systems, log-odds"
_SIGNED_AXIS, _SHARE_AXIS = ("−1", "0", "+1"), ("0 %", "50 %", "100 %")
_LOG_ODDS_AXIS = ("−∞", "0", "+∞")


def measures(report: Report, groups: Sequence[GroupReport]) -> Section:
    """Show every measure of each group but those of repetition, and every test."""
    return Section(
        "measures",
        "Measures with intervals",
        "A dot is the estimate, the line its interval, a shaded band the declared margin. A measure"
        " without a dot has no value; why not stands below its table.",
        tuple(
            Part(visible(group.name), tuple(_blocks(group, report)))
            for group in groups
        ),
    )  # fmt: skip


def repetition(report: Report, groups: Sequence[GroupReport]) -> Section:
    """Show how much of what looks like an order effect is ordinary variability."""
    about = (
        "A judge that disagrees with itself when nothing changes also disagrees when the order"
        " does. Only the excess over repeated calls can be laid to the order."
    )
    parts = []
    for group in groups:
        own = [estimate for estimate in group.measures if estimate.name in REPETITION]
        parts.append(
            Part(
                visible(group.name), tuple(_by_axis("Repetition against order", own, group, report))
            )
        )
    return Section("repetition", "Repetition stability against order", about, tuple(parts))


def _blocks(group: GroupReport, report: Report) -> Iterator[Block]:
    own = [estimate for estimate in group.measures if estimate.name not in REPETITION]
    brief = [e for e in own if e.name in report.named or e.name not in IN_FULL_ONLY]
    yield from _families(brief, group, report)
    further = [estimate for estimate in own if estimate not in brief]
    if further:
        yield Fold("Further measures", tuple(_families(further, group, report)))
    yield _tests(group, report)


def _families(left: Sequence[Estimate], group: GroupReport, report: Report) -> Iterator[Forest]:
    unbounded = [estimate for estimate in left if estimate.name in LOG_ODDS_MEASURES]
    left = [estimate for estimate in left if estimate not in unbounded]
    for caption, beginnings in _FAMILIES:
        own = [estimate for estimate in left if estimate.name.startswith(beginnings)]
        left = [estimate for estimate in left if estimate not in own]
        yield from _by_axis(caption, own, group, report)
    yield from _by_axis("Other measures", left, group, report)
    if unbounded:
        yield _forest(_LOG_ODDS, _LOG_ODDS_AXIS, unbounded, group, report)


def _by_axis(
    caption: str, own: Sequence[Estimate], group: GroupReport, report: Report
) -> Iterator[Forest]:
    """Keep signed measures and shares on axes of their own."""
    for is_signed, axis in ((True, _SIGNED_AXIS), (False, _SHARE_AXIS)):
        chosen = [estimate for estimate in own if (estimate.name in SIGNED) is is_signed]
        if chosen:
            is_split = is_signed and len(chosen) < len(own)
            title = f"{caption}: difference" if is_split else caption
            yield _forest(title, axis, chosen, group, report)


def _forest(
    caption: str,
    axis: tuple[str, str, str],
    chosen: Sequence[Estimate],
    group: GroupReport,
    report: Report,
) -> Forest:
    return Forest(
        caption=caption,
        about=(
            f"{visible(group.name)}: {group.counts.pairs} pairs in {group.counts.clusters}"
            f" clusters; {chosen[0].level:.0%} intervals. Each row has its own count and method."
        ),
        axis=axis,
        rows=tuple(_row(estimate, group, report) for estimate in chosen),
        notes=tuple(notes(chosen)),
    )


def _row(estimate: Estimate, group: GroupReport, report: Report) -> ForestRow:
    declared = next((m for m in group.margins if m.measure == estimate.name), None)
    method = "" if estimate.method == "none" else f"; method {estimate.method}"
    return ForestRow(
        name=estimate.name,
        is_planned=estimate.name in report.planned,
        means=estimate.positive_means,
        value=value_text(estimate.name, estimate.value),
        low=_limit(estimate, estimate.low),
        high=_limit(estimate, estimate.high),
        counts=f"{count_text(estimate)} {estimate.counted}{method}",
        exact=(estimate.value, estimate.low, estimate.high),
        margin="" if declared is None else f"margin ±{declared.margin:g}: {declared.verdict}",
        plot=_plot(estimate, None if declared is None else declared.margin),
    )


def _limit(estimate: Estimate, limit: float | None) -> str:
    return "" if limit is None else value_text(estimate.name, limit)


def _plot(estimate: Estimate, margin: float | None) -> Plot | None:
    if estimate.value is None:
        return None
    is_signed, is_unbounded = estimate.name in SIGNED, estimate.name in LOG_ODDS_MEASURES

    def place(value: float) -> float:
        # Log-odds are drawn where their probability lies: the whole line fits on the axis.
        value = math.tanh(value / 2) if is_unbounded else value
        share = (value + 1) / 2 if is_signed else value
        return round(100 * min(max(share, 0.0), 1.0), 2)

    return Plot(
        value=place(estimate.value),
        low=None if estimate.low is None else place(estimate.low),
        high=None if estimate.high is None else place(estimate.high),
        margin=None if margin is None else (place(-margin), place(margin)),
    )


def _tests(group: GroupReport, report: Report) -> Table:
    return Table(
        caption=f"Tests: {visible(group.name)}",
        about="p-values are two-sided and not yet corrected for their number.",
        head=("test", "hypothesis", "count", "p"),
        rows=tuple(_test(test, report) for test in group.tests),
    )


def _test(test: TestResult, report: Report) -> tuple[Cell, ...]:
    mark = "planned" if test.name in report.planned else "exploratory"
    said = (test.undefined,) if test.undefined else test.cautions
    counts = f"{test.numerator} of {test.denominator}"
    return (
        Cell(test.name, (mark,)),
        Cell(test.hypothesis, said),
        Cell(counts, (test.counted,)),
        Cell(p_value(test.p_value), is_number=True),
    )


def planned_tests(report: Report) -> tuple[Part, ...]:
    """Show the planned tests, corrected together; nothing when none was planned."""
    family = report.family
    if family is None:
        return ()
    return (Part("", (family_table(family, "Planned tests, corrected together"),)),)
