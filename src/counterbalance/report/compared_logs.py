"""Foreign logs as sides of a comparison: what each judge said, by the source's own verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.compare.side import Side
from counterbalance.dispositions.from_attempts import pairs_from_attempts
from counterbalance.importers.collected import ALL, SOURCE
from counterbalance.report.log_report import common_a

if TYPE_CHECKING:
    from counterbalance.dispositions.attempt_columns import ClusterKind
    from counterbalance.importers.loading import ImportedLog

__all__ = ["sides_of_log"]


def sides_of_log(log: ImportedLog, cluster: ClusterKind = "cluster") -> list[Side]:
    """Return what each judge of foreign logs said, by the source's own verdicts.

    Parameters
    ----------
    log : ImportedLog
        From `read_logs`.
    cluster : ClusterKind
        Unit of uncertainty.

    Returns
    -------
    list[Side]
        By judge, strategy and subset. How they were asked is not known.
    """
    columns = pairs_from_attempts(log.collected.columns, cluster)
    sides = []
    for group, pairs in zip(log.collected.groups, columns, strict=True):
        if group.verdict_by != SOURCE or not pairs.n_pairs:
            continue
        how = ", ".join(part for part in (group.strategy, group.subset) if part not in {ALL, ""})
        name = f"{group.judge}, {how}" if how else group.judge
        # A log has one table of pairs: its place there is what a pair of two groups shares.
        keys = [str(code) for code in pairs.pair.tolist()]
        sides.append(Side(name, group.judge, how, pairs, keys, baseline=common_a(pairs)))
    return sorted(sides, key=lambda side: side.name)
