"""The triggers that keep tables of evidence append-only."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from counterbalance.record.connection import Connection

__all__ = ["guard_name", "make_guards"]


def guard_name(table: str, verb: str) -> str:
    """Return the name of the trigger that refuses a verb on a table of evidence."""
    return f"{table}_no_{verb}"


def make_guards(connection: Connection, tables: Iterable[str]) -> None:
    """Make tables refuse every change and removal of a row."""
    dialect = connection.dialect
    for table in tables:
        for verb in dialect.guarded_verbs:
            name = guard_name(table, verb)
            connection.execute(dialect.guard.format(name=name, verb=verb.upper(), table=table))
