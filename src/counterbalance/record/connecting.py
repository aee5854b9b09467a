"""Connections to a record's file, for one writer and for any number of readers.

Reading never needs the right to write: a record in a read-only folder opens.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import ExitStack, closing
from pathlib import Path

from counterbalance.errors import RecordError, RecordVersionError
from counterbalance.record.appending import transaction
from counterbalance.record.schema import APPLICATION_ID, MIGRATIONS
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


def writing_connection(path: Path, *, create: bool) -> sqlite3.Connection:
    """Return the connection that writes; the caller holds the record's lock.

    Parameters
    ----------
    path : Path
        The record.
    create : bool
        Whether an absent or empty file becomes a record.

    Returns
    -------
    sqlite3.Connection
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
        _migrate(connection)
        on_failure.pop_all()
    return connection


def reading_connection(path: Path, resources: ExitStack) -> sqlite3.Connection:
    """Return a connection that only reads, whatever the rights on file and folder are.

    Parameters
    ----------
    path : Path
        The record.
    resources : ExitStack
        Closes the connection, and removes what had to be copied.

    Returns
    -------
    sqlite3.Connection
        Sees what is committed, also while a run goes on.

    Raises
    ------
    RecordError
        If the file is no record, or one of another version.
    """
    with translated(path):
        connection = _reachable(path, resources)
        connection.execute("PRAGMA query_only = ON")
        is_empty = _is_empty(connection)
        _check_version(path, connection, is_empty=is_empty)
        if missing := _missing_migrations(connection):
            msg = (
                f"{path}: written by an older version, without {missing[0]};"
                " `counterbalance run` with its protocol brings it up to date"
            )
            raise RecordError(msg)
    return connection


def _connected(path: Path, option: str) -> sqlite3.Connection:
    with translated(path):
        # One connection serves the writer's thread and, under a lock, the beginning of a record.
        return sqlite3.connect(
            f"{path.absolute().as_uri()}?{option}",
            uri=True,
            timeout=_BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )


def _reachable(path: Path, resources: ExitStack) -> sqlite3.Connection:
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


def _is_empty(connection: sqlite3.Connection) -> bool:
    """Whether nothing was ever written: a new file, or one whose creation was interrupted."""
    tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    return not tables and not _application_id(connection)


def _application_id(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA application_id").fetchone()[0])


def _check_version(path: Path, connection: sqlite3.Connection, *, is_empty: bool) -> None:
    if is_empty:
        msg = f"{path}: the file is empty, not a record; begin one with `counterbalance run`"
        raise RecordError(msg)
    if _application_id(connection) != APPLICATION_ID:
        msg = f"{path}: is an SQLite file of another program, not a record; name another file"
        raise RecordError(msg)
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    known = len(MIGRATIONS)
    if version > known:
        msg = (
            f"{path}: written by a newer version (schema {version}, this program knows {known});"
            " install the newest with: pip install --upgrade counterbalance"
        )
        raise RecordVersionError(msg)


def _missing_migrations(connection: sqlite3.Connection) -> list[str]:
    present: set[str] = set()
    if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").fetchone():
        present = {name for (name,) in connection.execute("SELECT name FROM migrations")}
    return [step.__name__ for step in MIGRATIONS if step.__name__ not in present]


def _migrate(connection: sqlite3.Connection) -> None:
    missing = _missing_migrations(connection)
    for number, step in enumerate(MIGRATIONS, start=1):
        if step.__name__ not in missing:
            continue
        with transaction(connection):
            step(connection)
            connection.execute("INSERT INTO migrations VALUES (?)", (step.__name__,))
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {number}")
