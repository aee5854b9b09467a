"""Cells of a CSV file to decoded rows, in the shape that a JSONL row has.

In come the physical lines of the file, out come rows with the line on which each begins. An empty
cell is a key left out; a row of empty cells is a blank line. Refused are headers that do not say
what a column is, and rows with more or fewer cells than the header.
"""

from __future__ import annotations

import csv
import threading
from typing import TYPE_CHECKING

from counterbalance.errors import PairFileError, one_line
from counterbalance.items.columns import COLUMNS, header_problem, key_columns, row_from_cells
from counterbalance.items.fields import Place
from counterbalance.items.preferences import SIDES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["csv_rows"]

_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}
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
            columns = key_columns(header)
            continue
        if len(cells) != len(header):
            problem = f"the row has {len(cells)} cells, the header names {len(header)} columns"
            raise PairFileError(file, line, f"{problem}; put texts with separators in quotes")
        place = Place(file, line, columns)
        yield place, row_from_cells(dict(zip(header, cells, strict=True)), place)


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
    problem = _problem(cells, delimiter)
    if problem:
        raise PairFileError(file, line, problem)
    return tuple(cells)


def _problem(cells: list[str], delimiter: str) -> str | None:
    if len(cells) == 1:
        return _one_column_problem(cells[0], delimiter)
    if not {*COLUMNS, *SIDES} & set(cells):
        first = one_line(cells[0])
        return (
            f'the first line must name the columns (prompt, a, b, ...), but begins with "{first}"'
        )
    return header_problem(cells)


def _one_column_problem(cell: str, delimiter: str) -> str:
    others = [name for mark, name in _SEPARATORS.items() if mark in cell and mark != delimiter]
    hint = f"; its cells seem to be separated by {others[0]}" if others else ""
    needed = "a pair file needs the columns prompt (or messages), a and b"
    return f'the header has one column, "{one_line(cell)}"; {needed}{hint}'
