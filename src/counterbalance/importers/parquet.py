"""Rows of a Parquet log, read in batches by polars; the one module of this stage that imports it.

polars is the extra ``frames``. A packed file is read from memory.
"""

from __future__ import annotations

import io
from contextlib import contextmanager
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
    with _readable(file) as frame:
        return list(frame.collect_schema())


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
    with _readable(file) as whole:
        names = [name for name in whole.collect_schema() if columns is None or name in columns]
        frame = whole.select(names)
        start = 0
        while True:
            batch = frame.slice(start, _BATCH_ROWS).collect()
            yield from enumerate(batch.iter_rows(named=True), start + 1)
            if batch.height < _BATCH_ROWS:
                return
            start += _BATCH_ROWS


@contextmanager
def _readable(file: LogFile) -> Iterator[Any]:
    """Yield a file as a polars LazyFrame; damage that shows while it is read is told, too."""
    try:
        import polars as pl  # noqa: PLC0415 (heavy, and an extra)
    except ImportError:
        part = "the Parquet reader (polars)"
        raise MissingExtraError(part, "pip install 'counterbalance[frames]'") from None
    try:
        if not file.member and file.path.suffix != ".gz":
            yield pl.scan_parquet(file.path)
            return
        with file.open() as stream:
            content = io.BytesIO(stream.read())
        yield pl.scan_parquet(content)
    except (pl.exceptions.PolarsError, OSError) as error:
        msg = f"{file.name}: is no readable Parquet file ({one_line(error)})"
        raise InputError(msg) from None
