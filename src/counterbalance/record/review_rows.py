"""Rows of blind reviews as the things they stand for, and the hashes that keep them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from counterbalance.items.frames import Order
from counterbalance.items.hashing import canonical_json, tagged_hash
from counterbalance.items.item import PairId
from counterbalance.presentations.presentation import Presentation, PresentationKey
from counterbalance.record.encoding import attempt_from_row
from counterbalance.record.review import (
    NoteKind,
    Review,
    ReviewCall,
    ReviewCase,
    Reviewer,
    ReviewNote,
)
from counterbalance.record.schema import ATTEMPT_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from counterbalance.record.connection import Connection

__all__ = [
    "StoredTask",
    "cases_digest",
    "note_row",
    "row_digest",
    "stored_review_calls",
    "stored_review_notes",
    "stored_reviewers",
    "stored_reviews",
    "stored_tasks",
    "tasks_digest",
]

Row = tuple[Any, ...]

_REVIEWS = """SELECT reviews.number, reviews.revision, reviews.opened_at, reviews.program,
    reviews.settings, reviews.secret, coalesce(review_closings.closed_at, '')
    FROM reviews LEFT JOIN review_closings ON review_closings.review = reviews.number
    ORDER BY reviews.number"""
_CASES = """SELECT pairs.id, review_cases.reasons
    FROM review_cases JOIN pairs ON pairs.number = review_cases.pair
    WHERE review_cases.review = ? ORDER BY review_cases.position"""
_REVIEWERS = "SELECT number, name, joined_at FROM reviewers WHERE review = ? ORDER BY number"
_TASKS = """SELECT presentations.key, pairs.id, reviewers.name, presentations.pair_key,
    presentations.display_order, presentations.labelling, presentations.judge_digest,
    presentations.prompt_digest, presentations.repetition, pairs.key
    FROM review_tasks
    JOIN reviewers ON reviewers.number = review_tasks.reviewer
    JOIN pairs ON pairs.number = review_tasks.pair
    JOIN presentations ON presentations.id = review_tasks.presentation
    WHERE reviewers.number = ? ORDER BY review_tasks.position"""
_CALLS = f"""SELECT presentations.key, calls.number, calls.started_at,
    {", ".join(f"attempts.{column}" for column in ATTEMPT_COLUMNS)},
    reply.content, NULL, NULL, NULL
    FROM review_tasks
    JOIN reviewers ON reviewers.number = review_tasks.reviewer
    JOIN presentations ON presentations.id = review_tasks.presentation
    JOIN calls ON calls.presentation = presentations.id
    LEFT JOIN attempts ON attempts.call = calls.id
    LEFT JOIN texts AS reply ON reply.digest = attempts.reply_text
    WHERE reviewers.review = ? ORDER BY calls.id"""  # noqa: S608 (names of our own columns)
_CALL_COLUMNS = 3
_BODIES = _CALL_COLUMNS + len(ATTEMPT_COLUMNS)
_NOTES = """SELECT presentations.key, calls.number, review_notes.kind, review_notes.written_at,
    review_notes.content
    FROM review_notes
    JOIN calls ON calls.id = review_notes.call
    JOIN presentations ON presentations.id = calls.presentation
    JOIN review_tasks ON review_tasks.presentation = presentations.id
    JOIN reviewers ON reviewers.number = review_tasks.reviewer
    WHERE reviewers.review = ? ORDER BY review_notes.position"""


class StoredTask(NamedTuple):
    """A task, and the keys it was stored under.

    Attributes
    ----------
    key : str
        Key of the presentation as stored.
    pair_key : str
        Key of the pair that the row names.
    task : Presentation
        The task itself, whose own key is derived anew.
    """

    key: str
    pair_key: str
    task: Presentation


def row_digest(tag: str, row: Iterable[Any]) -> str:
    """Return the tagged hash of a row up to its digest."""
    return tagged_hash(tag, list(row))


def cases_digest(cases: Iterable[tuple[str, str]]) -> str:
    """Return the digest over all cases of a review: id of the pair, and reasons as stored."""
    return tagged_hash("review-cases/1", [list(case) for case in cases])


def tasks_digest(tasks: Iterable[tuple[str, str]]) -> str:
    """Return the digest over all tasks of a reviewer: id of the pair, and key as stored."""
    return tagged_hash("review-tasks/1", [list(task) for task in tasks])


def stored_reviews(connection: Connection) -> Iterator[Review]:
    """Yield every review, the newest last."""
    for number, revision, opened_at, program, settings, secret, closed_at in list(
        connection.execute(_REVIEWS)
    ):
        cases = tuple(
            ReviewCase(PairId(pair_id), tuple(json.loads(reasons)))
            for pair_id, reasons in connection.execute(_CASES, (number,))
        )
        yield Review(
            revision=revision,
            opened_at=opened_at,
            program=program,
            settings=json.loads(settings),
            secret=secret,
            cases=cases,
            number=number,
            closed_at=closed_at,
        )


def stored_reviewers(connection: Connection, review: int) -> Iterator[Reviewer]:
    """Yield the people who take part in a review, in the order they joined."""
    for number, name, joined_at in list(connection.execute(_REVIEWERS, (review,))):
        tasks = tuple(stored.task for stored in stored_tasks(connection, number))
        yield Reviewer(name, joined_at, tasks)


def stored_tasks(connection: Connection, reviewer: int) -> Iterator[StoredTask]:
    """Yield what one reviewer, named by its row, is to be shown, in that order."""
    for key, pair_id, name, pair_key, order, labelling, judge, prompt, repetition, of_pair in list(
        connection.execute(_TASKS, (reviewer,))
    ):
        task = Presentation(
            pair_id=PairId(pair_id),
            pair_key=pair_key,
            order=Order(order),
            labelling=labelling,
            judge=name,
            judge_digest=judge,
            temperature=None,
            prompt_digest=prompt,
            repetition=repetition,
        )
        yield StoredTask(key, of_pair, task)


def stored_review_calls(connection: Connection, review: int) -> Iterator[ReviewCall]:
    """Yield every showing of a review's tasks, in the order they were shown."""
    for row in connection.execute(_CALLS, (review,)):
        key, number, started_at = row[:_CALL_COLUMNS]
        values = row[_CALL_COLUMNS:_BODIES]
        attempt = None
        if values[0] is not None:
            attempt = attempt_from_row(key, number, values, row[_BODIES:])
        yield ReviewCall(PresentationKey(key), number, started_at, attempt)


def stored_review_notes(connection: Connection, review: int) -> Iterator[ReviewNote]:
    """Yield everything that was said beside the verdicts of a review."""
    for key, number, kind, written_at, content in connection.execute(_NOTES, (review,)):
        yield ReviewNote(
            PresentationKey(key), number, NoteKind(kind), written_at, json.loads(content)
        )


def note_row(note: ReviewNote) -> Row:
    """Return a note as in ``review_notes``, without its place; its digest last."""
    shown = (note.kind.value, note.written_at, canonical_json(note.content))
    return (*shown, row_digest("review-note/1", (note.key, note.number, *shown)))
