"""An imported log out of its record, as if it had been read from its files just now."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from counterbalance.errors import RecordVersionError
from counterbalance.importers.collecting import Collector
from counterbalance.importers.loading import ImportedLog, OtherFile, ReadFileInfo
from counterbalance.importers.log_format import Holds, LogFormat
from counterbalance.importers.reading import Reading
from counterbalance.importers.recorded_rows import decoded_row
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.verdict_format import VerdictFormat
from counterbalance.record.imported import IMPORT_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.text_counts import TextCounter
    from counterbalance.record.store import RecordHeader, Store

__all__ = ["recorded_log"]


def recorded_log(
    store: Store,
    header: RecordHeader,
    *,
    by: Iterable[str] = ("judge", "strategy"),
    rereads: bool = True,
    counter: TextCounter | None = None,
) -> ImportedLog:
    """Read an imported log from its record.

    Parameters
    ----------
    store : Store
        The record; it must stay open while the result is used.
    header : RecordHeader
        What it is of.
    by : Iterable[str]
        What groups are split by: judge, strategy, subset.
    rereads : bool
        Whether our own parser reads the replies again.
    counter : TextCounter | None
        What counts the answers, of which a record of a log holds the characters only.

    Returns
    -------
    ImportedLog
        What `read_logs` returned of the files when they were imported.

    Raises
    ------
    RecordVersionError
        If a newer version of this program has imported it.
    """
    held = header.protocol
    if held["schema"] != IMPORT_SCHEMA:
        msg = (
            f"the log was imported by a newer version ({held['schema']}); install the newest with:"
            " pip install --upgrade counterbalance"
        )
        raise RecordVersionError(msg)
    readings = [_reading(value) for value in held["readings"]]
    collector = Collector(by, rereads=rereads, counter=counter)
    for _ in held["files"]:
        collector.begin_file()
    for file, row in _rows(store, readings):
        collector.take(file, row)
    found = collector.collected()
    counts = zip(held["files"], found.n_rows, found.n_rejected, strict=True)
    return ImportedLog(
        log_format=_format(held["format"]),
        files=tuple(
            ReadFileInfo(file["name"], file["sha256"], rows, rejected)
            for file, rows, rejected in counts
        ),
        others=tuple(OtherFile(other["name"], other["what"]) for other in held["other_files"]),
        collected=found,
        notes=header.notes,
        rows_at=partial(_rows, store, readings),
    )


def _rows(
    store: Store,
    readings: Sequence[Reading],
    lines: Mapping[int, Collection[int]] | None = None,
) -> Iterator[tuple[int, Row]]:
    for stored in store.log_rows(lines):
        yield stored.file, decoded_row(stored, readings)


def _format(held: dict[str, Any]) -> LogFormat:
    return LogFormat(
        name=held["name"],
        title=held["title"],
        shapes=(),
        holds=Holds(held["holds"]),
        upstream=dict(held["upstream"]),
    )


def _reading(held: dict[str, Any]) -> Reading:
    return Reading(
        VerdictFormat.model_validate(held["format"]), Labelling.model_validate(held["labels"])
    )
