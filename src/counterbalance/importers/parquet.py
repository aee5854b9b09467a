"""Rows of a Parquet log, read in batches by polars; the one module of this stage that imports it.

polars is the extra ``frames``. A member of an archive is read from memory.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from counterbalance.errors import InputError, MissingExtraError, one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from counterbalance.importers.log_file import LogFile

__all__ = ["column_names", "parquet_rows"]

_BATCH_ROWS = 10_000


def column_names(file: LogFile) -> list[str]:
    """Return the columns of a Parquet file.

    Parameters
    ----------
    file : LogFile
        The file.

    Returns
    -------
    list[str]
        In order.
    """
    return list(_frame(file).collect_schema())


def parquet_rows(
    file: LogFile, columns: Collection[str] | None = None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a Parquet file.

    Parameters
    ----------
    file : LogFile
        The file.
    columns : Collection[str] | None
        Columns that are wanted; those that the file lacks are left out. None for all.

    Yields
    ------
    tuple[int, dict[str, Any]]
        Number from 1 and values by column.
    """
    frame = _frame(file)
    if columns is not None:
        frame = frame.select([name for name in frame.collect_schema() if name in columns])
    start = 0
    while True:
        batch = frame.slice(start, _BATCH_ROWS).collect()
        yield from enumerate(batch.iter_rows(named=True), start + 1)
        if batch.height < _BATCH_ROWS:
            return
        start += _BATCH_ROWS


def _frame(file: LogFile) -> Any:  # noqa: ANN401 (a polars LazyFrame)
    try:
        import polars as pl  # noqa: PLC0415 (heavy, and an extra)
    except ImportError:
        part = "the Parquet reader (polars)"
        raise MissingExtraError(part, "pip install 'counterbalance[frames]'") from None
    try:
        if not file.member:
            return pl.scan_parquet(file.path)
        with file.open() as stream:
            return pl.scan_parquet(io.BytesIO(stream.read()))
    except (pl.exceptions.PolarsError, OSError) as error:
        msg = f"{file.name}: is no readable Parquet file ({one_line(error)})"
        raise InputError(msg) from None
