"""Two candidates word by word, where they share enough for that to say something."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from typing import TYPE_CHECKING

from markupsafe import Markup

from counterbalance.report.html.foreign import passage

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["word_diff"]

_PIECES = re.compile(r"\s+|\w+|[^\w\s]")
_MOST_WORDS = 1500
_LEAST_SHARED = 0.5
"""Share of words in common below which two texts are simply two texts."""


def word_diff(a: str, b: str) -> Markup | None:
    """Return candidate a with what candidate b leaves out and adds.

    Parameters
    ----------
    a : str
        Text of candidate a.
    b : str
        Text of candidate b.

    Returns
    -------
    Markup | None
        Words of a alone as ``<del>``, words of b alone as ``<ins>``, everything escaped; None where
        the texts are equal, too long, or share less than half of their words.

    Examples
    --------
    >>> word_diff("It costs 5 euros.", "It costs 7 euros.")
    Markup('It costs <del>5</del><ins>7</ins> euros.')
    """
    if a == b or max(len(a), len(b)) > 20 * _MOST_WORDS:
        return None
    left, right = _PIECES.findall(a), _PIECES.findall(b)
    if not left or not right or max(len(left), len(right)) > _MOST_WORDS:
        return None
    if _shared(left, right) < _LEAST_SHARED:
        return None
    return Markup().join(_marked(left, right))


def _shared(left: list[str], right: list[str]) -> float:
    """Return the share of words in common; the spaces between them say nothing."""
    words = [Counter(piece for piece in text if not piece.isspace()) for text in (left, right)]
    n = words[0].total() + words[1].total()
    return 2 * (words[0] & words[1]).total() / n if n else 0.0


def _marked(left: list[str], right: list[str]) -> Iterator[Markup]:
    """Yield what stays and what changes; what both begin and end with is not searched."""
    shorter = min(len(left), len(right))
    start = next((i for i in range(shorter) if left[i] != right[i]), shorter)
    rest = shorter - start
    end = next((i for i in range(rest) if left[-1 - i] != right[-1 - i]), rest)
    yield passage("".join(left[:start]))
    yield from _changed(left[start : len(left) - end], right[start : len(right) - end])
    yield passage("".join(left[len(left) - end :]))


def _changed(left: list[str], right: list[str]) -> Iterator[Markup]:
    for kind, i, j, k, m in difflib.SequenceMatcher(None, left, right).get_opcodes():
        gone, new = passage("".join(left[i:j])), passage("".join(right[k:m]))
        if kind == "equal":
            yield gone
            continue
        if gone:
            yield Markup("<del>") + gone + Markup("</del>")
        if new:
            yield Markup("<ins>") + new + Markup("</ins>")
