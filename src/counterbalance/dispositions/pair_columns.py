"""Pairs in bulk: what every measure is computed from, for live runs and logs alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import (
    CELL_VERDICT,
    DISPOSITIONS,
    NONE,
    ORDERS,
    VERDICTS,
    codes_where,
)
from counterbalance.dispositions.disposition import TWO_VERDICTS
from counterbalance.items.frames import Order, Slot, Verdict
from counterbalance.presentations.order import side_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from counterbalance.dispositions.attempt_columns import PairTable
    from counterbalance.dispositions.codes import Booleans
    from counterbalance.dispositions.disposition import Disposition

__all__ = ["PairColumns", "ReasonRows", "RepeatColumns", "RowCounts", "winner_in"]


@dataclass(frozen=True, slots=True)
class RowCounts:
    """What became of the rows (attempts) of one group; `decided` counts presentations.

    ``attempts = decided + retries + exact_duplicates + agreeing_duplicates + contradicting +
    unordered_left_out`` always.

    Attributes
    ----------
    attempts : int
        Rows, those of presentations that were not run and of identical texts left out.
    decided : int
        Presentations whose outcome came from one row.
    retries : int
        Further rows without a verdict.
    exact_duplicates : int
        Rows that repeat the verdict, strength and setting of the deciding row.
    agreeing_duplicates : int
        Rows that repeat its verdict with another strength or setting.
    contradictions : int
        Presentations that have no verdict because their rows hold different ones.
    contradicting : int
        Rows with a verdict of those presentations.
    unordered_left_out : int
        Rows without a recorded order of pairs that were also shown in a recorded one.
    """

    attempts: int
    decided: int
    retries: int = 0
    exact_duplicates: int = 0
    agreeing_duplicates: int = 0
    contradictions: int = 0
    contradicting: int = 0
    unordered_left_out: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class ReasonRows:
    """Why pairs have no verdict: a row for each pair and reason.

    Attributes
    ----------
    place : NDArray[np.int32]
        Place of the pair in its `PairColumns`.
    reason : NDArray[np.int8]
        Place in `codes.REASONS`.
    count : NDArray[np.int32]
        Presentations.
    """

    place: NDArray[np.int32]
    reason: NDArray[np.int8]
    count: NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class RepeatColumns:
    """Repetitions of each pair and order, for the study of noise; none of confounded pairs.

    Attributes
    ----------
    verdicts : NDArray[np.int32]
        Number of repetitions by order (2), pair and verdict (5), in the candidate frame.
    planned : NDArray[np.int32]
        Number of repetitions planned by order (2) and pair, with or without a verdict.
    temperatures : tuple[float, ...]
        Temperatures that repetitions were asked at in place of the judge's own.
    """

    verdicts: NDArray[np.int32]
    planned: NDArray[np.int32]
    temperatures: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class PairColumns:
    """The pairs of one group, a row each, with all that measures count.

    Where an array has a first axis of three, it is the order's code: forward, reversed, and not
    recorded. A pair has either recorded orders or unrecorded ones, never both.

    Attributes
    ----------
    table : PairTable
        What is known of each pair whoever judged it.
    pair : NDArray[np.int32]
        Place of the pair in `table`.
    cluster : NDArray[np.int32]
        Code of the unit that uncertainty is computed over, from 0 up.
    disposition : NDArray[np.int8]
        Place in `codes.DISPOSITIONS`.
    detail : NDArray[np.int8]
        Place in `codes.DETAILS`.
    cells : NDArray[np.int8]
        Place in `codes.CELLS` by order (3) and pair; -1 where the order was not planned.
    planned : NDArray[np.int32]
        Main presentations by order (3) and pair, with or without a verdict.
    verdicts : NDArray[np.int32]
        Main presentations by order (3), pair and verdict (5), in the candidate frame.
    is_confounded : NDArray[np.bool_]
        Whether the two orders differ in more than the order.
    is_setting_unknown : NDArray[np.bool_]
        Whether both orders have verdicts and one of them says nothing of how it was asked.
    reasons : ReasonRows
        Why pairs have no verdict, as `PairDisposition.reasons` has them.
    outcomes : NDArray[np.int64]
        Number of main presentations by outcome (place in `codes.OUTCOMES`).
    repeats : RepeatColumns
        Repetitions of each pair.
    rows : RowCounts
        What became of the rows.
    """

    table: PairTable
    pair: NDArray[np.int32]
    cluster: NDArray[np.int32]
    disposition: NDArray[np.int8]
    detail: NDArray[np.int8]
    cells: NDArray[np.int8]
    planned: NDArray[np.int32]
    verdicts: NDArray[np.int32]
    is_confounded: NDArray[np.bool_]
    is_setting_unknown: NDArray[np.bool_]
    reasons: ReasonRows
    outcomes: NDArray[np.int64]
    repeats: RepeatColumns
    rows: RowCounts

    @property
    def n_pairs(self) -> int:
        """Number of pairs."""
        return self.pair.size

    @property
    def accepted(self) -> NDArray[np.uint8]:
        """Accepted verdicts of each pair as bits; 0 where there is no reference."""
        return self.table.accepted[self.pair]

    @property
    def systems(self) -> NDArray[np.int32]:
        """Place in the table's `system_pairs` of each pair."""
        return self.table.systems[self.pair]

    @property
    def is_in_two_orders(self) -> Booleans:
        """Whether both orders of each pair were planned."""
        both: Booleans = (self.cells[0] != NONE) & (self.cells[1] != NONE)
        return both

    @property
    def has_two_verdicts(self) -> Booleans:
        """Whether both orders of each pair have a verdict and can be compared."""
        return self.is_any_of(TWO_VERDICTS)

    def is_any_of(self, dispositions: Iterable[Disposition]) -> Booleans:
        """Return for each pair whether its disposition is one of these."""
        chosen: Booleans = codes_where(DISPOSITIONS, dispositions)[self.disposition]
        return chosen

    def verdict(self, order: Order) -> NDArray[np.int8]:
        """Return the verdict code of one order of each pair; -1 where it has none."""
        codes: NDArray[np.int8] = CELL_VERDICT[self.cells[ORDERS.index(order)]]
        return codes

    def slot_counts(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Count the verdicts for the first slot, for the second slot, and all verdicts.

        Returns
        -------
        tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
            One entry for each pair, of main presentations whose order is recorded; all are 0 for a
            pair whose orders differ in more than the order.
        """
        known = np.where(self.is_confounded[:, None], 0, self.verdicts[: len(ORDERS)])
        known = known.astype(np.int64)
        first, second = (
            known[0, :, winner_in(slot, Order.FORWARD)]
            + known[1, :, winner_in(slot, Order.REVERSED)]
            for slot in Slot
        )
        return first, second, known.sum(axis=(0, 2))


def winner_in(slot: Slot, order: Order) -> int:
    """Return the code of the verdict that a win of this slot is."""
    return VERDICTS.index(Verdict(side_in(slot, order).value))
