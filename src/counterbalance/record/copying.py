"""Every row of a record as it stands, and a record made of such rows.

Rows keep their numbers and hashes, so a copy under another engine is the same record. It is read
back and compared before it is committed.
"""

from __future__ import annotations

import hashlib
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from counterbalance.errors import RecordError, RecordIntegrityError, one_line
from counterbalance.record.schema import EVIDENCE_TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from counterbalance.record.connection import Connection

__all__ = ["COPIED_TABLES", "TableRows", "stored_tables", "write_tables"]

COPIED_TABLES = EVIDENCE_TABLES[1:]
"""Tables that a copy is made of, in an order in which no row comes before what it points to."""

_CHUNK = 1000
_DIGEST_BYTES = 20


class TableRows(NamedTuple):
    """A table of a record.

    Attributes
    ----------
    table : str
        Its name.
    columns : Sequence[str]
        Names of the columns.
    rows : Iterable[tuple[Any, ...]]
        Values in the order of the columns; taken once.
    """

    table: str
    columns: Sequence[str]
    rows: Iterable[tuple[Any, ...]]


class _AnyOrder:
    """A digest over rows in whatever order they come."""

    def __init__(self) -> None:
        self._sum = 0
        self.n_rows = 0

    def add(self, row: tuple[Any, ...]) -> None:
        shown = repr(row).encode("utf-8", "surrogatepass")
        hashed = hashlib.blake2b(shown, digest_size=_DIGEST_BYTES).digest()
        self._sum = (self._sum + int.from_bytes(hashed, "big")) % 2 ** (8 * _DIGEST_BYTES)
        self.n_rows += 1

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _AnyOrder):
            return NotImplemented
        return (self._sum, self.n_rows) == (other._sum, other.n_rows)

    __hash__ = None  # type: ignore[assignment]  # it changes with every row


def stored_tables(connection: Connection) -> Iterator[TableRows]:
    """Yield every table; rows come in the order of the table's key."""
    for table in COPIED_TABLES:
        columns = _columns(connection, table)
        names = ", ".join(columns)
        rows = connection.stream(f"SELECT {names} FROM {table} ORDER BY {columns[0]}")  # noqa: S608 (our own tables)
        yield TableRows(table, columns, rows)


def write_tables(connection: Connection, tables: Iterable[TableRows]) -> dict[str, int]:
    """Write every row of another record, inside the caller's transaction.

    Parameters
    ----------
    connection : Connection
        The connection that writes, to a record that holds nothing yet.
    tables : Iterable[TableRows]
        What to write, in the order of `COPIED_TABLES`.

    Returns
    -------
    dict[str, int]
        Number of rows by table.

    Raises
    ------
    RecordError
        If the record holds something, or the rows are of no record.
    RecordIntegrityError
        If what was written reads otherwise than what was to be written.
    """
    if connection.execute("SELECT 1 FROM revisions").fetchone():
        msg = "holds a record already; name a new place"
        raise RecordError(msg)
    counts = dict.fromkeys(COPIED_TABLES, 0)
    try:
        for given in tables:
            counts[given.table] = _write_table(connection, given)
    except connection.IntegrityError as error:
        msg = f"the rows are not those of a whole record: {one_line(error, 200)}"
        raise RecordIntegrityError(msg) from None
    if not counts["revisions"]:
        msg = "there is nothing to copy: the record was never begun"
        raise RecordError(msg)
    return counts


def _write_table(connection: Connection, given: TableRows) -> int:
    columns = _columns(connection, given.table)
    if set(given.columns) - set(columns):
        unknown = one_line(", ".join(sorted(set(given.columns) - set(columns))))
        msg = f"table {given.table} has no {unknown}; a newer version of this program may know it"
        raise RecordError(msg)
    names, places = ", ".join(given.columns), ", ".join("?" * len(given.columns))
    statement = f"INSERT INTO {given.table} ({names}) VALUES ({places})"  # noqa: S608 (checked above)
    meant, found = _AnyOrder(), _AnyOrder()
    rows = iter(given.rows)
    while chunk := list(islice(rows, _CHUNK)):
        connection.executemany(statement, chunk)
        for row in chunk:
            meant.add(row)
    for row in connection.stream(f"SELECT {names} FROM {given.table}"):  # noqa: S608
        found.add(row)
    if meant != found:
        msg = f"table {given.table}: {found.n_rows} rows read back are not the {meant.n_rows} given"
        raise RecordIntegrityError(msg)
    return meant.n_rows


def _columns(connection: Connection, table: str) -> list[str]:
    described = connection.execute(f"SELECT * FROM {table} LIMIT 0").description  # noqa: S608 (our own)
    return [column[0] for column in described]
