"""Connections to a record's SQLite file, for one writer and for any number of readers.

Reading never needs the right to write: a record in a read-only folder opens.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import ExitStack, closing
from pathlib import Path

from counterbalance.errors import RecordError
from counterbalance.record.dialect import APPLICATION_ID
from counterbalance.record.migrating import check_complete, check_version, migrate
from counterbalance.record.sqlite_connection import SqliteConnection
from counterbalance.record.sqlite_errors import primary_code, translated

__all__ = ["reading_connection", "writing_connection"]

_BUSY_SECONDS = 10.0
_WRITER_SETTINGS = (
    "synchronous = FULL",
    "fullfsync = ON",
    "foreign_keys = ON",
    "cache_size = -65536",
    "temp_store = MEMORY",
    "wal_autocheckpoint = 4000",
)
_NOT_WRITABLE = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}


def writing_connection(path: Path, *, create: bool, n_steps: int | None = None) -> SqliteConnection:
    """Return the connection that writes; the caller holds the record's lock.

    Parameters
    ----------
    path : Path
        The record.
    create : bool
        Whether an absent or empty file becomes a record.
    n_steps : int | None
        How many steps of the schema are taken; None for all.

    Returns
    -------
    SqliteConnection
        Without implicit transactions; every commit is forced to disk.

    Raises
    ------
    RecordError
        If the file is no record, or the file system cannot hold one.
    """
    connection = _connected(path, "mode=rwc" if create else "mode=rw")
    with ExitStack() as on_failure, translated(path):
        on_failure.callback(connection.close)
        is_empty = _is_empty(connection)
        if not is_empty or not create:
            _check_version(path, connection, is_empty=is_empty)
        if connection.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
            msg = f"{path}: this file system allows no shared memory; use a local disk"
            raise RecordError(msg)
        for setting in _WRITER_SETTINGS:
            connection.execute(f"PRAGMA {setting}")
        migrate(connection, n_steps)
        on_failure.pop_all()
    return connection


def reading_connection(path: Path, resources: ExitStack) -> SqliteConnection:
    """Return a connection that only reads, whatever the rights on file and folder are.

    Parameters
    ----------
    path : Path
        The record.
    resources : ExitStack
        Closes the connection, and removes what had to be copied.

    Returns
    -------
    SqliteConnection
        Sees what is committed, also while a run goes on.
    """
    with translated(path):
        connection = _reachable(path, resources)
        connection.execute("PRAGMA query_only = ON")
        is_empty = _is_empty(connection)
        _check_version(path, connection, is_empty=is_empty)
        check_complete(str(path), connection)
    return connection


def _connected(path: Path, option: str) -> SqliteConnection:
    with translated(path):
        # One connection serves the writer's thread and, under a lock, the beginning of a record.
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?{option}",
            uri=True,
            timeout=_BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            factory=SqliteConnection,
        )
        connection.path = path
        return connection


def _reachable(path: Path, resources: ExitStack) -> SqliteConnection:
    # Opened for writing where possible, since only such a connection tidies WAL files up.
    connection = resources.enter_context(closing(_connected(path, "mode=rw")))
    try:
        _is_empty(connection)
    except sqlite3.OperationalError as error:
        if primary_code(error) not in _NOT_WRITABLE:
            raise
    else:
        return connection
    wal = path.with_name(path.name + "-wal")
    if not wal.exists() or not wal.stat().st_size:
        return resources.enter_context(closing(_connected(path, "immutable=1")))
    # A killed run left a WAL where nobody may write: without a copy its last rows would be unseen.
    folder = Path(resources.enter_context(tempfile.TemporaryDirectory(prefix="counterbalance-")))
    try:
        copy = Path(shutil.copyfile(path, folder / path.name))
        shutil.copyfile(wal, folder / wal.name)
    except OSError as error:
        msg = f"{path}: cannot be read ({error.strerror})"
        raise RecordError(msg) from None
    return resources.enter_context(closing(_connected(copy, "mode=rw")))


def _is_empty(connection: SqliteConnection) -> bool:
    """Whether nothing was ever written: a new file, or one whose creation was interrupted."""
    tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    return not tables and not _application_id(connection)


def _application_id(connection: SqliteConnection) -> int:
    return int(connection.execute("PRAGMA application_id").fetchone()[0])


def _check_version(path: Path, connection: SqliteConnection, *, is_empty: bool) -> None:
    if is_empty:
        msg = f"{path}: the file is empty, not a record; begin one with `counterbalance run`"
        raise RecordError(msg)
    if _application_id(connection) != APPLICATION_ID:
        msg = f"{path}: is an SQLite file of another program, not a record; name another file"
        raise RecordError(msg)
    check_version(str(path), connection.execute("PRAGMA user_version").fetchone()[0])
