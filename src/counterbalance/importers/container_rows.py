"""Rows of a table, whichever way it was saved: JSONL, a JSON array, CSV or Parquet."""

from __future__ import annotations

import codecs
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from counterbalance.importers.judgment import Reject
from counterbalance.importers.rows import array_rows, json_lines, table_rows

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from counterbalance.importers.log_file import LogFile

__all__ = ["Kind", "container_rows", "kind_of"]

_HEAD_BYTES = 4096


class Kind(Enum):
    """How a table was saved."""

    PARQUET = auto()
    JSON_ARRAY = auto()
    JSON_LINES = auto()
    TABLE = auto()


def container_rows(
    file: LogFile, columns: Collection[str]
) -> Iterator[tuple[int, dict[str, Any] | Reject]]:
    """Yield the rows of a file that holds a table in any of the usual ways.

    Parameters
    ----------
    file : LogFile
        The file.
    columns : Collection[str]
        Columns that are wanted; of Parquet no others are read.

    Yields
    ------
    tuple[int, dict[str, Any] | Reject]
        Line or number of the row, and its values by column; a reject for what is no row.
    """
    match kind_of(file):
        case Kind.PARQUET:
            from counterbalance.importers.parquet import (  # noqa: PLC0415 (loads polars)
                parquet_rows,
            )

            yield from parquet_rows(file, columns)
        case Kind.JSON_ARRAY:
            for number, element in array_rows(file):
                is_row = isinstance(element, dict)
                found = type(element).__name__
                yield number, element if is_row else Reject(number, "the row is no object", found)
        case Kind.JSON_LINES:
            yield from json_lines(file)
        case Kind.TABLE:
            yield from table_rows(file)


def kind_of(file: LogFile) -> Kind:
    """Tell from its first bytes how a file holds its rows."""
    with file.open() as stream:
        head = stream.read(_HEAD_BYTES).removeprefix(codecs.BOM_UTF8).lstrip()
    if head.startswith(b"PAR1"):
        return Kind.PARQUET
    return {b"[": Kind.JSON_ARRAY, b"{": Kind.JSON_LINES}.get(head[:1], Kind.TABLE)
