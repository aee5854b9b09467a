"""A CSV file as a description: one row for each configuration, comparisons beside it.

Columns are the keys of a row and of a comparison; ``verdicts.A`` and ``gold.A`` hold one label.
Columns that hold for the whole file (``error_rate``, ``power``, ``m``, ``design``, ``unit``) say
the same in every row. Everything stays text here: what it means is decided where formats meet.
"""

from __future__ import annotations

import csv
import io
from typing import Any

from counterbalance.errors import TablesFileError, one_line
from counterbalance.tables.description import Comparison, Row

__all__ = ["csv_description"]

_OF_FILE = ("title", "source", "design", "error_rate", "power")
_OF_FAMILY = ("m", "method")
_OF_TABLE = ("unit", "tie")
_OF_COMPARISON = tuple(
    key for key in Comparison.model_fields if key not in {"name", "table", "new", "n"}
)
_OF_ROW = tuple(Row.model_fields)
_NESTED = ("verdicts", "gold", "two_orders", "measures", "log")
_LIMITS = {"low": 0, "high": 1}
_UNNAMED = "table"


def csv_description(text: str, file: str) -> dict[str, Any]:
    """Return the value that a TOML file of the same content would have.

    Parameters
    ----------
    text : str
        Content of the file.
    file : str
        Its name, for messages.

    Returns
    -------
    dict[str, Any]
        Tables, comparisons and, where ``m`` is given, one family; each row and comparison with
        its ``line``.

    Raises
    ------
    TablesFileError
        If the header names an unknown column, a row does not fit it, or a column that holds for
        the whole file says two things.
    """
    records = _records(text, file)
    if not records:
        raise TablesFileError(file, "", "it is empty; its first line names the columns")
    header = records[0][1]
    _refuse_header(header, file)
    value: dict[str, Any] = {"title": file, "tables": [], "comparisons": []}
    tables: dict[str, dict[str, Any]] = {}
    for line, cells in records[1:]:
        if len(cells) != len(header):
            problem = f"{len(cells)} cells where the header names {len(header)} columns"
            hint = "; put cells with separators in quotes"
            raise TablesFileError(file, f"line {line}", problem + hint)
        given = {k: x.strip() for k, x in zip(header, cells, strict=True) if x.strip()}
        _add(value, tables, given, (file, line))
    value["tables"] = list(tables.values())
    _add_family(value)
    return value


def _records(text: str, file: str) -> list[tuple[int, list[str]]]:
    first = text.split("\n", 1)[0]
    delimiter = next((mark for mark in ",\t;" if mark in first), ",")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    records: list[tuple[int, list[str]]] = []
    try:
        records.extend(
            (reader.line_num, [cell.strip() for cell in cells])
            for cells in reader
            if any(cell.strip() for cell in cells)
        )
    except csv.Error as error:
        raise TablesFileError(file, f"line {reader.line_num}", f"not CSV: {error}") from None
    return records


def _refuse_header(header: list[str], file: str) -> None:
    known = {*_OF_FILE, *_OF_FAMILY, *_OF_TABLE, *_OF_COMPARISON, *_OF_ROW, "table"}
    known -= {*_NESTED, "interval"}
    for column in header:
        nested, _, label = column.partition(".")
        is_known = column in known or (nested in _NESTED and label)
        if not is_known and column not in {f"interval.{end}" for end in _LIMITS}:
            allowed = ", ".join(sorted({*known, "verdicts.LABEL", "gold.LABEL", "interval.low"}))
            problem = f"unknown column {one_line(column)!r}; known are {allowed}"
            raise TablesFileError(file, "line 1", problem)
        if header.count(column) > 1:
            problem = f"the column {one_line(column)!r} is named twice"
            raise TablesFileError(file, "line 1", problem)
    if "name" not in header:
        problem = 'there is no column "name"; every configuration needs one'
        raise TablesFileError(file, "line 1", problem)


def _add(
    value: dict[str, Any],
    tables: dict[str, dict[str, Any]],
    given: dict[str, str],
    place: tuple[str, int],
) -> None:
    for key in (*_OF_FILE, *_OF_FAMILY):
        _set_once(value, key, given.get(key), place)
    name = given.get("table", _UNNAMED)
    table = tables.setdefault(name, {"name": name, "rows": []})
    for key in _OF_TABLE:
        _set_once(table, key, given.get(key), place)
    row: dict[str, Any] = {"line": place[1]}
    for key, cell in given.items():
        nested, _, label = key.partition(".")
        if nested == "interval":
            row.setdefault("interval", ["", ""])[_LIMITS[label]] = cell
        elif label:
            row.setdefault(nested, {})[label] = cell
        elif key in _OF_ROW:
            row[key] = cell
    table["rows"].append(row)
    compared = {key: given[key] for key in _OF_COMPARISON if key in given}
    if compared:
        new = given.get("name", "")
        title = f"{new} vs {compared.get('base', 'base')}"
        comparison = {"line": place[1], "name": title, "table": name, "new": new, **compared}
        value["comparisons"].append(comparison)


def _set_once(value: dict[str, Any], key: str, cell: str | None, place: tuple[str, int]) -> None:
    if cell is None:
        return
    file, line = place
    set_by = value.setdefault("\0set", {})
    if key in set_by and value[key] != cell:
        said = f"{one_line(value[key], 30)!r} and {one_line(cell, 30)!r}"
        problem = f"{key} is {said}; it holds for the whole and must be the same in every row"
        raise TablesFileError(file, f"line {line}", problem)
    set_by[key] = line
    value[key] = cell


def _add_family(value: dict[str, Any]) -> None:
    value.pop("\0set", None)
    for table in value["tables"]:
        table.pop("\0set", None)
    given = {key: value.pop(key) for key in _OF_FAMILY if key in value}
    if "m" in given:
        members = [comparison["name"] for comparison in value["comparisons"]]
        value["families"] = [{"name": "all comparisons", "comparisons": members, **given}]
