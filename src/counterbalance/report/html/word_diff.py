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

_WORDS = re.compile(r"\s+|\w+|[^\w\s]")
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
    left, right = _WORDS.findall(a), _WORDS.findall(b)
    if not left or not right or max(len(left), len(right)) > _MOST_WORDS:
        return None
    shared = sum((Counter(left) & Counter(right)).values())
    if 2 * shared < _LEAST_SHARED * (len(left) + len(right)):
        return None
    return Markup().join(_marked(left, right))


def _marked(left: list[str], right: list[str]) -> Iterator[Markup]:
    for kind, i, j, k, m in difflib.SequenceMatcher(None, left, right).get_opcodes():
        gone, new = passage("".join(left[i:j])), passage("".join(right[k:m]))
        if kind == "equal":
            yield gone
            continue
        if gone:
            yield Markup("<del>") + gone + Markup("</del>")
        if new:
            yield Markup("<ins>") + new + Markup("</ins>")
