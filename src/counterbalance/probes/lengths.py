"""Lengths of a text in characters and in tokens, for any script."""

from __future__ import annotations

import re

__all__ = ["length_characters", "length_tokens"]

# Scripts that are written without spaces: Thai to Khmer, Kana, Han, Hangul syllables are words.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_TOKEN = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+|[^\w\s]")


def length_characters(text: str) -> int:
    """Return the number of characters, white space at the ends left out."""
    return len(text.strip())


def length_tokens(text: str) -> int:
    """Return the number of tokens: words, marks, and characters of scripts without spaces.

    It is no model's tokenizer, so that a length does not depend on who judges.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    int
        The number of tokens.

    Examples
    --------
    >>> length_tokens("It costs 4.50 euros."), length_tokens("価格は四ユーロ")
    (7, 7)
    """
    return len(_TOKEN.findall(text))
