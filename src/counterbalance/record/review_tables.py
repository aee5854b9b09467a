"""The step to schema 5: blind reviews by people, beside the attempts that their answers are.

An answer is an attempt like any other; these tables say which presentations people were to be
shown, why, and what they said of an answer afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.record.guards import make_guards

if TYPE_CHECKING:
    from counterbalance.record.connection import Connection

__all__ = ["REVIEW_TABLES", "m005_reviews"]

REVIEW_TABLES = (
    "reviews",
    "review_cases",
    "reviewers",
    "review_tasks",
    "review_notes",
    "review_closings",
)
"""Tables of reviews, each after those that it points to."""

_STATEMENTS = (
    """CREATE TABLE reviews (
        number {integer} PRIMARY KEY CHECK (number >= 1),
        revision {integer} NOT NULL REFERENCES revisions (number),
        opened_at TEXT NOT NULL,
        program TEXT NOT NULL,
        settings TEXT NOT NULL,
        secret TEXT NOT NULL,
        cases_digest TEXT NOT NULL,
        digest TEXT NOT NULL
    ){strict}""",
    """CREATE TABLE review_cases (
        position {integer} PRIMARY KEY,
        review {integer} NOT NULL REFERENCES reviews (number),
        pair {integer} NOT NULL REFERENCES pairs (number),
        reasons TEXT NOT NULL,
        UNIQUE (review, pair)
    ){strict}""",
    """CREATE TABLE reviewers (
        number {integer} PRIMARY KEY,
        review {integer} NOT NULL REFERENCES reviews (number),
        name TEXT NOT NULL,
        joined_at TEXT NOT NULL,
        tasks_digest TEXT NOT NULL,
        digest TEXT NOT NULL,
        UNIQUE (review, name)
    ){strict}""",
    """CREATE TABLE review_tasks (
        position {integer} PRIMARY KEY,
        reviewer {integer} NOT NULL REFERENCES reviewers (number),
        pair {integer} NOT NULL REFERENCES pairs (number),
        presentation {integer} NOT NULL UNIQUE REFERENCES presentations (id)
    ){strict}""",
    """CREATE TABLE review_notes (
        position {integer} PRIMARY KEY,
        call {integer} NOT NULL REFERENCES calls (id),
        kind TEXT NOT NULL CHECK (kind IN ('evidence', 'flag')),
        written_at TEXT NOT NULL,
        content TEXT NOT NULL,
        digest TEXT NOT NULL
    ){strict}""",
    """CREATE TABLE review_closings (
        review {integer} PRIMARY KEY REFERENCES reviews (number),
        closed_at TEXT NOT NULL,
        program TEXT NOT NULL,
        digest TEXT NOT NULL
    ){strict}""",
)


def m005_reviews(connection: Connection) -> None:
    """Make room for blind reviews."""
    for statement in _STATEMENTS:
        connection.execute(statement.format(**connection.dialect.types))
    make_guards(connection, REVIEW_TABLES)
