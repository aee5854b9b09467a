"""Rows of a record as the things they stand for, streamed in the promised order."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from counterbalance.presentations.presentation import PlanEntry, PresentationKey
from counterbalance.record.attempt import Attempt, StartedCall
from counterbalance.record.encoding import (
    PROMPT_TAG,
    attempt_from_row,
    prompt_from_bytes,
    text_from_bytes,
)
from counterbalance.record.schema import ATTEMPT_COLUMNS
from counterbalance.record.study_rows import (
    entry_from_row,
    header_from_row,
    opening_from_row,
    pair_from_rows,
    text_digests,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.items.item import Message, Pair
    from counterbalance.record.connection import Connection
    from counterbalance.record.store import Opening, RecordHeader

__all__ = [
    "StoredEntry",
    "StoredOpening",
    "StoredPair",
    "StoredRevision",
    "stored_attempts",
    "stored_calls",
    "stored_openings",
    "stored_pair",
    "stored_pairs",
    "stored_plan",
    "stored_prompt",
    "stored_revisions",
]

_REVISIONS = """SELECT number, protocol, protocol_digest, protocol_text, pairs_file, pairs_sha256,
    secret, created_at, program, notes, reason, held_out, calls_before, openings_before,
    pairs_digest, plan_digest, digest
    FROM revisions ORDER BY number"""
_HEADER_COLUMNS = 14

_OPENINGS = """SELECT revision, opened_at, program, pairs, revisions, calls_before,
    plan_digest, digest
    FROM openings ORDER BY revision"""
_OPENING_COLUMNS = 6

_NEWEST = "(SELECT max(number) FROM revisions)"

_PAIRS = """SELECT pairs.key, pairs.digest, pairs.id, pairs.reference,
    items.id, items.category, items.cluster, items.content,
    a.id, a.supplied_id, a.system, a.version, a.text,
    b.id, b.supplied_id, b.system, b.version, b.text, probes.probe
    FROM pairs
    CROSS JOIN items ON items.digest = pairs.item
    CROSS JOIN candidates AS a ON a.id = pairs.a
    CROSS JOIN candidates AS b ON b.id = pairs.b
    LEFT JOIN probes ON probes.pair = pairs.number"""
_MEMBERS = f"""{_PAIRS}
    CROSS JOIN revision_pairs ON revision_pairs.pair = pairs.number
    WHERE revision_pairs.revision = {{revision}}
    ORDER BY revision_pairs.position"""
_ALL_PAIRS = f"{_PAIRS} ORDER BY pairs.number"
_ONE_PAIR = f"""{_PAIRS}
    WHERE pairs.number = (
        SELECT pair FROM revision_pairs WHERE pair IN (SELECT number FROM pairs WHERE id = ?)
        ORDER BY position DESC LIMIT 1)"""  # noqa: S608 (our own query)

_TEXTS = "SELECT digest, content FROM texts WHERE digest IN ({})"
_CHUNK = 100
_PROMPT = "SELECT content FROM texts WHERE digest = ? AND tag = ?"

_PLAN = """SELECT presentations.key, plan.purpose, pairs.id, plan.judge, plan.temperature,
    presentations.pair_key, presentations.display_order, presentations.labelling,
    presentations.judge_digest, presentations.prompt_digest, presentations.repetition
    FROM plan
    CROSS JOIN pairs ON pairs.number = plan.pair
    CROSS JOIN presentations ON presentations.id = plan.presentation
    WHERE plan.revision = {revision} AND plan.opening IS {opening} NULL
    ORDER BY plan.position"""

# What people answered in a blind review is read apart: no plan of a run asks for it.
_NOT_BY_A_REVIEWER = """NOT EXISTS (
    SELECT 1 FROM review_tasks WHERE review_tasks.presentation = calls.presentation)"""

# Presentations are numbered in the order of the plans, so the index of calls gives the order.
_ATTEMPTS = f"""SELECT presentations.key, calls.number,
    {", ".join(f"attempts.{column}" for column in ATTEMPT_COLUMNS)},
    reply.content, reasoning.content, refusal.content, problem.content
    FROM calls
    CROSS JOIN attempts ON attempts.call = calls.id
    CROSS JOIN presentations ON presentations.id = calls.presentation
    LEFT JOIN texts AS reply ON reply.digest = attempts.reply_text
    LEFT JOIN texts AS reasoning ON reasoning.digest = attempts.reasoning_text
    LEFT JOIN texts AS refusal ON refusal.digest = attempts.refusal_text
    LEFT JOIN texts AS problem ON problem.digest = attempts.problem_text
    WHERE {_NOT_BY_A_REVIEWER}
    ORDER BY calls.presentation, calls.number"""  # noqa: S608 (names of our own columns)
_BODIES = 2 + len(ATTEMPT_COLUMNS)

_UNFINISHED = f"""SELECT presentations.key, calls.number, calls.started_at
    FROM calls
    CROSS JOIN presentations ON presentations.id = calls.presentation
    LEFT JOIN attempts ON attempts.call = calls.id
    WHERE attempts.call IS NULL AND {_NOT_BY_A_REVIEWER}
    ORDER BY calls.presentation, calls.number"""  # noqa: S608 (our own query)


class StoredRevision(NamedTuple):
    """A header, and the row and hashes that it was stored with.

    Attributes
    ----------
    header : RecordHeader
        What the revision is of.
    pairs_digest : str
        Digest of its pairs in the order of the file.
    plan_digest : str
        Digest of its order plan, without what is opened later.
    digest : str
        Digest of the row.
    row : tuple[Any, ...]
        The row up to its digest.
    """

    header: RecordHeader
    pairs_digest: str
    plan_digest: str
    digest: str
    row: tuple[Any, ...]


class StoredOpening(NamedTuple):
    """An opening, and the row and hashes that it was stored with.

    Attributes
    ----------
    opening : Opening
        When the held-out pairs were opened, and under which revision.
    plan_digest : str
        Digest of the plan over them.
    digest : str
        Digest of the row.
    row : tuple[Any, ...]
        The row up to its digest.
    """

    opening: Opening
    plan_digest: str
    digest: str
    row: tuple[Any, ...]


class StoredPair(NamedTuple):
    """A pair, and the hashes it was stored with.

    Attributes
    ----------
    key : str
        Its key as stored.
    digest : str
        Its digest as stored.
    pair : Pair
        The pair itself, whose own key and digest are derived anew.
    """

    key: str
    digest: str
    pair: Pair


class StoredEntry(NamedTuple):
    """A plan entry, and the key its presentation was stored under.

    Attributes
    ----------
    key : str
        The key as stored.
    entry : PlanEntry
        The entry itself, whose own key is derived anew.
    """

    key: str
    entry: PlanEntry


def stored_revisions(connection: Connection) -> list[StoredRevision]:
    """Return every revision, the newest last; none before `begin`."""
    found = []
    for row in connection.execute(_REVISIONS):
        pairs_digest, plan_digest, digest = row[_HEADER_COLUMNS:]
        header = header_from_row(row[:_HEADER_COLUMNS])
        found.append(StoredRevision(header, pairs_digest, plan_digest, digest, row[:-1]))
    return found


def stored_openings(connection: Connection) -> list[StoredOpening]:
    """Return every opening of the held-out pairs, the newest last."""
    found = []
    for row in connection.execute(_OPENINGS):
        plan_digest, digest = row[_OPENING_COLUMNS:]
        opening = opening_from_row(row[:_OPENING_COLUMNS])
        found.append(StoredOpening(opening, plan_digest, digest, row[:-1]))
    return found


def stored_pairs(
    connection: Connection, revision: int | None = None, *, every: bool = False
) -> Iterator[StoredPair]:
    """Yield pairs.

    Parameters
    ----------
    connection : Connection
        A connection to the record.
    revision : int | None
        The revision whose pairs are yielded, in the order of its file; None for the newest.
    every : bool
        Whether to yield the pairs of all revisions instead, as they were first recorded.

    Yields
    ------
    StoredPair
        One by one, never all of them held.
    """
    query = _ALL_PAIRS if every else _MEMBERS.format(revision=_revision(revision))
    yield from _pairs_of(connection, iter(connection.stream(query)))


def stored_pair(connection: Connection, pair_id: str) -> StoredPair | None:
    """Return the pair with an id, as the newest revision that is of it has it."""
    return next(_pairs_of(connection, iter(connection.execute(_ONE_PAIR, (pair_id,)))), None)


def _revision(number: int | None) -> str:
    return _NEWEST if number is None else f"{number:d}"


def _pairs_of(connection: Connection, rows: Iterator[tuple[Any, ...]]) -> Iterator[StoredPair]:
    while chunk := list(islice(rows, _CHUNK)):
        texts = _texts(connection, {d for row in chunk for d in text_digests(row[4:])})
        for key, digest, found, reference, *rest in chunk:
            yield StoredPair(key, digest, pair_from_rows(found, reference, tuple(rest), texts))


def _texts(connection: Connection, digests: set[str]) -> dict[str | None, str]:
    found: dict[str | None, str] = {None: ""}
    if digests:
        query = _TEXTS.format(", ".join("?" * len(digests)))
        for digest, content in connection.execute(query, sorted(digests)):
            found[digest] = text_from_bytes(content)
    return found


def stored_plan(
    connection: Connection, revision: int | None = None, *, opened: bool = False
) -> Iterator[StoredEntry]:
    """Yield an order plan in the order it was written.

    Parameters
    ----------
    connection : Connection
        A connection to the record.
    revision : int | None
        The revision that it belongs to; None for the newest.
    opened : bool
        Whether the plan over the opened held-out pairs is meant, or that over the others.

    Yields
    ------
    StoredEntry
        One by one, never all of them held.
    """
    query = _PLAN.format(revision=_revision(revision), opening="NOT" if opened else "")
    for key, *row in connection.stream(query):
        yield StoredEntry(key, entry_from_row(tuple(row)))


def stored_attempts(connection: Connection) -> Iterator[Attempt]:
    """Yield attempts in the order of the plan, and by number."""
    for row in connection.stream(_ATTEMPTS):
        values: tuple[Any, ...] = row[2:_BODIES]
        yield attempt_from_row(row[0], row[1], values, row[_BODIES:])


def stored_calls(connection: Connection) -> Iterator[StartedCall]:
    """Yield calls that have no attempt, in the same order."""
    for key, number, started_at in connection.stream(_UNFINISHED):
        yield StartedCall(PresentationKey(key), number, started_at)


def stored_prompt(connection: Connection, digest: str) -> tuple[Message, ...] | None:
    """Return a rendered prompt, None when no call has sent it."""
    row = connection.execute(_PROMPT, (digest, PROMPT_TAG)).fetchone()
    return None if row is None else prompt_from_bytes(row[0])
