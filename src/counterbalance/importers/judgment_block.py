"""Judgments many at a time: what many of them share once, and columns of what is each one's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from counterbalance.importers.judgment import Judgment

__all__ = ["JudgmentBlock"]


@dataclass(frozen=True, slots=True)
class JudgmentBlock:
    """Judgments of one file beside one another, as one Judgment each would tell them.

    Attributes
    ----------
    lines : Sequence[int]
        Where each stands; the calls of one row follow one another.
    shared : Sequence[Judgment]
        What each has in common with others: one object for all that share it. Its line, item and
        texts mean nothing, nor does what has a column of its own here.
    items : Sequence[str]
        Item of each.
    of_pair : Callable[[int], tuple[str, float]] | None
        Returns cluster and consequence of the judgment at a place, asked of the first of a pair;
        None where both are shared.
    settings : Sequence[str] | None
        Setting of each; None where none has one.
    margins : Sequence[float | None] | None
        Margin of each; None where none has one.
    replies : Sequence[tuple[str, str]] | None
        Reply and finish of each; None where none is read again.
    """

    lines: Sequence[int]
    shared: Sequence[Judgment]
    items: Sequence[str]
    of_pair: Callable[[int], tuple[str, float]] | None = None
    settings: Sequence[str] | None = None
    margins: Sequence[float | None] | None = None
    replies: Sequence[tuple[str, str]] | None = None
