"""A foreign log into a record, once and whole: what ``import`` does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from counterbalance import __version__
from counterbalance.errors import InputError, RecordMismatchError, one_line
from counterbalance.importers.loading import choose_log, rows_of
from counterbalance.importers.log_format import Notes
from counterbalance.importers.recorded_rows import RowEncoder, storable
from counterbalance.items.hashing import tagged_hash
from counterbalance.record import open_record
from counterbalance.record.imported import IMPORT_SCHEMA, is_import
from counterbalance.record.log_row import RowKind
from counterbalance.record.opening import discard_empty, is_taken
from counterbalance.record.store import RecordHeader

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from counterbalance.importers.loading import ChosenLog
    from counterbalance.importers.log_format import LogFormat
    from counterbalance.record.log_row import LogRow
    from counterbalance.record.place import Place
    from counterbalance.record.store import Store

__all__ = ["StoredLog", "store_log"]

_MOST_NAMED = 3
"""Files that a refusal names."""


@dataclass(frozen=True, slots=True)
class StoredLog:
    """What a record holds of a log after an import.

    Attributes
    ----------
    description : dict[str, Any]
        Schema ``counterbalance.import/1``, as it stands in the record.
    is_new : bool
        Whether this import wrote it; False where the record held the same log already.
    """

    description: dict[str, Any]
    is_new: bool


def store_log(
    paths: Sequence[Path | str],
    place: Place,
    *,
    created_at: str,
    log_format: LogFormat | None = None,
    mapping: dict[str, Any] | None = None,
) -> StoredLog:
    """Read the logs at paths, all of one format, into a record of their own.

    Parameters
    ----------
    paths : Sequence[Path | str]
        Files, folders and zip archives.
    place : Place
        The record; begun here when it does not exist. It holds one import: the same files once
        more append nothing, and others are refused.
    created_at : str
        ISO 8601 time, UTC.
    log_format : LogFormat | None
        The format; None to detect it.
    mapping : dict[str, Any] | None
        The mapping that ``log_format`` was made of, as a JSON value; None for a known format.

    Returns
    -------
    StoredLog
        What the record holds now.

    Raises
    ------
    InputError
        If nothing can be read, or a file changes meanwhile.
    RecordMismatchError
        If the record holds something else.
    """
    chosen = choose_log(paths, log_format)
    was_there = is_taken(place)
    try:
        with open_record(place, create=True, exclusive=True) as store:
            return _store(store, chosen, created_at, mapping, place)
    finally:
        if not was_there:
            discard_empty(place)


def _store(
    store: Store,
    chosen: ChosenLog,
    created_at: str,
    mapping: dict[str, Any] | None,
    place: Place,
) -> StoredLog:
    asked = {
        "schema": IMPORT_SCHEMA,
        "format": {
            "name": chosen.log_format.name,
            "title": chosen.log_format.title,
            "holds": chosen.log_format.holds.value,
            "upstream": [list(figure) for figure in chosen.log_format.upstream.items()],
        },
        "mapping": mapping,
        "files": [{"name": storable(f.name), "sha256": f.sha256()} for f in chosen.files],
        "other_files": [
            {"name": storable(other.name), "what": other.what} for other in chosen.others
        ],
    }
    header = store.header()
    if header is not None:
        _check_same(header, asked, place)
        return StoredLog(header.protocol, is_new=False)
    encoder, notes = RowEncoder(), Notes()

    def rows() -> Iterator[LogRow]:
        for file, row in rows_of(chosen, notes):
            yield encoder.row(file, row)
        _check_unchanged(chosen, asked)

    described: dict[str, Any] = {}

    def described_log(rows_digest: str) -> RecordHeader:
        described.update(asked | _found(encoder) | {"rows_digest": rows_digest})
        return RecordHeader(
            protocol=described,
            protocol_digest=tagged_hash("protocol/1", described),
            protocol_text="",
            pairs_file="",
            pairs_sha256="",
            secret="",
            created_at=created_at,
            program=f"counterbalance {__version__}",
            notes=tuple(map(storable, notes.sentences)),
        )

    store.import_log(rows(), described_log)
    return StoredLog(described, is_new=True)


def _found(encoder: RowEncoder) -> dict[str, Any]:
    return {
        "readings": [
            {
                "format": reading.verdict_format.model_dump(mode="json"),
                "labels": reading.labelling.model_dump(mode="json"),
            }
            for reading in encoder.readings
        ],
        "counts": {
            "judgments": encoder.counts[RowKind.JUDGMENT],
            "ratings": encoder.counts[RowKind.RATING],
            "rejects": encoder.counts[RowKind.REJECT],
            "pairs": encoder.n_pairs,
            "presentations": encoder.n_presentations,
        },
    }


def _check_unchanged(chosen: ChosenLog, asked: dict[str, Any]) -> None:
    for file, before in zip(chosen.files, asked["files"], strict=True):
        if file.sha256() != before["sha256"]:
            msg = f"{file.name}: changed while it was read; nothing was recorded: import it again"
            raise InputError(msg)


def _check_same(header: RecordHeader, asked: dict[str, Any], place: Place) -> None:
    """Go on only when the record holds these files, read in this way."""
    new = "name a new record with --record, and all files of the log together"
    if not is_import(header):
        msg = f"{place}: holds a study, not an imported log; {new}"
        raise RecordMismatchError(msg)
    held = header.protocol
    if _way(held) != _way(asked):
        how = one_line(held["format"]["name"])
        msg = f"{place}: holds a log that was read otherwise, as {how}; {new}"
        raise RecordMismatchError(msg)
    before, now = (dict(map(_identity, log["files"])) for log in (held, asked))
    if before.keys() == now.keys():
        return
    strange = [name for identity, name in now.items() if identity not in before]
    gone = [name for identity, name in before.items() if identity not in now]
    parts = [f"without {_listed(strange)} (with this content)"] if strange else []
    parts += [f"with {_listed(gone)} besides"] if gone else []
    msg = f"{place}: holds another import, {' and '.join(parts)}; {new}"
    raise RecordMismatchError(msg)


def _way(log: dict[str, Any]) -> Any:  # noqa: ANN401 (a mapping or a name)
    """Return how rows are read: by a mapping, wherever its file stands, or by a known format."""
    return log["mapping"] or log["format"]["name"]


def _identity(file: dict[str, str]) -> tuple[tuple[str, str], str]:
    """Return what tells a file from others wherever it stands, and what it is called."""
    own_name = file["name"].replace("!", "/").rpartition("/")[2]
    return (own_name, file["sha256"]), file["name"]


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
