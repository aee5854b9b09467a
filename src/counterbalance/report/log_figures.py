"""The source's own figures of a log, and ours over the same verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from counterbalance.importers.collected import SOURCE
from counterbalance.importers.source_rows import source_rows
from counterbalance.measures.upstream.scripts import source_figures
from counterbalance.report.source_figures import FigureRow, FiguresOf

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from counterbalance.importers.collected import Collected
    from counterbalance.importers.loading import ImportedLog
    from counterbalance.measures.upstream.scripts import FigureGroup
    from counterbalance.report.report import GroupReport

__all__ = ["figures_beside_ours"]


def figures_beside_ours(
    log: ImportedLog, reports: Sequence[tuple[int, GroupReport]]
) -> tuple[FiguresOf, ...]:
    """Compute every figure that the source would compute.

    Parameters
    ----------
    log : ImportedLog
        The log.
    reports : Sequence[tuple[int, GroupReport]]
        Code and report of each group.

    Returns
    -------
    tuple[FiguresOf, ...]
        In the sequence of the log; none for a format that has no figures of its own.
    """
    found = []
    for group in source_figures(log.log_format.name, source_rows(log.collected)):
        ours = _same_verdicts(group, log.collected, reports)
        values = {} if ours is None else {e.name: e.value for e in ours.measures}
        found.append(
            FiguresOf(
                file="" if group.file is None else log.files[group.file].name,
                judge=group.judge,
                strategy=group.strategy,
                subset=group.subset,
                systems=group.systems,
                rows=tuple(_rows(group, values)),
            )
        )
    return tuple(found)


def _rows(group: FigureGroup, values: Mapping[str, float | None]) -> Iterator[FigureRow]:
    for figure in group.figures:
        yield FigureRow(figure, {name: values[name] for name in figure.beside if name in values})


def _same_verdicts(
    figures: FigureGroup, collected: Collected, reports: Sequence[tuple[int, GroupReport]]
) -> GroupReport | None:
    """Return the group of the report that holds just the verdicts that figures are made of."""
    for code, report in reports:
        if report.verdict_by != SOURCE:
            continue
        is_here = collected.columns.group == code
        if is_here.sum() == figures.n_rows and _is_within(figures, collected, code):
            return report
    return None


def _is_within(figures: FigureGroup, collected: Collected, code: int) -> bool:
    """Say whether all verdicts of a group are among those that figures are made of."""
    rows = np.flatnonzero(collected.columns.group == code)
    names = [collected.names[name] for name in np.unique(collected.named[rows]).tolist()]
    table = collected.columns.pairs
    systems = {
        table.system_pairs[s] for s in np.unique(table.systems[collected.columns.pair[rows]])
    }
    files = np.unique(collected.columns.file[rows]).tolist()
    wanted = (figures.judge, figures.strategy, figures.subset)
    return (
        figures.file in {None, *files[:1]}
        and (figures.file is None or len(files) == 1)
        and all(
            word in {"", part}
            for name in names
            for word, part in zip(wanted, name[:3], strict=True)
        )
        and (figures.systems == ("", "") or {(a[0], b[0]) for a, b in systems} == {figures.systems})
    )
