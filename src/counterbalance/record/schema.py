"""Tables of a record in every engine, and the named steps that brought them about.

Evidence tables are append-only: a trigger refuses every UPDATE and DELETE. A text stands once in
``texts``, under the tagged hash of its bytes, and everything else names it by that digest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.record.aside_tables import ASIDE_REFERENCES, ASIDE_TABLES, m006_asides
from counterbalance.record.guards import make_guards
from counterbalance.record.log_tables import m003_log_rows
from counterbalance.record.probe_tables import m004_probes
from counterbalance.record.review_tables import REVIEW_TABLES, m005_reviews
from counterbalance.record.revision_tables import m002_revisions

if TYPE_CHECKING:
    from collections.abc import Callable

    from counterbalance.record.connection import Connection

__all__ = ["ATTEMPT_COLUMNS", "EVIDENCE_TABLES", "MIGRATIONS", "REFERENCES"]

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
    "CREATE TABLE migrations (name TEXT PRIMARY KEY){strict}",
    """CREATE TABLE texts (
        digest TEXT PRIMARY KEY,
        tag TEXT NOT NULL,
        content {bytes} NOT NULL
    ){strict}""",
    """CREATE TABLE revisions (
        number {integer} PRIMARY KEY CHECK (number >= 1),
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
    ){strict}""",
    """CREATE TABLE items (
        digest TEXT PRIMARY KEY,
        id TEXT NOT NULL,
        category TEXT NOT NULL,
        cluster TEXT NOT NULL,
        content TEXT NOT NULL
    ){strict}""",
    """CREATE TABLE candidates (
        id TEXT PRIMARY KEY,
        item TEXT NOT NULL,
        system TEXT NOT NULL,
        version TEXT NOT NULL,
        supplied_id TEXT NOT NULL,
        text TEXT REFERENCES texts (digest)
    ){strict}""",
    """CREATE TABLE pairs (
        position {integer} PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        item TEXT NOT NULL REFERENCES items (digest),
        a TEXT NOT NULL REFERENCES candidates (id),
        b TEXT NOT NULL REFERENCES candidates (id),
        key TEXT NOT NULL,
        digest TEXT NOT NULL,
        reference TEXT
    ){strict}""",
    """CREATE TABLE presentations (
        id {integer} PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        pair_key TEXT NOT NULL,
        display_order TEXT NOT NULL CHECK (display_order IN ('forward', 'reversed')),
        labelling TEXT NOT NULL,
        judge_digest TEXT NOT NULL,
        prompt_digest TEXT NOT NULL,
        repetition {integer} NOT NULL CHECK (repetition >= 0)
    ){strict}""",
    """CREATE TABLE plan (
        position {integer} PRIMARY KEY,
        revision {integer} NOT NULL REFERENCES revisions (number) DEFERRABLE INITIALLY DEFERRED,
        purpose TEXT NOT NULL,
        pair {integer} NOT NULL REFERENCES pairs (position),
        presentation {integer} NOT NULL REFERENCES presentations (id),
        judge TEXT NOT NULL,
        temperature {real}
    ){strict}""",
    """CREATE TABLE calls (
        id {integer} PRIMARY KEY,
        presentation {integer} NOT NULL REFERENCES presentations (id),
        number {integer} NOT NULL CHECK (number >= 1),
        started_at TEXT NOT NULL,
        UNIQUE (presentation, number)
    ){strict}""",
    """CREATE TABLE attempts (
        call {integer} PRIMARY KEY REFERENCES calls (id),
        started_at TEXT NOT NULL,
        seconds {real},
        outcome TEXT NOT NULL,
        failure TEXT,
        reading TEXT NOT NULL,
        parser TEXT NOT NULL,
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

_GUARDED = (
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

EVIDENCE_TABLES = (
    "migrations",
    "texts",
    "revisions",
    "items",
    "candidates",
    "pairs",
    "probes",
    "revision_pairs",
    "presentations",
    "openings",
    "plan",
    "calls",
    "attempts",
    "log_rows",
    *REVIEW_TABLES,
    *ASIDE_TABLES,
)
"""Tables whose rows are never changed or removed; after the first, in the order of writing."""

REFERENCES = (
    ("pairs", "number", "item", "items", "digest"),
    ("pairs", "number", "a", "candidates", "id"),
    ("pairs", "number", "b", "candidates", "id"),
    ("candidates", "id", "text", "texts", "digest"),
    ("probes", "pair", "pair", "pairs", "number"),
    ("revision_pairs", "position", "revision", "revisions", "number"),
    ("revision_pairs", "position", "pair", "pairs", "number"),
    ("openings", "revision", "revision", "revisions", "number"),
    ("plan", "position", "revision", "revisions", "number"),
    ("plan", "position", "opening", "openings", "revision"),
    ("plan", "position", "pair", "pairs", "number"),
    ("plan", "position", "presentation", "presentations", "id"),
    ("calls", "id", "presentation", "presentations", "id"),
    ("attempts", "call", "call", "calls", "id"),
    ("attempts", "call", "reply_text", "texts", "digest"),
    ("attempts", "call", "reasoning_text", "texts", "digest"),
    ("attempts", "call", "refusal_text", "texts", "digest"),
    ("attempts", "call", "problem_text", "texts", "digest"),
    ("log_rows", "position", "revision", "revisions", "number"),
    ("log_rows", "position", "pair", "pairs", "number"),
    ("log_rows", "position", "call", "calls", "id"),
    ("log_rows", "position", "text", "texts", "digest"),
    ("reviews", "number", "revision", "revisions", "number"),
    ("review_cases", "position", "review", "reviews", "number"),
    ("review_cases", "position", "pair", "pairs", "number"),
    ("reviewers", "number", "review", "reviews", "number"),
    ("review_tasks", "position", "reviewer", "reviewers", "number"),
    ("review_tasks", "position", "pair", "pairs", "number"),
    ("review_tasks", "position", "presentation", "presentations", "id"),
    ("review_notes", "position", "call", "calls", "id"),
    ("review_closings", "review", "review", "reviews", "number"),
    *ASIDE_REFERENCES,
)
"""Table, its key, a column, and the table and column it points to."""

_VIEW = """CREATE VIEW asked AS
    SELECT pairs.id AS pair, plan.purpose, presentations.display_order, presentations.labelling,
        plan.judge, presentations.repetition, calls.number, calls.started_at, attempts.outcome,
        attempts.failure, attempts.seconds, attempts.prompt_tokens, attempts.completion_tokens,
        attempts.cost_usd, {reply} AS reply,
        {problem} AS problem, presentations.key
    FROM plan
    JOIN pairs ON pairs.position = plan.pair
    JOIN presentations ON presentations.id = plan.presentation
    LEFT JOIN calls ON calls.presentation = presentations.id
    LEFT JOIN attempts ON attempts.call = calls.id
    LEFT JOIN texts AS replies ON replies.digest = attempts.reply_text
    LEFT JOIN texts AS problems ON problems.digest = attempts.problem_text
    ORDER BY plan.position, calls.number"""


def m001_first_tables(connection: Connection) -> None:
    """Make the tables of the first version."""
    dialect = connection.dialect
    for statement in (*dialect.functions, *(t.format(**dialect.types) for t in _TABLES)):
        connection.execute(statement)
    shown = dialect.readable.format
    view = _VIEW.format(reply=shown("replies.content"), problem=shown("problems.content"))
    connection.execute(view)
    make_guards(connection, _GUARDED)


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (
    m001_first_tables,
    m002_revisions,
    m003_log_rows,
    m004_probes,
    m005_reviews,
    m006_asides,
)
"""Every step from an empty file to the tables of today; a released one is never edited."""
