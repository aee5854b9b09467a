"""Calls of a record that ask for no verdict: planned before the first, each on disk before sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.errors import RecordIntegrityError
from counterbalance.record.appending import INSERT_TEXT
from counterbalance.record.aside_rows import reply_row, stored_asides
from counterbalance.record.aside_tables import REPLY_COLUMNS
from counterbalance.record.encoding import prompt_row
from counterbalance.record.study_writing import next_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from contextlib import AbstractContextManager

    from counterbalance.record.aside import Aside, AsideReply, AskedAside
    from counterbalance.record.connection import Connection

__all__ = ["AsideRecord"]

_INSERT_ASIDE = """INSERT INTO asides
    (number, key, kind, subject, model, model_digest, prompt_digest)
    VALUES ((SELECT coalesce(max(number), 0) + 1 FROM asides), ?, ?, ?, ?, ?, ?)
    ON CONFLICT (key) DO NOTHING"""
# A request that is not there finds no row, and the count of rows tells.
_INSERT_CALL = """INSERT INTO aside_calls (id, number, started_at, aside)
    SELECT ?, ?, ?, asides.number FROM asides WHERE asides.key = ?"""
_FIND_CALL = """SELECT aside_calls.id FROM asides
    JOIN aside_calls ON aside_calls.aside = asides.number
    WHERE asides.key = ? AND aside_calls.number = ?"""
_INSERT_REPLY = f"""INSERT INTO aside_replies ({", ".join(REPLY_COLUMNS)}, call)
    VALUES ({"?, " * len(REPLY_COLUMNS)}?)"""  # noqa: S608 (names of our own columns)


class AsideRecord:
    """The calls of one record that ask for no verdict; as append-only as everything else in it.

    Parameters
    ----------
    reader : Connection
        The connection that reads.
    streamed : Callable[[Iterator[Any]], Iterator[Any]]
        Turns errors of reading into those of a record.
    beginning : Callable[[], AbstractContextManager[Connection]]
        Gives the connection that writes, in a transaction of its own.
    """

    def __init__(
        self,
        reader: Connection,
        streamed: Callable[[Iterator[Any]], Iterator[Any]],
        beginning: Callable[[], AbstractContextManager[Connection]],
    ) -> None:
        self._reader = reader
        self._streamed = streamed
        self._beginning = beginning

    def all(self) -> tuple[AskedAside, ...]:
        """Return every request with its calls, in the order they were planned."""
        return tuple(self._streamed(stored_asides(self._reader)))

    def plan(self, asides: Iterable[Aside]) -> None:
        """Write what will be asked, with its prompts, in one transaction.

        Parameters
        ----------
        asides : Iterable[Aside]
            The requests; what is there already stays as it is.
        """
        with self._beginning() as connection:
            for aside in asides:
                row = (aside.kind.value, aside.subject, aside.model, aside.model_digest)
                connection.execute(INSERT_TEXT, prompt_row(aside.messages))
                connection.execute(_INSERT_ASIDE, (aside.key, *row, aside.prompt_digest))

    def start(self, key: str, number: int, started_at: str) -> None:
        """Record a call before it is sent.

        Parameters
        ----------
        key : str
            Key of the request, which must be planned.
        number : int
            Counted from 1 for each request.
        started_at : str
            ISO 8601 time, UTC.

        Raises
        ------
        RecordIntegrityError
            If nobody planned the request.
        """
        with self._beginning() as connection:
            place = next_number(connection, "aside_calls", "id", 1)
            if connection.execute(_INSERT_CALL, (place, number, started_at, key)).rowcount != 1:
                msg = f"aside {key}: is not planned; nothing else may be asked under this record"
                raise RecordIntegrityError(msg)

    def append(self, key: str, number: int, reply: AsideReply) -> None:
        """Record what came of a started call.

        Parameters
        ----------
        key : str
            Key of the request.
        number : int
            Number of the call.
        reply : AsideReply
            What came of it.

        Raises
        ------
        RecordIntegrityError
            If no such call was started.
        """
        row = reply_row(key, number, reply)
        with self._beginning() as connection:
            call = connection.execute(_FIND_CALL, (key, number)).fetchone()
            if call is None:
                msg = f"aside {key}: call {number} was never started; start the call first"
                raise RecordIntegrityError(msg)
            for text in row.texts:
                connection.execute(INSERT_TEXT, text)
            connection.execute(_INSERT_REPLY, (*row.values, call[0]))
