"""Rows to presentations: what decides where a log holds one presentation several times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import (
    CONTRADICTORY,
    NONE,
    NOT_RUN_CODE,
    OUTCOMES,
    REJECTED_CODE,
    STRENGTHS,
    UNKNOWN_ORDER,
    VERDICT_OF,
)
from counterbalance.dispositions.packing import first_of_runs, packed
from counterbalance.dispositions.pair_columns import RowCounts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.dispositions.attempt_columns import AttemptColumns
    from counterbalance.dispositions.codes import Booleans

__all__ = ["PresentationColumns", "decide"]

_CONTRADICTORY = OUTCOMES.index(CONTRADICTORY)
_IS_VERDICT = np.asarray(VERDICT_OF[0] != NONE, dtype=np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class PresentationColumns:
    """Presentations by group, pair, order and repetition, each with what decides it.

    Attributes
    ----------
    group : NDArray[np.int32]
        Code of the group, ascending.
    pair : NDArray[np.int32]
        Code of the pair, ascending within a group.
    order : NDArray[np.int8]
        Code of the order.
    outcome : NDArray[np.int8]
        Place of the deciding outcome in `codes.OUTCOMES`.
    rows : tuple[RowCounts, ...]
        What became of the rows, by group.
    verdict_rows : NDArray[np.int64]
        Rows of the attempts whose verdict counts.
    shown_by : NDArray[np.int32]
        For each of `verdict_rows` its presentation.
    """

    group: NDArray[np.int32]
    pair: NDArray[np.int32]
    order: NDArray[np.int8]
    outcome: NDArray[np.int8]
    rows: tuple[RowCounts, ...]
    verdict_rows: NDArray[np.int64]
    shown_by: NDArray[np.int32]


def decide(attempts: AttemptColumns) -> PresentationColumns:
    """Reduce the rows of each presentation to one outcome, whatever their sequence.

    Rows without a verdict are attempts that were made again. If all rows with a verdict agree, it
    is the verdict; if they do not, there is none, and the presentation is ``contradictory``.
    Without any verdict the outcome that says most decides: the lowest code.

    Parameters
    ----------
    attempts : AttemptColumns
        Rows in any sequence.

    Returns
    -------
    PresentationColumns
        Every presentation once; without a recorded order only those of pairs that were never shown
        in a recorded one.
    """
    key = packed(
        (attempts.group, attempts.n_groups),
        (attempts.pair, attempts.pairs.n_pairs),
        (attempts.order, UNKNOWN_ORDER + 1),
        (attempts.repetition, int(attempts.repetition.max(initial=0)) + 1),
    )
    index = np.argsort(key)
    starts = first_of_runs(key[index])
    del key
    first = index[starts]
    shown = _Shown.of(attempts, index, starts)
    group, pair, order = attempts.group[first], attempts.pair[first], attempts.order[first]
    is_kept = _has_its_order(group, pair, order)
    n_before = np.cumsum(is_kept) - 1
    counts = is_kept[shown.by] & shown.is_verdict & (shown.outcome != _CONTRADICTORY)[shown.by]
    return PresentationColumns(
        group=group[is_kept],
        pair=pair[is_kept],
        order=order[is_kept],
        outcome=shown.outcome[is_kept],
        rows=shown.row_counts(attempts, index, group, is_kept, attempts.pairs.is_identical[pair]),
        verdict_rows=index[counts],
        shown_by=n_before[shown.by[counts]].astype(np.int32),
    )


def _has_its_order(
    group: NDArray[np.int32], pair: NDArray[np.int32], order: NDArray[np.int8]
) -> Booleans:
    """Leave out what was shown in nobody knows which order, if the pair was also shown in one."""
    is_unordered: Booleans = order == UNKNOWN_ORDER
    if not is_unordered.any():
        return ~is_unordered
    starts = first_of_runs(group, pair)
    sizes = np.diff(np.append(starts, order.size))
    # Orders ascend within a pair, so its first presentation tells whether any order is known.
    return ~is_unordered | np.repeat(is_unordered[starts], sizes)


@dataclass(frozen=True, slots=True, eq=False)
class _Shown:
    """Rows sorted by presentation: to which each belongs, and what decides it."""

    by: NDArray[np.int32]
    is_verdict: Booleans
    was_asked: Booleans
    outcome: NDArray[np.int8]

    @classmethod
    def of(
        cls, attempts: AttemptColumns, index: NDArray[np.int64], starts: NDArray[np.int64]
    ) -> _Shown:
        """Find the deciding outcome of each run of rows."""
        sizes = np.diff(np.append(starts, index.size))
        outcomes = attempts.outcome[index]
        is_verdict: Booleans = _IS_VERDICT[outcomes]
        lowest = np.minimum.reduceat(outcomes, starts)
        highest = np.maximum.reduceat(np.where(is_verdict, outcomes, np.int8(NONE)), starts)
        return cls(
            by=np.repeat(np.arange(starts.size, dtype=np.int32), sizes),
            is_verdict=is_verdict,
            was_asked=(outcomes != NOT_RUN_CODE) & (outcomes != REJECTED_CODE),
            outcome=np.where(highest > lowest, np.int8(_CONTRADICTORY), lowest),
        )

    def row_counts(
        self,
        attempts: AttemptColumns,
        index: NDArray[np.int64],
        group: NDArray[np.int32],
        is_kept: Booleans,
        is_identical: Booleans,
    ) -> tuple[RowCounts, ...]:
        """Say for each group what became of its rows; those of equal texts stand for no call."""
        n = is_kept.size
        asked = np.bincount(self.by[self.was_asked], minlength=n) * ~is_identical
        said = np.bincount(self.by[self.is_verdict], minlength=n) * ~is_identical
        is_kept = is_kept & ~is_identical
        clashes = (self.outcome == _CONTRADICTORY) & is_kept
        agrees = (said > 0) & ~clashes & is_kept
        different = self._different_verdict_rows(attempts, index, said)
        again = np.where(said > 0, asked - said, np.maximum(asked - 1, 0))
        begins = np.searchsorted(group, np.arange(attempts.n_groups + 1))

        def per_group(values: NDArray[np.integer] | Booleans) -> list[int]:
            so_far = np.concatenate([[0], np.cumsum(values, dtype=np.int64)])
            found: list[int] = np.diff(so_far[begins]).tolist()
            return found

        found = {
            "attempts": per_group(asked),
            "decided": per_group((asked > 0) & is_kept & ~clashes),
            "retries": per_group(again * is_kept),
            "exact_duplicates": per_group((said - different) * agrees),
            "agreeing_duplicates": per_group((different - 1) * agrees),
            "contradictions": per_group(clashes),
            "contradicting": per_group(said * clashes),
            "unordered_left_out": per_group(asked * ~is_kept),
        }
        return tuple(
            RowCounts(**{name: values[code] for name, values in found.items()})
            for code in range(attempts.n_groups)
        )

    def _different_verdict_rows(
        self, attempts: AttemptColumns, index: NDArray[np.int64], said: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Count for each presentation its verdict rows that differ in strength or setting."""
        several = self.is_verdict & (said > 1)[self.by]
        rows, by = index[several], self.by[several]
        setting = attempts.setting[rows].astype(np.int64) - NONE
        key = packed(
            (by, said.size),
            (attempts.strength[rows], len(STRENGTHS)),
            (setting, int(setting.max(initial=0)) + 1),
        )
        _, one_of_each = np.unique(key, return_index=True)
        found = np.bincount(by[one_of_each], minlength=said.size)
        different: NDArray[np.int64] = np.where(said > 1, found, said)
        return different
