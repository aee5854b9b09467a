"""The transactions that begin a record, revise it, and open its held-out pairs."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from counterbalance.errors import RecordError, RecordIntegrityError, one_line
from counterbalance.record.appending import INSERT_TEXT
from counterbalance.record.probe_tables import INSERT_PROBE
from counterbalance.record.study_rows import (
    candidate_row,
    entry_line,
    header_row,
    item_row,
    opening_row,
    pair_row,
    presentation_row,
    revision_digest,
    stored_purpose,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from counterbalance.items.item import CandidateId, Pair, PairId
    from counterbalance.presentations.presentation import PlanEntry
    from counterbalance.record.connection import Connection
    from counterbalance.record.encoding import TextRow
    from counterbalance.record.store import Opening, RecordHeader

__all__ = [
    "INSERT_PRESENTATION",
    "PairWriter",
    "PlanWriter",
    "StudyDigest",
    "chunks",
    "next_number",
    "next_revision",
    "write_header",
    "write_opening",
    "write_revision",
]

T = TypeVar("T")

_CHUNK = 1000
_DIGEST_BYTES = 20

_INSERT_REVISION = (
    "INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_INSERT_OPENING = "INSERT INTO openings VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_ITEM = "INSERT INTO items VALUES (?, ?, ?, ?, ?) ON CONFLICT (digest) DO NOTHING"
_INSERT_CANDIDATE = """INSERT INTO candidates VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO NOTHING"""
_INSERT_PAIR = """INSERT INTO pairs (number, id, item, a, b, key, digest, reference)
    VALUES ((SELECT coalesce(max(number), -1) + 1 FROM pairs), ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (digest) DO NOTHING"""
_INSERT_REVISION_PAIR = """INSERT INTO revision_pairs (position, revision, pair)
    VALUES (?, ?, (SELECT number FROM pairs WHERE digest = ?))"""
INSERT_PRESENTATION = """INSERT INTO presentations (id, key, pair_key, display_order, labelling,
    judge_digest, prompt_digest, repetition)
    VALUES ((SELECT coalesce(max(id), 0) + 1 FROM presentations), ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (key) DO NOTHING"""
# A pair that the presentation does not show finds no row, and the count of rows tells.
_INSERT_ENTRY = """INSERT INTO plan
    (position, revision, opening, purpose, pair, presentation, judge, temperature)
    SELECT ?, ?, ?, ?, pairs.number, presentations.id, ?, ?
    FROM presentations
    JOIN pairs ON pairs.id = ? AND pairs.key = presentations.pair_key
    JOIN revision_pairs ON revision_pairs.pair = pairs.number AND revision_pairs.revision = ?
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


def write_revision(
    connection: Connection,
    header: RecordHeader,
    pairs: Sequence[Pair],
    plan: Iterable[PlanEntry],
    *,
    is_first: bool,
) -> None:
    """Write what a record is of from now on, inside the caller's transaction.

    Parameters
    ----------
    connection : Connection
        The connection that writes.
    header : RecordHeader
        What it is of.
    pairs : Sequence[Pair]
        The pairs; one that is recorded with the same content is not written again.
    plan : Iterable[PlanEntry]
        The order plan; taken in chunks, never held whole.
    is_first : bool
        Whether the record is begun or revised.

    Raises
    ------
    RecordError
        If the record was begun already, or was not yet, or a text of the pairs cannot be stored.
    """
    number = next_revision(connection, is_first=is_first)
    counts = (_count(connection, "calls"), _count(connection, "openings"))
    try:
        pair_writer, plan_writer = PairWriter(connection, number), PlanWriter(connection, number)
        for chunk in chunks(pairs):
            pair_writer.add(chunk)
        for entries in chunks(plan):
            plan_writer.add(entries)
        write_header(connection, number, header, counts, pair_writer.digest, plan_writer.digest)
    except UnicodeEncodeError as error:
        msg = f"a text of protocol or pairs is no Unicode text: {one_line(error, 200)}"
        raise RecordError(msg) from None


def next_revision(connection: Connection, *, is_first: bool) -> int:
    """Return the number of a revision that is about to be written.

    Parameters
    ----------
    connection : Connection
        The connection that writes.
    is_first : bool
        Whether the record is begun or revised.

    Returns
    -------
    int
        Counted from 1.

    Raises
    ------
    RecordError
        If the record was begun already, or was not yet.
    """
    number = next_number(connection, "revisions", "number", 1)
    if is_first and number > 1:
        msg = "the record was begun before; its header and plan never change"
        raise RecordError(msg)
    if not is_first and number == 1:
        msg = "the record was never begun, so there is nothing to revise"
        raise RecordError(msg)
    return number


def write_header(
    connection: Connection,
    number: int,
    header: RecordHeader,
    counts: tuple[int, int],
    pairs: StudyDigest,
    plan: StudyDigest,
) -> None:
    """Write the row of a revision, after its pairs and its plan.

    Parameters
    ----------
    connection : Connection
        The connection that writes.
    number : int
        From `next_revision`.
    header : RecordHeader
        What the record is of from now on.
    counts : tuple[int, int]
        Calls and openings before this revision.
    pairs : StudyDigest
        Over its pairs.
    plan : StudyDigest
        Over its plan.
    """
    row = (number, *header_row(header), *counts, str(pairs), str(plan))
    connection.execute(_INSERT_REVISION, (*row, revision_digest(row)))


def write_opening(connection: Connection, opening: Opening, plan: Iterable[PlanEntry]) -> None:
    """Write that held-out pairs are opened, inside the caller's transaction.

    Parameters
    ----------
    connection : Connection
        The connection that writes.
    opening : Opening
        When, by what and which pairs.
    plan : Iterable[PlanEntry]
        What will be asked of them.

    Raises
    ------
    RecordError
        If the record was not begun, or they were opened under its newest revision before.
    RecordIntegrityError
        If the plan shows another pair.
    """
    digests = [d for (d,) in connection.execute("SELECT digest FROM revisions ORDER BY number")]
    number = len(digests)
    if (
        not digests
        or connection.execute("SELECT 1 FROM openings WHERE revision = ?", (number,)).fetchone()
    ):
        msg = f"the held-out pairs cannot be opened under revision {number}, or were before"
        raise RecordError(msg)
    entries = list(plan)
    if strange := {e.presentation.pair_id for e in entries}.difference(opening.pairs):
        msg = f'the pair "{one_line(min(strange))}" is not among the pairs that are opened'
        raise RecordIntegrityError(msg)
    writer = PlanWriter(connection, number, opening=number)
    for chunk in chunks(entries):
        writer.add(chunk)
    plan_digest = str(writer.digest)
    whole = replace(
        opening,
        revision=number,
        revisions=tuple(digests),
        calls_before=_count(connection, "calls"),
    )
    connection.execute(_INSERT_OPENING, opening_row(whole, plan_digest))


def next_number(connection: Connection, table: str, column: str, first: int) -> int:
    """Return the number of the next row of a table, whose first row has the number ``first``."""
    query = f"SELECT coalesce(max({column}) + 1, {first:d}) FROM {table}"  # noqa: S608 (our own)
    return int(connection.execute(query).fetchone()[0])


def _count(connection: Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608


class PairWriter:
    """Writes the pairs of one revision, chunk by chunk, with a digest over all so far.

    Parameters
    ----------
    connection : Connection
        The connection that writes.
    revision : int
        The revision.
    """

    def __init__(self, connection: Connection, revision: int) -> None:
        self.digest = StudyDigest("pairs/1")
        self._connection = connection
        self._revision = revision
        self._position = next_number(connection, "revision_pairs", "position", 0)
        self._ids: set[PairId] = set()
        self._candidates: dict[CandidateId, tuple[Any, ...]] = {}

    def add(self, chunk: Sequence[Pair]) -> None:
        """Write further pairs; one that is recorded with the same content is not written again."""
        texts: list[TextRow] = []
        items: list[tuple[Any, ...]] = []
        rows: list[tuple[Any, ...]] = []
        new: list[tuple[Any, ...]] = []
        for pair in chunk:
            _check_new(pair, self._ids)
            item, item_texts = item_row(pair.item)
            items.append(item)
            texts += item_texts
            rows.append(pair_row(pair, item[0]))
            for candidate in (pair.a, pair.b):
                row, candidate_texts = candidate_row(candidate, pair.item.id)
                texts += candidate_texts
                if _is_new(row, self._candidates):
                    new.append(row)
            self.digest.add(f"{pair.digest}\n".encode())
        run = self._connection.executemany
        run(INSERT_TEXT, texts)
        run(_INSERT_ITEM, items)
        run(_INSERT_CANDIDATE, new)
        run(_INSERT_PAIR, rows)
        if links := [(pair.digest, pair.probe) for pair in chunk if pair.probe]:
            run(INSERT_PROBE, links)
        places = enumerate(chunk, self._position)
        run(_INSERT_REVISION_PAIR, [(place, self._revision, p.digest) for place, p in places])
        self._position += len(chunk)


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


class PlanWriter:
    """Writes the plan of a revision or opening, chunk by chunk, with a digest over all so far.

    Parameters
    ----------
    connection : Connection
        The connection that writes.
    revision : int
        The revision.
    opening : int | None
        The opening of held-out pairs that the plan belongs to; None for that over the others.
    """

    def __init__(
        self, connection: Connection, revision: int, *, opening: int | None = None
    ) -> None:
        self.digest = StudyDigest("plan/1")
        self._connection = connection
        self._revision = revision
        self._opening = opening
        self._position = next_number(connection, "plan", "position", 0)

    def add(self, chunk: Sequence[PlanEntry]) -> None:
        """Write further entries; refuse one that shows a pair which is not recorded so."""
        rows: list[tuple[Any, ...]] = []
        parameters: list[tuple[Any, ...]] = []
        for position, entry in enumerate(chunk, start=self._position):
            p, purpose = entry.presentation, stored_purpose(entry)
            row = presentation_row(p)
            rows.append(row)
            place = (position, self._revision, self._opening, purpose)
            parameters.append((*place, p.judge, p.temperature, p.pair_id, self._revision, row[0]))
            self.digest.add(entry_line(purpose, p.pair_id, p.judge, row[0]))
        self._connection.executemany(INSERT_PRESENTATION, rows)
        added = self._connection.executemany(_INSERT_ENTRY, parameters).rowcount
        if added != len(chunk):
            msg = (
                f"{len(chunk) - added} presentations near place {self._position} of the plan show"
                " a pair that is not recorded, or not with this content"
            )
            raise RecordIntegrityError(msg)
        self._position += len(chunk)


def chunks(things: Iterable[T]) -> Iterator[list[T]]:
    """Yield things in lists that are written at once."""
    entries = iter(things)
    while chunk := list(islice(entries, _CHUNK)):
        yield chunk
