"""Sentences of a text, and whether a text ends with a whole one, in any script."""

from __future__ import annotations

import re

__all__ = ["ends_whole", "sentences"]

_ENDS = ".!?…。！？｡।؟۔"
_WIDE = "。！？｡"
_SENTENCE_END = re.compile(rf"(?<=[{_ENDS}])[\"'”’)\]*_]*\s+|(?<=[{_WIDE}])(?=\S)|\n+")
_ABBREVIATED = re.compile(r"\b(?:e\.g|i\.e|cf|etc|vs|Dr|Mr|Mrs|Ms|Prof|St|No)\.$|\b[A-Z]\.$")
_CLOSING = "\"'”’»)]}*_`~|"


def sentences(text: str) -> list[str]:
    """Return the sentences of a text in their order, without the white space around them.

    Parameters
    ----------
    text : str
        Prose; a line break ends a sentence, too.

    Returns
    -------
    list[str]
        Empty for a text without any word.

    Examples
    --------
    >>> sentences("It rains, e.g. today. Take a coat!")
    ['It rains, e.g. today.', 'Take a coat!']
    >>> len(sentences("雨が降る。傘を持て。"))
    2
    """
    found: list[str] = []
    is_open = False
    for part in (piece.strip() for piece in _SENTENCE_END.split(text)):
        if not part:
            continue
        if is_open:
            found[-1] += f" {part}"
        else:
            found.append(part)
        is_open = _ABBREVIATED.search(part) is not None
    return found


def ends_whole(text: str) -> bool:
    """Return whether a text ends as a sentence does, or with a closed block of code.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    bool
        False where it was cut in the middle of a sentence.

    Examples
    --------
    >>> ends_whole("Take a **coat**!"), ends_whole("Take a coat and")
    (True, False)
    """
    stripped = text.rstrip()
    if stripped.endswith(("```", "~~~")):
        return stripped.count(stripped[-3:]) % 2 == 0
    return stripped.rstrip(_CLOSING)[-1:] in tuple(_ENDS)
