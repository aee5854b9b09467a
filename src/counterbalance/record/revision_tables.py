"""The step to schema 2: several revisions of a protocol in one record, and held-out pairs opened.

A pair is a row for each content it ever had, and ``revision_pairs`` says which pairs a revision is
of, in the order of its file. Rows of schema 1 keep their numbers and hashes; what they did not say
(a reason, which clusters are held out) is what a record with one revision has.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from counterbalance.items.hashing import canonical_json, tagged_hash
from counterbalance.presentations.held_out import held_out_clusters
from counterbalance.record.guards import make_guards

if TYPE_CHECKING:
    from counterbalance.record.connection import Connection

__all__ = ["m002_revisions"]

_REPLACED = ("plan", "pairs", "revisions")
"""Tables made anew, each before those that it points to."""

_TABLES = (
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
        reason TEXT NOT NULL,
        held_out TEXT,
        calls_before {integer} NOT NULL,
        openings_before {integer} NOT NULL,
        pairs_digest TEXT NOT NULL,
        plan_digest TEXT NOT NULL,
        digest TEXT NOT NULL
    ){strict}""",
    """CREATE TABLE pairs (
        number {integer} PRIMARY KEY,
        id TEXT NOT NULL,
        item TEXT NOT NULL REFERENCES items (digest),
        a TEXT NOT NULL REFERENCES candidates (id),
        b TEXT NOT NULL REFERENCES candidates (id),
        key TEXT NOT NULL,
        digest TEXT NOT NULL UNIQUE,
        reference TEXT
    ){strict}""",
    "CREATE INDEX pairs_by_id ON pairs (id)",
    """CREATE TABLE revision_pairs (
        position {integer} PRIMARY KEY,
        revision {integer} NOT NULL REFERENCES revisions (number) DEFERRABLE INITIALLY DEFERRED,
        pair {integer} NOT NULL REFERENCES pairs (number),
        UNIQUE (pair, revision)
    ){strict}""",
    """CREATE TABLE openings (
        revision {integer} PRIMARY KEY REFERENCES revisions (number),
        opened_at TEXT NOT NULL,
        program TEXT NOT NULL,
        pairs TEXT NOT NULL,
        revisions TEXT NOT NULL,
        calls_before {integer} NOT NULL,
        plan_digest TEXT NOT NULL,
        digest TEXT NOT NULL
    ){strict}""",
    """CREATE TABLE plan (
        position {integer} PRIMARY KEY,
        revision {integer} NOT NULL REFERENCES revisions (number) DEFERRABLE INITIALLY DEFERRED,
        opening {integer} REFERENCES openings (revision) DEFERRABLE INITIALLY DEFERRED,
        purpose TEXT NOT NULL,
        pair {integer} NOT NULL REFERENCES pairs (number),
        presentation {integer} NOT NULL REFERENCES presentations (id),
        judge TEXT NOT NULL,
        temperature {real}
    ){strict}""",
)

_COPIES = (
    """INSERT INTO pairs (number, id, item, a, b, key, digest, reference)
        SELECT position, id, item, a, b, key, digest, reference FROM pairs_1 ORDER BY position""",
    """INSERT INTO revision_pairs (position, revision, pair)
        SELECT pairs_1.position, revisions_1.number, pairs_1.position
        FROM pairs_1 JOIN revisions_1 ON revisions_1.number = 1 ORDER BY pairs_1.position""",
    """INSERT INTO plan (position, revision, purpose, pair, presentation, judge, temperature)
        SELECT position, revision, purpose, pair, presentation, judge, temperature
        FROM plan_1 ORDER BY position""",
)

_OLD_REVISIONS = """SELECT number, protocol, protocol_digest, protocol_text, pairs_file,
    pairs_sha256, secret, created_at, program, notes, pairs_digest, plan_digest FROM revisions_1"""
_INSERT_REVISION = (
    "INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_CLUSTERS = """SELECT items.cluster FROM pairs_1 JOIN items ON items.digest = pairs_1.item"""

# One row for each planned call of any revision, asked or not: what people look into a record for.
_VIEW = """CREATE VIEW asked AS
    SELECT pairs.id AS pair, plan.purpose, presentations.display_order, presentations.labelling,
        plan.judge, presentations.repetition, calls.number, calls.started_at, attempts.outcome,
        attempts.failure, attempts.seconds, attempts.prompt_tokens, attempts.completion_tokens,
        attempts.cost_usd, {reply} AS reply,
        {problem} AS problem, presentations.key, plan.revision, plan.opening
    FROM plan
    JOIN pairs ON pairs.number = plan.pair
    JOIN presentations ON presentations.id = plan.presentation
    LEFT JOIN calls ON calls.presentation = presentations.id
    LEFT JOIN attempts ON attempts.call = calls.id
    LEFT JOIN texts AS replies ON replies.digest = attempts.reply_text
    LEFT JOIN texts AS problems ON problems.digest = attempts.problem_text
    ORDER BY plan.position, calls.number"""


def m002_revisions(connection: Connection) -> None:
    """Make room for further revisions and for the opening of held-out pairs."""
    dialect = connection.dialect
    connection.execute("DROP VIEW asked")
    for table in _REPLACED:
        connection.execute(f"ALTER TABLE {table} RENAME TO {table}_1")
    for statement in _TABLES:
        connection.execute(statement.format(**dialect.types))
    _copy_revisions(connection)
    for statement in _COPIES:
        connection.execute(statement)
    for table in _REPLACED:
        connection.execute(f"DROP TABLE {table}_1")
    make_guards(connection, (*_REPLACED, "revision_pairs", "openings"))
    shown = dialect.readable.format
    view = _VIEW.format(reply=shown("replies.content"), problem=shown("problems.content"))
    connection.execute(view)


def _copy_revisions(connection: Connection) -> None:
    rows: list[tuple[Any, ...]] = list(connection.execute(_OLD_REVISIONS))
    for *given, pairs_digest, plan_digest in rows:
        held_out = _held_out(connection, json.loads(given[1]).get("held_out"))
        row = (*given, "", held_out, 0, 0, pairs_digest, plan_digest)
        connection.execute(_INSERT_REVISION, (*row, tagged_hash("revision/1", list(row))))


def _held_out(connection: Connection, declared: dict[str, Any] | None) -> str | None:
    """Return the clusters that schema 1 drew anew from the protocol whenever it was read."""
    if declared is None:
        return None
    sizes = Counter(cluster for (cluster,) in connection.execute(_CLUSTERS))
    drawn = held_out_clusters(sizes, declared["share"], declared["seed"])
    return canonical_json(sorted(drawn))
