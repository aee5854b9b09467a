"""The second quadrant: slot preference by how far the order moves verdicts beyond the noise."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from counterbalance.measures.quadrant import SLOT_MEASURES, QuadrantCell
from counterbalance.report.html.plane import Mark, Plane, Region, Scale, whole_of
from counterbalance.report.html.sections import Fold, Part, Section, Words
from counterbalance.report.html.table import Cell, Table
from counterbalance.report.layout import plural, visible
from counterbalance.report.measure_text import count_text, interval_text, value_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.measures.estimate import Estimate
    from counterbalance.report.report import GroupReport

__all__ = ["CELL_WORDS", "slot_by_sensitivity"]

CELL_WORDS = {
    QuadrantCell.NEUTRAL_STABLE: "no slot preferred; the order adds little to the noise",
    QuadrantCell.NEUTRAL_SENSITIVE: "no slot preferred; the order moves verdicts all the same",
    QuadrantCell.BIASED_STABLE: "a slot is preferred; the order adds little to the noise",
    QuadrantCell.BIASED_SENSITIVE: "a slot is preferred, and the order moves verdicts",
    QuadrantCell.UNDETERMINED: "undetermined: an interval lies across its margin, or is missing",
}
"""How a cell reads."""
_LOOKS = {
    QuadrantCell.NEUTRAL_STABLE: "stable",
    QuadrantCell.NEUTRAL_SENSITIVE: "moved",
    QuadrantCell.BIASED_STABLE: "moved",
    QuadrantCell.BIASED_SENSITIVE: "flip",
}
_EXCESS = "order_excess_disagreement"
_NO_MARGINS = (
    "No cell is named: the protocol does not declare a margin for a slot preference and one for"
    f" {_EXCESS}, and there is no default for what matters."
)


class _Judge(NamedTuple):
    """One group with both of its numbers."""

    group: GroupReport
    slot: Estimate
    excess: Estimate


def slot_by_sensitivity(groups: Sequence[GroupReport]) -> Section | None:
    """Show each judge between its margins; None where neither repetition nor margin was planned."""
    judges = [_judge(group) for group in groups]
    if not any(judge.excess.value is not None or judge.group.quadrant for judge in judges):
        return None
    about = (
        "Two qualities of a judge: whether it prefers a slot, and whether the order moves its"
        " verdicts more than asking again does. One that prefers no slot may still be moved."
    )
    said = () if any(group.quadrant for group in groups) else (Words((_NO_MARGINS,)),)
    drawn = [judge for judge in judges if judge.slot.value is not None and _has_excess(judge)]
    plane = (_plane(judges),) if drawn else ()
    table = _table(judges)
    shown = (Fold("The same as a table", (table,)),) if plane else (table,)
    title = "Slot preference by sensitivity beyond noise"
    return Section("slot-sensitivity", title, about, (Part("", (*said, *plane, *shown)),))


def _judge(group: GroupReport) -> _Judge:
    found = {estimate.name: estimate for estimate in group.measures}
    name = SLOT_MEASURES[0] if group.quadrant is None else group.quadrant.slot_measure
    return _Judge(group, found[name], found[_EXCESS])


def _has_excess(judge: _Judge) -> bool:
    return judge.excess.value is not None


def _plane(judges: Sequence[_Judge]) -> Plane:
    left, top, right, bottom = Plane.box
    ends = [abs(value) for judge in judges for value in _values(judge)]
    whole = whole_of(max(ends, default=0.0))
    x, y = Scale(-whole, whole, left, right), Scale(-whole, whole, bottom, top)
    ticks = [(value, f"{value:+g}" if value else "0") for value in (-whole, 0.0, whole)]
    n = sum(judge.group.counts.pairs for judge in judges)
    level = judges[0].slot.level
    return Plane(
        caption="Slot preference by sensitivity beyond noise",
        about=(
            f"n = {n} pairs in {plural(len(judges), 'group')}. Upright: slot preference; across:"
            f" {_EXCESS}; lines are {level:.0%} intervals, shaded what lies within a margin."
            " A hollow mark is undetermined. Numbers name the rows of the table, which has the"
            " counts and methods."
        ),
        across="the order adds to the noise →",
        upright="↑ first slot preferred, ↓ second slot",
        x_ticks=tuple((x.place(value), words) for value, words in ticks),
        y_ticks=tuple((y.place(value), words) for value, words in ticks),
        regions=tuple(_regions(judges, x, y)),
        marks=tuple(
            Mark(
                x=x.place(judge.excess.value),
                y=y.place(judge.slot.value),
                across=_ends(judge.excess, x),
                upright=_ends(judge.slot, y),
                label=str(number),
                style=_look(judge),
            )
            for number, judge in enumerate(judges, 1)
            if judge.excess.value is not None and judge.slot.value is not None
        ),
    )


def _values(judge: _Judge) -> Iterator[float]:
    for each in (judge.slot, judge.excess):
        yield from (value for value in (each.value, each.low, each.high) if value is not None)
    if judge.group.quadrant is not None:
        yield from (judge.group.quadrant.slot_margin, judge.group.quadrant.excess_margin)


def _regions(judges: Sequence[_Judge], x: Scale, y: Scale) -> Iterator[Region]:
    """Yield the bands within the margins; they are the same for every group of a protocol."""
    found = next((judge.group.quadrant for judge in judges if judge.group.quadrant), None)
    if found is None:
        return
    left, top, _, bottom = Plane.box
    upper = y.place(found.slot_margin)
    yield Region(left, upper, x.end - x.start, round(y.place(-found.slot_margin) - upper, 1))
    yield Region(left, top, round(x.place(found.excess_margin) - left, 1), bottom - top)


def _ends(estimate: Estimate, scale: Scale) -> tuple[float, float] | None:
    if estimate.low is None or estimate.high is None:
        return None
    return scale.place(estimate.low), scale.place(estimate.high)


def _look(judge: _Judge) -> str:
    found = judge.group.quadrant
    return "open" if found is None else _LOOKS.get(found.cell, "open")


def _table(judges: Sequence[_Judge]) -> Table:
    return Table(
        caption="Slot preference and sensitivity: margins and cells",
        about=(
            "Each number with its interval, count and method; where its interval lies, seen from"
            " the declared margin. The preference is held against its margin on both sides, the"
            " excess on one."
        ),
        head=("judge", "slot preference", "beyond noise", "cell"),
        rows=tuple(_row(number, judge) for number, judge in enumerate(judges, 1)),
    )


def _row(number: int, judge: _Judge) -> tuple[Cell, ...]:
    found = judge.group.quadrant
    margins: tuple[str, str] = ("", "")
    cell = "no margins declared"
    if found is not None:
        margins = (
            f"margin ±{found.slot_margin:g}: {found.slot_place.value}",
            f"margin {found.excess_margin:g}: {found.excess_place.value}",
        )
        cell = CELL_WORDS[found.cell]
    return (
        Cell(f"{number} {visible(judge.group.name)}"),
        _number(judge.slot, margins[0]),
        _number(judge.excess, margins[1]),
        Cell(cell),
    )


def _number(estimate: Estimate, margin: str) -> Cell:
    if estimate.value is None:
        return Cell("–", tuple(filter(None, (estimate.name, estimate.undefined, margin))))
    method = f"{count_text(estimate)} {estimate.counted}; method {estimate.method}"
    lines = chain((interval_text(estimate), estimate.name, method), (margin,))
    return Cell(value_text(estimate.name, estimate.value), tuple(filter(None, lines)))
