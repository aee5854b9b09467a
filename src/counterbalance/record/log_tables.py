"""The step to schema 3: the rows of an imported log, beside the attempts that they became."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.record.guards import make_guards

if TYPE_CHECKING:
    from counterbalance.record.connection import Connection

__all__ = ["m003_log_rows"]

_STATEMENTS = (
    """CREATE TABLE log_rows (
        position {integer} PRIMARY KEY,
        revision {integer} NOT NULL REFERENCES revisions (number) DEFERRABLE INITIALLY DEFERRED,
        file {integer} NOT NULL CHECK (file >= 0),
        line {integer} NOT NULL CHECK (line >= 0),
        kind TEXT NOT NULL CHECK (kind IN ('judgment', 'rating', 'reject')),
        pair {integer} REFERENCES pairs (number),
        call {integer} REFERENCES calls (id),
        content TEXT NOT NULL,
        text TEXT REFERENCES texts (digest),
        CHECK ((kind = 'judgment') = (pair IS NOT NULL AND call IS NOT NULL))
    ){strict}""",
    "CREATE INDEX log_rows_by_line ON log_rows (file, line)",
)


def m003_log_rows(connection: Connection) -> None:
    """Make room for the rows of an imported log."""
    for statement in _STATEMENTS:
        connection.execute(statement.format(**connection.dialect.types))
    make_guards(connection, ("log_rows",))
