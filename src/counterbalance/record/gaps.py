"""Rows that are counted without a gap, and one that somebody removed from between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.record.connection import Connection

__all__ = ["gaps"]

_GAPS = """SELECT before, id FROM (
        SELECT {key} AS id, lag({key}, 1, 0) OVER (ORDER BY {key}) AS before FROM {table}
    ) AS numbered WHERE id > before + 1"""


def gaps(connection: Connection, table: str, key: str) -> Iterator[str]:
    """Yield what is missing between the rows of a table of ours that is counted from 1.

    Parameters
    ----------
    connection : Connection
        A connection to the record.
    table : str
        The table.
    key : str
        The column that counts.

    Yields
    ------
    str
        One sentence for each gap.
    """
    for before, after in connection.stream(_GAPS.format(table=table, key=key)):
        missing = f"{before + 1} to {after - 1}"
        yield f"{table} {missing}: missing between others; somebody removed them"
