"""One figure of a source, in the source's own terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Scale", "SourceFigure", "counted", "share"]

Scale = Literal["percent", "share", "count", "score"]
"""How a source writes a figure: 30.4 for 30.4 %, 0.304, a number of things, or anything else."""


@dataclass(frozen=True, slots=True)
class SourceFigure:
    """A figure as its source computes it; ours may be defined otherwise.

    Attributes
    ----------
    name : str
        What the source calls it; what it is of stands in brackets behind.
    value : float | None
        On the source's own scale; None where the source's rule gives none.
    numerator : float | None
        What the source counts; None where the figure is no ratio.
    denominator : float
        Out of how many, or over how many.
    scale : Scale
        How the source writes it.
    beside : tuple[str, ...]
        Our measures that answer the question which this one seems to answer.
    is_defective : bool
        Whether the source's rule does not compute what the name says.
    undefined : str | None
        Why there is no value; None when there is one.
    """

    name: str
    value: float | None
    numerator: float | None
    denominator: float
    scale: Scale
    beside: tuple[str, ...] = ()
    is_defective: bool = False
    undefined: str | None = None

    @property
    def rule(self) -> str:
        """The name without what stands in brackets: what the explanations are listed under."""
        return self.name.partition("[")[0]


def share(
    name: str,
    numerator: float,
    denominator: float,
    scale: Literal["percent", "share"],
    beside: tuple[str, ...] = (),
) -> SourceFigure:
    """Return a figure that is a ratio.

    Parameters
    ----------
    name : str
        What the source calls it.
    numerator : float
        What the source counts.
    denominator : float
        Out of how many.
    scale : Literal["percent", "share"]
        How the source writes it.
    beside : tuple[str, ...]
        Our measures that answer the question which this one seems to answer.

    Returns
    -------
    SourceFigure
        Without a value where nothing was counted.

    Examples
    --------
    >>> share("accuracy", 87, 270, "percent").value
    32.22222222222222
    """
    if not denominator:
        reason = "The log holds nothing that the source would count."
        return SourceFigure(name, None, numerator, denominator, scale, beside, undefined=reason)
    factor = 100 if scale == "percent" else 1
    value = numerator / denominator * factor
    return SourceFigure(name, value, numerator, denominator, scale, beside)


def counted(name: str, count: int, n_rows: int) -> SourceFigure:
    """Return a figure that is a number of rows, out of all rows."""
    return SourceFigure(name, count, count, n_rows, "count")
