"""Attempts in bulk to pairs in bulk: the road of logs, by the rules of a single pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.cell import cell_of
from counterbalance.dispositions.codes import (
    CELL_VERDICT,
    CELLS,
    DISPOSED,
    N_VERDICTS,
    NONE,
    NOT_RUN_CODE,
    ORDERS,
    OUTCOMES,
    REASONS,
    UNKNOWN_ORDER,
    VERDICT_OF,
    VERDICTS,
    outcome_code,
)
from counterbalance.dispositions.confounding import compare_settings
from counterbalance.dispositions.deciding import decide
from counterbalance.dispositions.disposition import CONFOUNDED
from counterbalance.dispositions.missing_partners import Shown, with_missing_partners
from counterbalance.dispositions.packing import first_of_runs, packed
from counterbalance.dispositions.pair_columns import PairColumns, ReasonRows, RepeatColumns
from counterbalance.parsing.outcome import OutcomeKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.dispositions.attempt_columns import AttemptColumns, ClusterKind
    from counterbalance.dispositions.codes import Booleans
    from counterbalance.dispositions.deciding import PresentationColumns

__all__ = ["pairs_from_attempts"]

_N_ORDERS = UNKNOWN_ORDER + 1
_REFUSED = outcome_code(OutcomeKind.REFUSED)


def pairs_from_attempts(
    attempts: AttemptColumns, cluster: ClusterKind = "cluster"
) -> tuple[PairColumns, ...]:
    """Give every pair of every group its one disposition, with all that measures count.

    What a log holds is taken as what was planned: in a log of one order a pair is
    ``single_order``, where both orders are the rule a missing partner makes it ``incomplete``
    (`with_missing_partners`), and a repetition that is missing was not planned, unless a row says
    that it was not run.

    Parameters
    ----------
    attempts : AttemptColumns
        Rows in any sequence.
    cluster : ClusterKind
        Unit of uncertainty.

    Returns
    -------
    tuple[PairColumns, ...]
        One for each group, by its code; pairs by their codes.
    """
    shown = decide(attempts)
    units = attempts.pairs.units(cluster)
    setting = attempts.setting[shown.verdict_rows]
    groups = np.arange(attempts.n_groups)
    starts, ends = (np.searchsorted(shown.group, groups, side) for side in ("left", "right"))
    return tuple(
        _group(attempts, shown, slice(int(start), int(end)), int(code), setting, units)
        for code, start, end in zip(groups, starts, ends, strict=True)
    )


def _group(
    attempts: AttemptColumns,
    shown: PresentationColumns,
    of: slice,
    code: int,
    setting: NDArray[np.int32],
    units: NDArray[np.int32],
) -> PairColumns:
    begins = first_of_runs(shown.pair[of])
    sizes = np.diff(np.append(begins, of.stop - of.start))
    pair = shown.pair[of][begins]
    is_identical = attempts.pairs.is_identical[pair]
    place, order, outcome = with_missing_partners(
        Shown(
            np.repeat(np.arange(begins.size, dtype=np.int32), sizes),
            shown.order[of],
            shown.outcome[of],
        ),
        is_identical,
    )
    planned, verdicts = _counts(place, order, outcome, pair.size)
    cells = _cells(place, order, outcome, planned, verdicts)
    # Nobody is asked to tell equal texts apart: what a log writes there in place of a verdict
    # makes the pair identical, and enters nothing else.
    for counts in (cells, planned, verdicts):
        counts[:, is_identical] = NONE if counts is cells else 0
    was_asked = ~is_identical[place]
    is_confounded, is_unknown = _settings(shown, of, place, setting, pair.size)
    # A single order stands for itself, whether or not it was recorded which one it is.
    forward = np.maximum(cells[0], cells[UNKNOWN_ORDER])
    situation = is_identical.astype(np.intp), is_confounded.astype(np.intp), forward, cells[1]
    disposition, detail = (table[situation] for table in DISPOSED)
    is_confounded &= ~is_identical
    is_reason = _is_reason(place, order, outcome, cells) & ~(is_confounded | is_identical)[place]
    return PairColumns(
        table=attempts.pairs,
        pair=pair,
        cluster=units[pair],
        disposition=disposition,
        detail=detail,
        cells=cells,
        planned=planned,
        verdicts=verdicts,
        is_confounded=is_confounded,
        is_setting_unknown=is_unknown & ~is_identical,
        reasons=_reasons(place[is_reason], outcome[is_reason], planned, is_confounded),
        outcomes=np.bincount(outcome[was_asked], minlength=len(OUTCOMES)),
        repeats=_repeats(planned, verdicts, is_confounded),
        rows=shown.rows[code],
    )


def _counts(
    place: NDArray[np.int32], order: NDArray[np.int8], outcome: NDArray[np.int8], n: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Count presentations, and those with each verdict, by order and pair."""
    at = order * np.int64(n) + place
    planned = np.bincount(at, minlength=_N_ORDERS * n).astype(np.int32)
    verdict = VERDICT_OF[order, outcome]
    has = verdict != NONE
    at = at[has] * N_VERDICTS + verdict[has]
    verdicts = np.bincount(at, minlength=_N_ORDERS * n * N_VERDICTS).astype(np.int32)
    return planned.reshape(_N_ORDERS, n), verdicts.reshape(_N_ORDERS, n, N_VERDICTS)


def _cells(
    place: NDArray[np.int32],
    order: NDArray[np.int8],
    outcome: NDArray[np.int8],
    planned: NDArray[np.int32],
    verdicts: NDArray[np.int32],
) -> NDArray[np.int8]:
    """Reduce each order of each pair to a cell: the rule is asked once for each set of counts."""
    n = planned.shape[1]
    at = order * np.int64(n) + place
    without = [
        np.bincount(at[outcome == code], minlength=planned.size)
        for code in (_REFUSED, NOT_RUN_CODE)
    ]
    flat = verdicts.reshape(-1, N_VERDICTS)
    was_planned = planned.ravel() > 0
    columns = [column[was_planned] for column in (*flat.T, planned.ravel(), *without)]
    key = packed(*((column, int(column.max(initial=0)) + 1) for column in columns))
    _, rows, which = np.unique(key, return_index=True, return_inverse=True)
    found = [_cell_code(*(int(column[row]) for column in columns)) for row in rows]
    cells = np.full(planned.size, NONE, dtype=np.int8)
    cells[was_planned] = np.array(found, dtype=np.int8)[which]
    return cells.reshape(planned.shape)


def _cell_code(*counts: int) -> int:
    *held, planned, refused, not_run = counts
    by_verdict = dict(zip(VERDICTS, held, strict=True))
    return CELLS.index(cell_of(by_verdict, planned, refused=refused, not_run=not_run))


def _settings(
    shown: PresentationColumns,
    of: slice,
    place: NDArray[np.int32],
    setting: NDArray[np.int32],
    n: int,
) -> tuple[Booleans, Booleans]:
    """Say of each pair whether its orders were asked in different ways, or whether none knows."""
    rows = slice(*np.searchsorted(shown.shown_by, (of.start, of.stop)))
    by = shown.shown_by[rows] - of.start
    order = shown.order[of][by]
    is_ordered = order != UNKNOWN_ORDER
    by, order = by[is_ordered], order[is_ordered]
    return compare_settings(place[by], order, setting[rows][is_ordered], n)


def _is_reason(
    place: NDArray[np.int32],
    order: NDArray[np.int8],
    outcome: NDArray[np.int8],
    cells: NDArray[np.int8],
) -> Booleans:
    """Pick the presentations without a verdict that are the reason of their pair's."""
    is_single = (cells != NONE).sum(axis=0) == 1
    is_decided = CELL_VERDICT[cells] != NONE
    # What an order with a verdict lost on the way did not make a pair incomplete.
    counts: Booleans = is_single[place] | ~is_decided[order, place]
    counts &= VERDICT_OF[order, outcome] == NONE
    return counts


def _reasons(
    place: NDArray[np.int32],
    outcome: NDArray[np.int8],
    planned: NDArray[np.int32],
    is_confounded: Booleans,
) -> ReasonRows:
    key, count = np.unique(
        packed((place, planned.shape[1]), (outcome, len(REASONS))), return_counts=True
    )
    confounded = np.flatnonzero(is_confounded)
    n_confounded = planned[: len(ORDERS), confounded].sum(axis=0)
    code = np.full(confounded.size, REASONS.index(CONFOUNDED))
    return ReasonRows(
        place=np.concatenate([key // len(REASONS), confounded]).astype(np.int32),
        reason=np.concatenate([key % len(REASONS), code]).astype(np.int8),
        count=np.concatenate([count, n_confounded]).astype(np.int32),
    )


def _repeats(
    planned: NDArray[np.int32], verdicts: NDArray[np.int32], is_confounded: Booleans
) -> RepeatColumns:
    """Take the main presentations as repetitions, but not those that differ in more than noise."""
    planned, verdicts = planned[: len(ORDERS)], verdicts[: len(ORDERS)]
    if is_confounded.any():
        planned = np.where(is_confounded, 0, planned)
        verdicts = np.where(is_confounded[:, None], 0, verdicts)
    return RepeatColumns(verdicts, planned)
