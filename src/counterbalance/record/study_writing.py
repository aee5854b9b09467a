"""The transaction that begins a record: header, pairs and order plan."""

from __future__ import annotations

import hashlib
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

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

    from counterbalance.items.item import CandidateId, Pair, PairId
    from counterbalance.presentations.presentation import PlanEntry
    from counterbalance.record.connection import Connection
    from counterbalance.record.encoding import TextRow
    from counterbalance.record.store import RecordHeader

__all__ = ["StudyDigest", "write_study"]

T = TypeVar("T")

_CHUNK = 1000
_DIGEST_BYTES = 20

_INSERT_REVISION = "INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_ITEM = "INSERT INTO items VALUES (?, ?, ?, ?, ?) ON CONFLICT (digest) DO NOTHING"
_INSERT_CANDIDATE = "INSERT INTO candidates VALUES (?, ?, ?, ?, ?, ?)"
_INSERT_PAIR = "INSERT INTO pairs VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_PRESENTATION = """INSERT INTO presentations (id, key, pair_key, display_order, labelling,
    judge_digest, prompt_digest, repetition)
    VALUES ((SELECT coalesce(max(id), 0) + 1 FROM presentations), ?, ?, ?, ?, ?, ?, ?)
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
    connection: Connection,
    header: RecordHeader,
    pairs: Sequence[Pair],
    plan: Iterable[PlanEntry],
) -> None:
    """Write what a record is of, inside the caller's transaction.

    Parameters
    ----------
    connection : Connection
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


def _write_pairs(connection: Connection, pairs: Sequence[Pair]) -> str:
    digest = StudyDigest("pairs/1")
    ids: set[PairId] = set()
    candidates: dict[CandidateId, tuple[Any, ...]] = {}
    for start, chunk in _chunks(pairs):
        texts: list[TextRow] = []
        items: list[tuple[Any, ...]] = []
        rows: list[tuple[Any, ...]] = []
        new: list[tuple[Any, ...]] = []
        for position, pair in enumerate(chunk, start=start):
            _check_new(pair, ids)
            item, item_texts = item_row(pair.item)
            items.append(item)
            texts += item_texts
            rows.append(pair_row(position, pair, item[0]))
            for candidate in (pair.a, pair.b):
                row, candidate_texts = candidate_row(candidate, pair.item.id)
                texts += candidate_texts
                if _is_new(row, candidates):
                    new.append(row)
            digest.add(f"{pair.digest}\n".encode())
        connection.executemany(INSERT_TEXT, texts)
        connection.executemany(_INSERT_ITEM, items)
        connection.executemany(_INSERT_CANDIDATE, new)
        connection.executemany(_INSERT_PAIR, rows)
    return str(digest)


def _check_new(pair: Pair, ids: set[PairId]) -> None:
    if pair.id in ids:
        msg = f'two pairs have the id "{one_line(pair.id)}"; give each its own'
        raise RecordIntegrityError(msg)
    ids.add(pair.id)


def _is_new(row: tuple[Any, ...], candidates: dict[CandidateId, tuple[Any, ...]]) -> bool:
    known = candidates.setdefault(row[0], row)
    if known != row:
        msg = f'two different candidates have the id "{one_line(row[0])}"'
        raise RecordIntegrityError(msg)
    return known is row


def _write_plan(connection: Connection, plan: Iterable[PlanEntry]) -> str:
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


def _chunks(things: Iterable[T]) -> Iterator[tuple[int, list[T]]]:
    entries, start = iter(things), 0
    while chunk := list(islice(entries, _CHUNK)):
        yield start, chunk
        start += len(chunk)
