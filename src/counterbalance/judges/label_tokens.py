"""Labels as the embedded model writes them: the grammar that holds it to them, and their tokens."""

from __future__ import annotations

import math
import string
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["has_every_label", "label_grammar", "label_logprobs", "tokens_enough"]

_PLAIN = frozenset(string.ascii_letters + string.digits + " ()+-./:=_,;!?&%@~")


def label_grammar(labels: Sequence[str]) -> str:
    r"""Return a GBNF grammar that allows exactly one of the labels and nothing else.

    Parameters
    ----------
    labels : Sequence[str]
        What may be written.

    Returns
    -------
    str
        The grammar; whatever is special in it is escaped.

    Examples
    --------
    >>> print(label_grammar(["A", 'say "\\"']))
    root ::= "A" | "say \U00000022\U0000005C\U00000022"
    """
    return "root ::= " + " | ".join(f'"{_literal(label)}"' for label in labels)


def _literal(label: str) -> str:
    return "".join(c if c in _PLAIN else f"\\U{ord(c):08X}" for c in label)


def tokens_enough(labels: Sequence[str]) -> int:
    """Return a number of tokens in which every label can be written whole."""
    # A token holds at least one byte, so this is enough however the model cuts a label.
    return max(len(label.encode()) for label in labels)


def label_logprobs(
    alternatives: Iterable[Mapping[str, Any]], labels: Sequence[str]
) -> tuple[tuple[str, float], ...]:
    """Return those alternatives that spell a label, with or without spaces, in either case.

    Parameters
    ----------
    alternatives : Iterable[Mapping[str, Any]]
        Tokens with their log-probabilities as the engine lists them.
    labels : Sequence[str]
        The labels on offer.

    Returns
    -------
    tuple[tuple[str, float], ...]
        Token and natural log-probability, most probable first.

    Examples
    --------
    >>> label_logprobs([{"token": "The", "logprob": -1.0}, {"token": " a", "logprob": -2.0}], ["A"])
    ((' a', -2.0),)
    """
    spelled = {label.casefold() for label in labels}
    found = [
        (token, logprob)
        for token, logprob in ((x["token"], x["logprob"]) for x in alternatives)
        if token.strip().casefold() in spelled and logprob is not None and math.isfinite(logprob)
    ]
    return tuple(sorted(found, key=lambda pair: -pair[1]))


def has_every_label(logprobs: Iterable[tuple[str, float]], labels: Sequence[str]) -> bool:
    """Whether each label that is a token of its own for certain stands among the alternatives."""
    # One ASCII character is a token for certain; more may have to be written in several.
    tokens = {token for token, _ in logprobs}
    return all(label in tokens for label in labels if len(label) == 1 and label.isascii())
