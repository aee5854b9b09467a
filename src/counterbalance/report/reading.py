"""The report of a record on disk, for Python users."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from counterbalance.record import open_record
from counterbalance.report.build import build_report
from counterbalance.report.evidence import read_evidence

if TYPE_CHECKING:
    from counterbalance.report.report import Report

__all__ = ["read_report"]


def read_report(path: Path | str, *, exploratory: bool = False) -> Report:
    """Return what a record shows, also while a run is writing it.

    Parameters
    ----------
    path : Path | str
        The record.
    exploratory : bool
        Whether calls beyond the retry rule count as well.

    Returns
    -------
    Report
        The data behind every rendering.

    Raises
    ------
    RecordError
        If there is no record, or it cannot be read.
    InputError
        If the record holds no study yet.
    """
    with open_record(Path(path), create=False, exclusive=False) as store:
        return build_report(read_evidence(store, exploratory=exploratory))
