"""The transaction that begins a record: header, pairs and order plan."""

from __future__ import annotations

import hashlib
import sqlite3
from itertools import islice
from typing import TYPE_CHECKING, Any

from counterbalance.errors import RecordError, RecordIntegrityError, one_line
from counterbalance.record.appending import INSERT_TEXT
from counterbalance.record.study_rows import (
    candidate_row,
    entry_line,
    header_row,
    item_row,
    pair_row,
    presentation_row,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from counterbalance.items.item import Candidate, ItemId, Pair
    from counterbalance.presentations.presentation import PlanEntry
    from counterbalance.record.store import RecordHeader

__all__ = ["StudyDigest", "write_study"]

_CHUNK = 1000
_DIGEST_BYTES = 20

_INSERT_REVISION = "INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_ITEM = "INSERT INTO items VALUES (?, ?, ?, ?, ?) ON CONFLICT (digest) DO NOTHING"
_INSERT_CANDIDATE = "INSERT INTO candidates VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"
_FIND_CANDIDATE = "SELECT * FROM candidates WHERE id = ?"
_INSERT_PAIR = "INSERT INTO pairs VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_PRESENTATION = """INSERT INTO presentations (key, pair_key, display_order, labelling,
    judge_digest, prompt_digest, repetition) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (key) DO NOTHING"""
# A pair that the presentation does not show finds no row, and the count of rows tells.
_INSERT_ENTRY = """INSERT INTO plan
    (position, revision, purpose, pair, presentation, judge, temperature)
    SELECT ?, ?, ?, pairs.position, presentations.id, ?, ?
    FROM presentations JOIN pairs ON pairs.id = ? AND pairs.key = presentations.pair_key
    WHERE presentations.key = ?"""


class StudyDigest:
    """Running digest over rows in their order, so that a removed row is noticed."""

    def __init__(self, tag: str) -> None:
        self._hash = hashlib.blake2b(tag.encode() + b"\0", digest_size=_DIGEST_BYTES)

    def add(self, line: bytes) -> None:
        """Take one row in."""
        self._hash.update(line)

    def __str__(self) -> str:
        return "b2:" + self._hash.hexdigest()


def write_study(
    connection: sqlite3.Connection,
    header: RecordHeader,
    pairs: Sequence[Pair],
    plan: Iterable[PlanEntry],
) -> None:
    """Write what a record is of, inside the caller's transaction.

    Parameters
    ----------
    connection : sqlite3.Connection
        The connection that writes.
    header : RecordHeader
        What the record is of.
    pairs : Sequence[Pair]
        The pairs.
    plan : Iterable[PlanEntry]
        The order plan; taken in chunks, never held whole.

    Raises
    ------
    RecordError
        If a record was begun already, or a text of the pairs cannot be stored.
    """
    if connection.execute("SELECT 1 FROM revisions").fetchone():
        msg = "the record was begun before; its header and plan never change"
        raise RecordError(msg)
    try:
        pairs_digest = _write_pairs(connection, pairs)
        plan_digest = _write_plan(connection, plan)
        row = (1, *header_row(header), pairs_digest, plan_digest)
        connection.execute(_INSERT_REVISION, row)
    except UnicodeEncodeError as error:
        msg = f"a text of protocol or pairs is no Unicode text: {one_line(error, 200)}"
        raise RecordError(msg) from None


def _write_pairs(connection: sqlite3.Connection, pairs: Sequence[Pair]) -> str:
    digest = StudyDigest("pairs/1")
    for position, pair in enumerate(pairs):
        row, texts = item_row(pair.item)
        connection.executemany(INSERT_TEXT, texts)
        connection.execute(_INSERT_ITEM, row)
        for candidate in (pair.a, pair.b):
            _write_candidate(connection, candidate, pair.item.id)
        try:
            connection.execute(_INSERT_PAIR, pair_row(position, pair, row[0]))
        except sqlite3.IntegrityError:
            msg = f'two pairs have the id "{one_line(pair.id)}"; give each its own'
            raise RecordIntegrityError(msg) from None
        digest.add(f"{pair.digest}\n".encode())
    return str(digest)


def _write_candidate(connection: sqlite3.Connection, candidate: Candidate, item: ItemId) -> None:
    row, texts = candidate_row(candidate, item)
    connection.executemany(INSERT_TEXT, texts)
    if connection.execute(_INSERT_CANDIDATE, row).rowcount == 1:
        return
    if connection.execute(_FIND_CANDIDATE, (candidate.id,)).fetchone() != row:
        msg = f'two different candidates have the id "{one_line(candidate.id)}"'
        raise RecordIntegrityError(msg)


def _write_plan(connection: sqlite3.Connection, plan: Iterable[PlanEntry]) -> str:
    digest = StudyDigest("plan/1")
    for start, chunk in _chunks(plan):
        rows: list[tuple[Any, ...]] = []
        parameters: list[tuple[Any, ...]] = []
        for position, entry in enumerate(chunk, start=start):
            p = entry.presentation
            row = presentation_row(p)
            rows.append(row)
            parameters.append(
                (position, 1, entry.purpose.value, p.judge, p.temperature, p.pair_id, row[0])
            )
            digest.add(entry_line(entry.purpose, p.pair_id, p.judge, row[0]))
        connection.executemany(_INSERT_PRESENTATION, rows)
        added = connection.executemany(_INSERT_ENTRY, parameters).rowcount
        if added != len(chunk):
            msg = (
                f"{len(chunk) - added} presentations near place {start} of the plan show a pair"
                " that is not recorded, or not with this content"
            )
            raise RecordIntegrityError(msg)
    return str(digest)


def _chunks(plan: Iterable[PlanEntry]) -> Iterator[tuple[int, list[PlanEntry]]]:
    entries, start = iter(plan), 0
    while chunk := list(islice(entries, _CHUNK)):
        yield start, chunk
        start += len(chunk)
