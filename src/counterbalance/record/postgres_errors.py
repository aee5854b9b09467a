"""Errors of PostgreSQL, known by their SQLSTATE, as one sentence each, with what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.errors import (
    RecordError,
    RecordIntegrityError,
    RecordLostError,
    one_line,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from counterbalance.record.place import PostgresPlace

__all__ = ["lost_connection", "no_connection", "record_error"]

_KEPT = "What was recorded is kept, and a rerun goes on from there"

# SQLSTATE, or its class of two characters; the longer one wins.
_SENTENCES: dict[str, tuple[type[RecordError], str]] = {
    "25006": (RecordError, "the server only reads (a standby?); name the primary server"),
    "28": (RecordError, "the server refused the login; set PGPASSWORD or write to ~/.pgpass"),
    "42501": (
        RecordError,
        "the role may not do this; the record's owner can grant it: USAGE, SELECT, to run INSERT",
    ),
    "53100": (RecordError, f"the server's disk is full; free some space. {_KEPT}"),
    "53": (RecordError, f"the server has no room for this now; try again later. {_KEPT}"),
    "57014": (RecordError, f"somebody cancelled the statement on the server. {_KEPT}"),
    "XX": (RecordIntegrityError, "the server says that its storage is damaged; restore a backup"),
}


def record_error(place: PostgresPlace, sqlstate: str | None, text: str) -> RecordError:
    """Return what an error of the server means for a record.

    Parameters
    ----------
    place : PostgresPlace
        The record.
    sqlstate : str | None
        The server's code.
    text : str
        What it said.

    Returns
    -------
    RecordError
        One sentence, without any password.
    """
    code = sqlstate or ""
    shown = _scrubbed(text, place.secrets)
    for key in (code, code[:2]):
        if key in _SENTENCES:
            kind, sentence = _SENTENCES[key]
            return kind(f"{place}: {sentence} ({shown})")
    return RecordError(f"{place}: PostgreSQL says: {shown}")


def lost_connection(place: PostgresPlace, text: str) -> RecordLostError:
    """Return what is said when the server, or the way to it, went away."""
    shown = _scrubbed(text, place.secrets)
    return RecordLostError(f"{place}: the connection to the server was lost ({shown}). {_KEPT}")


def no_connection(place: PostgresPlace, text: str) -> str:
    """Return what is said when no connection came about."""
    shown = _scrubbed(text, place.secrets)
    return (
        f"{place}: no connection ({shown}); check that the server runs, the address, and the"
        " password (PGPASSWORD or ~/.pgpass)"
    )


def _scrubbed(text: str, secrets: Iterable[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, "***")
    return one_line(" ".join(text.split()), 300)
