"""How long a text is: in characters, and in tokens that no model's tokenizer has a say in.

A token is a run of letters, digits and marks in a script that puts spaces between words; one
character in a script that does not (Chinese, Japanese, Thai, Lao, Khmer, Burmese, Tibetan); or one
sign of punctuation or another symbol. White space is none. The rule needs no download, is the same
for every judge and never changes; counts of a model's own tokenizer are near it in English, and can
differ widely elsewhere.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["LENGTH_UNITS", "LengthUnit", "length_in", "n_characters", "n_tokens"]

LengthUnit = Literal["characters", "tokens"]
LENGTH_UNITS: tuple[LengthUnit, ...] = ("characters", "tokens")
"""What lengths can be counted in."""

_ASCII_TOKEN = re.compile(r"[A-Za-z0-9]+|[!-/:-@\[-`{-~]")
_WITHOUT_SPACES = (
    (0x0E00, 0x0EFF), (0x0F00, 0x0FFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF),
    (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x323AF),
)  # fmt: skip
"""Thai and Lao, Tibetan, Burmese, Khmer, kana, Chinese: blocks of scripts that put no spaces."""
_SEARCHED = (range(0x80, 0x32400), range(0xE0000, 0xE01F0))
"""Where marks, invisible characters and those scripts stand; nothing else is between."""


def n_characters(text: str) -> int:
    """Return the number of code points of a text, white space included.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    int
        What Python's ``len`` says, as published logs count.
    """
    return len(text)


def n_tokens(text: str) -> int:
    """Return the number of tokens of a text by this module's rule.

    Parameters
    ----------
    text : str
        Any text; half a surrogate pair counts as one sign.

    Returns
    -------
    int
        Words, characters of scripts without spaces, and signs.

    Examples
    --------
    >>> n_tokens("No, it isn't."), n_tokens("不，不是。"), n_tokens("")
    (7, 5, 0)
    """
    if text.isascii():
        return len(_ASCII_TOKEN.findall(text))
    return len(_any_token().findall(text))


def length_in(unit: LengthUnit) -> Callable[[str], int]:
    """Return what counts a text in a unit."""
    return n_characters if unit == "characters" else n_tokens


@cache
def _any_token() -> re.Pattern[str]:
    """Return the same for every script; Python's own classes know neither scripts nor marks."""
    marks, unseen, single = [], [], []
    for code in chain(*_SEARCHED):
        category = unicodedata.category(chr(code))
        if category[0] == "M":
            marks.append(code)
        elif category in {"Cf", "Cc"}:
            unseen.append(code)
        elif category[0] in "LN" and any(low <= code <= high for low, high in _WITHOUT_SPACES):
            single.append(code)
    mark, alone = _ranges(marks), _ranges(single)
    letter = rf"[^\W_{alone}]"
    word = f"{letter}+(?:[{mark}]+{letter}*)*"
    return re.compile(rf"{word}|[{alone}]|[^\w\s{mark}{_ranges(unseen)}\x00-\x1f\x7f]|_")


def _ranges(codes: list[int]) -> str:
    """Return code points in ascending order as ranges of a character class."""
    found: list[list[int]] = []
    for code in codes:
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in found)
