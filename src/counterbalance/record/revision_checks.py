"""What `verify` asks of revisions and openings: that each fits its plan, pairs and the others."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from counterbalance.errors import one_line
from counterbalance.items.hashing import tagged_hash
from counterbalance.record.reading import (
    stored_openings,
    stored_pairs,
    stored_plan,
    stored_revisions,
)
from counterbalance.record.study_rows import (
    entry_line,
    opening_digest,
    revision_digest,
    stored_purpose,
)
from counterbalance.record.study_writing import StudyDigest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.items.item import PairId
    from counterbalance.record.connection import Connection
    from counterbalance.record.store import RecordHeader

__all__ = ["openings", "plans", "revision_pairs", "revisions"]

_STRAY_ENTRIES = """SELECT plan.position FROM plan
    LEFT JOIN revision_pairs
        ON revision_pairs.pair = plan.pair AND revision_pairs.revision = plan.revision
    WHERE revision_pairs.position IS NULL"""

_MISPLACED_ENTRIES = """SELECT plan.position FROM plan WHERE plan.opening <> plan.revision"""


def revisions(connection: Connection) -> Iterator[str]:
    """Yield what does not fit in the rows of revisions.

    Parameters
    ----------
    connection : Connection
        A connection to the record.

    Yields
    ------
    str
        One sentence each.
    """
    found = stored_revisions(connection)
    for place, stored in enumerate(found, start=1):
        header = stored.header
        name = f"revision {header.number}"
        if revision_digest(stored.row) != stored.digest:
            yield f"{name}: does not fit its digest {stored.digest}"
        if header.number != place:
            yield f"{name}: stands at place {place}; a revision is missing"
        if header.secret != found[0].header.secret:
            yield f"{name}: has another secret than the first"
        derived = tagged_hash("protocol/1", header.protocol)
        if derived != header.protocol_digest:
            yield f"protocol: {header.protocol_digest} does not fit its content ({derived})"
    yield from _inherited([stored.header for stored in found])


def _inherited(headers: list[RecordHeader]) -> Iterator[str]:
    """Notice a cluster that is no longer held out, and counts that go backwards."""
    for before, after in pairwise(headers):
        if set(before.held_out or ()) - set(after.held_out or ()):
            yield f"revision {after.number}: does not hold out what revision {before.number} does"
        if after.calls_before < before.calls_before:
            yield f"revision {after.number}: is of fewer calls than revision {before.number}"


def revision_pairs(connection: Connection) -> Iterator[str]:
    """Yield what does not fit in the pairs of each revision.

    Parameters
    ----------
    connection : Connection
        A connection to the record.

    Yields
    ------
    str
        One sentence each.
    """
    for stored in stored_revisions(connection):
        number, whole = stored.header.number, StudyDigest("pairs/1")
        for _, digest, _ in stored_pairs(connection, number):
            whole.add(f"{digest}\n".encode())
        if stored.pairs_digest != str(whole):
            yield (
                f"pairs: the digest over all pairs of revision {number} is {whole}, not"
                f" {stored.pairs_digest} as at its beginning"
            )


def plans(connection: Connection) -> Iterator[str]:
    """Yield what does not fit in the order plans.

    Parameters
    ----------
    connection : Connection
        A connection to the record.

    Yields
    ------
    str
        One sentence each.
    """
    for revision in stored_revisions(connection):
        number = revision.header.number
        yield from _plan(connection, number, revision.plan_digest, opened=False)
    for opening in stored_openings(connection):
        number = opening.opening.revision
        yield from _plan(connection, number, opening.plan_digest, opened=True)
    for query in (_STRAY_ENTRIES, _MISPLACED_ENTRIES):
        for (position,) in connection.stream(query):
            yield f"plan: entry {position} is of another revision than its pair or opening"


def _plan(connection: Connection, number: int, digest: str, *, opened: bool) -> Iterator[str]:
    whole = StudyDigest("plan/1")
    for key, entry in stored_plan(connection, number, opened=opened):
        asked = entry.presentation
        if asked.key != key:
            yield f"presentation {key}: does not fit what it asks, which hashes to {asked.key}"
        whole.add(entry_line(stored_purpose(entry), asked.pair_id, asked.judge, key))
    if digest != str(whole):
        of = f"revision {number}" + (", opened pairs," if opened else "")
        yield f"plan: the digest over the plan of {of} is {whole}, not {digest} as at its beginning"


def openings(connection: Connection) -> Iterator[str]:
    """Yield what does not fit in the rows of openings.

    Parameters
    ----------
    connection : Connection
        A connection to the record.

    Yields
    ------
    str
        One sentence each.
    """
    found = stored_revisions(connection)
    headers = {stored.header.number: stored.header for stored in found}
    up_to = list(accumulate((stored.digest,) for stored in found))
    opened = stored_openings(connection)
    for opening, _, digest, row in opened:
        name = f"opening under revision {opening.revision}"
        if opening_digest(row) != digest:
            yield f"{name}: does not fit its digest {digest}"
        if opening.revisions not in up_to or len(opening.revisions) != opening.revision:
            yield f"{name}: the revisions that came before it are not those that it names"
        header = headers.get(opening.revision)
        if header is not None:
            yield from _opened_pairs(connection, header, opening.pairs)
    for stored in found:
        number = stored.header.number
        n_before = sum(opening.opening.revision < number for opening in opened)
        if stored.header.openings_before != n_before:
            yield f"revision {number}: {n_before} openings came before it, not as many as it says"


def _opened_pairs(
    connection: Connection, header: RecordHeader, ids: tuple[PairId, ...]
) -> Iterator[str]:
    """Notice a pair that was opened although no cluster of its revision keeps it back."""
    revision = header.number
    kept_back = set(header.held_out or ())
    clusters = {pair.id: pair.item.cluster for _, _, pair in stored_pairs(connection, revision)}
    for pair_id in ids:
        if clusters.get(pair_id) not in kept_back:
            yield f"opening under revision {revision}: pair {one_line(pair_id)} was not held out"
    planned = {e.entry.presentation.pair_id for e in stored_plan(connection, revision, opened=True)}
    for pair_id in sorted(planned.difference(ids)):
        yield f"opening under revision {revision}: pair {one_line(pair_id)} is asked, not opened"
