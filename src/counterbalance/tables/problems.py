"""What a validator found in a description, as a place that a reader finds and a sentence."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from counterbalance.errors import one_line
from counterbalance.tables.description import (
    ChangeClaim,
    Comparison,
    Description,
    Family,
    MdeClaim,
    PValueClaim,
    Row,
    SurvivorClaim,
    Table,
    TwoOrders,
)

if TYPE_CHECKING:
    from pydantic import ValidationError

    from counterbalance.tables.field_types import Part

__all__ = ["first_problem"]

_PARTS: dict[str, type[Part]] = {
    "tables": Table,
    "rows": Row,
    "comparisons": Comparison,
    "families": Family,
    "two_orders": TwoOrders,
}
_CLAIMS: dict[str, type[Part]] = {
    "survivors": SurvivorClaim,
    "p_value": PValueClaim,
    "change": ChangeClaim,
    "mde": MdeClaim,
}
_EXAMPLE = "`counterbalance tables --init` writes an example of every key"
_LONGEST = 300


def first_problem(error: ValidationError, value: Any) -> tuple[str, str]:  # noqa: ANN401
    """Return where the first problem is and what it is.

    Parameters
    ----------
    error : ValidationError
        What the description was refused with.
    value : Any
        The description as it was decoded, for the names along the way.

    Returns
    -------
    tuple[str, str]
        Place in words, empty for the whole file, and a sentence.
    """
    details: list[Any] = error.errors(include_url=False)
    # A misspelt key is two errors, one unknown and one missing: the unknown one tells more.
    details.sort(key=lambda detail: detail["type"] != "extra_forbidden")
    detail = details[0]
    more = f" (and {len(details) - 1} more)" if len(details) > 1 else ""
    return _place(detail["loc"], value), one_line(_said(detail), _LONGEST) + more


def _place(loc: tuple[int | str, ...], value: Any) -> str:  # noqa: ANN401 (any decoded value)
    parts: list[str] = []
    at = value
    for part in loc:
        if isinstance(part, int):
            at = at[part] if isinstance(at, list) and part < len(at) else None
            parts[-1] += f" {_named(at, part)}"
        elif part not in _CLAIMS:
            at = at.get(part) if isinstance(at, dict) else None
            parts.append(part if part != "[key]" else "key")
    return ", ".join(one_line(part, 100) for part in parts)


def _named(at: Any, index: int) -> str:  # noqa: ANN401 (any decoded value)
    """Name an entry of a list: by its own name and line, else by its number."""
    if not isinstance(at, dict):
        return str(index + 1)
    name = at.get("name") or at.get("where")
    said = f'"{name}"' if isinstance(name, str) and name else str(index + 1)
    return said + (f" (line {at['line']})" if "line" in at else "")


def _said(detail: Any) -> str:  # noqa: ANN401 (pydantic's own typed dict)
    kind, given = detail["type"], detail["input"]
    if kind == "value_error":
        said = str(detail["msg"]).removeprefix("Value error, ")
    elif kind == "extra_forbidden":
        said = _unknown(detail["loc"])
    elif kind == "missing":
        said = f"this key is needed and missing; {_EXAMPLE}"
    elif kind in {"union_tag_invalid", "union_tag_not_found"}:
        found = given.get("kind") if isinstance(given, dict) else given
        said = f"kind is {one_line(repr(found), 40)}; known kinds are {', '.join(_CLAIMS)}"
    elif kind == "tuple_type":
        said = f"found {one_line(repr(given), 60)}; it must be a list"
    elif kind in {"dict_type", "model_type", "model_attributes_type"}:
        said = f"found {one_line(repr(given), 60)}; it must be a table of keys and values"
    else:
        message = str(detail["msg"]).replace("Input should", "it must").replace("should", "must")
        raw = getattr(given, "raw", given)
        said = f"found {one_line(repr(raw), 60)}; {message[0].lower()}{message[1:]}"
    return said


def _unknown(loc: tuple[int | str, ...]) -> str:
    keys = _keys_at(loc[:-1])
    name = str(loc[-1])
    if match := difflib.get_close_matches(name, keys, n=1):
        return f"unknown key; did you mean {match[0]!r}?"
    return f"unknown key; known here are {', '.join(keys)}"


def _keys_at(loc: tuple[int | str, ...]) -> list[str]:
    """Return the keys of the innermost part that a place is in."""
    for part in reversed(loc):
        if isinstance(part, str) and part in {**_PARTS, **_CLAIMS}:
            return list({**_PARTS, **_CLAIMS}[part].model_fields)
    return list(Description.model_fields)
