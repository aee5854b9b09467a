"""Where the SQL of the engines differs: types, guards, and how the catalogue is asked.

Every statement is written once, with ``?`` for a parameter and the join hints of SQLite; an
engine's connection turns it into its own spelling.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["APPLICATION_ID", "POSTGRES", "SQLITE", "Dialect"]

APPLICATION_ID = 0x43424C52
"""``PRAGMA application_id`` of a record in SQLite: the letters CBLR."""

_REFUSAL = "a record is append-only"


@dataclass(frozen=True, slots=True)
class Dialect:
    """What an engine calls the things that a record is made of.

    Attributes
    ----------
    types : Mapping[str, str]
        Fills the places in braces of the table definitions.
    readable : str
        Expression that shows stored bytes as text; the place in braces is the column.
    functions : tuple[str, ...]
        Statements that come before the tables.
    guarded_verbs : tuple[str, ...]
        What tables of evidence refuse.
    guard : str
        Statement that makes a table refuse a verb; places in braces are name, verb and table.
    table_names : str
        Query for the names of all tables.
    trigger_names : str
        Query for the names of all triggers that are at work.
    version_marks : Callable[[int], Iterator[str]]
        Statements that mark the schema's number, for other programs to see.
    """

    types: Mapping[str, str]
    readable: str
    functions: tuple[str, ...]
    guarded_verbs: tuple[str, ...]
    guard: str
    table_names: str
    trigger_names: str
    version_marks: Callable[[int], Iterator[str]] = field(default=lambda _: iter(()))


def _sqlite_marks(number: int) -> Iterator[str]:
    yield f"PRAGMA application_id = {APPLICATION_ID}"
    yield f"PRAGMA user_version = {number}"


SQLITE = Dialect(
    types={
        "bytes": "BLOB",
        "integer": "INTEGER",
        "real": "REAL",
        "strict": " STRICT",
    },
    readable="CAST({} AS TEXT)",
    functions=(),
    guarded_verbs=("update", "delete"),
    guard=(
        "CREATE TRIGGER {name} BEFORE {verb} ON {table}"
        f" BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"
    ),
    table_names="SELECT name FROM sqlite_schema WHERE type = 'table'",
    trigger_names="SELECT name FROM sqlite_schema WHERE type = 'trigger'",
    version_marks=_sqlite_marks,
)
"""SQLite."""

POSTGRES = Dialect(
    types={
        "bytes": "BYTEA",
        "integer": "BIGINT",
        "real": "DOUBLE PRECISION",
        "strict": "",
    },
    readable="readable({})",
    functions=(
        f"""CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN RAISE EXCEPTION USING ERRCODE = ''23000'', MESSAGE = ''{_REFUSAL}''; END'""",
        # A reply may hold what no text of PostgreSQL can: then it is shown with escapes.
        """CREATE FUNCTION readable(content bytea) RETURNS text LANGUAGE plpgsql IMMUTABLE AS
        'BEGIN RETURN convert_from(content, ''UTF8'');
        EXCEPTION WHEN OTHERS THEN RETURN encode(content, ''escape''); END'""",
    ),
    guarded_verbs=("update", "delete", "truncate"),
    guard=(
        "CREATE TRIGGER {name} BEFORE {verb} ON {table}"
        " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
    ),
    table_names="SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = current_schema()",
    trigger_names="""SELECT trigger.tgname FROM pg_catalog.pg_trigger AS trigger
        JOIN pg_catalog.pg_class AS guarded ON guarded.oid = trigger.tgrelid
        JOIN pg_catalog.pg_namespace AS place ON place.oid = guarded.relnamespace
        WHERE place.nspname = current_schema() AND trigger.tgenabled IN ('O', 'A')""",
)
"""PostgreSQL."""
