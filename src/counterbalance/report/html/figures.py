"""Figures of a page as pure data: heat map, stacked bars, measures on an axis, quadrant."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from counterbalance.report.html.plot import Plot
    from counterbalance.report.html.table import Segment, Table

__all__ = [
    "Band",
    "Forest",
    "ForestRow",
    "Matrix",
    "Point",
    "Points",
    "Stack",
    "StackRow",
    "heat_of",
]

_HOTTEST = 5


@dataclass(frozen=True, slots=True)
class Band:
    """One cell of a heat map.

    Attributes
    ----------
    count : int
        Pairs in it.
    share : str
        Of its row, in words.
    heat : int
        From 0 (no pair) to 5 (the most of the table), from `heat_of`.
    hue : str
        ``kept``, ``moved`` or ``none``.
    """

    count: int
    share: str
    heat: int
    hue: str


def heat_of(count: int, most: int) -> int:
    """Return how strongly a cell is coloured, where the fullest one has so many pairs."""
    return math.ceil(_HOTTEST * count / most) if most else 0


@dataclass(frozen=True, slots=True)
class Matrix:
    """A transition table as a heat map that is read as a table.

    Attributes
    ----------
    shape : ClassVar[str]
        What templates tell it by.
    caption : str
        What it shows.
    about : str
        How many, out of what, and by which method.
    corner : str
        What rows and columns are.
    labels : tuple[str, ...]
        Names of rows and columns.
    rows : tuple[tuple[Band, ...], ...]
        The cells.
    """

    shape: ClassVar[str] = "matrix"

    caption: str
    about: str
    corner: str
    labels: tuple[str, ...]
    rows: tuple[tuple[Band, ...], ...]


@dataclass(frozen=True, slots=True)
class StackRow:
    """One bar of stacked segments.

    Attributes
    ----------
    name : str
        What it is of.
    segments : tuple[Segment, ...]
        Its pieces.
    words : str
        The same in words.
    """

    name: str
    segments: tuple[Segment, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Stack:
    """Stacked bars, one for each group; a table beside them holds the numbers.

    Attributes
    ----------
    shape : ClassVar[str]
        What templates tell it by.
    caption : str
        What it shows.
    about : str
        How many, out of what, and by which method.
    legend : tuple[tuple[str, str], ...]
        Look and name of each class.
    rows : tuple[StackRow, ...]
        The bars.
    """

    shape: ClassVar[str] = "stack"

    caption: str
    about: str
    legend: tuple[tuple[str, str], ...]
    rows: tuple[StackRow, ...]


@dataclass(frozen=True, slots=True)
class ForestRow:
    """One measure with everything that must travel with it.

    Attributes
    ----------
    name : str
        Name of the measure.
    is_planned : bool
        Whether it was named before the first call.
    means : str
        What a larger value says.
    value : str
        The estimate as shown.
    low : str
        Lower limit as shown; empty without one.
    high : str
        Upper limit as shown; empty without one.
    counts : str
        Numerator and denominator as shown, with what they count.
    exact : tuple[float | None, float | None, float | None]
        Value, lower and upper limit to the last digit.
    margin : str
        The declared margin and what the interval says of it; empty where none was declared.
    plot : Plot | None
        None for an undefined measure.
    """

    name: str
    is_planned: bool
    means: str
    value: str
    low: str
    high: str
    counts: str
    exact: tuple[float | None, float | None, float | None]
    margin: str
    plot: Plot | None


@dataclass(frozen=True, slots=True)
class Forest:
    """Measures on one axis, each with its interval.

    Attributes
    ----------
    shape : ClassVar[str]
        What templates tell it by.
    caption : str
        What it shows.
    about : str
        How many, out of what, and by which method.
    axis : tuple[str, str, str]
        Words at the left end, the middle and the right end.
    rows : tuple[ForestRow, ...]
        The measures.
    notes : tuple[str, ...]
        Reasons and cautions, each once, with the measures that they are about.
    """

    shape: ClassVar[str] = "forest"

    caption: str
    about: str
    axis: tuple[str, str, str]
    rows: tuple[ForestRow, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """One circle of a quadrant, in the coordinates of the drawing.

    Attributes
    ----------
    x : float
        From the left.
    y : float
        From the top.
    radius : float
        Its area is in proportion to what it counts.
    label : str
        What is written at it.
    style : str
        Its look.
    """

    x: float
    y: float
    radius: float
    label: str
    style: str


@dataclass(frozen=True, slots=True)
class Points:
    """A quadrant: one preference by another, with its numbers as a table.

    Attributes
    ----------
    shape : ClassVar[str]
        What templates tell it by.
    caption : str
        What it shows.
    about : str
        How many, out of what, and by which method.
    across : tuple[str, str]
        What the left and the right end mean.
    upright : tuple[str, str]
        What the bottom and the top mean.
    points : tuple[Point, ...]
        The circles.
    table : Table
        The same numbers.
    """

    shape: ClassVar[str] = "points"

    caption: str
    about: str
    across: tuple[str, str]
    upright: tuple[str, str]
    points: tuple[Point, ...]
    table: Table
