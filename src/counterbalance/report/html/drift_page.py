"""Drift between two versions of a judge as one HTML page: no network, no script, no second file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.drift_text import DRIFT_LIMITS, move_sentence, noise_sentence
from counterbalance.report.html.compare_page import (
    comparison_facts,
    comparison_sections,
    methods_of,
)
from counterbalance.report.html.comparison_parts import comparison_name
from counterbalance.report.html.difference_figures import axis_of, points, points_plot
from counterbalance.report.html.sections import Part, Section
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.html.verdict_page import SaidVerdict, VerdictPage, render_verdict_page
from counterbalance.report.layout import p_value, percent, plural, visible

if TYPE_CHECKING:
    from counterbalance.compare.comparison import Comparison
    from counterbalance.compare.drift import Drift, VerdictDrift

__all__ = ["render_drift_html"]


def render_drift_html(found: Drift, *, full: bool = False) -> str:
    """Return drift as one HTML page.

    Parameters
    ----------
    found : Drift
        What moved.
    full : bool
        Show every table of every judge.

    Returns
    -------
    str
        The same text for the same drift. It loads nothing, runs nothing and sends nothing.
    """
    verdicts = tuple(_said(*part) for part in found.parts)
    one = comparison_name(found.comparisons.comparisons[0])
    return render_verdict_page(
        "drift.html",
        VerdictPage(
            kind="counterbalance drift",
            banner="Drift of a judge, by counterbalance",
            title=one if len(verdicts) == 1 else f"Drift of {plural(len(verdicts), 'judge')}",
            facts=comparison_facts(found.comparisons),
            verdicts=verdicts,
            sections=(_noise(found), *comparison_sections(found.comparisons, full=full)),
            warnings=tuple(visible(note, 2000) for note in found.comparisons.notes),
            not_said=DRIFT_LIMITS,
            methods=methods_of(found.comparisons),
        ),
    )


def _said(comparison: Comparison, verdicts: VerdictDrift) -> SaidVerdict:
    sentences = (
        comparison.attribution.sentence,
        noise_sentence(verdicts),
        *(move_sentence(*each) for each in comparison.differences),
    )
    return SaidVerdict(comparison_name(comparison), tuple(visible(x, 2000) for x in sentences))


def _noise(found: Drift) -> Section:
    about = (
        "A judge that contradicts itself when nothing changes also differs between versions. Only"
        " the excess over repetitions can be laid to the version."
    )
    reach = axis_of(
        x for v in found.verdicts for x in (v.excess.value, v.excess.low, v.excess.high)
    )
    table = Table(
        caption="Verdicts that differ across versions, against repetitions",
        about=(
            "Changed verdicts are out of the orders of pairs with a verdict in both versions; the"
            " excess is out of those that both were asked in twice or more, with intervals over"
            f" clusters. The axis goes from −{100 * reach:g} to +{100 * reach:g} points."
        ),
        head=("judge and counts", "excess over repetitions", "on its axis"),
        rows=tuple(_row(*part, reach) for part in found.parts),
        stacks=True,
    )
    return Section("noise", "Beyond repetition noise", about, (Part("", (table,)),))


def _row(comparison: Comparison, found: VerdictDrift, reach: float) -> tuple[Cell, ...]:
    excess = found.excess
    share = percent(found.n_changed / found.n_compared if found.n_compared else None)
    chances = (
        f"{found.n_changed} of {found.n_compared} verdicts changed ({share})",
        f"across versions {percent(found.across)}",
        f"between repetitions of the earlier {percent(found.within_first)}",
        f"between repetitions of the later {percent(found.within_second)}",
    )
    name = Cell(comparison_name(comparison), chances)
    plot = points_plot(
        excess.value, (excess.low, excess.high), reach, is_ring=not found.is_beyond_noise
    )
    if plot is None:
        return name, Cell("–", (found.undefined or "",)), Cell("no value")
    interval = "no interval"
    if excess.low is not None and excess.high is not None:
        interval = f"[{100 * excess.low:+.1f}, {100 * excess.high:+.1f}]"
    lines = (interval, p_value(found.p_value), f"n = {excess.denominator:g}; {excess.method}")
    return name, Cell(points(excess.value), lines), Cell("", plot=plot)
