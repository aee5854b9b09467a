"""The report of a record on disk, for Python users."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from counterbalance.errors import UsageError
from counterbalance.importers.from_record import recorded_log
from counterbalance.record import open_record
from counterbalance.record.imported import is_import
from counterbalance.report.build import build_report
from counterbalance.report.evidence import read_evidence
from counterbalance.report.log_report import build_log_report

if TYPE_CHECKING:
    from counterbalance.report.report import Report

__all__ = ["read_report"]


def read_report(path: Path | str, *, exploratory: bool = False) -> Report:
    """Return what a record shows, also while a run is writing it.

    Parameters
    ----------
    path : Path | str
        The record, of a run or of an imported log.
    exploratory : bool
        Whether calls beyond the retry rule of a run count as well.

    Returns
    -------
    Report
        The data behind every rendering.

    Raises
    ------
    RecordError
        If there is no record, or it cannot be read.
    InputError
        If the record holds nothing yet.
    UsageError
        If ``exploratory`` is asked of an imported log, all of which is exploratory.
    """
    with open_record(Path(path), create=False, exclusive=False) as store:
        header = store.header()
        if header is None or not is_import(header):
            return build_report(read_evidence(store, exploratory=exploratory))
        if exploratory:
            msg = "exploratory: is for a run; every number of an imported log is exploratory"
            raise UsageError(msg)
        return build_log_report(recorded_log(store, header))
