"""The transaction behind each group commit: started calls and attempts, with their texts.

What is handed in is encoded here, in the thread that writes: many at once, while the calls go on.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from counterbalance.errors import RecordError, RecordIntegrityError
from counterbalance.record.attempt import Attempt
from counterbalance.record.encoding import attempt_row, check_call, prompt_row
from counterbalance.record.schema import ATTEMPT_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.items.item import Message
    from counterbalance.record.connection import Connection
    from counterbalance.record.encoding import TextRow

__all__ = [
    "INSERT_TEXT",
    "Appender",
    "Asked",
    "AttemptEntry",
    "CallEntry",
    "Entry",
    "Given",
    "added_entries",
]

INSERT_TEXT = """INSERT INTO texts (digest, tag, content) VALUES (?, ?, ?)
    ON CONFLICT (digest) DO NOTHING"""

# One row a statement: a statement that may add several makes SQLite keep a copy of every page that
# it touches. What a call or attempt belongs to is looked up; nothing found breaks a constraint.
# There is one writer, so numbers have no gaps and `verify` notices a row that was taken away.
_INSERT_CALL = """INSERT INTO calls (id, number, started_at, presentation)
    VALUES ((SELECT coalesce(max(id), 0) + 1 FROM calls), ?, ?,
        (SELECT id FROM presentations WHERE key = ? AND prompt_digest = ?))
    ON CONFLICT (presentation, number) DO NOTHING"""

_FIND_CALL = """SELECT presentations.prompt_digest, calls.started_at
    FROM presentations
    LEFT JOIN calls ON calls.presentation = presentations.id AND calls.number = ?
    WHERE presentations.key = ?"""

_INSERT_ATTEMPT = f"""INSERT INTO attempts ({", ".join(ATTEMPT_COLUMNS)}, call)
    VALUES ({"?, " * len(ATTEMPT_COLUMNS)}coalesce(
        (SELECT calls.id FROM presentations
        CROSS JOIN calls ON calls.presentation = presentations.id
        WHERE presentations.key = ? AND calls.number = ?), -1))
    ON CONFLICT (call) DO NOTHING"""  # noqa: S608 (names of our own columns)

_FIND_ATTEMPT = """SELECT attempts.digest
    FROM presentations
    JOIN calls ON calls.presentation = presentations.id
    LEFT JOIN attempts ON attempts.call = calls.id
    WHERE presentations.key = ? AND calls.number = ?"""


class Asked(NamedTuple):
    """A call that is about to be sent.

    Attributes
    ----------
    key : str
        Key of the presentation.
    number : int
        Number of the call.
    started_at : str
        When.
    prompt : tuple[Message, ...]
        The rendered prompt.
    """

    key: str
    number: int
    started_at: str
    prompt: tuple[Message, ...]


Given: TypeAlias = Asked | Attempt
"""What is handed in."""


class CallEntry(NamedTuple):
    """A started call as it is written.

    Attributes
    ----------
    key : str
        Key of the presentation.
    number : int
        Number of the call.
    started_at : str
        When.
    prompt : TextRow
        The rendered prompt.
    """

    key: str
    number: int
    started_at: str
    prompt: TextRow

    @property
    def texts(self) -> tuple[TextRow, ...]:
        """Texts that must be there."""
        return (self.prompt,)

    @property
    def parameters(self) -> tuple[Any, ...]:
        """Parameters of the insertion."""
        return (self.number, self.started_at, self.key, self.prompt[0])


class AttemptEntry(NamedTuple):
    """An attempt as it is written.

    Attributes
    ----------
    key : str
        Key of the presentation.
    number : int
        Number of the call.
    values : tuple[Any, ...]
        As `ATTEMPT_COLUMNS`.
    texts : tuple[TextRow, ...]
        Texts that the values name.
    """

    key: str
    number: int
    values: tuple[Any, ...]
    texts: tuple[TextRow, ...]

    @property
    def parameters(self) -> tuple[Any, ...]:
        """Parameters of the insertion."""
        return (*self.values, self.key, self.number)


Entry = CallEntry | AttemptEntry


def _entry(given: Given) -> Entry:
    """Return what was handed in as it is written; a RecordError says what no row can hold."""
    if isinstance(given, Attempt):
        row = attempt_row(given)
        return AttemptEntry(given.key, given.number, row.values, row.texts)
    key, number, started_at, prompt = given
    check_call(key, number, started_at)
    return CallEntry(key, number, started_at, prompt_row(prompt))


class _NotNewError(Exception):
    """Something in a batch was there already."""


class Appender:
    """Writes batches of entries, each batch in one transaction.

    Parameters
    ----------
    name : str
        The record, for messages.
    connection : Connection
        The one connection that writes.
    """

    def __init__(self, name: str, connection: Connection) -> None:
        self._name = name
        self._connection = connection
        self.lock = threading.Lock()

    def write(self, batch: Sequence[Given]) -> list[RecordError | None]:
        """Commit a batch.

        Parameters
        ----------
        batch : Sequence[Given]
            What to write; what is there already with the same content is left alone.

        Returns
        -------
        list[RecordError | None]
            For each entry None, or why it was refused; a refused entry leaves nothing behind.
        """
        answers: list[RecordError | None] = []
        entries: list[Entry] = []
        for given in batch:
            try:
                entries.append(_entry(given))
                answers.append(None)
            except RecordError as error:
                answers.append(error)
        written = iter(self._written(entries) if entries else ())
        return [next(written) if answer is None else answer for answer in answers]

    def _written(self, batch: Sequence[Entry]) -> list[RecordError | None]:
        connection = self._connection
        with self.lock, connection.translated():
            with suppress(connection.IntegrityError, _NotNewError), connection.transaction():
                self._write_at_once(batch)
                return [None] * len(batch)
            with connection.transaction():
                return [self._write_one(entry) for entry in batch]

    def _write_at_once(self, batch: Sequence[Entry]) -> None:
        """Write new entries; `_NotNewError` or a broken constraint says that one is not new."""
        if added_entries(self._connection, batch) != len(batch):
            raise _NotNewError

    def _write_one(self, entry: Entry) -> RecordError | None:
        run = self._connection.execute
        run("SAVEPOINT entry")
        try:
            self._connection.executemany(INSERT_TEXT, entry.texts)
            statement = _INSERT_CALL if isinstance(entry, CallEntry) else _INSERT_ATTEMPT
            is_new = run(statement, entry.parameters).rowcount == 1
        except self._connection.IntegrityError:
            run("ROLLBACK TO entry")
            is_new = False
        problem = None if is_new else self._problem(entry)
        if problem is not None:
            run("ROLLBACK TO entry")
        run("RELEASE entry")
        if problem is None:
            return None
        return RecordIntegrityError(f"{self._name}: presentation {entry.key}: {problem}")

    def _problem(self, entry: Entry) -> str | None:
        """Return why an entry that was not new may not be there; None for an exact repeat."""
        if isinstance(entry, CallEntry):
            return self._call_problem(entry)
        found = self._connection.execute(_FIND_ATTEMPT, (entry.key, entry.number)).fetchone()
        if found is None:
            return f"attempt {entry.number} belongs to no started call; start the call first"
        if found[0] != entry.values[-1]:
            return f"attempt {entry.number} is recorded with another content; attempts never change"
        return None

    def _call_problem(self, entry: CallEntry) -> str | None:
        found = self._connection.execute(_FIND_CALL, (entry.number, entry.key)).fetchone()
        if found is None:
            return "is not in the recorded plan; nothing else may be asked under this record"
        prompt_digest, started_at = found
        if prompt_digest != entry.prompt[0]:
            return f"its prompt is planned as {prompt_digest}, not {entry.prompt[0]}"
        if started_at != entry.started_at:
            return f"call {entry.number} is recorded as started at {started_at}"
        return None


def added_entries(connection: Connection, batch: Sequence[Entry]) -> int:
    """Write entries with their texts, calls before attempts, inside the caller's transaction.

    Parameters
    ----------
    connection : Connection
        The connection that writes.
    batch : Sequence[Entry]
        What to write.

    Returns
    -------
    int
        How many were new.
    """
    calls = [entry.parameters for entry in batch if isinstance(entry, CallEntry)]
    attempts = [entry.parameters for entry in batch if isinstance(entry, AttemptEntry)]
    run = connection.executemany
    run(INSERT_TEXT, [text for entry in batch for text in entry.texts])
    added = run(_INSERT_CALL, calls).rowcount if calls else 0
    return added + (run(_INSERT_ATTEMPT, attempts).rowcount if attempts else 0)
