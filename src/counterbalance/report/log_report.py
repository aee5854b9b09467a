"""Foreign logs to a report: counted and measured by the same code as a live run."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from counterbalance import __version__
from counterbalance.dispositions.cell import NOT_RUN
from counterbalance.dispositions.codes import ORDERS, OUTCOMES, VERDICT_OF
from counterbalance.dispositions.evidence import GroupId
from counterbalance.dispositions.from_attempts import pairs_from_attempts
from counterbalance.importers.collected import ALL, SOURCE
from counterbalance.report.controlling import with_log_controls
from counterbalance.report.counting import counted_group
from counterbalance.report.history import History
from counterbalance.report.log_cases import order_sensitive, with_replies
from counterbalance.report.log_figures import figures_beside_ours
from counterbalance.report.log_reading import (
    LogFileRow,
    LogReading,
    LogReject,
    RatingRow,
    ReadingDifference,
    RowTotals,
)
from counterbalance.report.log_warnings import log_warnings
from counterbalance.report.reconciliation import Reconciliation
from counterbalance.report.report import GroupReport, Report

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.dispositions.attempt_columns import ClusterKind
    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.importers.collected import Collected, LogGroup
    from counterbalance.importers.loading import ImportedLog
    from counterbalance.measures.controls import Controls

__all__ = ["build_log_report", "common_a"]


def build_log_report(
    log: ImportedLog,
    *,
    baseline: str | None = None,
    cluster: ClusterKind = "cluster",
    level: float = 0.95,
    n_listed: int = 10,
    controls: Controls | None = None,
    with_second_opinions: bool = False,
) -> Report:
    """Make the report of logs.

    Parameters
    ----------
    log : ImportedLog
        From `read_logs`.
    baseline : str | None
        System that is candidate a throughout; None takes the one that every pair of a group has
        as ``a``, where there is such a one.
    cluster : ClusterKind
        Unit that uncertainty is computed over.
    level : float
        Nominal coverage of the intervals.
    n_listed : int
        How many order-sensitive cases are listed with their replies.
    controls : Controls | None
        What is kept apart from quality; the log must have been read with its counter.
    with_second_opinions : bool
        Whether the measures and tests that no protocol can plan are computed as well.

    Returns
    -------
    Report
        The same data for every rendering; nothing in it was planned beforehand.
    """
    collected = log.collected
    columns = pairs_from_attempts(collected.columns, cluster)
    order = sorted(range(len(columns)), key=lambda code: _sequence(collected.groups[code]))
    groups = tuple(
        _group(
            collected.groups[code],
            columns[code],
            baseline,
            level,
            with_second_opinions=with_second_opinions,
        )
        for code in order
    )
    if controls is not None and controls.is_asked:
        groups = tuple(
            with_log_controls(
                group, log, code, columns[code], controls, baseline=baseline, level=level
            )
            for code, group in zip(order, groups, strict=True)
        )
    source = [code for code in order if collected.groups[code].verdict_by == SOURCE]
    places = order_sensitive(log, [(code, columns[code]) for code in source])
    named = {code: (collected.groups[code], columns[code]) for code in source}
    reading = LogReading(
        format_name=log.log_format.name,
        format_title=log.log_format.title,
        files=tuple(LogFileRow(f.name, f.sha256, f.rows, f.rejected) for f in log.files),
        others=tuple((other.name, other.what) for other in log.others),
        rejects=tuple(
            LogReject(log.files[r.file].name, r.line, r.reason, r.found, r.count)
            for r in collected.rejects
        ),
        totals=_totals([columns[code] for code in source]),
        ratings=tuple(_ratings(collected)),
        differences=tuple(_differences(collected)),
        cases=tuple(with_replies(log, named, places[:n_listed])),
        n_cases=len(places),
        upstream=figures_beside_ours(log, list(zip(order, groups, strict=True))),
        upstream_rules=dict(log.log_format.upstream),
    )
    return Report(
        kind="import",
        title=_title(reading),
        protocol={},
        protocol_digest="",
        begun_at="",
        program=f"counterbalance {__version__}",
        pairs_file="",
        pairs_sha256="",
        rows=sum(file.rows for file in reading.files),
        reconciliation=_reconciliation(reading.totals),
        groups=groups,
        strategies=(),
        labels=(),
        planned=frozenset(),
        family=None,
        warnings=log_warnings(log, reading, groups, [columns[code] for code in order]),
        log=reading,
        history=History(),
        is_exploratory=True,
    )


def _sequence(group: LogGroup) -> tuple[str, str, str, bool]:
    return group.judge, group.strategy, group.subset, group.verdict_by != SOURCE


def _title(reading: LogReading) -> str:
    n_files = len(reading.files)
    what = reading.files[0].name if n_files == 1 else f"{n_files} files"
    return f"{what}: {reading.format_title}"


def _group(
    group: LogGroup,
    pairs: PairColumns,
    baseline: str | None,
    level: float,
    *,
    with_second_opinions: bool,
) -> GroupReport:
    counted = counted_group(
        GroupId(group.judge, ""),
        pairs,
        strategy=group.strategy,
        baseline=common_a(pairs) if baseline is None else baseline,
        level=level,
        margins={},
        with_second_opinions=with_second_opinions,
    )
    subset = "" if group.subset == ALL else group.subset
    is_unordered = not pairs.planned[: len(ORDERS)].any()
    return replace(
        counted, subset=subset, verdict_by=group.verdict_by, is_unordered=bool(is_unordered)
    )


def common_a(pairs: PairColumns) -> str | None:
    """Return the system that is candidate a of every pair, if there is one."""
    compared = {pairs.table.system_pairs[code][0][0] for code in np.unique(pairs.systems)}
    name = compared.pop() if len(compared) == 1 else ""
    return name or None


def _totals(groups: Sequence[PairColumns]) -> RowTotals:
    outcomes = sum((pairs.outcomes for pairs in groups), np.zeros(len(OUTCOMES), dtype=np.int64))
    is_verdict = VERDICT_OF[0] >= 0
    without = {
        name: int(n)
        for name, n, says in zip(OUTCOMES, outcomes, is_verdict, strict=True)
        if n and not says
    }
    rows = [pairs.rows for pairs in groups]
    return RowTotals(
        judgments=sum(r.attempts - r.unordered_left_out for r in rows),
        presentations=int(outcomes.sum()),
        with_verdict=int(outcomes[is_verdict].sum()),
        without_verdict=dict(sorted(without.items())),
        retries=sum(r.retries for r in rows),
        exact_duplicates=sum(r.exact_duplicates for r in rows),
        agreeing_duplicates=sum(r.agreeing_duplicates for r in rows),
        contradicting=sum(r.contradicting for r in rows),
    )


def _reconciliation(totals: RowTotals) -> Reconciliation:
    return Reconciliation(
        planned=totals.presentations,
        with_verdict=totals.with_verdict,
        without_verdict={n: k for n, k in totals.without_verdict.items() if n != NOT_RUN},
        not_run=totals.without_verdict.get(NOT_RUN, 0),
        attempts=totals.judgments,
        retries=totals.retries,
        lost=0,
    )


def _ratings(collected: Collected) -> Iterator[RatingRow]:
    for group, found in sorted(collected.ratings.items()):
        name = group.judge, group.strategy, "" if group.subset == ALL else group.subset
        for system, (count, total) in sorted(found.sums.items()):
            yield RatingRow(*name, system, count, total / count)
        for reason, count in sorted(found.without_score.items()):
            yield RatingRow(*name, "", count, None, reason)


def _differences(collected: Collected) -> Iterator[ReadingDifference]:
    for group, counts in sorted(collected.differences.items()):
        same = sum(n for (source, ours), n in counts.items() if source == ours)
        different = Counter({k: n for k, n in counts.items() if k[0] != k[1]})
        subset = "" if group.subset == ALL else group.subset
        yield ReadingDifference(
            group.judge, group.strategy, subset, same, dict(different.most_common())
        )
