"""The source's own figures in a text report, each with ours beside and how the two differ."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from counterbalance.report.layout import columns, number, percent, plural, visible
from counterbalance.report.measure_text import value_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.measures.upstream.figure import SourceFigure
    from counterbalance.report.log_reading import LogReading
    from counterbalance.report.source_figures import FigureRow, FiguresOf

__all__ = ["figure_cells", "figures_name", "source_figures_lines"]

_WIDTH = 98
_MOST_GROUPS = 3
_MOST_FIGURES = 12


def source_figures_lines(log: LogReading, *, full: bool) -> list[str]:
    """Return the source's own figures.

    Parameters
    ----------
    log : LogReading
        Holds them.
    full : bool
        Show every group and figure.

    Returns
    -------
    list[str]
        Lines; none where the source has no figures of its own.
    """
    if not log.upstream:
        return []
    n_groups = len(log.upstream) if full else _MOST_GROUPS
    lines = ["", "The source's own figures, by its own rules (ours beside, over the same verdicts)"]
    for group in log.upstream[:n_groups]:
        n_figures = len(group.rows) if full else _MOST_FIGURES
        lines += [f"  {figures_name(group)}", *_table(group.rows[:n_figures])]
        if len(group.rows) > n_figures:
            lines.append(f"    and {plural(len(group.rows) - n_figures, 'more figure')} (--full)")
    if len(log.upstream) > n_groups:
        more = len(log.upstream) - n_groups
        lines.append(f"  and {plural(more, 'more group')} of figures (--full)")
    return [*lines, *_differences(log)]


def figures_name(group: FiguresOf) -> str:
    """Return what figures are of: judge, strategy, subset and systems, as far as they are one."""
    systems = " against ".join(group.systems[::-1]) if all(group.systems) else ""
    parts = [group.judge, group.strategy, group.subset]
    if len(set(group.systems)) > 1:
        parts.append(systems)
    named = ", ".join(visible(part, 40) for part in dict.fromkeys(parts) if part)
    return named or "all rows"


def figure_cells(row: FigureRow) -> list[str]:
    """Return one figure in words: its name, value, counts, and ours over the same verdicts."""
    return [
        visible(row.figure.name, 44) + (" (defective)" if row.figure.is_defective else ""),
        _value(row.figure),
        _count(row.figure),
        ", ".join(f"{name} {value_text(name, value)}" for name, value in row.ours.items()),
    ]


def _table(rows: Sequence[FigureRow]) -> list[str]:
    return columns([figure_cells(row) for row in rows], indent=4, right=[1, 2])


def _value(figure: SourceFigure) -> str:
    if figure.value is None:
        return "–"
    match figure.scale:
        case "percent":
            return percent(figure.value / 100)
        case "share":
            return percent(figure.value)
        case "count":
            return number(figure.value)
        case "score":
            return f"{figure.value:.4g}"


def _count(figure: SourceFigure) -> str:
    if figure.numerator is None:
        return f"n = {number(figure.denominator)}"
    return f"{number(figure.numerator)} / {number(figure.denominator)}"


def _differences(log: LogReading) -> Iterator[str]:
    """Say once for each rule that was used how it differs from ours."""
    used = dict.fromkeys(row.figure.rule for group in log.upstream for row in group.rows)
    for rule in used:
        yield from textwrap.wrap(
            f"{rule}: {log.upstream_rules[rule]}.",
            _WIDTH,
            initial_indent="  - ",
            subsequent_indent="    ",
        )
