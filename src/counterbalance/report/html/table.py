"""A table of a page, and the bars in its cells, as pure data for the templates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from counterbalance.report.html.plot import Plot

__all__ = ["Cell", "Segment", "Table"]


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a bar, in per cent of its width.

    Attributes
    ----------
    start : float
        Where it begins.
    width : float
        How wide it is.
    style : str
        Its look: ``stable``, ``flip``, ``moved``, ``none``, ``kept`` or ``lost``.
    """

    start: float
    width: float
    style: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table.

    Attributes
    ----------
    text : str
        What it says first.
    lines : tuple[str, ...]
        What it says below, smaller.
    is_number : bool
        Whether it is aligned to the right.
    swatch : str
        Look of the segment that it names; empty for none.
    bar : tuple[Segment, ...]
        A bar instead of text; the numbers stand in other cells of the row.
    plot : Plot | None
        A value on an axis instead of text; the numbers stand in other cells of the row.
    """

    text: str
    lines: tuple[str, ...] = ()
    is_number: bool = False
    swatch: str = ""
    bar: tuple[Segment, ...] = ()
    plot: Plot | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table; its first column heads the rows.

    Attributes
    ----------
    shape : ClassVar[str]
        What templates tell it by.
    caption : str
        What it shows.
    about : str
        How many, out of what, and by which method.
    head : tuple[str, ...]
        Heads of the columns.
    rows : tuple[tuple[Cell, ...], ...]
        The rows.
    more : str
        What is left out, and what lists it; empty when nothing is.
    stacks : bool
        Whether cells stand below one another on a narrow screen: for few columns of long text.
    """

    shape: ClassVar[str] = "table"

    caption: str
    about: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    more: str = ""
    stacks: bool = False
