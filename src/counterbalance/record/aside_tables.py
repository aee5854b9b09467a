"""The step to schema 6: calls that ask for no verdict, such as for a rewrite of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.record.guards import make_guards

if TYPE_CHECKING:
    from counterbalance.record.connection import Connection

__all__ = ["ASIDE_REFERENCES", "ASIDE_TABLES", "REPLY_COLUMNS", "m006_asides"]

ASIDE_TABLES = ("asides", "aside_calls", "aside_replies")
"""Tables of such calls, each after those that it points to."""

REPLY_COLUMNS = (
    "started_at",
    "seconds",
    "failure",
    "reply",
    "reply_text",
    "reasoning_text",
    "refusal_text",
    "problem_text",
    "prompt_tokens",
    "completion_tokens",
    "tokens_measured",
    "cost_usd",
    "digest",
)
"""Columns of ``aside_replies`` after ``call``, in the order that rows are encoded in."""

ASIDE_REFERENCES = (
    ("asides", "number", "prompt_digest", "texts", "digest"),
    ("aside_calls", "id", "aside", "asides", "number"),
    ("aside_replies", "call", "call", "aside_calls", "id"),
    ("aside_replies", "call", "reply_text", "texts", "digest"),
    ("aside_replies", "call", "reasoning_text", "texts", "digest"),
    ("aside_replies", "call", "refusal_text", "texts", "digest"),
    ("aside_replies", "call", "problem_text", "texts", "digest"),
)
"""Table, its key, a column, and the table and column it points to."""

_STATEMENTS = (
    """CREATE TABLE asides (
        number {integer} PRIMARY KEY CHECK (number >= 1),
        key TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL CHECK (kind IN ('rewrite', 'likelihood')),
        subject TEXT NOT NULL,
        model TEXT NOT NULL,
        model_digest TEXT NOT NULL,
        prompt_digest TEXT NOT NULL REFERENCES texts (digest)
    ){strict}""",
    """CREATE TABLE aside_calls (
        id {integer} PRIMARY KEY CHECK (id >= 1),
        aside {integer} NOT NULL REFERENCES asides (number),
        number {integer} NOT NULL CHECK (number >= 1),
        started_at TEXT NOT NULL,
        UNIQUE (aside, number)
    ){strict}""",
    """CREATE TABLE aside_replies (
        call {integer} PRIMARY KEY REFERENCES aside_calls (id),
        started_at TEXT NOT NULL,
        seconds {real},
        failure TEXT,
        reply TEXT,
        reply_text TEXT REFERENCES texts (digest),
        reasoning_text TEXT REFERENCES texts (digest),
        refusal_text TEXT REFERENCES texts (digest),
        problem_text TEXT REFERENCES texts (digest),
        prompt_tokens {integer},
        completion_tokens {integer},
        tokens_measured {integer} CHECK (tokens_measured IN (0, 1)),
        cost_usd {real},
        digest TEXT NOT NULL
    ){strict}""",
)


def m006_asides(connection: Connection) -> None:
    """Make room for calls that ask for no verdict."""
    for statement in _STATEMENTS:
        connection.execute(statement.format(**connection.dialect.types))
    make_guards(connection, ASIDE_TABLES)
