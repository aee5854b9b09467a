"""Rows of a log, one at a time, each with its line; a broken one is a reject, not an end.

JSONL is split at line feeds only. Bare NaN and the infinities, which several programs write, are
read as numbers that are not there (None where an importer asks for one).
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
import sys
import threading
from contextlib import ExitStack
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO, Self

import ijson
from pydantic_core import from_json

from counterbalance.errors import InputError, one_line
from counterbalance.importers.judgment import Reject

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

    from counterbalance.importers.log_file import LogFile

__all__ = [
    "LONGEST_LINE",
    "TableReader",
    "array_rows",
    "is_utf8",
    "json_lines",
    "json_object",
    "json_row",
    "lines",
    "table_rows",
    "too_long",
]

LONGEST_LINE = 256_000_000
"""Bytes from which on a line is none."""
_LARGEST_WHOLE = 64_000_000
"""Larger JSON arrays are read element by element, which is slower and needs no memory."""
_LARGEST_OBJECT = 2_000_000_000
_WIDEST_CELL = 2**31 - 1
_BROKEN = "the line is not JSON"
_NO_OBJECT = "the row is no object"
_ESCAPED = re.compile("[\udc80-\udcff]")
_csv_limit = threading.Lock()


def lines(file: LogFile) -> Iterator[tuple[int, str | Reject]]:
    """Yield the lines of a text file, without their line feeds.

    Parameters
    ----------
    file : LogFile
        UTF-8, with or without byte order mark.

    Yields
    ------
    tuple[int, str | Reject]
        Number from 1 and text; a reject for a line that is not UTF-8 or far too long.
    """
    with file.open() as stream:
        for number, raw in enumerate(_raw_lines(stream, file.name), 1):
            if isinstance(raw, Reject):
                yield number, Reject(number, raw.reason)
                continue
            try:
                yield number, raw.decode()
            except UnicodeDecodeError as error:
                byte = f"byte 0x{raw[error.start]:02x} at position {error.start + 1}"
                yield number, Reject(number, "the line is not UTF-8", byte)


def json_lines(file: LogFile) -> Iterator[tuple[int, dict[str, Any] | Reject]]:
    """Yield the objects of a JSONL file; blank lines are passed over.

    Parameters
    ----------
    file : LogFile
        UTF-8, one object on each line.

    Yields
    ------
    tuple[int, dict[str, Any] | Reject]
        Line from 1 and its object; a reject for a line that holds none.
    """
    with file.open() as stream:
        for number, raw in enumerate(_raw_lines(stream, file.name), 1):
            if isinstance(raw, Reject):
                yield number, Reject(number, raw.reason)
            elif raw and not raw.isspace():
                yield number, json_row(raw, number)


def array_rows(file: LogFile) -> Iterator[tuple[int, Any]]:
    """Yield the elements of a JSON array.

    Parameters
    ----------
    file : LogFile
        UTF-8, one array.

    Yields
    ------
    tuple[int, Any]
        Number from 1 and element.

    Raises
    ------
    InputError
        If the text stops being a JSON array; what came before was yielded.
    """
    with file.open() as stream:
        head = stream.read(_LARGEST_WHOLE)
        if len(head) < _LARGEST_WHOLE:
            value = _whole(head, file.name)
            if not isinstance(value, list):
                msg = f"{file.name}: is {type(value).__name__}, not a JSON array"
                raise InputError(msg)
            yield from enumerate(value, 1)
            return
    with file.open() as stream:
        try:
            yield from enumerate(ijson.items(stream, "item", use_float=True), 1)
        except (ijson.JSONError, ValueError) as error:
            msg = f"{file.name}: is not a JSON array ({one_line(error)})"
            raise InputError(msg) from None


def json_object(file: LogFile) -> Any:  # noqa: ANN401 (any JSON value)
    """Return the one JSON value of a file.

    Parameters
    ----------
    file : LogFile
        UTF-8.

    Returns
    -------
    Any
        The value.

    Raises
    ------
    InputError
        If it is not JSON, or too large to be read whole.
    """
    with file.open() as stream:
        content = stream.read(_LARGEST_OBJECT + 1)
    if len(content) > _LARGEST_OBJECT:
        msg = f"{file.name}: is one JSON value of more than {_LARGEST_OBJECT} bytes"
        raise InputError(msg)
    return _whole(content, file.name)


def table_rows(
    file: LogFile, delimiter: str | None = None
) -> Iterator[tuple[int, dict[str, str] | Reject]]:
    """Yield the rows of a CSV or TSV file with a header; cells may hold line breaks.

    Parameters
    ----------
    file : LogFile
        UTF-8.
    delimiter : str | None
        What stands between cells; None tells it from the header.

    Yields
    ------
    tuple[int, dict[str, str] | Reject]
        Line on which the row ends and its cells by column; a reject for a row with too many or
        too few cells, or one that is not UTF-8.

    Raises
    ------
    InputError
        If the header is not UTF-8.
    """
    with TableReader(file, delimiter) as table:
        yield from table.checked(table.records())
        if table.fault is not None:
            yield table.fault.line, table.fault


class TableReader:
    """Reads the records of a table with a header; to be used in a ``with`` statement.

    Parameters
    ----------
    file : LogFile
        UTF-8.
    delimiter : str | None
        What stands between cells; None tells it from the header.
    """

    def __init__(self, file: LogFile, delimiter: str | None = None) -> None:
        self.header: list[str] = []
        self.fault: Reject | None = None
        """Why no more records can be read; None while none is known."""
        self._file = file
        self._delimiter = delimiter
        self._open = ExitStack()
        self._records: Iterator[tuple[int, list[str]]] = iter(())

    def __enter__(self) -> Self:
        """Open the file and read the header.

        Returns
        -------
        Self
            Ready for `records`.

        Raises
        ------
        InputError
            If the header is not UTF-8.
        """
        with ExitStack() as stack:
            stream = stack.enter_context(self._file.open())
            text = stack.enter_context(
                io.TextIOWrapper(stream, "utf-8-sig", errors="surrogateescape", newline="")
            )
            first = text.readline()
            if not is_utf8(first):
                msg = f"{self._file.name}: is not UTF-8; save it as UTF-8"
                raise InputError(msg)
            mark = self._delimiter or max("\t,;|", key=first.count)
            with _csv_limit:
                csv.field_size_limit(min(_WIDEST_CELL, sys.maxsize))
            reader = csv.reader(chain([first], text), delimiter=mark)  # gzip cannot go back
            self.header = next(reader, [])
            self._records = self._read(reader)
            self._open = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self._open.__exit__(kind, error, trace)

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """Return what reads on: the line on which each record ends, and its cells."""
        return self._records

    def _read(self, reader: Any) -> Iterator[tuple[int, list[str]]]:  # noqa: ANN401 (csv's type)
        try:
            for cells in reader:
                yield reader.line_num, cells
        except csv.Error as error:
            self.fault = Reject(reader.line_num, "the row is no CSV", one_line(error))

    def checked(
        self, records: Iterable[tuple[int, list[str]]]
    ) -> Iterator[tuple[int, dict[str, str] | Reject]]:
        """Yield the rows of records, and rejects for those that are none."""
        width = len(self.header)
        for line, cells in records:
            if not is_utf8("".join(cells)):
                yield line, Reject(line, "the row is not UTF-8")
            elif len(cells) == width:
                yield line, dict(zip(self.header, cells, strict=True))
            elif cells:
                found = f"{len(cells)} cells, the header has {width}"
                yield line, Reject(line, "the row has another number of cells", found)


def is_utf8(text: str) -> bool:
    """Say whether a text that was decoded with an escape for every odd byte needed none."""
    return text.isascii() or not _ESCAPED.search(text)


def _raw_lines(stream: BinaryIO, name: str) -> Iterator[bytes | Reject]:
    first = True
    while raw := stream.readline(LONGEST_LINE):
        if first:
            if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                msg = f"{name}: is UTF-16; save it as UTF-8"
                raise InputError(msg)
            raw = raw.removeprefix(codecs.BOM_UTF8)
            first = False
        if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
            while (rest := stream.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                pass
            yield too_long(0)
            continue
        yield raw.rstrip(b"\r\n")


def too_long(line: int) -> Reject:
    """Return the reject for a line that is too long to be one."""
    return Reject(line, f"the line is longer than {LONGEST_LINE} bytes")


def json_row(raw: bytes, number: int) -> dict[str, Any] | Reject:
    """Return the object on a line that is not blank; a reject where there is none."""
    try:
        value = from_json(raw, cache_strings="keys")
    except ValueError as error:
        value = _slow(raw)
        if value is None:
            return Reject(number, _BROKEN, one_line(error))
    if isinstance(value, dict):
        return value
    return Reject(number, _NO_OBJECT, type(value).__name__)


def _slow(raw: bytes) -> Any:  # noqa: ANN401 (any JSON value)
    """Read what the quick reader refuses and the standard library lets pass: lone surrogates."""
    try:
        # Of bytes, it would guess that they are UTF-16.
        return json.loads(raw.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        return None


def _whole(content: bytes, name: str) -> Any:  # noqa: ANN401 (any JSON value)
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        return from_json(content, cache_strings="keys")
    except ValueError as error:
        value = _slow(content)
        if value is None:
            msg = f"{name}: is not JSON ({one_line(error)})"
            raise InputError(msg) from None
        return value
