"""A plane of two numbers with their intervals, and rates before and after as dumbbells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from counterbalance.report.html.plot import Plot

__all__ = ["DumbbellRow", "Dumbbells", "Mark", "Plane", "Region", "Scale", "whole_of"]

_WHOLES = (0.05, 0.1, 0.2, 0.5, 1.0)


def whole_of(most: float) -> float:
    """Return a round number that is at least ``most``, for the end of an axis; at most 1."""
    return next((whole for whole in _WHOLES if whole >= most), 1.0)


@dataclass(frozen=True, slots=True)
class Scale:
    """Where values lie on one axis of a drawing.

    Attributes
    ----------
    low : float
        Value at the start.
    high : float
        Value at the end.
    start : float
        Coordinate of ``low``.
    end : float
        Coordinate of ``high``.
    """

    low: float
    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        """Return the coordinate of a value; one beyond the axis lies at its end."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + min(max(share, 0.0), 1.0) * (self.end - self.start), 1)


@dataclass(frozen=True, slots=True)
class Mark:
    """One point of a plane, in the coordinates of the drawing.

    Attributes
    ----------
    x : float
        From the left.
    y : float
        From the top.
    across : tuple[float, float] | None
        Ends of the interval across.
    upright : tuple[float, float] | None
        Ends of the upright interval.
    label : str
        The number that the table below names it by.
    style : str
        ``stable``, ``flip``, ``moved`` or ``open``.
    """

    x: float
    y: float
    across: tuple[float, float] | None
    upright: tuple[float, float] | None
    label: str
    style: str


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the plane between margins, in the coordinates of the drawing.

    Attributes
    ----------
    x : float
        Left end.
    y : float
        Top.
    width : float
        Width.
    height : float
        Height.
    """

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Plane:
    """Points on two axes; a table beside it holds the numbers.

    Attributes
    ----------
    shape : ClassVar[str]
        What templates tell it by.
    box : ClassVar[tuple[float, float, float, float]]
        Left, top, right and bottom of the axes in a drawing of 320 by 280.
    caption : str
        What it shows.
    about : str
        How many, out of what, and by which method.
    across : str
        What the axis across means.
    upright : str
        What the upright axis means.
    x_ticks : tuple[tuple[float, str], ...]
        Coordinates and words on the axis across.
    y_ticks : tuple[tuple[float, str], ...]
        The same on the upright axis.
    regions : tuple[Region, ...]
        What lies between margins.
    marks : tuple[Mark, ...]
        The points.
    """

    shape: ClassVar[str] = "plane"
    box: ClassVar[tuple[float, float, float, float]] = (48.0, 24.0, 312.0, 228.0)

    caption: str
    about: str
    across: str
    upright: str
    x_ticks: tuple[tuple[float, str], ...]
    y_ticks: tuple[tuple[float, str], ...]
    regions: tuple[Region, ...]
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class DumbbellRow:
    """One rate as it was seen, and as a model has it with something held equal.

    Attributes
    ----------
    name : str
        What it is of.
    counts : str
        What the raw rate is out of.
    before : str
        The raw rate with its interval.
    after : str
        The adjusted rate with its interval, or why there is none.
    change : str
        How far apart they are; empty where there is no adjusted rate.
    plots : tuple[Plot | None, Plot | None]
        Where both lie.
    """

    name: str
    counts: str
    before: str
    after: str
    change: str
    plots: tuple[Plot | None, Plot | None]


@dataclass(frozen=True, slots=True)
class Dumbbells:
    """Raw rates beside adjusted ones, never one alone.

    Attributes
    ----------
    shape : ClassVar[str]
        What templates tell it by.
    caption : str
        What it shows.
    about : str
        How many, out of what, and by which method.
    head : str
        What the rows are.
    names : tuple[str, str]
        What the two rates are called.
    axis : tuple[str, str, str]
        Words at the left end, the middle and the right end.
    rows : tuple[DumbbellRow, ...]
        The rates.
    notes : tuple[str, ...]
        Reasons and cautions.
    """

    shape: ClassVar[str] = "dumbbells"

    caption: str
    about: str
    head: str
    names: tuple[str, str]
    axis: tuple[str, str, str]
    rows: tuple[DumbbellRow, ...]
    notes: tuple[str, ...]
