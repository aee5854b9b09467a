"""What the verdicts of each group cost; unpriced calls are never free."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from counterbalance.report.cost import (
    UNIT_NAMES,
    CostReport,
    call_text,
    money_text,
    time_text,
    token_text,
    unit_text,
)
from counterbalance.report.html.sections import Part, Section
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.layout import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from counterbalance.measures.cost import UnitCost
    from counterbalance.report.report import GroupReport

__all__ = ["costs"]


class _Spender(NamedTuple):
    """A group that made calls."""

    name: str
    cost: CostReport


def costs(groups: Sequence[GroupReport]) -> Section | None:
    """Show calls, tokens, time and money of each group; None for a log, which holds no calls."""
    spenders = [
        _Spender(visible(group.name), group.cost)
        for group in groups
        if group.cost is not None and group.cost.spent.calls
    ]
    if not spenders:
        return None
    about = (
        "Everything that was spent is shared out among what came of it: failed calls and pairs that"
        " ended without a stable verdict make the others dearer."
    )
    return Section("cost", "What it cost", about, (Part("", (_table(spenders),)),))


def _table(spenders: Sequence[_Spender]) -> Table:
    calls = ((call_text(s.cost.spent), "retries and lost ones included") for s in spenders)
    tokens = ((token_text(s.cost.spent), "") for s in spenders)
    times = ((time_text(s.cost.spent), f"{s.cost.spent.timed} timed calls") for s in spenders)
    money = ((money_text(s.cost.spent, s.cost.price), "") for s in spenders)
    by_unit = zip(*(s.cost.units for s in spenders), strict=True)
    rows = [
        *(_row(head, cells) for head, cells in (
            ("calls", calls), ("tokens", tokens), ("time", times), ("money", money),
        )),
        *(_row(UNIT_NAMES[units[0].name], map(_unit, units)) for units in by_unit),
    ]  # fmt: skip
    return Table(
        caption="Cost by group",
        about=(
            "n is the calls that the dispositions rest on; the repetition subset is left out. Each"
            " cost of one thing has the number of things below it. A call of unknown cost makes a"
            " sum a lower bound, and no known cost makes it unpriced, never 0."
        ),
        head=("spent", *(s.name for s in spenders)),
        rows=tuple(rows),
    )


def _row(head: str, cells: Iterable[tuple[str, str]]) -> tuple[Cell, ...]:
    return (Cell(head), *(Cell(text, (line,) if line else ()) for text, line in cells))


def _unit(unit: UnitCost) -> tuple[str, str]:
    if unit.undefined is not None:
        return unit_text(unit), unit.undefined
    return unit_text(unit), f"over {unit.denominator}"
