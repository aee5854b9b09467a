"""Tables of a record in SQLite, and the named steps that brought them about.

Evidence tables are append-only: a trigger refuses every UPDATE and DELETE. A text stands once in
``texts``, under the tagged hash of its bytes, and everything else names it by that digest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from sqlite3 import Connection

__all__ = [
    "APPLICATION_ID",
    "ATTEMPT_COLUMNS",
    "EVIDENCE_TABLES",
    "GUARDED_VERBS",
    "MIGRATIONS",
    "guard_name",
]

APPLICATION_ID = 0x43424C52
"""``PRAGMA application_id`` of a record: the letters CBLR."""

ATTEMPT_COLUMNS = (
    "started_at",
    "seconds",
    "outcome",
    "failure",
    "reading",
    "parser",
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
"""Columns of ``attempts`` after ``call``, in the order that rows are encoded in."""

_TABLES = (
    """CREATE TABLE texts (
        digest TEXT PRIMARY KEY,
        tag TEXT NOT NULL,
        content BLOB NOT NULL
    ) STRICT""",
    """CREATE TABLE revisions (
        number INTEGER PRIMARY KEY CHECK (number >= 1),
        protocol TEXT NOT NULL,
        protocol_digest TEXT NOT NULL,
        protocol_text TEXT NOT NULL,
        pairs_file TEXT NOT NULL,
        pairs_sha256 TEXT NOT NULL,
        secret TEXT NOT NULL,
        created_at TEXT NOT NULL,
        program TEXT NOT NULL,
        notes TEXT NOT NULL,
        pairs_digest TEXT NOT NULL,
        plan_digest TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE items (
        digest TEXT PRIMARY KEY,
        id TEXT NOT NULL,
        category TEXT NOT NULL,
        cluster TEXT NOT NULL,
        content TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE candidates (
        id TEXT PRIMARY KEY,
        item TEXT NOT NULL,
        system TEXT NOT NULL,
        version TEXT NOT NULL,
        supplied_id TEXT NOT NULL,
        text TEXT REFERENCES texts (digest)
    ) STRICT""",
    """CREATE TABLE pairs (
        position INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        item TEXT NOT NULL REFERENCES items (digest),
        a TEXT NOT NULL REFERENCES candidates (id),
        b TEXT NOT NULL REFERENCES candidates (id),
        key TEXT NOT NULL,
        digest TEXT NOT NULL,
        reference TEXT
    ) STRICT""",
    """CREATE TABLE presentations (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        pair_key TEXT NOT NULL,
        display_order TEXT NOT NULL CHECK (display_order IN ('forward', 'reversed')),
        labelling TEXT NOT NULL,
        judge_digest TEXT NOT NULL,
        prompt_digest TEXT NOT NULL,
        repetition INTEGER NOT NULL CHECK (repetition >= 0)
    ) STRICT""",
    """CREATE TABLE plan (
        position INTEGER PRIMARY KEY,
        revision INTEGER NOT NULL REFERENCES revisions (number) DEFERRABLE INITIALLY DEFERRED,
        purpose TEXT NOT NULL,
        pair INTEGER NOT NULL REFERENCES pairs (position),
        presentation INTEGER NOT NULL REFERENCES presentations (id),
        judge TEXT NOT NULL,
        temperature REAL
    ) STRICT""",
    """CREATE TABLE calls (
        id INTEGER PRIMARY KEY,
        presentation INTEGER NOT NULL REFERENCES presentations (id),
        number INTEGER NOT NULL CHECK (number >= 1),
        started_at TEXT NOT NULL,
        UNIQUE (presentation, number)
    ) STRICT""",
    """CREATE TABLE attempts (
        call INTEGER PRIMARY KEY REFERENCES calls (id),
        started_at TEXT NOT NULL,
        seconds REAL,
        outcome TEXT NOT NULL,
        failure TEXT,
        reading TEXT NOT NULL,
        parser TEXT NOT NULL,
        reply TEXT,
        reply_text TEXT REFERENCES texts (digest),
        reasoning_text TEXT REFERENCES texts (digest),
        refusal_text TEXT REFERENCES texts (digest),
        problem_text TEXT REFERENCES texts (digest),
        prompt_tokens INTEGER,
        completion_tokens INTEGER,
        tokens_measured INTEGER CHECK (tokens_measured IN (0, 1)),
        cost_usd REAL,
        digest TEXT NOT NULL
    ) STRICT""",
)

GUARDED_VERBS = ("update", "delete")
EVIDENCE_TABLES = (
    "migrations",
    "texts",
    "revisions",
    "items",
    "candidates",
    "pairs",
    "presentations",
    "plan",
    "calls",
    "attempts",
)
"""Tables whose rows are never changed or removed."""

# One row for each planned call, asked or not: what people look into a record for.
_VIEW = """CREATE VIEW asked AS
    SELECT pairs.id AS pair, plan.purpose, presentations.display_order, presentations.labelling,
        plan.judge, presentations.repetition, calls.number, calls.started_at, attempts.outcome,
        attempts.failure, attempts.seconds, attempts.prompt_tokens, attempts.completion_tokens,
        attempts.cost_usd, CAST(replies.content AS TEXT) AS reply,
        CAST(problems.content AS TEXT) AS problem, presentations.key
    FROM plan
    JOIN pairs ON pairs.position = plan.pair
    JOIN presentations ON presentations.id = plan.presentation
    LEFT JOIN calls ON calls.presentation = presentations.id
    LEFT JOIN attempts ON attempts.call = calls.id
    LEFT JOIN texts AS replies ON replies.digest = attempts.reply_text
    LEFT JOIN texts AS problems ON problems.digest = attempts.problem_text
    ORDER BY plan.position, calls.number"""


def guard_name(table: str, verb: str) -> str:
    """Return the name of the trigger that refuses a verb on a table of evidence."""
    return f"{table}_no_{verb}"


def _append_only(table: str) -> Iterator[str]:
    for verb in GUARDED_VERBS:
        yield (
            f"CREATE TRIGGER {guard_name(table, verb)} BEFORE {verb.upper()} ON {table}"
            " BEGIN SELECT RAISE(ABORT, 'a record is append-only'); END"
        )


def m001_first_tables(connection: Connection) -> None:
    """Make the tables of the first version."""
    connection.execute("CREATE TABLE migrations (name TEXT PRIMARY KEY) STRICT")
    for statement in (*_TABLES, _VIEW):
        connection.execute(statement)
    for table in EVIDENCE_TABLES:
        for statement in _append_only(table):
            connection.execute(statement)


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (m001_first_tables,)
"""Every step from an empty file to the tables of today; a released one is never edited."""
