"""Cells of a CSV file to decoded rows, in the shape that a JSONL row has.

In come the physical lines of the file, out come rows with the line on which each begins. An empty
cell is a key left out; a row of empty cells is a blank line. Refused are headers that do not say
what a column is, and rows with more or fewer cells than the header.
"""

from __future__ import annotations

import csv
import re
import threading
from collections import Counter
from typing import TYPE_CHECKING, Any

from counterbalance.errors import PairFileError, one_line
from counterbalance.items.fields import Place, nearest
from counterbalance.items.json_text import JsonTextError, json_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["COLUMNS", "csv_rows"]

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
)
"""Columns with a meaning; ``metadata`` and ``metadata_...`` columns may stand beside them."""

_IGNORED = "metadata"
_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WIDEST_CELL = 2**31 - 1
_limit_lock = threading.Lock()


def csv_rows(
    lines: Iterable[str], file: str, *, delimiter: str = ","
) -> Iterator[tuple[Place, dict[str, object]]]:
    """Yield the rows of a CSV file.

    Parameters
    ----------
    lines : Iterable[str]
        Physical lines, each with its line end.
    file : str
        Name of the file, for messages.
    delimiter : str
        What stands between two cells.

    Yields
    ------
    tuple[Place, dict[str, object]]
        Where the row begins, and its values under the keys of a JSONL row.

    Raises
    ------
    PairFileError
        If the header does not name the columns, or a row does not fit it.
    """
    header: tuple[str, ...] | None = None
    columns: dict[str, str] = {}
    for line, cells in _records(lines, file, delimiter):
        if not any(cells):
            continue
        if header is None:
            header = _header(cells, file, line, delimiter)
            columns = _columns(header)
            continue
        if len(cells) != len(header):
            problem = f"the row has {len(cells)} cells, the header names {len(header)} columns"
            raise PairFileError(file, line, f"{problem}; put texts with separators in quotes")
        place = Place(file, line, columns)
        yield place, _row(dict(zip(header, cells, strict=True)), place)


def _records(lines: Iterable[str], file: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            yield line, _next_record(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise PairFileError(file, line, _words(error)) from None


def _next_record(reader: Iterator[list[str]]) -> list[str]:
    # The limit belongs to the whole process: it is raised for this one step and put back.
    with _limit_lock:
        limit = csv.field_size_limit(_WIDEST_CELL)
        try:
            return next(reader)
        finally:
            csv.field_size_limit(limit)


def _words(error: csv.Error) -> str:
    text = str(error)
    if "unexpected end of data" in text:
        return "a quoted cell begins in this row and is never closed; close it with a quote"
    if "new-line character" in text:
        return "a carriage return stands outside quotes; end lines with LF or CRLF"
    return f"is not CSV ({one_line(text)}); write a quote inside a quoted cell twice"


def _header(cells: list[str], file: str, line: int, delimiter: str) -> tuple[str, ...]:
    problem = _header_problem(cells, delimiter)
    if problem:
        raise PairFileError(file, line, problem)
    return tuple(cells)


def _header_problem(cells: list[str], delimiter: str) -> str | None:
    known = set(COLUMNS) & set(cells)
    if len(cells) == 1:
        return _one_column_problem(cells[0], delimiter)
    if not known:
        first = one_line(cells[0])
        return (
            f'the first line must name the columns (prompt, a, b, ...), but begins with "{first}"'
        )
    for number, name in enumerate(cells, 1):
        if not name.strip():
            return f"column {number} has no name in the header; name it or remove it"
        if name not in known and not _is_ignored(name):
            known_words = ", ".join((*COLUMNS, _IGNORED))
            word = one_line(name)
            return f'"{word}" is not a known column{nearest(name, COLUMNS)} (known: {known_words})'
    return _doubled_problem(cells) or _missing_problem(known)


def _one_column_problem(cell: str, delimiter: str) -> str:
    others = [name for mark, name in _SEPARATORS.items() if mark in cell and mark != delimiter]
    hint = f"; its cells seem to be separated by {others[0]}" if others else ""
    needed = "a pair file needs the columns prompt (or messages), a and b"
    return f'the header has one column, "{one_line(cell)}"; {needed}{hint}'


def _doubled_problem(cells: list[str]) -> str | None:
    for name, count in Counter(cells).items():
        if count > 1:
            return f'the column "{one_line(name)}" stands {count} times in the header; keep one'
    for side in ("a", "b"):
        if side in cells and f"{side}_text" in cells:
            return f'the columns "{side}" and "{side}_text" mean the same; keep one'
    return None


def _missing_problem(known: set[str]) -> str | None:
    missing = [] if known & {"prompt", "messages"} else ["prompt (or messages)"]
    missing += [side for side in ("a", "b") if not known & {side, f"{side}_text"}]
    if not missing:
        return None
    return f"the header lacks {' and '.join(missing)}; a pair needs a prompt and both candidates"


def _is_ignored(name: str) -> bool:
    return name == _IGNORED or name.startswith(f"{_IGNORED}_")


def _columns(header: tuple[str, ...]) -> dict[str, str]:
    columns = {"reference.accept": "reference", "reference.source": "reference_source"}
    for side in ("a", "b"):
        text = side if side in header else f"{side}_text"
        columns |= {side: text, f"{side}.text": text}
        columns |= {f"{side}.{key}": f"{side}_{key}" for key in ("id", "system", "version")}
    return columns


def _row(cells: dict[str, str], place: Place) -> dict[str, object]:
    given = {name: cell for name, cell in cells.items() if cell and not _is_ignored(name)}
    row: dict[str, object] = {
        "a": _candidate(given, "a"),
        "b": _candidate(given, "b"),
        "reference": _reference(given, place),
    }
    for key in ("messages", "requirements"):
        if key in given:
            row[key] = _json_cell(given.pop(key), key, place)
    if _NUMBER.fullmatch(given.get("consequence", "")):
        row["consequence"] = float(given.pop("consequence"))
    return row | given


def _candidate(given: dict[str, str], side: str) -> Mapping[str, object]:
    text = given.pop(side, "") or given.pop(f"{side}_text", "")
    keys = ("id", "system", "version")
    return {"text": text} | {key: given.pop(f"{side}_{key}", None) for key in keys}


def _reference(given: dict[str, str], place: Place) -> Mapping[str, object] | None:
    accepted = given.pop("reference", None)
    source = given.pop("reference_source", None)
    if accepted is None:
        if source is not None:
            place.refuse("reference.source", "is given without a reference")
        return None
    return {"accept": [word.strip() for word in accepted.split("|")], "source": source}


def _json_cell(cell: str, key: str, place: Place) -> Any:  # noqa: ANN401 (any JSON value)
    try:
        return json_value(cell)
    except JsonTextError as error:
        place.refuse(key, str(error))
