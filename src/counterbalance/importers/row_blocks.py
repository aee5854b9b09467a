"""Source rows many at a time, by column: the quick road of large tables.

In come the rows that `container_rows` gives one at a time, out come the same rows, with the same
lines and the same rejects in the same sequence, in blocks that fit into memory.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from pydantic_core import from_json

from counterbalance.errors import InputError
from counterbalance.importers import rows as one_at_a_time
from counterbalance.importers.container_rows import Kind, container_rows, kind_of
from counterbalance.importers.judgment import Reject
from counterbalance.importers.rows import TableReader, is_utf8, json_row
from counterbalance.importers.word_lookup import getter

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from counterbalance.importers.log_file import LogFile

__all__ = ["CellBlock", "DictBlock", "RowBlock", "row_blocks"]

_BLOCK_BYTES = 1 << 20
_BLOCK_ROWS = 4000
_MARK = 7_410_392_856
"""Stands between the lines of a block that are read as one array: a number, which JSON can spell in
one way only, so that no line can hold it unseen."""
_BETWEEN = b",%d," % _MARK


class RowBlock(Protocol):
    """Rows beside one another; ``lines`` has the line of each, as `container_rows` gives it."""

    @property
    def lines(self) -> Sequence[int]:
        """Line of each row."""

    def row(self, place: int) -> dict[str, Any]:
        """Return one row."""

    def column(self, path: str) -> Sequence[Any]:
        """Return what `word_lookup.getter` finds at a path, of every row."""


class DictBlock:
    """Rows that are objects.

    Parameters
    ----------
    lines : Sequence[int]
        Their lines.
    rows : list[dict[str, Any]]
        The objects.
    """

    def __init__(self, lines: Sequence[int], rows: list[dict[str, Any]]) -> None:
        self.lines = lines
        self._rows = rows
        self._names: set[str] | None = None
        self._holders: dict[str, list[Any] | None] = {}

    def row(self, place: int) -> dict[str, Any]:
        """Return one row."""
        return self._rows[place]

    def column(self, path: str) -> list[Any]:
        """Return what stands at a path in every row."""
        if "." not in path:
            return [row.get(path) for row in self._rows]
        if self._names is None:
            self._names = set[str]().union(*self._rows)
        parent, _, name = path.partition(".")
        if "." not in name and path not in self._names:
            holders = self._objects_at(parent)
            if holders is not None:
                return _values(name, holders)
        return [*map(getter(path), self._rows)]

    def _objects_at(self, name: str) -> list[Any] | None:
        """Return what stands under a name, if it is an object in every row."""
        if name not in self._holders:
            found = [row.get(name) for row in self._rows]
            self._holders[name] = found if set(map(type, found)) == {dict} else None
        return self._holders[name]


def _values(name: str, holders: list[Any]) -> list[Any]:
    try:
        return [*map(itemgetter(name), holders)]
    except KeyError:
        return [holder.get(name) for holder in holders]


@dataclass(frozen=True, slots=True)
class CellBlock:
    """Rows of a table with a header.

    Attributes
    ----------
    lines : Sequence[int]
        Their lines.
    header : list[str]
        Names of the columns; the last of several with one name counts.
    cells : list[list[str]]
        As many to a row as the header has.
    """

    lines: Sequence[int]
    header: list[str]
    cells: list[list[str]]

    def row(self, place: int) -> dict[str, Any]:
        """Return one row."""
        return dict(zip(self.header, self.cells[place], strict=True))

    def column(self, path: str) -> list[Any]:
        """Return what stands under a name in every row; None everywhere where there is none."""
        if path not in self.header:
            return [None] * len(self.cells)
        at = len(self.header) - 1 - self.header[::-1].index(path)
        return [*map(itemgetter(at), self.cells)]


def row_blocks(file: LogFile, columns: Collection[str]) -> Iterator[RowBlock | Reject]:
    """Yield the rows of a file that holds a table, in blocks.

    Parameters
    ----------
    file : LogFile
        The file.
    columns : Collection[str]
        Columns that are wanted; of Parquet no others are read.

    Yields
    ------
    RowBlock | Reject
        Rows beside one another, or what is no row, in the sequence of the file.
    """
    match kind_of(file):
        case Kind.JSON_LINES:
            yield from _json_blocks(file)
        case Kind.TABLE:
            yield from _table_blocks(file)
        case _:
            yield from _gathered(container_rows(file, columns))


def _json_blocks(file: LogFile) -> Iterator[RowBlock | Reject]:
    with file.open() as stream:
        for number, raw in _line_blocks(stream, file.name):
            if isinstance(raw, Reject):
                yield raw
                continue
            is_short = max(map(len, raw)) < one_at_a_time.LONGEST_LINE
            values = _objects(raw) if is_short else None
            if values is None:
                yield from _gathered(_each(number, raw))
            else:
                yield DictBlock(range(number, number + len(raw)), values)


def _line_blocks(stream: BinaryIO, name: str) -> Iterator[tuple[int, list[bytes] | Reject]]:
    """Yield what each read brings as lines, with the number of the first; long ones are rejects."""
    longest = one_at_a_time.LONGEST_LINE
    number, rest = 1, b""
    while chunk := stream.read(max(_BLOCK_BYTES, len(rest))):
        data = _without_mark(chunk, name) if number == 1 and not rest else rest + chunk
        whole, feed, rest = data.rpartition(b"\n")
        if feed:
            lines = whole.split(b"\n")
            yield number, lines
            number += len(lines)
        elif len(rest) >= longest:
            while (more := stream.readline(longest)) and not more.endswith(b"\n"):
                pass
            yield number, one_at_a_time.too_long(number)
            number, rest = number + 1, b""
    if rest:
        yield number, [rest]


def _without_mark(first: bytes, name: str) -> bytes:
    if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        msg = f"{name}: is UTF-16; save it as UTF-8"
        raise InputError(msg)
    return first.removeprefix(codecs.BOM_UTF8)


def _objects(lines: list[bytes]) -> list[dict[str, Any]] | None:
    """Read lines that all hold one object each, at once; None where any does not."""
    text = b"[%s]" % _BETWEEN.join(lines)
    if text.count(_BETWEEN[1:-1]) != len(lines) - 1:
        return None
    try:
        values = from_json(text, cache_strings="keys")
    except ValueError:
        return None
    objects, marks = values[::2], values[1::2]
    is_right = len(objects) == len(lines) and marks == [_MARK] * (len(lines) - 1)
    if is_right and set(map(type, objects)) == {dict} and set(map(type, marks)) <= {int}:
        return list(objects)
    return None


def _each(number: int, lines: list[bytes]) -> Iterator[tuple[int, dict[str, Any] | Reject]]:
    longest = one_at_a_time.LONGEST_LINE
    for at, line in enumerate(lines, number):
        if len(line) >= longest:
            yield at, one_at_a_time.too_long(at)
        elif (raw := line.rstrip(b"\r\n")) and not raw.isspace():
            yield at, json_row(raw, at)


def _gathered(rows: Iterator[tuple[int, dict[str, Any] | Reject]]) -> Iterator[RowBlock | Reject]:
    """Put rows that came one at a time into blocks again, and rejects between them."""
    lines: list[int] = []
    held: list[dict[str, Any]] = []
    for line, row in rows:
        is_reject = isinstance(row, Reject)
        if held and (is_reject or len(held) >= _BLOCK_ROWS):
            yield DictBlock(lines, held)
            lines, held = [], []
        if isinstance(row, Reject):
            yield row
        else:
            lines.append(line)
            held.append(row)
    if held:
        yield DictBlock(lines, held)


def _table_blocks(file: LogFile) -> Iterator[RowBlock | Reject]:
    with TableReader(file) as table:
        width = len(table.header)
        while found := [*islice(table.records(), _BLOCK_ROWS)]:
            lines, cells = zip(*found, strict=True)
            is_plain = set(map(len, cells)) == {width} and all(
                is_utf8("".join(column)) for column in zip(*cells, strict=True)
            )
            if is_plain:
                yield CellBlock(lines, table.header, list(cells))
            else:
                yield from _gathered(table.checked(found))
        if table.fault is not None:
            yield table.fault
