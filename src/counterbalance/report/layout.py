"""Plain text in columns, safe for terminals: what every text rendering is made of."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from counterbalance.errors import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "columns",
    "display_width",
    "ending",
    "number",
    "p_value",
    "percent",
    "plural",
    "visible",
]

_WIDE = frozenset({"W", "F"})
_SMALLEST_P = 0.0001
_LONGEST_ESCAPE = 10
"""Characters that an escaped character takes at most."""


def visible(text: str, limit: int = 60) -> str:
    """Return foreign text on one line, with control characters escaped and the rest cut."""
    return one_line(text, limit)


def ending(path: str, limit: int) -> str:
    """Return the path of a file as `visible` does, cut in front: its end tells files apart."""
    shown = one_line(path, len(path) * _LONGEST_ESCAPE + 1)
    return shown if len(shown) <= limit else "…" + shown[1 - limit :]


def display_width(text: str) -> int:
    """Return how many terminal cells a text takes."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in _WIDE else 1
        for c in text
    )


def columns(
    rows: Sequence[Sequence[str]], *, indent: int = 2, right: Sequence[int] = ()
) -> list[str]:
    """Align cells in columns.

    Parameters
    ----------
    rows : Sequence[Sequence[str]]
        Rows of equal length.
    indent : int
        Spaces before each line.
    right : Sequence[int]
        Columns that are aligned to the right.

    Returns
    -------
    list[str]
        One line for each row.

    Examples
    --------
    >>> columns([["a", "1"], ["bb", "10"]], right=[1])
    ['  a    1', '  bb  10']
    """
    if not rows:
        return []
    widths = [max(display_width(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = []
        for i, (cell, width) in enumerate(zip(row, widths, strict=True)):
            gap = " " * (width - display_width(cell))
            cells.append(gap + cell if i in right else cell + gap)
        lines.append((" " * indent + "  ".join(cells)).rstrip())
    return lines


def plural(n: int, noun: str) -> str:
    """Return a count with its noun.

    Parameters
    ----------
    n : int
        The count.
    noun : str
        In the singular, with a regular plural.

    Returns
    -------
    str
        Such as ``1 pair`` or ``2 pairs``.

    Examples
    --------
    >>> plural(1, "pair"), plural(0, "category")
    ('1 pair', '0 categories')
    """
    if n == 1:
        return f"1 {noun}"
    return f"{n} {noun[:-1]}ies" if noun.endswith("y") else f"{n} {noun}s"


def percent(share: float | None) -> str:
    """Return a share as a percentage with one decimal; a dash where there is none."""
    return "–" if share is None else f"{100 * share:.1f} %"


def number(value: float | None) -> str:
    """Return a count or a half count without needless decimals."""
    return "–" if value is None else f"{value:.4g}" if value % 1 else f"{value:.0f}"


def p_value(value: float | None) -> str:
    """Return a p-value with four decimals, or the bound below them."""
    if value is None:
        return "–"
    return f"p < {_SMALLEST_P}" if value < _SMALLEST_P else f"p = {value:.4f}"
