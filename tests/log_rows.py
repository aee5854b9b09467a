"""Rows that importers make of files, before they are collected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.importers.detection import detect
from counterbalance.importers.log_file import log_files
from counterbalance.importers.log_format import Notes

if TYPE_CHECKING:
    from pathlib import Path

    from counterbalance.importers.judgment import Row


def rows_of(*paths: Path, notes: Notes | None = None) -> list[Row]:
    """Read files of one format, which is detected, in the order given."""
    files = log_files(paths)
    (known,) = {found.name: found for file in files if (found := detect(file))}.values()
    told = Notes() if notes is None else notes
    if known.read_together is not None:
        return [row for _, row in known.read_together(files, told)]
    assert known.read is not None
    return [row for file in files for row in known.read(file, told)]


def format_of(path: Path) -> str:
    """Return the name of a file's format; empty when none fits."""
    (file,) = log_files([path])
    known = detect(file)
    return known.name if known else ""
