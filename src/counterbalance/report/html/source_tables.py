"""The source's own figures, and how each differs from ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.html.sections import Part, Section
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.layout import plural, visible
from counterbalance.report.source_figures_text import figure_cells, figures_name

if TYPE_CHECKING:
    from counterbalance.report.log_reading import LogReading
    from counterbalance.report.source_figures import FiguresOf

__all__ = ["source_figures"]

_MOST_GROUPS = 12
_MOST_FIGURES = 24


def source_figures(log: LogReading) -> Section | None:
    """Show the source's own figures by its own rules; None where it has none."""
    if not log.upstream:
        return None
    used = dict.fromkeys(row.figure.rule for group in log.upstream for row in group.rows)
    more = len(log.upstream) - _MOST_GROUPS
    rules = Table(
        caption="How the source's rules differ from ours",
        about=f"{plural(len(used), 'rule')} of {visible(log.format_title, 80)}.",
        head=("rule", "how it differs"),
        rows=tuple(
            (Cell(visible(name, 80)), Cell(visible(log.upstream_rules[name], 400))) for name in used
        ),
        more=f"{plural(more, 'more group')} of figures: --json lists all." if more > 0 else "",
    )
    tables = tuple(_figures(group) for group in log.upstream[:_MOST_GROUPS])
    return Section("source", "The source's own figures", "", (Part("", (*tables, rules)),))


def _figures(group: FiguresOf) -> Table:
    more = len(group.rows) - _MOST_FIGURES
    rest = f"; {more} more with --full or --json" if more > 0 else ""
    rows = []
    for row in group.rows[:_MOST_FIGURES]:
        name, value, count, ours = figure_cells(row)
        cells = Cell(name), Cell(value, is_number=True), Cell(count, is_number=True), Cell(ours)
        rows.append(cells)
    return Table(
        caption=figures_name(group),
        about=f"{plural(len(group.rows), 'figure')}, each with its counts and ours{rest}.",
        head=("figure", "value", "count", "ours over the same verdicts"),
        rows=tuple(rows),
    )
