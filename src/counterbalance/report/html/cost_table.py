"""What the groups of a run cost, as a table of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.cost import dollars
from counterbalance.report.html.sections import Part, Section
from counterbalance.report.html.side_tables import numbers
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.layout import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.report.cost import CostReport
    from counterbalance.report.report import GroupReport

__all__ = ["costs"]


def costs(groups: Sequence[GroupReport]) -> Section | None:
    """Show what each group cost; None where no call was made, as in a log."""
    rows = tuple(
        (Cell(visible(group.name)), *_cells(group.cost))
        for group in groups
        if group.cost is not None and group.cost.spent.calls
    )
    if not rows:
        return None
    table = Table(
        caption="Cost by group",
        about=(
            "What was spent is shared out among what came of it; failed calls and retries"
            " count. A correct verdict agrees with the reference in both orders. What is unpriced"
            " or unknown is not free."
        ),
        head=("group", "calls", "prompt tokens", "reply tokens", "a pair", "a stable verdict",
              "a correct verdict", "price"),
        rows=rows,
    )  # fmt: skip
    return Section("cost", "What it cost", "", (Part("", (table,)),))


def _cells(cost: CostReport) -> tuple[Cell, ...]:
    spent = cost.spent
    mark = " (estimated)" if spent.estimated else ""
    counts = (spent.calls, f"{spent.prompt_tokens}{mark}", f"{spent.completion_tokens}{mark}")
    units = [
        "–"
        if unit.value is None
        else f"{'at least ' if unit.is_lower_bound else ''}{dollars(unit.value)}"
        for unit in cost.units
    ]
    return (*numbers((*counts, *units)), Cell(visible(cost.price, 100) or "unpriced"))
