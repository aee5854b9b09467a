"""Errors of SQLite as one sentence each, with what to do next."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from counterbalance.errors import (
    RecordBusyError,
    RecordError,
    RecordIntegrityError,
    one_line,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["primary_code", "record_error", "translated"]

_PRIMARY = 0xFF
_KEPT = "What was recorded is kept, and a rerun goes on from there"

_SENTENCES: dict[int, tuple[type[RecordError], str]] = {
    sqlite3.SQLITE_FULL: (RecordError, f"the disk is full; free some space. {_KEPT}"),
    sqlite3.SQLITE_IOERR: (
        RecordError,
        f"the disk refused to read or write; check its quota, limits and health. {_KEPT}",
    ),
    sqlite3.SQLITE_READONLY: (
        RecordError,
        f"file or folder cannot be written; make both writable, or copy the record. {_KEPT}",
    ),
    sqlite3.SQLITE_PERM: (RecordError, "permission denied; check the rights on file and folder"),
    sqlite3.SQLITE_CANTOPEN: (
        RecordError,
        "cannot be opened; check that file and folder can be read and, for a run, written",
    ),
    sqlite3.SQLITE_BUSY: (
        RecordBusyError,
        f"another program keeps it locked; close that program and run again. {_KEPT}",
    ),
    sqlite3.SQLITE_LOCKED: (
        RecordBusyError,
        f"another program keeps it locked; close that program and run again. {_KEPT}",
    ),
    sqlite3.SQLITE_CORRUPT: (
        RecordIntegrityError,
        "the file is damaged; restore a copy, or save what is readable with sqlite3 .recover",
    ),
    sqlite3.SQLITE_NOTADB: (
        RecordError,
        "is not a record of counterbalance (not an SQLite file); name another file",
    ),
}


def primary_code(error: sqlite3.Error) -> int | None:
    """Return SQLite's primary result code of an error, None for an error of the module itself."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & _PRIMARY


def record_error(path: Path, error: sqlite3.Error) -> RecordError:
    """Return what an error of SQLite means for a record.

    Parameters
    ----------
    path : Path
        The record, as the user named it.
    error : sqlite3.Error
        What SQLite raised.

    Returns
    -------
    RecordError
        One sentence, with what to do next.
    """
    known = _SENTENCES.get(primary_code(error) or -1)
    if known is not None:
        return known[0](f"{path}: {known[1]}")
    return RecordError(f"{path}: SQLite says: {one_line(error, 300)}")


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn every error of SQLite inside the block into a `RecordError`."""
    try:
        yield
    except sqlite3.Error as error:
        raise record_error(path, error) from error
