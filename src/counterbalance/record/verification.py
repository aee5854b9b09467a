"""Every hash of a record derived again from what it stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.errors import one_line
from counterbalance.items.item import ItemId
from counterbalance.items.rows import candidate_id
from counterbalance.record.aside_checks import asides
from counterbalance.record.encoding import attempt_digest, text_digest, text_from_bytes
from counterbalance.record.gaps import gaps
from counterbalance.record.guards import guard_name
from counterbalance.record.log_reading import log_misfits
from counterbalance.record.reading import stored_pairs
from counterbalance.record.review_checks import reviews
from counterbalance.record.revision_checks import openings, plans, revision_pairs, revisions
from counterbalance.record.schema import ATTEMPT_COLUMNS, EVIDENCE_TABLES, REFERENCES
from counterbalance.record.study_rows import item_digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from counterbalance.record.connection import Connection

__all__ = ["misfits"]

_TEXTS = "SELECT digest, tag, content FROM texts"

_ITEMS = "SELECT digest, id, category, cluster, content FROM items"

_CANDIDATES = """SELECT candidates.id, item, system, version, supplied_id, content
    FROM candidates LEFT JOIN texts ON texts.digest = candidates.text"""

_ATTEMPTS = f"""SELECT presentations.key, calls.number,
    {", ".join(f"attempts.{column}" for column in ATTEMPT_COLUMNS)}
    FROM attempts
    JOIN calls ON calls.id = attempts.call
    JOIN presentations ON presentations.id = calls.presentation"""  # noqa: S608 (own columns)

_UNPLANNED = """SELECT key FROM presentations
    WHERE id NOT IN (SELECT presentation FROM plan)
    AND id NOT IN (SELECT presentation FROM review_tasks)"""

_PROMPTLESS = """SELECT DISTINCT presentations.key
    FROM calls
    JOIN presentations ON presentations.id = calls.presentation
    LEFT JOIN texts ON texts.digest = presentations.prompt_digest AND texts.tag = 'prompt/1'
    WHERE texts.digest IS NULL"""


def misfits(connection: Connection) -> Iterator[str]:
    """Yield one sentence for each thing that does not fit.

    Parameters
    ----------
    connection : Connection
        A connection to the record.

    Yields
    ------
    str
        What does not fit what.
    """
    for check in _CHECKS:
        try:
            yield from check(connection)
        except (ValueError, LookupError, TypeError) as error:
            what = check.__name__.strip("_").replace("_", " ")
            yield f"{what}: a row cannot be read: {one_line(repr(error), 200)}"


def _storage(connection: Connection) -> Iterator[str]:
    return connection.damage()


def _references(connection: Connection) -> Iterator[str]:
    for table, key, column, parent, target in REFERENCES:
        dangling = connection.stream(
            f"SELECT t.{key} FROM {table} AS t LEFT JOIN {parent} AS p ON p.{target} = t.{column}"  # noqa: S608 (names of our own tables)
            f" WHERE p.{target} IS NULL AND t.{column} IS NOT NULL"
        )
        for (row,) in dangling:
            yield f"table {table}, row {row}: points to a row of {parent} that is not there"


def _differing(
    what: str, rows: Iterable[tuple[Any, ...]], derived: Callable[..., str]
) -> Iterator[str]:
    for stored, *parts in rows:
        if derived(*parts) != stored:
            yield f"{what} {stored}: does not fit its content, which hashes to {derived(*parts)}"


def _texts(connection: Connection) -> Iterator[str]:
    return _differing(
        "text", connection.stream(_TEXTS), lambda tag, content: text_digest(content, tag)
    )


def _items(connection: Connection) -> Iterator[str]:
    return _differing("item", connection.stream(_ITEMS), lambda *shown: item_digest(shown))


def _candidates(connection: Connection) -> Iterator[str]:
    def derived(
        item: str, system: str, version: str, supplied_id: str, content: bytes | None
    ) -> str:
        text = text_from_bytes(content)
        return candidate_id(
            ItemId(item), system=system, version=version, supplied_id=supplied_id, text=text
        )

    return _differing("candidate", connection.stream(_CANDIDATES), derived)


def _pairs(connection: Connection) -> Iterator[str]:
    for key, digest, pair in stored_pairs(connection, every=True):
        name = f"pair {one_line(pair.id)}"
        if pair.key != key:
            yield f"{name}: its key {key} does not fit its texts, which hash to {pair.key}"
        if pair.digest != digest:
            yield f"{name}: its digest {digest} does not fit its content ({pair.digest})"
    yield from revision_pairs(connection)


def _plan(connection: Connection) -> Iterator[str]:
    yield from plans(connection)
    for (key,) in connection.stream(_UNPLANNED):
        yield f"presentation {key}: no entry of the plan asks for it"


def _plan_pairs(connection: Connection) -> Iterator[str]:
    rows = connection.stream(
        """SELECT DISTINCT presentations.key, pairs.id FROM plan
        JOIN pairs ON pairs.number = plan.pair
        JOIN presentations ON presentations.id = plan.presentation
        WHERE presentations.pair_key <> pairs.key"""
    )
    for key, pair_id in rows:
        yield f"presentation {key}: shows other texts than pair {one_line(pair_id)} has"


def _attempts(connection: Connection) -> Iterator[str]:
    for key, number, *values in connection.stream(_ATTEMPTS):
        *shown, digest = values
        if attempt_digest(key, number, tuple(shown)) != digest:
            yield f"presentation {key}: attempt {number} does not fit its digest {digest}"


def _prompts(connection: Connection) -> Iterator[str]:
    for (key,) in connection.stream(_PROMPTLESS):
        yield f"presentation {key}: was asked, but its prompt is not recorded"


def _log_rows(connection: Connection) -> Iterator[str]:
    return log_misfits(connection)


def _guards(connection: Connection) -> Iterator[str]:
    """Notice triggers that were taken away, and calls that are missing between others."""
    dialect = connection.dialect
    present = {name for (name,) in connection.execute(dialect.trigger_names)}
    verbs = dialect.guarded_verbs
    wanted = {guard_name(table, verb) for table in EVIDENCE_TABLES for verb in verbs}
    for name in sorted(wanted - present):
        yield f"trigger {name}, which keeps the record append-only, is missing"
    yield from gaps(connection, "calls", "id")


_CHECKS = (
    _storage,
    _guards,
    _references,
    revisions,
    openings,
    _texts,
    _items,
    _candidates,
    _pairs,
    _plan,
    _plan_pairs,
    _attempts,
    _prompts,
    _log_rows,
    reviews,
    asides,
)
"""What is derived again, each on its own: one that cannot read a row does not stop the others."""
