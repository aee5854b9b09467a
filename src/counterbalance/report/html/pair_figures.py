"""Where pairs end: dispositions, forward verdict by reversed verdict, and slot by content."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from counterbalance.dispositions.disposition import Disposition
from counterbalance.items.frames import Verdict
from counterbalance.report.html.figures import Band, Matrix, Point, Points, Stack, StackRow, heat_of
from counterbalance.report.html.sections import Part, Section
from counterbalance.report.html.table import Cell, Segment, Table
from counterbalance.report.html.words import ALWAYS_SHOWN, LEGEND, MEANING, look_of
from counterbalance.report.layout import percent, plural, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.report.report import GroupReport

__all__ = ["dispositions", "quadrants", "transitions"]

_VERDICTS = frozenset(verdict.value for verdict in Verdict)
_LEAN = {"a": 1.0, "tie": 0.0, "b": -1.0}
_CENTRE, _REACH, _LARGEST = (160.0, 130.0), (110.0, 78.0), 24.0
"""Of the drawing of a quadrant, 320 by 260: its middle, one unit of each axis, a circle of all."""


def dispositions(groups: Sequence[GroupReport]) -> Section:
    """Show how many pairs of each group are in each class."""
    stack = Stack(
        caption="Pairs by what the exchange of places did to their verdict",
        about=(
            f"{_n_of(groups)} Each bar is all pairs of its group, each pair in exactly one class;"
            " counts and shares are in the table below."
        ),
        legend=LEGEND,
        rows=tuple(_stack_row(group) for group in groups),
    )
    return Section(
        "dispositions",
        "What became of every pair",
        "",
        (Part("", (stack, _disposition_table(groups))),),
    )


def _stack_row(group: GroupReport) -> StackRow:
    n = group.counts.pairs
    counts = dict.fromkeys((look for look, _ in LEGEND), 0)
    for each in Disposition:
        counts[look_of(each)] += group.dispositions[each.value]
    segments, start = [], 0.0
    for look, count in counts.items():
        width = 100 * count / n if n else 0.0
        if count:
            segments.append(Segment(start, width, look))
        start += width
    words = "; ".join(f"{name}: {counts[look]} of {n}" for look, name in LEGEND if counts[look])
    return StackRow(visible(group.name), tuple(segments), words)


def _n_of(groups: Sequence[GroupReport]) -> str:
    """Say how many pairs a figure over groups shows."""
    n = sum(group.counts.pairs for group in groups)
    return f"n = {plural(n, 'pair')} in {plural(len(groups), 'group')}."


def _disposition_table(groups: Sequence[GroupReport]) -> Table:
    rows = []
    for each in Disposition:
        counts = [group.dispositions[each.value] for group in groups]
        if not any(counts) and each.value not in ALWAYS_SHOWN:
            continue
        head = Cell(each.value, (MEANING[each],), swatch=look_of(each))
        cells = (_count(group.dispositions[each.value], group, each) for group in groups)
        rows.append((head, *cells))
    total = (Cell(str(group.counts.pairs), is_number=True) for group in groups)
    return Table(
        caption="Dispositions",
        about=f"{_n_of(groups)} Shares are of all pairs of the group; each is in exactly one row.",
        head=("disposition", *(visible(group.name) for group in groups)),
        rows=(*rows, (Cell("all pairs"), *total)),
    )


def _count(n: int, group: GroupReport, disposition: Disposition) -> Cell:
    share = percent(n / group.counts.pairs if group.counts.pairs else None)
    detail = _detail(disposition, group) if n else ""
    return Cell(str(n), (share, detail) if detail else (share,), is_number=True)


def _detail(disposition: Disposition, group: GroupReport) -> str:
    if disposition is Disposition.ORDER_DISAGREEMENT:
        return f"primacy {group.details['primacy']}, recency {group.details['recency']}"
    if disposition is Disposition.INCOMPLETE and group.incomplete_reasons:
        reasons = (f"{reason} {n}" for reason, n in group.incomplete_reasons.items())
        return f"presentations: {', '.join(reasons)}"
    return ""


def transitions(groups: Sequence[GroupReport]) -> Section | None:
    """Show each group's verdicts in forward order by those in reversed order; None without any."""
    ordered = [group for group in groups if not group.is_unordered]
    if groups and not ordered:
        return None
    return Section(
        "transitions",
        "From one order to the other",
        "A row is what the judge said with candidate a first, a column what it said with b first."
        " Pairs in an outlined cell said the same both times.",
        tuple(Part(visible(group.name), (_matrix(group),)) for group in ordered),
    )


def _matrix(group: GroupReport) -> Matrix:
    labels, cells = group.transition.labels, group.transition.cells
    used = [
        i
        for i, label in enumerate(labels)
        if label in {"a", "b"} or any(cells[i]) or any(row[i] for row in cells)
    ]
    most = max((cells[i][j] for i in used for j in used), default=0)
    rows = tuple(
        tuple(_band(cells[i][j], sum(cells[i]), most, labels[i], labels[j]) for j in used)
        for i in used
    )
    return Matrix(
        caption=f"Forward by reversed verdict: {visible(group.name)}",
        about=(
            f"n = {group.transition.n_pairs} pairs, each in one cell; the percentage is of its row."
            " a and b are candidates, whichever place they had; a stronger colour holds more pairs."
        ),
        corner="forward ↓ reversed →",
        labels=tuple(labels[i] for i in used),
        rows=rows,
    )


def _band(count: int, of_row: int, most: int, row: str, column: str) -> Band:
    hue = "none"
    if row in _VERDICTS and column in _VERDICTS:
        hue = "kept" if row == column else "moved"
    return Band(count, percent(count / of_row) if of_row else "", heat_of(count, most), hue)


def quadrants(groups: Sequence[GroupReport]) -> Section | None:
    """Show how far verdicts went with content and with slot; None where no pair has two."""
    parts = [
        Part(visible(group.name), (_quadrant(group, found),))
        for group in groups
        if (found := sorted(_places(group), key=lambda p: (-p[2], -p[0], p[1])))
    ]
    if not parts:
        return None
    about = (
        "Pairs on the line across kept to a candidate or to a tie. The further up or down a pair"
        " is, the more its two verdicts went with the place."
    )
    return Section("quadrants", "Content preference by slot preference", about, tuple(parts))


def _quadrant(group: GroupReport, found: Sequence[tuple[float, float, int]]) -> Points:
    n = sum(count for *_, count in found)
    points = tuple(
        Point(
            x=round(_CENTRE[0] + x * _REACH[0], 1),
            y=round(_CENTRE[1] - y * _REACH[1], 1),
            radius=round(max(_LARGEST * math.sqrt(count / n), 3.0), 1),
            label=str(count),
            style="stable" if not y else "flip" if abs(y) == 1 else "moved",
        )
        for x, y, count in found
    )
    caption = f"Content preference by slot preference: {visible(group.name)}"
    about = (
        f"n = {n} pairs whose two verdicts are a, b or a tie, of {group.counts.pairs}. A win counts"
        " 1, a tie 0. Across: mean of both orders, towards a or b. Upright: half their difference,"
        " towards the first or the second slot. The area of a circle is its number of pairs."
    )
    rows = tuple(
        (Cell(f"{x:+g}"), Cell(f"{y:+g}", is_number=True), Cell(str(count), is_number=True))
        for x, y, count in found
    )
    return Points(
        caption=caption,
        about=about,
        across=("b preferred", "a preferred"),
        upright=("second slot", "first slot"),
        points=points,
        table=Table(
            caption=f"The same as a table: {visible(group.name)}",
            about="Towards a is +1 and towards b −1; towards the first slot is +1.",
            head=("content preference", "slot preference", "pairs"),
            rows=rows,
        ),
    )


def _places(group: GroupReport) -> Iterator[tuple[float, float, int]]:
    """Yield content preference, slot preference and pairs of each cell that has all three."""
    labels, cells = group.transition.labels, group.transition.cells
    for i, forward in enumerate(labels):
        for j, reverse in enumerate(labels):
            if forward in _LEAN and reverse in _LEAN and cells[i][j]:
                first, second = _LEAN[forward], _LEAN[reverse]
                yield (first + second) / 2, (first - second) / 2, cells[i][j]
