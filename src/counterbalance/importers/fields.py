"""Single values of a row: read if they are of the kind that is meant, None if not."""

from __future__ import annotations

import math

from counterbalance.errors import one_line

__all__ = ["found", "identifier", "judge_and_prompt", "number"]


def identifier(value: object) -> str | None:
    """Return a name or id as text.

    Parameters
    ----------
    value : object
        Any JSON value.

    Returns
    -------
    str | None
        Text as it stands, a whole number in digits; None for anything else and for empty text.

    Examples
    --------
    >>> identifier(81), identifier("gpt-4"), identifier(["gpt-4"]), identifier("")
    ('81', 'gpt-4', None, None)
    """
    if isinstance(value, str):
        return value or None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return None


def number(value: object) -> float | None:
    """Return a number.

    Parameters
    ----------
    value : object
        Any JSON value.

    Returns
    -------
    float | None
        None for anything else, for NaN and the infinities, and for what is too large for a float.

    Examples
    --------
    >>> number(7), number(-1.5), number("7"), number(True), number(float("nan")), number(10**400)
    (7.0, -1.5, None, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        as_float = float(value)
    except OverflowError:
        return None
    return as_float if math.isfinite(as_float) else None


def judge_and_prompt(value: object) -> tuple[str, str] | None:
    """Return judge and prompt name as FastChat writes them: a list of both, or a name alone.

    Parameters
    ----------
    value : object
        Any JSON value.

    Returns
    -------
    tuple[str, str] | None
        The prompt name is empty when there is none; None when there is no judge.

    Examples
    --------
    >>> judge_and_prompt(["gpt-4", "pair-v2"]), judge_and_prompt("expert_3"), judge_and_prompt([])
    (('gpt-4', 'pair-v2'), ('expert_3', ''), None)
    """
    if not isinstance(value, list):
        judge = identifier(value)
        return None if judge is None else (judge, "")
    names = [name for part in value if (name := identifier(part)) is not None]
    if not names or len(names) < len(value):
        return None
    return names[0], " ".join(names[1:])


def found(*values: object) -> str:
    """Return values as a reject shows them: one line, cut where it is long.

    Parameters
    ----------
    *values : object
        What stood in the row.

    Returns
    -------
    str
        One line.

    Examples
    --------
    >>> found("A", None)
    "'A', None"
    """
    return one_line(", ".join(map(repr, values)))
