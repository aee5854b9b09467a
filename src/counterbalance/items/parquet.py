"""Rows of a Parquet file, in the shape that a JSONL row has.

In comes a path, out come rows with their numbers, a batch at a time, so that memory does not grow
with the file. This is the only module that knows polars, and loads it at the first row. Columns are
those of CSV; texts may also be categories, and messages, candidates, requirements, references and
preferences may be nested. A null is a key left out. Refused are files that are cut or damaged, and
columns of another type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.errors import MissingExtraError, PairFileError, one_line
from counterbalance.items.columns import header_problem, key_columns, row_from_cells, unread_columns
from counterbalance.items.fields import Place

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import polars as pl

__all__ = ["INSTALL_FRAMES", "parquet_rows"]

INSTALL_FRAMES = "python -m pip install 'counterbalance[frames]'"
"""The command that installs what reads Parquet."""

_BATCH_ROWS = 8192
_MARK = b"PAR1"
_INDEX_OF_PANDAS = "__index_level_"
_DAMAGED = "is damaged, or no Parquet file that can be read"


def parquet_rows(path: Path, file: str) -> Iterator[tuple[Place, dict[str, object]]]:
    """Yield the rows of a Parquet file.

    Parameters
    ----------
    path : Path
        The file.
    file : str
        What messages call it.

    Yields
    ------
    tuple[Place, dict[str, object]]
        Number of the row from 1, and its values under the keys of a JSONL row.

    Raises
    ------
    MissingExtraError
        If polars is not installed.
    PairFileError
        If the file is cut or damaged, or its columns are not those of a pair file.
    """
    try:
        import polars as pl  # noqa: PLC0415 (large, and needed by few)
    except ImportError:
        part = "the reader of Parquet files (polars)"
        raise MissingExtraError(part, INSTALL_FRAMES) from None
    _check_ends(path, file)
    failures = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
    number = 0
    try:
        frame = pl.scan_parquet(path, glob=False, hive_partitioning=False)
        schema = frame.collect_schema()
        names = [name for name in schema if not name.startswith(_INDEX_OF_PANDAS)]
        unread = unread_columns(names)
        _check_columns(schema, names, unread, file)
        columns = key_columns(names)
        # What is not read stays in the file; that it is there is all that is told of it.
        read = frame.select(pl.lit(1).alias(n) if n in unread else n for n in names)
        while (batch := read.slice(number, _BATCH_ROWS).collect()).height:
            for cells in batch.iter_rows(named=True):
                number += 1
                place = Place(file, number, columns, "row")
                yield place, row_from_cells(cells, place)
    except failures as error:
        where = f" behind row {number}" if number else ""
        problem = f"{_DAMAGED}{where} ({one_line(_first_line(error))}); write it again"
        raise PairFileError(file, None, problem) from None


def _check_ends(path: Path, file: str) -> None:
    with path.open("rb") as handle:
        begins = handle.read(len(_MARK))
        size = handle.seek(0, 2)
        handle.seek(max(size - len(_MARK), 0))
        ends = handle.read()
    if not size:
        raise PairFileError(file, None, "the file is empty; write one pair per row")
    if begins != _MARK:
        problem = "is no Parquet file, whatever its name says; a Parquet file begins with PAR1"
        raise PairFileError(file, None, problem)
    if ends != _MARK or size <= len(_MARK):
        problem = "is cut: a Parquet file ends with PAR1; copy or write it again"
        raise PairFileError(file, None, problem)


def _check_columns(schema: pl.Schema, names: list[str], unread: set[str], file: str) -> None:
    problem = header_problem(names)
    if problem:
        raise PairFileError(file, None, problem)
    for name in names:
        if name not in unread and not _is_plain(schema[name]):
            kind = one_line(schema[name])
            problem = f'the column "{one_line(name)}" is of type {kind}; store it as text'
            raise PairFileError(file, None, problem)


def _is_plain(kind: object) -> bool:
    import polars as pl  # noqa: PLC0415

    if isinstance(kind, pl.List | pl.Array):
        return _is_plain(kind.inner)
    if isinstance(kind, pl.Struct):
        return all(_is_plain(member.dtype) for member in kind.fields)
    is_number = isinstance(kind, pl.DataType) and kind.is_numeric() and not kind.is_decimal()
    plain = pl.String | pl.Categorical | pl.Enum | pl.Boolean | pl.Null
    return is_number or isinstance(kind, plain)


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
