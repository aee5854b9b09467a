"""What two responses do not share, word by word; for short enough ones only."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import NamedTuple

__all__ = ["MOST_WORDS", "Run", "word_diff"]

MOST_WORDS = 1500
"""Words of a response up to which the comparison stays quick: it grows with their product."""

_WORDS = re.compile(r"\s+|[^\W_]+|.", re.DOTALL)


class Run(NamedTuple):
    """A stretch of one response.

    Attributes
    ----------
    text : str
        The stretch, unchanged.
    is_own : bool
        Whether the other response does not have it in this place.
    """

    text: str
    is_own: bool


def word_diff(first: str, second: str) -> tuple[tuple[Run, ...], tuple[Run, ...]] | None:
    """Mark what each of two texts has that the other has not.

    Parameters
    ----------
    first : str
        One text.
    second : str
        The other.

    Returns
    -------
    tuple[tuple[Run, ...], tuple[Run, ...]] | None
        Both texts in stretches, each adding up to its text; None where they are too long.

    Examples
    --------
    >>> word_diff("a red car", "a car")[0]
    (Run(text='a ', is_own=False), Run(text='red ', is_own=True), Run(text='car', is_own=False))
    """
    words, others = _WORDS.findall(first), _WORDS.findall(second)
    if max(len(words), len(others)) > 2 * MOST_WORDS:
        return None
    ours: list[Run] = []
    theirs: list[Run] = []
    steps = SequenceMatcher(None, words, others, autojunk=False).get_opcodes()
    for kind, start, end, other_start, other_end in steps:
        for runs, part in ((ours, words[start:end]), (theirs, others[other_start:other_end])):
            if part:
                runs.append(Run("".join(part), kind != "equal"))
    return tuple(ours), tuple(theirs)
