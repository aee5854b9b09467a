"""Every hash of a record's blind reviews derived again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.errors import one_line
from counterbalance.record.review_rows import (
    cases_digest,
    row_digest,
    stored_tasks,
    tasks_digest,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.record.connection import Connection

__all__ = ["reviews"]

_ROWS = {
    "review": """SELECT number, revision, opened_at, program, settings, secret, cases_digest,
        digest FROM reviews""",
    "reviewer": "SELECT number, review, name, joined_at, tasks_digest, digest FROM reviewers",
    "review-closing": "SELECT review, closed_at, program, digest FROM review_closings",
    "review-note": """SELECT presentations.key, calls.number, kind, written_at, content, digest
        FROM review_notes JOIN calls ON calls.id = review_notes.call
        JOIN presentations ON presentations.id = calls.presentation""",
}
_CASES = """SELECT pairs.id, review_cases.reasons
    FROM review_cases JOIN pairs ON pairs.number = review_cases.pair
    WHERE review_cases.review = ? ORDER BY review_cases.position"""
_LATE = """SELECT presentations.key, calls.number
    FROM review_closings
    JOIN reviewers ON reviewers.review = review_closings.review
    JOIN review_tasks ON review_tasks.reviewer = reviewers.number
    JOIN presentations ON presentations.id = review_tasks.presentation
    JOIN calls ON calls.presentation = presentations.id
    WHERE calls.started_at > review_closings.closed_at"""


def reviews(connection: Connection) -> Iterator[str]:
    """Yield what does not fit in the blind reviews of a record.

    Parameters
    ----------
    connection : Connection
        A connection to the record.

    Yields
    ------
    str
        One sentence each.
    """
    for tag, query in _ROWS.items():
        for *row, digest in list(connection.execute(query)):
            if row_digest(f"{tag}/1", row) != digest:
                yield f"{tag} {one_line(row[0])}: its row does not fit its digest {digest}"
    yield from _cases(connection)
    yield from _tasks(connection)
    for key, number in connection.execute(_LATE):
        yield f"presentation {key}: showing {number} began after its review was closed"


def _cases(connection: Connection) -> Iterator[str]:
    rows: list[tuple[Any, ...]] = list(
        connection.execute("SELECT number, cases_digest FROM reviews")
    )
    for number, digest in rows:
        found = cases_digest(connection.execute(_CASES, (number,)))
        if found != digest:
            yield f"review {number}: the digest over its cases is {found}, not {digest}"


def _tasks(connection: Connection) -> Iterator[str]:
    rows: list[tuple[Any, ...]] = list(
        connection.execute("SELECT number, name, tasks_digest FROM reviewers")
    )
    for number, name, digest in rows:
        tasks = list(stored_tasks(connection, number))
        if tasks_digest((stored.task.pair_id, stored.key) for stored in tasks) != digest:
            yield f"reviewer {one_line(name)}: the digest over the tasks is not {digest}"
        for stored in tasks:
            if stored.task.key != stored.key:
                yield f"presentation {stored.key}: does not fit what the reviewer is asked"
            if stored.task.pair_key != stored.pair_key:
                yield f"presentation {stored.key}: shows other texts than its pair has"
