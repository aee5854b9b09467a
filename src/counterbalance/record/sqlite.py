"""The record as one SQLite file: the store that needs nothing installed."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack
from typing import TYPE_CHECKING, Self, TypeVar

from counterbalance.errors import RecordError, RecordIntegrityError, one_line
from counterbalance.record.appending import (
    Appender,
    AttemptEntry,
    CallEntry,
    Entry,
    transaction,
)
from counterbalance.record.connecting import reading_connection, writing_connection
from counterbalance.record.encoding import attempt_row, check_call, prompt_row
from counterbalance.record.lock import RunLock
from counterbalance.record.reading import (
    stored_attempts,
    stored_calls,
    stored_header,
    stored_pairs,
    stored_plan,
    stored_prompt,
)
from counterbalance.record.sqlite_errors import record_error, translated
from counterbalance.record.study_writing import write_study
from counterbalance.record.verification import misfits
from counterbalance.record.writer import GroupWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

    from counterbalance.items.item import Message, Pair, PairId
    from counterbalance.presentations.presentation import PlanEntry, PresentationKey
    from counterbalance.record.attempt import Attempt, StartedCall
    from counterbalance.record.store import RecordHeader

__all__ = ["SqliteStore", "open_record"]

T = TypeVar("T")


class SqliteStore:
    """A record in one SQLite file; `counterbalance.record.store.Store` says what it promises.

    Reading has a connection of its own, which sees what is committed. Writing is done by one
    thread, which commits together whatever waits.

    Parameters
    ----------
    path : Path
        The record.
    reader : sqlite3.Connection
        The connection that reads.
    writer : sqlite3.Connection | None
        The connection that writes; None for a store that only reads.
    resources : ExitStack
        Closed with the store.
    """

    def __init__(
        self,
        path: Path,
        reader: sqlite3.Connection,
        writer: sqlite3.Connection | None,
        resources: ExitStack,
    ) -> None:
        self._path = path
        self._reader = reader
        self._connection = writer
        self._resources = resources
        self._appender: Appender | None = None
        self._group: GroupWriter[Entry] | None = None
        if writer is not None:
            self._appender = Appender(path, writer)
            self._group = GroupWriter(str(path), self._appender.write)

    def __enter__(self) -> Self:
        """Return the open store."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Write what is still queued, and close."""
        self.close()

    def close(self) -> None:
        """Write what is still queued, and close; closing twice does nothing more."""
        try:
            if self._group is not None:
                self._group.close()
        finally:
            self._resources.close()

    def header(self) -> RecordHeader | None:
        """Return what the record is of, or None when nothing was begun."""
        found = self._read(lambda: stored_header(self._reader))
        return None if found is None else found[0]

    def begin(self, header: RecordHeader, pairs: Sequence[Pair], plan: Iterable[PlanEntry]) -> None:
        """Write header, pairs and order plan in one transaction.

        Parameters
        ----------
        header : RecordHeader
            What the record is of.
        pairs : Sequence[Pair]
            The pairs.
        plan : Iterable[PlanEntry]
            What is to be asked.

        Raises
        ------
        RecordError
            If a record was begun already, or the store is open for reading only.
        RecordIntegrityError
            If the plan shows a pair that is not among the pairs, or two pairs share an id.
        """
        if self._appender is None or self._connection is None:
            raise RecordError(self._read_only())
        with self._appender.lock, translated(self._path):
            try:
                with transaction(self._connection):
                    write_study(self._connection, header, pairs, plan)
            except RecordIntegrityError as error:
                msg = f"{self._path}: {error}"
                raise RecordIntegrityError(msg) from None
            except RecordError as error:
                msg = f"{self._path}: {error}"
                raise RecordError(msg) from None

    def pairs(self) -> Iterator[Pair]:
        """Yield the recorded pairs in the order of the pair file."""
        return (stored.pair for stored in self._stream(stored_pairs(self._reader)))

    def pair(self, pair_id: PairId) -> Pair:
        """Return one pair by its id.

        Parameters
        ----------
        pair_id : PairId
            The id.

        Returns
        -------
        Pair
            The pair.

        Raises
        ------
        RecordError
            If no pair has the id.
        """
        found = self._read(lambda: next(stored_pairs(self._reader, pair_id), None))
        if found is None:
            msg = f'{self._path}: no pair has the id "{one_line(pair_id)}"'
            raise RecordError(msg)
        return found.pair

    def plan(self) -> Iterator[PlanEntry]:
        """Yield the order plan in the order it was written."""
        return (stored.entry for stored in self._stream(stored_plan(self._reader)))

    def attempts(self) -> Iterator[Attempt]:
        """Yield every finished attempt, by presentation in plan order, by number inside it."""
        return self._stream(stored_attempts(self._reader))

    def unfinished(self) -> Iterator[StartedCall]:
        """Yield calls that were started and have no attempt: they are lost, or under way."""
        return self._stream(stored_calls(self._reader))

    def prompt(self, digest: str) -> tuple[Message, ...]:
        """Return a rendered prompt by its digest.

        Parameters
        ----------
        digest : str
            The prompt's digest.

        Returns
        -------
        tuple[Message, ...]
            Its messages.

        Raises
        ------
        RecordError
            If no recorded call has sent it.
        """
        found = self._read(lambda: stored_prompt(self._reader, digest))
        if found is None:
            msg = f"{self._path}: no recorded call has sent the prompt {one_line(digest)}"
            raise RecordError(msg)
        return found

    async def start(
        self, key: PresentationKey, number: int, started_at: str, prompt: tuple[Message, ...]
    ) -> None:
        """Record a call before it is sent, and its prompt where it is new; return once on disk.

        Parameters
        ----------
        key : PresentationKey
            What is asked; must be in the plan, with this prompt.
        number : int
            Counted from 1 for each presentation.
        started_at : str
            ISO 8601 time, UTC.
        prompt : tuple[Message, ...]
            The rendered prompt.
        """
        check_call(key, number, started_at)
        await self._writer().submit(CallEntry(key, number, started_at, prompt_row(prompt)))

    async def append(self, attempt: Attempt) -> None:
        """Record what came of a started call; return once on disk; a repeat appends nothing.

        Parameters
        ----------
        attempt : Attempt
            What came of it.
        """
        row = attempt_row(attempt)
        await self._writer().submit(
            AttemptEntry(attempt.key, attempt.number, row.values, row.texts)
        )

    def verify(self) -> list[str]:
        """Re-derive every hash; return one sentence for each that does not fit."""
        found: list[str] = []
        try:
            found.extend(misfits(self._reader))
        except sqlite3.Error as error:
            found.append(str(record_error(self._path, error)))
        return found

    def _writer(self) -> GroupWriter[Entry]:
        if self._group is None:
            raise RecordError(self._read_only())
        return self._group

    def _read_only(self) -> str:
        return f"{self._path}: open for reading only; open it exclusively to write"

    def _read(self, value: Callable[[], T]) -> T:
        return next(self._stream(value() for _ in range(1)))

    def _stream(self, rows: Iterator[T]) -> Iterator[T]:
        with translated(self._path):
            try:
                yield from rows
            except (ValueError, LookupError, TypeError) as error:
                msg = (
                    f"{self._path}: a row cannot be read ({one_line(repr(error), 200)});"
                    " `counterbalance record verify` lists what does not fit"
                )
                raise RecordIntegrityError(msg) from error


def open_record(path: Path, *, create: bool, exclusive: bool) -> SqliteStore:
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
    if create and not exclusive:
        msg = f"{path}: only an exclusive store can create a record"
        raise RecordError(msg)
    _check_place(path, create=create)
    with ExitStack() as resources:
        writer = None
        if exclusive:
            resources.callback(RunLock(path.resolve()).release)
            writer = writing_connection(path, create=create)
            resources.callback(writer.close)
        reader = reading_connection(path, resources)
        return SqliteStore(path, reader, writer, resources.pop_all())


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
