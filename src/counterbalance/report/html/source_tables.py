"""The source's own figures, and how each differs from ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.html.sections import Part, Section
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.layout import plural, visible

if TYPE_CHECKING:
    from counterbalance.report.log_reading import LogReading

__all__ = ["source_figures"]


def source_figures(log: LogReading) -> Section | None:
    """Show the source's own figures; None where it has none."""
    if not log.upstream:
        return None
    table = Table(
        caption="Figures of the source",
        about=f"{plural(len(log.upstream), 'figure')} that {visible(log.format_title, 80)} has.",
        head=("figure", "how it differs from ours"),
        rows=tuple(
            (Cell(visible(name, 80)), Cell(visible(how, 400))) for name, how in log.upstream.items()
        ),
    )
    return Section("source", "The source's own figures", "", (Part("", (table,)),))
