"""The transition table: forward verdict by reversed verdict, every planned pair in one cell."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.dispositions.cell import Cell
from counterbalance.dispositions.disposition import (
    CONFOUNDED,
    NOT_PLANNED,
    Disposition,
    PairDisposition,
)
from counterbalance.items.frames import Order

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Transition", "transition_table"]

_LABELS = (*(cell.value for cell in Cell), CONFOUNDED, NOT_PLANNED, Disposition.IDENTICAL.value)
_ALWAYS_SHOWN = frozenset(cell.value for cell in Cell)


@dataclass(frozen=True, slots=True)
class Transition:
    """A square table of pairs.

    Attributes
    ----------
    labels : tuple[str, ...]
        Names of the rows (verdict in forward order) and columns (verdict in reversed order).
    cells : tuple[tuple[int, ...], ...]
        Number of pairs; the sum is the number of pairs planned.
    """

    labels: tuple[str, ...]
    cells: tuple[tuple[int, ...], ...]

    @property
    def n_pairs(self) -> int:
        """Sum of all cells."""
        return sum(map(sum, self.cells))


def transition_table(results: Iterable[PairDisposition]) -> Transition:
    """Count pairs by what each order says of them, in the candidate frame.

    Parameters
    ----------
    results : Iterable[PairDisposition]
        Every planned pair, once.

    Returns
    -------
    Transition
        All cell classes, and ``confounded``, ``not_planned`` and ``identical`` where they occur.
    """
    counts = Counter(_place(result) for result in results)
    used = {label for place in counts for label in place} | _ALWAYS_SHOWN
    labels = tuple(label for label in _LABELS if label in used)
    return Transition(
        labels, tuple(tuple(counts[row, column] for column in labels) for row in labels)
    )


def _place(result: PairDisposition) -> tuple[str, str]:
    if result.disposition is Disposition.IDENTICAL:
        return Disposition.IDENTICAL.value, Disposition.IDENTICAL.value
    if result.is_confounded:
        return CONFOUNDED, CONFOUNDED
    forward, reversed_ = (
        result.cells[order].cell.value if order in result.cells else NOT_PLANNED for order in Order
    )
    return forward, reversed_
