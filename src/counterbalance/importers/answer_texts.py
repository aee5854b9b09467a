"""Answers of a row that holds whole conversations, or lists of responses, as one text each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["ANSWER_COLUMNS", "both_answers"]

ANSWER_COLUMNS = ("conversation_a", "conversation_b", "response_a", "response_b")
"""Columns that hold the answers of ``model_a`` and ``model_b``, where a table has them."""

_NAMES = (ANSWER_COLUMNS[:2], ANSWER_COLUMNS[2:])


def both_answers(
    row: Mapping[str, Any], *, exchanged: bool
) -> Callable[[], tuple[str, str] | None] | None:
    """Return what reads the answers of a row, None where it holds none.

    Parameters
    ----------
    row : Mapping[str, Any]
        A row with a conversation or a response of two models.
    exchanged : bool
        Whether ``model_a`` is candidate b.

    Returns
    -------
    Callable[[], tuple[str, str] | None] | None
        Returns the texts of candidates a and b when called: most readers of a log never ask.
    """
    for one, other in _NAMES:
        if row.get(one) is not None and row.get(other) is not None:
            values = (row[other], row[one]) if exchanged else (row[one], row[other])
            return lambda: _both(values)
    return None


def _both(values: tuple[object, object]) -> tuple[str, str] | None:
    a, b = (_answer(value) for value in values)
    return None if a is None or b is None else (a, b)


def _answer(value: object) -> str | None:
    """Return what the model said, all turns together; None where that cannot be told."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return str(value)
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return None
    said = [_turn(turn) for turn in value]
    if None in said:
        return None
    return "\n\n".join(text for text in said if text)


def _turn(turn: object) -> str | None:
    """Return the text of a turn; empty for a turn of the user, None for one without a text."""
    if turn is None or isinstance(turn, str):
        return turn or ""
    if not isinstance(turn, dict):
        return None
    if turn.get("role") == "user":
        return ""
    content = turn.get("content")
    if isinstance(content, list):
        parts = [part.get("text") or "" for part in content if isinstance(part, dict)]
        return "\n".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else None
