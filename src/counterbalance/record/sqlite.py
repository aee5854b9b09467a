"""The record as one SQLite file: the store that needs nothing installed."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from counterbalance.errors import RecordError
from counterbalance.record.connecting import reading_connection, writing_connection
from counterbalance.record.lock import RunLock
from counterbalance.record.sql_store import SqlStore

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["SqliteStore", "open_sqlite"]


class SqliteStore(SqlStore):
    """A record in one SQLite file.

    Reading has a connection of its own, which sees what is committed. Writing is done by one
    thread, which commits together whatever waits.
    """


def open_sqlite(path: Path, *, create: bool, exclusive: bool) -> SqliteStore:
    """Open a record, or begin a file for one.

    Parameters
    ----------
    path : Path
        The record's file.
    create : bool
        Whether a file that does not exist is made; needs ``exclusive``.
    exclusive : bool
        Whether to write: one run at a time may. A store that is not exclusive only reads, and does
        so beside a run, from a read-only folder too.

    Returns
    -------
    SqliteStore
        The open store; close it, or use it as a context manager.

    Raises
    ------
    RecordError
        If there is no such record, or it cannot be used; a busy record, one of a newer version and
        a damaged one have classes of their own.
    """
    _check_place(path, create=create)
    with ExitStack() as resources:
        writer = None
        if exclusive:
            resources.callback(RunLock(path.resolve()).release)
            writer = writing_connection(path, create=create)
            resources.callback(writer.close)
        reader = reading_connection(path, resources)
        return SqliteStore(str(path), reader, writer, resources.pop_all())


def _check_place(path: Path, *, create: bool) -> None:
    if path.is_dir():
        msg = f"{path}: is a folder; name a file in it"
    elif not path.parent.is_dir():
        msg = f"{path}: there is no folder {path.parent}; make it first"
    elif not path.exists() and not create:
        msg = f"{path}: there is no such record; `counterbalance run` begins one"
    else:
        return
    raise RecordError(msg)
