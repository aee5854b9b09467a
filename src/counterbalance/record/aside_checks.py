"""Every hash of calls that ask for no verdict derived again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.record.aside import aside_key
from counterbalance.record.aside_rows import reply_digest
from counterbalance.record.aside_tables import REPLY_COLUMNS
from counterbalance.record.gaps import gaps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.record.connection import Connection

__all__ = ["asides"]

_ASIDES = "SELECT key, kind, subject, model, model_digest, prompt_digest FROM asides"
_REPLIES = f"""SELECT asides.key, aside_calls.number,
    {", ".join(f"aside_replies.{column}" for column in REPLY_COLUMNS)}
    FROM aside_replies
    JOIN aside_calls ON aside_calls.id = aside_replies.call
    JOIN asides ON asides.number = aside_calls.aside"""  # noqa: S608 (names of our own columns)


def asides(connection: Connection) -> Iterator[str]:
    """Yield what does not fit in the calls that ask for no verdict.

    Parameters
    ----------
    connection : Connection
        A connection to the record.

    Yields
    ------
    str
        One sentence each.
    """
    for key, *columns in connection.stream(_ASIDES):
        if aside_key(*columns) != key:
            yield f"aside {key}: does not fit what it asks"
    for key, number, *values in connection.stream(_REPLIES):
        *shown, digest = values
        if reply_digest(key, number, tuple(shown)) != digest:
            yield f"aside {key}: the reply of call {number} does not fit its digest {digest}"
    yield from gaps(connection, "asides", "number")
    yield from gaps(connection, "aside_calls", "id")
