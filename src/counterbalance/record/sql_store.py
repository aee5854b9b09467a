"""A store over any engine that speaks SQL: what reading, writing and verifying have in common."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Self, TypeVar

from counterbalance.errors import RecordError, RecordIntegrityError, one_line
from counterbalance.record.appending import Appender, Asked, Given
from counterbalance.record.aside_record import AsideRecord
from counterbalance.record.copying import TableRows, stored_tables, write_tables
from counterbalance.record.log_reading import stored_log_rows
from counterbalance.record.log_writing import write_log
from counterbalance.record.reading import (
    stored_attempts,
    stored_calls,
    stored_openings,
    stored_pair,
    stored_pairs,
    stored_plan,
    stored_prompt,
    stored_revisions,
)
from counterbalance.record.review_record import ReviewRecord
from counterbalance.record.study_writing import write_opening, write_revision
from counterbalance.record.verification import misfits
from counterbalance.record.writer import GroupWriter

if TYPE_CHECKING:
    from collections.abc import (
        Awaitable,
        Callable,
        Collection,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )
    from contextlib import ExitStack
    from types import TracebackType

    from counterbalance.items.item import Message, Pair, PairId
    from counterbalance.presentations.presentation import PlanEntry, PresentationKey
    from counterbalance.record.attempt import Attempt, StartedCall
    from counterbalance.record.connection import Connection
    from counterbalance.record.log_row import LogRow, StoredRow
    from counterbalance.record.store import Opening, RecordHeader

__all__ = ["SqlStore"]

T = TypeVar("T")


class SqlStore:
    """A record in an SQL engine; `counterbalance.record.store.Store` says what it promises.

    Reading has a connection of its own, which sees what is committed. Writing is done by one
    thread, which commits together whatever waits.

    Parameters
    ----------
    name : str
        The record, for messages.
    reader : Connection
        The connection that reads.
    writer : Connection | None
        The connection that writes; None for a store that only reads.
    resources : ExitStack
        Closed with the store.
    """

    def __init__(
        self,
        name: str,
        reader: Connection,
        writer: Connection | None,
        resources: ExitStack,
    ) -> None:
        self._name = name
        self._reader = reader
        self._connection = writer
        self._resources = resources
        self._appender: Appender | None = None
        self._group: GroupWriter[Given] | None = None
        if writer is not None:
            self._appender = Appender(name, writer)
            self._group = GroupWriter(name, self._appender.write)

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
        """Return what the newest revision is of, or None when nothing was begun."""
        headers = self.headers()
        return headers[-1] if headers else None

    def headers(self) -> tuple[RecordHeader, ...]:
        """Return what each revision is of, the newest last."""
        return tuple(s.header for s in self._read(lambda: stored_revisions(self._reader)))

    def openings(self) -> tuple[Opening, ...]:
        """Return when the held-out pairs were opened, the newest last."""
        return tuple(s.opening for s in self._read(lambda: stored_openings(self._reader)))

    @property
    def reviews(self) -> ReviewRecord:
        """Blind reviews: what people were to be shown, and what they said."""
        return ReviewRecord(self._reader, self._stream, self._beginning)

    @property
    def asides(self) -> AsideRecord:
        """Calls that ask for no verdict, such as for a rewrite."""
        return AsideRecord(self._reader, self._stream, self._beginning)

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
        with self._beginning() as connection:
            write_revision(connection, header, pairs, plan, is_first=True)

    def revise(
        self, header: RecordHeader, pairs: Sequence[Pair], plan: Iterable[PlanEntry]
    ) -> None:
        """Write a further revision in one transaction.

        Parameters
        ----------
        header : RecordHeader
            What the record is of from now on; its number and counts are the store's to say.
        pairs : Sequence[Pair]
            The pairs; those that are recorded with the same content are not written again.
        plan : Iterable[PlanEntry]
            What is to be asked.
        """
        with self._beginning() as connection:
            write_revision(connection, header, pairs, plan, is_first=False)

    def open_held_out(self, opening: Opening, plan: Iterable[PlanEntry]) -> None:
        """Write that held-out pairs are opened under the newest revision, in one transaction.

        Parameters
        ----------
        opening : Opening
            When, by what and which pairs; what it was opened under is the store's to say.
        plan : Iterable[PlanEntry]
            What will be asked of them.
        """
        with self._beginning() as connection:
            write_opening(connection, opening, plan)

    def import_log(self, rows: Iterable[LogRow], header: Callable[[str], RecordHeader]) -> None:
        """Write a foreign log as the first revision, in one transaction.

        Parameters
        ----------
        rows : Iterable[LogRow]
            Every row, in the order of the log.
        header : Callable[[str], RecordHeader]
            Told the digest over all rows after the last one, says what the record is of.
        """
        with self._beginning() as connection:
            write_log(connection, rows, header)

    def log_rows(self, lines: Mapping[int, Collection[int]] | None = None) -> Iterator[StoredRow]:
        """Yield the rows of an imported log in its order.

        Parameters
        ----------
        lines : Mapping[int, Collection[int]] | None
            Lines by place of the file, to yield only those rows, with their prompts; None for all,
            without.

        Returns
        -------
        Iterator[StoredRow]
            Empty for a study.
        """
        return self._stream(stored_log_rows(self._reader, lines))

    def pairs(self, revision: int | None = None) -> Iterator[Pair]:
        """Yield the pairs of a revision, the newest by default, in the order of its pair file."""
        return (stored.pair for stored in self._stream(stored_pairs(self._reader, revision)))

    def pair(self, pair_id: PairId) -> Pair:
        """Return one pair by its id, as the newest revision that is of it has it.

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
        found = self._read(lambda: stored_pair(self._reader, pair_id))
        if found is None:
            msg = f'{self._name}: no pair has the id "{one_line(pair_id)}"'
            raise RecordError(msg)
        return found.pair

    def plan(self, revision: int | None = None, *, opened: bool = False) -> Iterator[PlanEntry]:
        """Yield the order plan of a revision in the order it was written.

        Parameters
        ----------
        revision : int | None
            The revision; None for the newest.
        opened : bool
            Whether the plan over the opened held-out pairs is meant, or that over the others.

        Returns
        -------
        Iterator[PlanEntry]
            Empty where nothing was opened.
        """
        stored = stored_plan(self._reader, revision, opened=opened)
        return (found.entry for found in self._stream(stored))

    def attempts(self) -> Iterator[Attempt]:
        """Yield every finished attempt, by presentation in the order of the plans, by number."""
        return self._stream(stored_attempts(self._reader))

    def unfinished(self) -> Iterator[StartedCall]:
        """Yield calls that were started and have no attempt: they are lost, or under way."""
        return self._stream(stored_calls(self._reader))

    def prompt(self, digest: str) -> tuple[Message, ...]:
        """Return a rendered prompt by its digest; one that no recorded call sent is an error."""
        found = self._read(lambda: stored_prompt(self._reader, digest))
        if found is None:
            msg = f"{self._name}: no recorded call has sent the prompt {one_line(digest)}"
            raise RecordError(msg)
        return found

    async def start(
        self,
        key: PresentationKey,
        number: int,
        started_at: str,
        prompt: tuple[Message, ...],
        *,
        patience: float = 0.0,
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
        patience : float
            Seconds for which the commit may wait for others to share it.
        """
        await self._writer().submit(Asked(key, number, started_at, prompt), patience)

    def append(self, attempt: Attempt, *, patience: float = 0.0) -> Awaitable[None]:
        """Record what came of a started call; a repeat appends nothing.

        Parameters
        ----------
        attempt : Attempt
            What came of it.
        patience : float
            Seconds for which the commit may wait for others to share it.

        Returns
        -------
        Awaitable[None]
            Done once it is on disk, and before anything that is handed in later.
        """
        return self._writer().submit(attempt, patience)

    @contextmanager
    def tables(self) -> Iterator[Iterator[TableRows]]:
        """Give every row of the record, all as of one moment, to be taken inside the block."""
        with self._reader.translated(), self._reader.snapshot():
            yield (
                given._replace(rows=self._stream(iter(given.rows)))
                for given in stored_tables(self._reader)
            )

    def fill(self, tables: Iterable[TableRows]) -> dict[str, int]:
        """Make an empty record a copy of another one, in one transaction.

        Parameters
        ----------
        tables : Iterable[TableRows]
            Every row of the other one.

        Returns
        -------
        dict[str, int]
            Number of rows by table.
        """
        with self._beginning() as connection:
            return write_tables(connection, tables)

    def verify(self) -> list[str]:
        """Re-derive every hash; return one sentence for each that does not fit."""
        found: list[str] = []
        try:
            with self._reader.translated():
                found.extend(misfits(self._reader))
        except RecordError as error:
            found.append(str(error))
        return found

    @contextmanager
    def _beginning(self) -> Iterator[Connection]:
        """Give the writing connection in a transaction of its own."""
        connection = self._connection
        if self._appender is None or connection is None:
            raise RecordError(self._read_only())
        with self._appender.lock, connection.translated():
            try:
                with connection.transaction():
                    yield connection
            except RecordIntegrityError as error:
                msg = f"{self._name}: {error}"
                raise RecordIntegrityError(msg) from None
            except RecordError as error:
                msg = f"{self._name}: {error}"
                raise RecordError(msg) from None

    def _writer(self) -> GroupWriter[Given]:
        if self._group is None:
            raise RecordError(self._read_only())
        return self._group

    def _read_only(self) -> str:
        return f"{self._name}: open for reading only; open it exclusively to write"

    def _read(self, value: Callable[[], T]) -> T:
        return next(self._stream(value() for _ in range(1)))

    def _stream(self, rows: Iterator[T]) -> Iterator[T]:
        with self._reader.translated():
            try:
                yield from rows
            except (ValueError, LookupError, TypeError) as error:
                msg = (
                    f"{self._name}: a row cannot be read ({one_line(repr(error), 200)});"
                    " `counterbalance record verify` lists what does not fit"
                )
                raise RecordIntegrityError(msg) from error
