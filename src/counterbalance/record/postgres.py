"""The record as a schema of a PostgreSQL database: the store that a team shares."""

from __future__ import annotations

import hashlib
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

from counterbalance.errors import RecordBusyError, RecordError, one_line
from counterbalance.record.migrating import (
    check_complete,
    check_version,
    migrate,
    table_names,
    taken_migrations,
)
from counterbalance.record.postgres_connection import PostgresConnection, connected
from counterbalance.record.sql_store import SqlStore

if TYPE_CHECKING:
    from counterbalance.record.place import PostgresPlace

__all__ = ["PostgresStore", "drop_schema", "has_schema", "open_postgres"]

_OLDEST_SERVER = 13
_MOST_LISTED = 8

# A killed process is noticed by the server a moment later: a rerun at once shall not fail.
_LOCK_PATIENCE = "1500"

_HOLDER = """SELECT coalesce(nullif(holder.application_name, ''), holder.usename)
    FROM pg_catalog.pg_locks AS held
    JOIN pg_catalog.pg_stat_activity AS holder ON holder.pid = held.pid
    WHERE held.locktype = 'advisory' AND held.granted AND held.objsubid = 1
    AND CAST(held.classid AS bigint) = ? AND CAST(held.objid AS bigint) = ?
    AND held.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
    """
_RECORDS = """SELECT substr(nspname, 16) FROM pg_catalog.pg_namespace
    WHERE starts_with(nspname, 'counterbalance_') ORDER BY 1"""


class PostgresStore(SqlStore):
    """A record in a schema of a PostgreSQL database.

    Reading has a connection of its own, which sees what is committed. Writing is done by one
    thread over another connection, whose session holds the record's advisory lock.
    """


def open_postgres(place: PostgresPlace, *, create: bool, exclusive: bool) -> PostgresStore:
    """Open a record, or begin one.

    Parameters
    ----------
    place : PostgresPlace
        Database and name of the record.
    create : bool
        Whether a record that does not exist is made; needs ``exclusive``.
    exclusive : bool
        Whether to write: one run at a time may. A store that is not exclusive only reads, and does
        so beside a run.

    Returns
    -------
    PostgresStore
        The open store; close it, or use it as a context manager.
    """
    with ExitStack() as resources:
        writer = None
        if exclusive:
            writer = connected(place, read_only=False)
            resources.callback(writer.close)
            with writer.translated():
                _check_server(place, writer)
                _take_lock(place, writer)
                _check_schema(place, writer, create=create)
                migrate(writer)
        reader = connected(place, read_only=True)
        resources.callback(reader.close)
        with reader.translated():
            _check_server(place, reader)
            _check_schema(place, reader, create=False)
            check_complete(str(place), reader)
        return PostgresStore(str(place), reader, writer, resources.pop_all())


def has_schema(place: PostgresPlace) -> bool:
    """Say whether the schema of a record is there, empty or not."""
    connection = connected(place, read_only=True)
    with closing(connection), connection.translated():
        query = "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = ?"
        return connection.execute(query, (place.schema,)).fetchone() is not None


def drop_schema(place: PostgresPlace) -> None:
    """Remove a record that was never begun and that nobody writes to."""
    connection = connected(place, read_only=False)
    with closing(connection), connection.translated():
        _take_lock(place, connection)
        if not connection.execute("SELECT 1 FROM revisions").fetchone():
            connection.execute(f'DROP SCHEMA "{place.schema}" CASCADE')


def _check_server(place: PostgresPlace, connection: PostgresConnection) -> None:
    version = connection.server_version
    if version < _OLDEST_SERVER * 10_000:
        msg = (
            f"{place}: the server is PostgreSQL {version // 10_000}; {_OLDEST_SERVER} is the oldest"
            " that holds a record"
        )
        raise RecordError(msg)
    (encoding,) = connection.execute("SELECT current_setting('server_encoding')").fetchone()
    if encoding != "UTF8":
        msg = f"{place}: the database holds texts as {one_line(encoding)}; name one made with UTF8"
        raise RecordError(msg)


def _check_schema(place: PostgresPlace, connection: PostgresConnection, *, create: bool) -> None:
    """Refuse a place that holds no record, or another thing; make an empty one if allowed."""
    query = "SELECT has_schema_privilege(oid, 'USAGE') FROM pg_catalog.pg_namespace"
    found = connection.execute(f"{query} WHERE nspname = ?", (place.schema,)).fetchone()
    if found is None:
        if not create:
            raise _absent(place, connection)
        connection.execute(f'CREATE SCHEMA "{place.schema}"')
        return
    if found == (False,):
        msg = (
            f"{place}: the role may not use this record; its owner can grant it: USAGE on schema"
            f" {place.schema}, SELECT on its tables and, to run, INSERT"
        )
        raise RecordError(msg)
    if taken := taken_migrations(connection):
        check_version(str(place), len(taken))
    elif tables := table_names(connection):
        msg = (
            f"{place}: the schema {place.schema} holds the tables of another program"
            f" ({one_line(min(tables))}); name another record"
        )
        raise RecordError(msg)
    elif not create:
        raise _absent(place, connection)


def _absent(place: PostgresPlace, connection: PostgresConnection) -> RecordError:
    names = [name for (name,) in connection.execute(_RECORDS) if name != place.name]
    shown = ", ".join(names[:_MOST_LISTED]) + (", …" if len(names) > _MOST_LISTED else "")
    held = f"the database holds {shown}" if names else "the database holds none"
    return RecordError(f"{place}: there is no such record; {held}; `counterbalance run` begins one")


def _take_lock(place: PostgresPlace, connection: PostgresConnection) -> None:
    """Keep others from writing for as long as the connection lives."""
    digest = hashlib.blake2b(place.schema.encode(), digest_size=8).digest()
    key = int.from_bytes(digest, "big", signed=True)
    connection.execute("SELECT set_config('lock_timeout', ?, false)", (_LOCK_PATIENCE,))
    try:
        connection.execute("SELECT pg_advisory_lock(?)", (key,))
    except connection.LockNotAvailable:
        halves = (int.from_bytes(digest[:4], "big"), int.from_bytes(digest[4:], "big"))
        holder = connection.execute(_HOLDER, halves).fetchone()
        msg = (
            f"{place}: in use by another run ({one_line(holder[0]) if holder else 'unknown'});"
            " wait for it to end, or name another record"
        )
        raise RecordBusyError(msg) from None
    connection.execute("SELECT set_config('lock_timeout', '0', false)")
