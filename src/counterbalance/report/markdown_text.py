"""Markdown in which the words of others stay words: no markup, link, mention, formula or HTML."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from counterbalance.report.layout import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["inert", "table_lines"]

_MARKS = re.compile(r"([\\`*_\[\]#|~!$])")
_INERT = {"://": ":&#47;&#47;", "www.": "www&#46;", "@": "@&#8203;"}
"""What would become a link or call somebody, and what reads the same and does not."""
_LONGEST = 2000


def inert(words: str, limit: int = _LONGEST) -> str:
    r"""Return words on one line in which nothing is Markdown, HTML, a link or a mention.

    Parameters
    ----------
    words : str
        From anywhere.
    limit : int
        How many characters are shown; the rest is cut with a mark.

    Returns
    -------
    str
        To be put inside a paragraph, a list item or a cell, behind its mark.

    Examples
    --------
    >>> inert("a | *b* <i> @team")
    'a \\| \\*b\\* &lt;i&gt; @&#8203;team'
    """
    safe = _MARKS.sub(r"\\\1", html.escape(visible(words, limit), quote=False))
    for found, put in _INERT.items():
        safe = safe.replace(found, put)
    return safe


def table_lines(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[int] = ()
) -> Iterator[str]:
    """Yield a table with an empty line behind it; every cell is inert.

    Parameters
    ----------
    head : Sequence[str]
        Heads of the columns.
    rows : Iterable[Sequence[str]]
        As many cells in each.
    right : Sequence[int]
        Columns that are aligned to the right.

    Yields
    ------
    str
        One line each.
    """
    yield _row(head)
    yield "|" + "|".join("---:" if i in right else "---" for i in range(len(head))) + "|"
    for row in rows:
        yield _row(row)
    yield ""


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(inert, cells))} |"
