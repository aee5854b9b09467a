"""Strategies by cost and agreement: which of them no other beats in both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.cost import dollars
from counterbalance.report.html.plane import Mark, Plane, Scale
from counterbalance.report.html.sections import Fold, Part, Section, Words
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.layout import number, percent, plural, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.compare.frontier import FrontierPoint
    from counterbalance.compare.strategy_table import StrategyRow, StrategyTable

__all__ = ["cost_by_agreement"]

_SEVERAL = 2
_ROOM = 1.1
"""How far the axis of costs goes beyond the dearest."""


def cost_by_agreement(table: StrategyTable | None) -> Section | None:
    """Show what is worth its price; None where fewer than two strategies have both numbers.

    Parameters
    ----------
    table : StrategyTable | None
        The strategies of a record; None for a log.

    Returns
    -------
    Section | None
        A figure in dollars over all judges, or in calls for each judge, which cost another sum
        with every judge.
    """
    if table is None or len(table.points) < _SEVERAL:
        return None
    rows = {row.side.name: row for row in table.rows}
    together: dict[str, list[FrontierPoint]] = {}
    for point in table.points:
        judge = rows[point.point.name].side.judge if table.cost_unit == "calls" else ""
        together.setdefault(judge, []).append(point)
    about = (
        "A strategy on the frontier is beaten by none in both cost and agreement. Agreements are"
        " estimates: where intervals overlap, these pairs cannot tell which is better."
    )
    parts = tuple(
        Part(visible(judge), (_plane(points, rows, table), Fold("The same as a table", (
            _table(points, rows, table),
        ))))
        for judge, points in together.items()
    )  # fmt: skip
    if table.notes:
        parts = (*parts, Part("", (Words(tuple(visible(note, 2000) for note in table.notes)),)))
    return Section("cost-agreement", "Cost by agreement of the strategies", about, parts)


def _unit(table: StrategyTable) -> str:
    return "dollars a pair" if table.cost_unit == "dollars" else "calls a pair, nothing priced"


def _plane(
    points: Sequence[FrontierPoint], rows: dict[str, StrategyRow], table: StrategyTable
) -> Plane:
    left, top, right, bottom = Plane.box
    most = max(each.point.cost for each in points) * _ROOM or 1.0
    x, y = Scale(0.0, most, left, right), Scale(0.0, 1.0, bottom, top)
    n_pairs = max(rows[each.point.name].side.n_pairs for each in points)
    return Plane(
        caption=f"Cost by agreement: {_unit(table)}",
        about=(
            f"n = {plural(len(points), 'strategy')} over {plural(n_pairs, 'pair')}."
            " Upright: agreement with the reference out of the pairs with a reference and a result,"
            f" with {table.plan.level:.0%} intervals over clusters. A full mark is on the frontier,"
            " a hollow one is beaten. Numbers name the rows of the table."
        ),
        across=f"{_unit(table)} →",
        upright="↑ agreement with the reference",
        x_ticks=((left, "0"), (right, _cost(most, table))),
        y_ticks=tuple((y.place(share), f"{share:.0%}") for share in (0.0, 0.5, 1.0)),
        regions=(),
        marks=tuple(_marks(points, rows, x, y)),
    )


def _marks(
    points: Sequence[FrontierPoint], rows: dict[str, StrategyRow], x: Scale, y: Scale
) -> Iterator[Mark]:
    for place, each in enumerate(points, 1):
        found = rows[each.point.name].agreement
        is_bounded = found.low is not None and found.high is not None
        yield Mark(
            x=x.place(each.point.cost),
            y=y.place(each.point.agreement),
            across=None,
            upright=(y.place(found.low or 0.0), y.place(found.high or 0.0)) if is_bounded else None,
            label=str(place),
            style="stable" if each.is_on_frontier else "open",
        )


def _cost(amount: float, table: StrategyTable) -> str:
    return dollars(amount) if table.cost_unit == "dollars" else number(amount)


def _table(
    points: Sequence[FrontierPoint], rows: dict[str, StrategyRow], table: StrategyTable
) -> Table:
    return Table(
        caption=f"Cost, agreement and what beats it: {_unit(table)}",
        about=(
            "Agreement is out of the pairs with a reference and a result; one order of two is"
            " averaged over both. Retries and failed calls are part of the cost."
        ),
        head=("strategy", "cost of a pair", "agreement", "frontier"),
        rows=tuple(
            (
                Cell(f"{place} {visible(each.point.name, 80)}"),
                Cell(_cost(each.point.cost, table), is_number=True),
                _agreement(rows[each.point.name]),
                Cell(_beaten(each)),
            )
            for place, each in enumerate(points, 1)
        ),
    )


def _agreement(row: StrategyRow) -> Cell:
    found = row.agreement
    counts = f"{number(found.numerator)} / {number(found.denominator)}; {found.method}"
    if found.low is None or found.high is None:
        return Cell(percent(found.estimate), ("no interval", counts))
    interval = f"[{percent(found.low)}, {percent(found.high)}]"
    return Cell(percent(found.estimate), (interval, counts))


def _beaten(each: FrontierPoint) -> str:
    return "on the frontier" if each.is_on_frontier else f"beaten by {visible(each.beaten_by, 80)}"
