"""A connection to a record in PostgreSQL. This is the only file that imports psycopg.

Texts of PostgreSQL hold no NUL. In one that comes from outside, NUL is kept as U+0010 and ``0``,
and U+0010 itself is doubled; nobody else need know, unless they look with other programs.
"""

from __future__ import annotations

import logging
import os
import socket
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Any

from counterbalance.errors import MissingExtraError, RecordError
from counterbalance.record.dialect import POSTGRES
from counterbalance.record.postgres_errors import lost_connection, no_connection, record_error

try:
    import psycopg
    from psycopg.adapt import Dumper, Loader
    from psycopg.conninfo import conninfo_to_dict
except ImportError:
    _COMMAND = "python -m pip install 'counterbalance[postgres]'"
    _PART = "the PostgreSQL driver (psycopg)"
    raise MissingExtraError(_PART, _COMMAND) from None

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from psycopg.abc import Buffer

    from counterbalance.record.connection import Rows
    from counterbalance.record.place import PostgresPlace

__all__ = ["PostgresConnection", "connected"]

_CONNECT_SECONDS = 10
_ESCAPE = "\x10"
_STREAMED_ROWS = 1000
_NEWER_THAN_13 = 140_000
_LONGEST_APPLICATION_NAME = 60
_ENDED = ("08", "57P")
"""Classes of SQLSTATE: a broken connection; a shutdown or crash."""

_PATIENCE: dict[str, int] = {
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}
"""Without these, a run would wait for hours for a server that vanished."""

_SETTINGS = {
    "client_encoding": "UTF8",
    "statement_timeout": "0",
    "lock_timeout": "0",
    "idle_in_transaction_session_timeout": "0",
    # So that the lock of a run whose machine vanished is given up within a minute or so.
    "tcp_keepalives_idle": "30",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
}


_SILENT = logging.NullHandler()


class _TextDumper(Dumper):
    """Sends a text; its type is left to the server, which knows the column."""

    def dump(self, obj: str) -> bytes:
        """Return a text as it is sent."""
        if _ESCAPE in obj or "\0" in obj:
            obj = obj.replace(_ESCAPE, _ESCAPE * 2).replace("\0", _ESCAPE + "0")
        return obj.encode()


class _TextLoader(Loader):
    """Reads a text back."""

    def load(self, data: Buffer) -> str:
        """Return a text as it was before it was sent."""
        text = bytes(data).decode()
        if _ESCAPE not in text:
            return text
        parts = text.split(_ESCAPE * 2)
        return _ESCAPE.join(part.replace(_ESCAPE + "0", "\0") for part in parts)


@lru_cache(maxsize=256)
def _spelling(sql: str) -> bytes:
    """Return a statement of ours as PostgreSQL takes it: its planner needs no join hints."""
    return sql.replace("CROSS JOIN", "JOIN").replace("?", "%s").encode()


def connected(place: PostgresPlace, *, read_only: bool) -> PostgresConnection:
    """Connect to the database of a record.

    Parameters
    ----------
    place : PostgresPlace
        The record.
    read_only : bool
        Whether the server shall refuse every change.

    Returns
    -------
    PostgresConnection
        The connection; nothing was looked for yet.

    Raises
    ------
    RecordError
        If the address is none, or no connection comes about.
    """
    options = _options(place)
    # What the driver meets while it tidies up after an error goes to whoever set logging up, and
    # not on standard error beside our own sentence.
    logging.getLogger("psycopg").addHandler(_SILENT)
    try:
        raw = psycopg.connect(place.address, autocommit=True, **options)
    except psycopg.Error as error:
        raise RecordError(no_connection(place, str(error))) from None
    return PostgresConnection(place, raw, read_only=read_only)


def _options(place: PostgresPlace) -> dict[str, Any]:
    try:
        given = conninfo_to_dict(place.address)
    except psycopg.Error:
        given = {"password": None}
    if (given.get("password") or "") not in {place.password, *place.secrets}:
        # The driver's own words would repeat what it took for something else: maybe the password.
        msg = (
            f"{place}: is no address of a database; write postgresql://USER@HOST:PORT/DATABASE#NAME"
            " and any of :/?#[]@% inside a part as %3A, %2F and so on"
        )
        raise RecordError(msg)
    options: dict[str, Any] = {k: v for k, v in _PATIENCE.items() if k not in given}
    if "connect_timeout" not in given and "PGCONNECT_TIMEOUT" not in os.environ:
        options["connect_timeout"] = _CONNECT_SECONDS
    if "application_name" not in given:
        name = f"counterbalance, {socket.gethostname()}, process {os.getpid()}"
        options["application_name"] = name[-_LONGEST_APPLICATION_NAME:]
    return options


def _first(error: psycopg.Error) -> psycopg.Error:
    """Return the error that the others, raised while tidying up after it, came from."""
    while isinstance(error.__context__, psycopg.Error):
        error = error.__context__
    return error


def _is_of_the_link(error: psycopg.Error) -> bool:
    """Whether it was no answer to a statement: what the server says has a code."""
    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError)
    return error.sqlstate.startswith(_ENDED)


class PostgresConnection:
    """A `counterbalance.record.connection.Connection` to a schema of a database.

    Parameters
    ----------
    place : PostgresPlace
        The record.
    raw : psycopg.Connection[tuple[Any, ...]]
        The driver's connection, without implicit transactions.
    read_only : bool
        Whether the server shall refuse every change.

    Attributes
    ----------
    dialect
        How PostgreSQL spells things.
    IntegrityError
        What is raised when a row breaks a constraint.
    LockNotAvailable
        What is raised when a lock was waited for in vain.
    """

    dialect = POSTGRES
    IntegrityError = psycopg.IntegrityError
    LockNotAvailable = psycopg.errors.LockNotAvailable

    def __init__(
        self, place: PostgresPlace, raw: psycopg.Connection[tuple[Any, ...]], *, read_only: bool
    ) -> None:
        self.place = place
        self._raw = raw
        self._is_closed = False
        self._is_in_snapshot = False
        self._names = count()
        raw.adapters.register_dumper(str, _TextDumper)
        raw.adapters.register_loader("text", _TextLoader)
        with self.translated():
            self._settle(read_only=read_only)

    @property
    def server_version(self) -> int:
        """Version of the server as a number: 150018 is 15.18."""
        return self._raw.info.server_version

    def close(self) -> None:
        """Close; whatever is not committed is gone."""
        self._is_closed = True
        self._raw.close()

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> Rows:
        """Run a statement; the server's whole answer is fetched."""
        return self._raw.execute(_spelling(sql), parameters or None)

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> Rows:
        """Run a statement once for each row of parameters, without waiting in between."""
        cursor = self._raw.cursor()
        cursor.executemany(_spelling(sql), parameters)
        return cursor

    def stream(self, sql: str, /) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query, fetched by and by from a cursor on the server."""
        name = f"rows_{next(self._names)}"
        is_held = not self._is_in_snapshot
        with self._raw.cursor(name, withhold=is_held) as cursor:
            cursor.itersize = _STREAMED_ROWS
            cursor.execute(_spelling(sql))
            yield from cursor

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit what the block does, all of it or nothing."""
        self.execute("BEGIN")
        try:
            yield
            self._commit()
        except BaseException:
            with suppress(psycopg.Error):
                self._raw.execute("ROLLBACK")
            raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let every query of the block see the record as it is at the first."""
        self.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        self._is_in_snapshot = True
        try:
            yield
        finally:
            self._is_in_snapshot = False
            with suppress(psycopg.Error):
                self.execute("ROLLBACK")

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Turn every error of PostgreSQL inside the block into a `RecordError`."""
        try:
            yield
        except psycopg.Error as error:
            if self._is_closed:
                msg = f"{self.place}: the record is closed"
                raise RecordError(msg) from None
            first = _first(error)
            if self._raw.closed or _is_of_the_link(first):
                self._raw.close()
                raise lost_connection(self.place, str(first)) from error
            raise record_error(self.place, first.sqlstate, str(first)) from error

    def damage(self) -> Iterator[str]:
        """Yield nothing: PostgreSQL looks after its storage, and tells who reads a bad page."""
        yield from ()

    def _commit(self) -> None:
        # The server answers a COMMIT after a failed statement with ROLLBACK and no error.
        if self._raw.execute("COMMIT").statusmessage != "COMMIT":
            msg = f"{self.place}: the transaction had failed before its end"
            raise RecordError(msg)

    def _settle(self, *, read_only: bool) -> None:
        settings = {**_SETTINGS, "search_path": f'"{self.place.schema}"'}
        if self.server_version >= _NEWER_THAN_13:
            settings["idle_session_timeout"] = "0"
        if read_only:
            settings["default_transaction_read_only"] = "on"
        calls = ", ".join(["set_config(?, ?, false)"] * len(settings))
        self.execute(f"SELECT {calls}", [word for pair in settings.items() for word in pair])
        (wait,) = self.execute("SELECT current_setting('synchronous_commit')").fetchone()
        if wait == "off":
            self.execute("SELECT set_config('synchronous_commit', 'on', false)")
