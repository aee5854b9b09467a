"""Named columns to the keys of a row: what CSV and Parquet files share.

In comes a header or one row of cells, out comes what is wrong with the header, or the row in the
shape that a JSONL row has. A cell is a text, or a nested value where the file can hold one. Refused
is a column without a meaning, except in a preference set.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from counterbalance.errors import one_line
from counterbalance.items.fields import nearest
from counterbalance.items.json_text import JsonTextError, json_value
from counterbalance.items.preferences import SIDES, is_preference, is_preference_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from counterbalance.items.fields import Place

__all__ = ["COLUMNS", "header_problem", "key_columns", "row_from_cells", "unread_columns"]

COLUMNS = (
    "id",
    "item",
    "prompt",
    "messages",
    "context",
    "reference_answer",
    "requirements",
    "category",
    "cluster",
    "consequence",
    "a",
    "a_text",
    "a_id",
    "a_system",
    "a_version",
    "b",
    "b_text",
    "b_id",
    "b_system",
    "b_version",
    "reference",
    "reference_source",
    "probe",
)
"""Columns with a meaning; ``metadata`` and ``metadata_...`` columns may stand beside them."""

_IGNORED = "metadata"
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_CANDIDATE_KEYS = ("id", "system", "version")


def header_problem(names: Sequence[str]) -> str | None:
    """Say why the columns of a file do not name pairs, or return None.

    Parameters
    ----------
    names : Sequence[str]
        Names of the columns.

    Returns
    -------
    str | None
        What was found and what is allowed.

    Examples
    --------
    >>> header_problem(["prompt", "a"])
    'the header lacks b; a pair needs a prompt and both candidates'
    """
    is_open = is_preference(names)
    for number, name in enumerate(names, 1):
        if not name.strip():
            return f"column {number} has no name in the header; name it or remove it"
        if not (is_open or name in COLUMNS or not _is_read(name)):
            known_words = ", ".join((*COLUMNS, _IGNORED))
            word = one_line(name)
            return f'"{word}" is not a known column{nearest(name, COLUMNS)} (known: {known_words})'
    return _doubled_problem(names) or _missing_problem(names, is_open=is_open)


def _is_read(name: str) -> bool:
    """Say whether a column is looked at; a column of metadata is not."""
    return name != _IGNORED and not name.startswith(f"{_IGNORED}_")


def unread_columns(names: Sequence[str]) -> set[str]:
    """Return the columns that are not looked at, which a reader can leave where they are."""
    is_open = is_preference(names)
    return {n for n in names if not _is_read(n) or (is_open and not is_preference_key(n))}


def key_columns(header: Sequence[str]) -> dict[str, str]:
    """Return the column that holds each key, where the two have different names.

    Parameters
    ----------
    header : Sequence[str]
        Names of the columns.

    Returns
    -------
    dict[str, str]
        Column by key; empty for a preference set, whose columns are its keys.
    """
    if is_preference(header):
        return {}
    columns = {"reference.accept": "reference", "reference.source": "reference_source"}
    for side in ("a", "b"):
        text = side if side in header else f"{side}_text"
        columns |= {side: text, f"{side}.text": text}
        columns |= {f"{side}.{key}": f"{side}_{key}" for key in _CANDIDATE_KEYS}
    return columns


def row_from_cells(cells: Mapping[str, object], place: Place) -> dict[str, object]:
    """Return the row that cells stand for, under the keys of a JSONL row.

    Parameters
    ----------
    cells : Mapping[str, object]
        Cell by column; None and an empty text are keys left out.
    place : Place
        Where the row stands, for messages.

    Returns
    -------
    dict[str, object]
        The row.
    """
    given = {
        name: _without_nulls(cell)
        for name, cell in cells.items()
        if cell is not None and not (isinstance(cell, str) and not cell) and _is_read(name)
    }
    number = given.get("consequence")
    if isinstance(number, str) and _NUMBER.fullmatch(number):
        given["consequence"] = float(number)
    if is_preference(cells):
        return dict.fromkeys(SIDES) | given
    row: dict[str, object] = {side: _candidate(given, side, place) for side in ("a", "b")}
    row["reference"] = _reference(given, place)
    for key in ("messages", "requirements"):
        cell = given.get(key)
        if isinstance(cell, str):
            given[key] = _json_cell(cell, key, place)
    return row | given


def _without_nulls(cell: object) -> object:
    if isinstance(cell, dict):
        return {key: _without_nulls(x) for key, x in cell.items() if x is not None}
    return [_without_nulls(x) for x in cell] if isinstance(cell, list) else cell


def _doubled_problem(names: Sequence[str]) -> str | None:
    for name, count in Counter(names).items():
        if count > 1:
            return f'the column "{one_line(name)}" stands {count} times in the header; keep one'
    for side in ("a", "b"):
        if side in names and f"{side}_text" in names:
            return f'the columns "{side}" and "{side}_text" mean the same; keep one'
    return None


def _missing_problem(names: Sequence[str], *, is_open: bool) -> str | None:
    if is_open:
        missing = [side for side in SIDES if side not in names]
        needed = "a preference needs both"
    else:
        missing = [] if {"prompt", "messages"} & set(names) else ["prompt (or messages)"]
        missing += [side for side in ("a", "b") if not {side, f"{side}_text"} & set(names)]
        needed = "a pair needs a prompt and both candidates"
    return f"the header lacks {' and '.join(missing)}; {needed}" if missing else None


def _candidate(given: dict[str, object], side: str, place: Place) -> object:
    value = given.pop(side, None)
    text = given.pop(f"{side}_text", None) if value is None else value
    beside = {key: given.pop(f"{side}_{key}", None) for key in _CANDIDATE_KEYS}
    if not isinstance(text, dict):
        return {"text": "" if text is None else text} | beside
    for key, cell in beside.items():
        if cell is not None:
            place.refuse(f"{side}_{key}", f'stands beside an object in "{side}"; keep one of them')
    return text


def _reference(given: dict[str, object], place: Place) -> Mapping[str, object] | None:
    accepted = given.pop("reference", None)
    source = given.pop("reference_source", None)
    if accepted is None:
        if source is not None:
            place.refuse("reference.source", "is given without a reference")
        return None
    if isinstance(accepted, str):
        accepted = [word.strip() for word in accepted.split("|")]
    if not isinstance(accepted, dict):
        return {"accept": accepted, "source": source}
    if source is not None:
        place.refuse("reference.source", 'stands beside an object in "reference"; keep one of them')
    return accepted


def _json_cell(cell: str, key: str, place: Place) -> object:
    try:
        return json_value(cell)
    except JsonTextError as error:
        place.refuse(key, str(error))
