"""The one door to a record: which store is under it is told by its place."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from counterbalance.errors import RecordError
from counterbalance.record.place import Place, PostgresPlace, place_of

if TYPE_CHECKING:
    from counterbalance.record.sql_store import SqlStore

__all__ = ["discard_empty", "is_taken", "open_record"]


def open_record(place: Place | str, *, create: bool, exclusive: bool) -> SqlStore:
    """Open a record, or begin one.

    Parameters
    ----------
    place : Place | str
        The record's file, ``postgresql://USER@HOST/DATABASE#NAME``, or, to read only, what
        `counterbalance.record.exports.write_export` wrote.
    create : bool
        Whether a record that does not exist is made; needs ``exclusive``.
    exclusive : bool
        Whether to write: one run at a time may. A store that is not exclusive only reads, and does
        so beside a run.

    Returns
    -------
    SqlStore
        The open store; close it, or use it as a context manager.

    Raises
    ------
    RecordError
        If there is no such record, or it cannot be used; a busy record, one of a newer version and
        a damaged one have classes of their own.
    """
    if isinstance(place, str):
        place = place_of(place)
    if create and not exclusive:
        msg = f"{place}: only an exclusive store can create a record"
        raise RecordError(msg)
    match place:
        case PostgresPlace():
            from counterbalance.record.postgres import open_postgres  # noqa: PLC0415 (an extra)

            return open_postgres(place, create=create, exclusive=exclusive)
        case Path():
            from counterbalance.record.exports import is_export, open_export  # noqa: PLC0415
            from counterbalance.record.sqlite import open_sqlite  # noqa: PLC0415 (not for --help)

            if is_export(place):
                return open_export(place, exclusive=exclusive)
            return open_sqlite(place, create=create, exclusive=exclusive)


def is_taken(place: Place) -> bool:
    """Say whether something is at a place already, be it a record or not."""
    match place:
        case PostgresPlace():
            from counterbalance.record.postgres import has_schema  # noqa: PLC0415 (an extra)

            return has_schema(place)
        case Path():
            return place.exists()


def discard_empty(place: Place) -> None:
    """Take away a record that was made and never begun; leave everything else alone."""
    with suppress(RecordError, OSError):
        with open_record(place, create=False, exclusive=False) as store:
            if store.header() is not None:
                return
        match place:
            case PostgresPlace():
                from counterbalance.record.postgres import drop_schema  # noqa: PLC0415 (an extra)

                drop_schema(place)
            case Path():
                for ending in ("", "-wal", "-shm", ".lock"):
                    place.with_name(place.name + ending).unlink(missing_ok=True)
