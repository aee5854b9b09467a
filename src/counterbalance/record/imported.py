"""Whether a record holds an imported log, and what that rules out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.errors import RecordMismatchError

if TYPE_CHECKING:
    from counterbalance.record.store import RecordHeader

__all__ = ["IMPORT_SCHEMA", "is_import", "refuse_import"]

_SCHEMAS = "counterbalance.import/"
IMPORT_SCHEMA = f"{_SCHEMAS}1"
"""What stands under ``schema`` where other records have a protocol."""


def is_import(header: RecordHeader) -> bool:
    """Say whether a record holds an imported log, and not a study under a protocol."""
    return str(header.protocol.get("schema", "")).startswith(_SCHEMAS)


def refuse_import(header: RecordHeader | None, name: object, instead: str) -> None:
    """Refuse to treat an imported log as a study.

    Parameters
    ----------
    header : RecordHeader | None
        What the record is of; None for an empty one, which is not refused.
    name : object
        The record, for the message.
    instead : str
        What to do instead.

    Raises
    ------
    RecordMismatchError
        If the record holds an imported log.
    """
    if header is not None and is_import(header):
        msg = f"{name}: holds an imported log, which has no protocol to go on with; {instead}"
        raise RecordMismatchError(msg)
