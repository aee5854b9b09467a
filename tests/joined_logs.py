"""Foreign logs that are read together, or by a mapping, as ``audit`` reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.importers.detection import detect
from counterbalance.importers.judgment import Judgment, Rating, Reject
from counterbalance.importers.log_file import log_files
from counterbalance.importers.log_format import LogFormat, Notes
from counterbalance.importers.mapped_log import mapped_format
from counterbalance.importers.mapping_file import mapping_named, mapping_of
from foreign_logs import ReadLog, rows_by

if TYPE_CHECKING:
    from pathlib import Path


def read_all(*paths: Path, known: LogFormat | None = None) -> ReadLog:
    """Read files of one format, which is detected unless it is named."""
    files = log_files(paths)
    if known is None:
        found = {file.name: detect(file) for file in files}
        (known,) = {
            log_format.name: log_format for log_format in found.values() if log_format
        }.values()
        assert None not in found.values(), found
    notes = Notes()
    rows = rows_by(known, files, notes)
    kinds: dict[type, list[Any]] = {Judgment: [], Rating: [], Reject: []}
    for row in rows:
        kinds[type(row)].append(row)
    return ReadLog(known, kinds[Judgment], kinds[Rating], kinds[Reject], list(notes.sentences))


def read_mapped(path: Path, mapping: str) -> ReadLog:
    """Read a file by a mapping: the text of one, or the name of a bundled one."""
    chosen = mapping_of(mapping, "map.toml") if "\n" in mapping else mapping_named(mapping)
    return read_all(path, known=mapped_format(chosen, "map"))
