"""The named steps that a record still lacks, taken one transaction each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.errors import RecordError, RecordVersionError
from counterbalance.record.schema import MIGRATIONS

if TYPE_CHECKING:
    from counterbalance.record.connection import Connection

__all__ = [
    "check_complete",
    "check_version",
    "migrate",
    "missing_migrations",
    "table_names",
    "taken_migrations",
]


def table_names(connection: Connection) -> set[str]:
    """Return the names of all tables at a record's place."""
    return {name for (name,) in connection.execute(connection.dialect.table_names)}


def taken_migrations(connection: Connection) -> set[str]:
    """Return the names of the steps that were taken."""
    if "migrations" not in table_names(connection):
        return set()
    return {name for (name,) in connection.execute("SELECT name FROM migrations")}


def missing_migrations(connection: Connection) -> list[str]:
    """Return the names of the steps that were not taken yet, in their order."""
    taken = taken_migrations(connection)
    return [step.__name__ for step in MIGRATIONS if step.__name__ not in taken]


def check_version(name: str, number: int) -> None:
    """Refuse a record that a newer version has changed the tables of.

    Parameters
    ----------
    name : str
        The record, for the message.
    number : int
        Number of its schema: of the last step that was taken.

    Raises
    ------
    RecordVersionError
        If this program does not know that step.
    """
    known = len(MIGRATIONS)
    if number > known:
        msg = (
            f"{name}: written by a newer version (schema {number}, this program knows {known});"
            " install the newest with: pip install --upgrade counterbalance"
        )
        raise RecordVersionError(msg)


def check_complete(name: str, connection: Connection) -> None:
    """Refuse to read a record that lacks steps.

    Parameters
    ----------
    name : str
        The record, for the message.
    connection : Connection
        A connection to it.

    Raises
    ------
    RecordError
        If an older version has written it.
    """
    if missing := missing_migrations(connection):
        msg = (
            f"{name}: written by an older version, without {missing[0]};"
            f" `counterbalance record migrate {name}` brings it up to date"
        )
        raise RecordError(msg)


def migrate(connection: Connection, n_steps: int | None = None) -> None:
    """Bring a record, or an empty place for one, to the tables of today.

    Parameters
    ----------
    connection : Connection
        The connection that writes.
    n_steps : int | None
        How many of all steps are to be taken, for rows that an older version has written; None for
        all of them.
    """
    missing = missing_migrations(connection)
    for number, step in enumerate(MIGRATIONS[:n_steps], start=1):
        if step.__name__ not in missing:
            continue
        with connection.transaction():
            step(connection)
            connection.execute("INSERT INTO migrations VALUES (?)", (step.__name__,))
            for statement in connection.dialect.version_marks(number):
                connection.execute(statement)
