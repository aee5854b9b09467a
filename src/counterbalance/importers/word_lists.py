"""Words of a log in a mapping: which stand for which outcome, order or accepted verdict."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import model_validator

from counterbalance.protocol.section import Section

__all__ = [
    "NoVerdict",
    "OrderWords",
    "ReferenceWords",
    "Scalar",
    "VerdictWords",
    "Words",
    "spelled",
    "spellings",
    "word_of",
    "words_by_class",
]

Scalar: TypeAlias = str | int | float | bool
Words: TypeAlias = tuple[Scalar, ...]
"""Words of the log, as they stand in it; a number also fits the same number written as text."""
NoVerdict: TypeAlias = Literal[
    "conflicting", "off_scale", "unparsed", "empty", "truncated", "refused", "too_long", "failed"
]


class OrderWords(Section):
    """Which words of column ``order`` mean that a, or b, was shown first."""

    forward: Words = ("forward",)
    """a was shown first."""
    reversed: Words = ("reversed",)
    """b was shown first."""


class ReferenceWords(Section):
    """Which words of column ``reference`` accept what: of slots, of a and b, or names."""

    first: Words = ()
    second: Words = ()
    a: Words = ()
    b: Words = ()
    tie: Words = ()
    neither: Words = ()
    insufficient: Words = ()
    names: bool = False
    """The reference is the name of the better system, as the columns first and second, or a and b,
    have it."""

    @model_validator(mode="after")
    def _speak_of_one(self) -> ReferenceWords:
        words_by_class(self)
        return self

    @property
    def speaks_of(self) -> Literal["slots", "candidates", "names", "nothing"]:
        """Say whether the words speak of slots, of candidates or are names."""
        return _frame(self)


class VerdictWords(ReferenceWords):
    """Which words of column ``verdict`` stand for which outcome."""

    first_much: Words = ()
    first_slightly: Words = ()
    second_much: Words = ()
    second_slightly: Words = ()
    a_much: Words = ()
    a_slightly: Words = ()
    b_much: Words = ()
    b_slightly: Words = ()
    conflicting: Words = ()
    off_scale: Words = ()
    unparsed: Words = ()
    empty: Words = ()
    truncated: Words = ()
    refused: Words = ()
    too_long: Words = ()
    failed: Words = ()
    missing: NoVerdict | Literal["reject"] = "unparsed"
    """What a row without a verdict means."""
    from_scores: bool = False
    """The higher score wins, equal ones are a tie; there is no column verdict."""


def _frame(words: ReferenceWords) -> Literal["slots", "candidates", "names", "nothing"]:
    given = {name.split("_", maxsplit=1)[0] for name, _ in _listed(words)}
    frames = {
        "slots": bool(given & {"first", "second"}),
        "candidates": bool(given & {"a", "b"}),
        "names": words.names,
    }
    chosen = [name for name, holds in frames.items() if holds]
    if len(chosen) > 1:
        msg = (
            "words stand for slots (first, second), for candidates (a, b) or are names"
            " (names = true): keep to one of these"
        )
        raise ValueError(msg)
    if not chosen:
        return "nothing"
    return {"slots": "slots", "candidates": "candidates", "names": "names"}[chosen[0]]  # type: ignore[return-value]


def _listed(words: ReferenceWords) -> list[tuple[str, tuple[Scalar, ...]]]:
    given = ((name, getattr(words, name)) for name in type(words).model_fields)
    return [(name, value) for name, value in given if isinstance(value, tuple) and value]


def words_by_class(words: ReferenceWords) -> dict[str, str]:
    """Return the class of each word, in the form in which rows are looked up."""
    _frame(words)
    classes: dict[str, str] = {}
    for name, listed in _listed(words):
        for spelling in (s for scalar in listed for s in spellings(scalar)):
            if classes.setdefault(spelling, name) != name:
                msg = f"{spelling!r} stands under {classes[spelling]} and {name}; keep one"
                raise ValueError(msg)
    return classes


def spellings(scalar: Scalar) -> tuple[str, ...]:
    """Return how a word of a mapping may be written in a log: truth values in three ways."""
    if isinstance(scalar, bool):
        name = str(scalar)
        return name.lower(), name, name.upper()
    return (word_of(scalar) or "",)


def spelled(words: Words) -> frozenset[str]:
    """Return all spellings of a list of words."""
    return frozenset(spelling for word in words for spelling in spellings(word))


def word_of(value: object) -> str | None:
    """Return a value of a row as a word.

    Parameters
    ----------
    value : object
        Any JSON value.

    Returns
    -------
    str | None
        Text without white space around it, a whole number in digits, nothing as empty text; None
        for lists and objects.

    Examples
    --------
    >>> word_of(" A "), word_of(1.0), word_of(True), word_of(None), word_of([])
    ('A', '1', 'true', '', None)
    """
    if isinstance(value, str):
        return value.strip()
    if value is None or value != value:  # noqa: PLR0124 (NaN is what is not there)
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return str(value) if isinstance(value, int) else None
