"""What a rewrite must keep of a text, as far as code can tell: numbers, names and negations."""

from __future__ import annotations

import re
from collections import Counter

from counterbalance.probes.sentences import sentences

__all__ = ["lost_names", "lost_negations", "lost_numbers", "numbers"]

_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NEGATIONS = frozenset(
    (
        "no", "not", "none", "never", "nor", "neither", "nothing", "nobody", "nowhere", "cannot",
        "without", "nicht", "kein", "keine", "keinen", "nie", "niemals", "ohne", "ne", "pas",
        "jamais", "sans", "aucun", "aucune", "nunca", "ninguno", "ninguna", "sin", "não", "nem",
        "sem", "mai", "senza", "niet", "geen", "нет", "не", "никогда", "без",
    )
)  # fmt: skip


def numbers(text: str) -> frozenset[str]:
    """Return the numbers of a text as they are written, dates and times as one.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    frozenset[str]
        Each once.

    Examples
    --------
    >>> sorted(numbers("Pay 4.50 by 12/03, not 5."))
    ['12/03', '4.50', '5']
    """
    return frozenset(_NUMBER.findall(text))


def lost_numbers(before: str, after: str) -> frozenset[str]:
    """Return the numbers of one text that the other does not have."""
    return numbers(before) - numbers(after)


def lost_names(before: str, after: str) -> frozenset[str]:
    """Return words with a capital inside a sentence of one text that the other does not have.

    In scripts without capitals there are none, and nothing is said of names.

    Parameters
    ----------
    before : str
        The text that was rewritten.
    after : str
        The rewrite.

    Returns
    -------
    frozenset[str]
        The words, as the first text writes them.

    Examples
    --------
    >>> sorted(lost_names("Ask Ms Ito in Kyoto.", "Ask Ms Ito there."))
    ['Kyoto']
    """
    names = {
        word
        for sentence in sentences(before)
        for word in _WORD.findall(sentence)[1:]
        if word[0].isupper() and word != "I"
    }
    held = {word.casefold() for word in _WORD.findall(after)}
    return frozenset(name for name in names if name.casefold() not in held)


def lost_negations(before: str, after: str) -> int:
    """Return how many negations of one text the other has fewer of.

    Parameters
    ----------
    before : str
        The text that was rewritten.
    after : str
        The rewrite.

    Returns
    -------
    int
        0 where none is lost. Counted in some European languages; in others nothing is found.

    Examples
    --------
    >>> lost_negations("Do not open it, never.", "Never open it.")
    1
    """
    return max(0, _negations(before).total() - _negations(after).total())


def _negations(text: str) -> Counter[str]:
    words = (word.casefold().replace("’", "'") for word in _WORD.findall(text))
    return Counter(word for word in words if word in _NEGATIONS or word.endswith("n't"))
