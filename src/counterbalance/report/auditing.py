"""The report of a judge log, read from its files, for Python users."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from counterbalance.errors import UsageError, one_line
from counterbalance.importers.collected import SPLITS
from counterbalance.importers.detection import format_named
from counterbalance.importers.loading import read_logs
from counterbalance.importers.mapped_log import mapped_format
from counterbalance.importers.mapping_file import mapping_named
from counterbalance.report.log_report import build_log_report

if TYPE_CHECKING:
    from collections.abc import Collection

    from counterbalance.dispositions.attempt_columns import ClusterKind
    from counterbalance.importers.log_format import LogFormat
    from counterbalance.report.report import Report

__all__ = ["audit_log"]


def audit_log(
    *paths: Path | str,
    log_format: str | None = None,
    mapping: Path | str | None = None,
    by: Collection[str] = ("judge", "strategy"),
    baseline: str | None = None,
    cluster: ClusterKind = "cluster",
    level: float = 0.95,
    n_cases: int = 10,
    rereads: bool = True,
) -> Report:
    """Return what the verdicts of an existing judge log show, as ``counterbalance audit`` does.

    Parameters
    ----------
    *paths : Path | str
        Files, folders and zip archives of one log.
    log_format : str | None
        Name of the format; None to detect it.
    mapping : Path | str | None
        Mapping file, or name of a bundled mapping, for a log of no known format.
    by : Collection[str]
        What groups are split by: judge, strategy, subset.
    baseline : str | None
        System that win rates are for; None where the log decides.
    cluster : ClusterKind
        Unit that intervals are computed over: cluster, item or pair.
    level : float
        Nominal coverage of intervals, between 0 and 1.
    n_cases : int
        How many order-sensitive cases are kept with their replies.
    rereads : bool
        Whether our own parser reads the raw replies again.

    Returns
    -------
    Report
        The data behind every rendering.

    Raises
    ------
    InputError
        If nothing can be read, no format fits, or files have several formats.
    UsageError
        If no path is given, or an argument is none of those allowed.
    """
    if not paths:
        msg = "audit_log: no path was given; name a file, a folder or a zip archive of the log"
        raise UsageError(msg)
    # Letters of a name are no names: by="judge" means the judge.
    splits = (by,) if isinstance(by, str) else tuple(by)
    unknown = [name for name in splits if name not in SPLITS]
    if unknown:
        msg = f"by {one_line(unknown[0])}: groups are split by {', '.join(SPLITS)}"
        raise UsageError(msg)
    log = read_logs(paths, log_format=_named(log_format, mapping), by=splits, rereads=rereads)
    return build_log_report(log, baseline=baseline, cluster=cluster, level=level, n_listed=n_cases)


def _named(log_format: str | None, mapping: Path | str | None) -> LogFormat | None:
    if mapping is None:
        return None if log_format is None else format_named(log_format)
    if log_format is not None:
        msg = "log_format and mapping: a log is read in one way; give one of them"
        raise UsageError(msg)
    return mapped_format(mapping_named(str(mapping)), f"map {Path(mapping).name}")
