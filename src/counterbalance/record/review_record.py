"""Blind reviews in a record: what was decided is written before anybody is shown anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from counterbalance.errors import RecordError, RecordIntegrityError, one_line
from counterbalance.items.hashing import canonical_json
from counterbalance.record.review_rows import (
    cases_digest,
    note_row,
    row_digest,
    stored_review_calls,
    stored_review_notes,
    stored_reviewers,
    stored_reviews,
    tasks_digest,
)
from counterbalance.record.study_rows import presentation_row
from counterbalance.record.study_writing import INSERT_PRESENTATION, chunks, next_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from counterbalance.record.connection import Connection
    from counterbalance.record.review import Review, ReviewCall, Reviewer, ReviewNote

__all__ = ["ReviewRecord"]

T = TypeVar("T")

_INSERT_REVIEW = "INSERT INTO reviews VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
# A pair or presentation that is not there finds no row, and the count of rows tells.
_INSERT_CASE = """INSERT INTO review_cases (position, review, pair, reasons)
    SELECT ?, ?, pairs.number, ? FROM pairs
    JOIN revision_pairs ON revision_pairs.pair = pairs.number AND revision_pairs.revision = ?
    WHERE pairs.id = ?"""
_INSERT_REVIEWER = "INSERT INTO reviewers VALUES (?, ?, ?, ?, ?, ?)"
_INSERT_TASK = """INSERT INTO review_tasks (position, reviewer, pair, presentation)
    SELECT ?, ?, pairs.number, presentations.id
    FROM presentations
    JOIN pairs ON pairs.id = ? AND pairs.key = presentations.pair_key
    JOIN review_cases ON review_cases.pair = pairs.number AND review_cases.review = ?
    WHERE presentations.key = ?"""
_INSERT_NOTE = """INSERT INTO review_notes (position, kind, written_at, content, digest, call)
    SELECT (SELECT coalesce(max(position), -1) + 1 FROM review_notes), ?, ?, ?, ?, calls.id
    FROM presentations
    JOIN calls ON calls.presentation = presentations.id AND calls.number = ?
    JOIN review_tasks ON review_tasks.presentation = presentations.id
    WHERE presentations.key = ?"""
_INSERT_CLOSING = "INSERT INTO review_closings VALUES (?, ?, ?, ?)"


class ReviewRecord:
    """The blind reviews of one record; as append-only as everything else in it.

    Answers themselves are started and appended like every attempt.

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

    def all(self) -> tuple[Review, ...]:
        """Return every review, the newest last."""
        return tuple(self._streamed(stored_reviews(self._reader)))

    def reviewers(self, review: Review) -> tuple[Reviewer, ...]:
        """Return who takes part in a review, in the order they joined."""
        return tuple(self._streamed(stored_reviewers(self._reader, review.number)))

    def calls(self, review: Review) -> tuple[ReviewCall, ...]:
        """Return every showing of a task of a review, in the order they were shown."""
        return tuple(self._streamed(stored_review_calls(self._reader, review.number)))

    def notes(self, review: Review) -> tuple[ReviewNote, ...]:
        """Return everything that was said beside the verdicts of a review."""
        return tuple(self._streamed(stored_review_notes(self._reader, review.number)))

    def open(self, review: Review) -> int:
        """Write what a review is of, in one transaction, before anybody is shown anything.

        Parameters
        ----------
        review : Review
            What was decided; its number is the store's to say.

        Returns
        -------
        int
            Its number.

        Raises
        ------
        RecordIntegrityError
            If a case shows a pair that the revision does not hold.
        """
        with self._beginning() as connection:
            number = next_number(connection, "reviews", "number", 1)
            cases = [(case.pair_id, canonical_json(list(case.reasons))) for case in review.cases]
            row = (
                number,
                review.revision,
                review.opened_at,
                review.program,
                canonical_json(review.settings),
                review.secret,
                cases_digest(cases),
            )
            connection.execute(_INSERT_REVIEW, (*row, row_digest("review/1", row)))
            first = next_number(connection, "review_cases", "position", 0)
            rows = [
                (place, number, reasons, review.revision, pair_id)
                for place, (pair_id, reasons) in enumerate(cases, first)
            ]
            if rows and connection.executemany(_INSERT_CASE, rows).rowcount != len(rows):
                msg = f"a case of the review is no pair of revision {review.revision}"
                raise RecordIntegrityError(msg)
        return number

    def join(self, review: Review, reviewer: Reviewer) -> None:
        """Write who takes part and what is shown to that person, in one transaction.

        Parameters
        ----------
        review : Review
            The review, which must be open.
        reviewer : Reviewer
            The person; a name takes part once.

        Raises
        ------
        RecordIntegrityError
            If a task shows a pair that is no case of the review.
        """
        with self._beginning() as connection:
            _check_open(connection, review)
            _check_name(connection, review, reviewer.name)
            number = next_number(connection, "reviewers", "number", 1)
            tasks = [(task.pair_id, task.key) for task in reviewer.tasks]
            row = (number, review.number, reviewer.name, reviewer.joined_at, tasks_digest(tasks))
            connection.execute(_INSERT_REVIEWER, (*row, row_digest("reviewer/1", row)))
            first = next_number(connection, "review_tasks", "position", 0)
            for chunk in chunks(enumerate(reviewer.tasks, first)):
                connection.executemany(
                    INSERT_PRESENTATION, [presentation_row(task) for _, task in chunk]
                )
                rows = [(at, number, t.pair_id, review.number, t.key) for at, t in chunk]
                if connection.executemany(_INSERT_TASK, rows).rowcount != len(rows):
                    msg = f"a task of {one_line(reviewer.name)} shows no case of the review"
                    raise RecordIntegrityError(msg)

    def note(self, review: Review, note: ReviewNote) -> None:
        """Write something that was said beside a verdict.

        Parameters
        ----------
        review : Review
            The review, which must be open.
        note : ReviewNote
            What was said, of which showing.

        Raises
        ------
        RecordIntegrityError
            If that task was never shown.
        """
        with self._beginning() as connection:
            _check_open(connection, review)
            row = (*note_row(note), note.number, note.key)
            if connection.execute(_INSERT_NOTE, row).rowcount != 1:
                msg = f"presentation {one_line(note.key)}: was not shown a {note.number}. time"
                raise RecordIntegrityError(msg)

    def close(self, review: Review, closed_at: str, program: str) -> None:
        """Write that a review is closed: nobody answers any more, and results may be shown.

        Parameters
        ----------
        review : Review
            The review, which must be open.
        closed_at : str
            ISO 8601 time, UTC.
        program : str
            Name and version of the program that closes it.
        """
        with self._beginning() as connection:
            _check_open(connection, review)
            row = (review.number, closed_at, program)
            connection.execute(_INSERT_CLOSING, (*row, row_digest("review-closing/1", row)))


def _check_open(connection: Connection, review: Review) -> None:
    query = "SELECT closed_at FROM review_closings WHERE review = ?"
    if closed := connection.execute(query, (review.number,)).fetchone():
        msg = f"review {review.number} was closed at {closed[0]}; it takes nothing more"
        raise RecordError(msg)


def _check_name(connection: Connection, review: Review, name: str) -> None:
    query = "SELECT 1 FROM reviewers WHERE review = ? AND name = ?"
    if connection.execute(query, (review.number, name)).fetchone():
        msg = f'"{one_line(name)}" takes part in review {review.number} already'
        raise RecordError(msg)
