"""Groups with length and style held equal, where that was asked for or declared."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.importers.source_rows import source_rows
from counterbalance.measures.adjusted_rate import ADJUSTED, no_rate
from counterbalance.measures.controls import Controls
from counterbalance.measures.prior import Prior

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.importers.loading import ImportedLog
    from counterbalance.measures.upstream.alpaca_eval_length import SourceLengthFit
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.report.report import GroupReport

__all__ = ["declared_controls", "with_controls", "with_log_controls"]

_BY_SYSTEM = "There is one rate for each system; they stand together under length held equal."


def declared_controls(protocol: Protocol) -> Controls:
    """Return what a protocol declares to be kept apart."""
    declared = protocol.length_control
    if declared is None:
        return Controls()
    return Controls(length=declared.unit, prior=Prior(0.0, declared.prior_sd))


def with_controls(
    group: GroupReport,
    pairs: PairColumns,
    counts: NDArray[np.int64],
    controls: Controls,
    *,
    baseline: str | None,
    level: float,
) -> GroupReport:
    """Add what is asked for to one group.

    Parameters
    ----------
    group : GroupReport
        The group as it was counted.
    pairs : PairColumns
        Its pairs.
    counts : NDArray[np.int64]
        By side, pair of the group and number.
    controls : Controls
        What is asked for.
    baseline : str | None
        System that the others are held against; None takes the one in every pair.
    level : float
        Nominal coverage.

    Returns
    -------
    GroupReport
        With length or style held equal, or both.
    """
    length, style = controls.of(pairs, counts, baseline=baseline, level=level)
    measures = group.measures
    if length is not None:
        reason = length.undefined or _BY_SYSTEM
        told = no_rate(reason, level)
        measures = tuple(told if one.name == ADJUSTED else one for one in measures)
    return replace(group, measures=measures, length_control=length, style_control=style)


def with_log_controls(
    group: GroupReport,
    log: ImportedLog,
    code: int,
    pairs: PairColumns,
    controls: Controls,
    *,
    baseline: str | None,
    level: float,
) -> GroupReport:
    """Add what is asked for to one group of a log, and the source's own rule beside it.

    Parameters
    ----------
    group : GroupReport
        The group as it was counted.
    log : ImportedLog
        The log, read with the counter of `controls`.
    code : int
        Code of the group.
    pairs : PairColumns
        Its pairs.
    controls : Controls
        What is asked for.
    baseline : str | None
        System that the others are held against.
    level : float
        Nominal coverage.

    Returns
    -------
    GroupReport
        With length or style held equal, or both.
    """
    held = log.collected.counts
    n_table = pairs.table.n_pairs
    values = (
        np.full((2, n_table, controls.n_numbers), -1, np.int64) if held is None else held.values
    )
    found = with_controls(
        group, pairs, values[:, pairs.pair], controls, baseline=baseline, level=level
    )
    length = found.length_control
    if length is None or log.log_format.name != "alpaca-eval" or controls.unit != "characters":
        return found
    return replace(found, length_control=replace(length, source=_source(log, code)))


def _source(log: ImportedLog, code: int) -> SourceLengthFit:
    """Return AlpacaEval's rule over the rows of one group."""
    from counterbalance.measures.upstream.alpaca_eval_length import (  # noqa: PLC0415 (an optimiser)
        alpaca_eval_length,
    )

    rows = source_rows(log.collected)
    return alpaca_eval_length(rows.where(np.flatnonzero(log.collected.columns.group == code)))
