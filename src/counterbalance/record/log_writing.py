"""The transaction that writes an imported log: all of it, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.errors import RecordError, RecordIntegrityError, one_line
from counterbalance.presentations.presentation import PlanEntry, Purpose
from counterbalance.record.appending import INSERT_TEXT, AttemptEntry, CallEntry, added_entries
from counterbalance.record.encoding import attempt_row, text_row
from counterbalance.record.json_columns import json_column
from counterbalance.record.study_writing import (
    PairWriter,
    PlanWriter,
    StudyDigest,
    chunks,
    next_revision,
    write_header,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from counterbalance.record.appending import Entry
    from counterbalance.record.connection import Connection
    from counterbalance.record.encoding import TextRow
    from counterbalance.record.log_row import LoggedCall, LogRow
    from counterbalance.record.store import RecordHeader

__all__ = ["LOG_TAG", "row_line", "write_log"]

LOG_TAG = "log/1"
"""Tag of the digest over all rows of a log."""

_INSERT_ROW = """INSERT INTO log_rows
    (position, revision, file, line, kind, content, text, pair, call)
    VALUES (?, ?, ?, ?, ?, ?, ?,
        (SELECT number FROM pairs WHERE id = ?),
        (SELECT calls.id FROM presentations
        CROSS JOIN calls ON calls.presentation = presentations.id
        WHERE presentations.key = ? AND calls.number = ?))"""


def row_line(*values: Any) -> bytes:  # noqa: ANN401 (values of columns)
    """Return what the digest over all rows hashes of one row.

    Parameters
    ----------
    *values : Any
        File, line, kind, content and text as stored; then id of the pair, key of the presentation
        and number of the call, None for a row that is no judgment.

    Returns
    -------
    bytes
        The values joined by NUL, an absent one as empty, and a line feed.
    """
    return ("\0".join("" if value is None else str(value) for value in values) + "\n").encode()


def write_log(
    connection: Connection, rows: Iterable[LogRow], header: Callable[[str], RecordHeader]
) -> None:
    """Write a log as the first revision of a record, inside the caller's transaction.

    Parameters
    ----------
    connection : Connection
        The connection that writes.
    rows : Iterable[LogRow]
        The rows in the order of the log; taken in chunks, never held whole.
    header : Callable[[str], RecordHeader]
        Told the digest over all rows after the last one, says what the record is of.

    Raises
    ------
    RecordError
        If the record was begun before, or something cannot be stored.
    RecordIntegrityError
        If a call stands twice.
    """
    number = next_revision(connection, is_first=True)
    log = _LogWriter(connection, number)
    try:
        for chunk in chunks(rows):
            log.add(chunk)
        said = header(str(log.digest))
        write_header(connection, number, said, (0, 0), log.pairs.digest, log.plan.digest)
    except UnicodeEncodeError as error:
        msg = f"a text of the log is no Unicode text: {one_line(error, 200)}"
        raise RecordError(msg) from None
    except connection.IntegrityError as error:
        msg = f"a row of the log names what is not recorded: {one_line(error, 200)}"
        raise RecordIntegrityError(msg) from None


class _LogWriter:
    def __init__(self, connection: Connection, revision: int) -> None:
        self.digest = StudyDigest(LOG_TAG)
        self.pairs = PairWriter(connection, revision)
        self.plan = PlanWriter(connection, revision)
        self._connection = connection
        self._revision = revision
        self._position = 0

    def add(self, chunk: Sequence[LogRow]) -> None:
        self._add_calls([row.call for row in chunk if row.call is not None])
        texts: list[TextRow] = []
        parameters: list[tuple[Any, ...]] = []
        for position, row in enumerate(chunk, self._position):
            text = text_row(row.text) if row.text else None
            texts += [] if text is None else [text]
            digest = None if text is None else text[0]
            shown = (row.file, row.line, row.kind.value, json_column(row.content), digest)
            place = _place(row.call)
            self.digest.add(row_line(*shown, *place))
            parameters.append((position, self._revision, *shown, *place))
        self._connection.executemany(INSERT_TEXT, texts)
        self._connection.executemany(_INSERT_ROW, parameters)
        self._position += len(chunk)

    def _add_calls(self, calls: Sequence[LoggedCall]) -> None:
        if pairs := [call.new_pair for call in calls if call.new_pair is not None]:
            self.pairs.add(pairs)
        new = [call.presentation for call in calls if call.attempt.number == 1]
        if new:
            self.plan.add([PlanEntry(Purpose.MAIN, shown) for shown in new])
        entries = [entry for call in calls for entry in _entries(call)]
        if entries and added_entries(self._connection, entries) != len(entries):
            msg = "a call of the log is recorded already"
            raise RecordIntegrityError(msg)


def _place(call: LoggedCall | None) -> tuple[str | None, str | None, int | None]:
    if call is None:
        return None, None, None
    return call.presentation.pair_id, call.attempt.key, call.attempt.number


def _entries(call: LoggedCall) -> tuple[Entry, Entry]:
    attempt = call.attempt
    row = attempt_row(attempt)
    return (
        CallEntry(attempt.key, attempt.number, attempt.started_at, call.prompt),
        AttemptEntry(attempt.key, attempt.number, row.values, row.texts),
    )
