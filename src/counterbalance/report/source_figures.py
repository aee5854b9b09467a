"""The source's own figures beside ours, as pure data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from counterbalance.measures.upstream.figure import SourceFigure

__all__ = ["FigureRow", "FiguresOf"]


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One figure of the source.

    Attributes
    ----------
    figure : SourceFigure
        As the source's rule gives it.
    ours : Mapping[str, float | None]
        Our measures over the same verdicts, by name; empty where no group of the report holds just
        these verdicts, or none of our measures answers the same question.
    """

    figure: SourceFigure
    ours: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class FiguresOf:
    """Figures of the source over the same verdicts.

    Attributes
    ----------
    file : str
        Name of the file; empty for several.
    judge : str
        Who judged; empty for several.
    strategy : str
        How it was asked; empty for several, and where the log has no word for it.
    subset : str
        Part of the data set; empty for several.
    systems : tuple[str, str]
        Candidates a and b; empty for several, and where the log does not name them.
    rows : tuple[FigureRow, ...]
        The figures.
    """

    file: str
    judge: str
    strategy: str
    subset: str
    systems: tuple[str, str]
    rows: tuple[FigureRow, ...]
