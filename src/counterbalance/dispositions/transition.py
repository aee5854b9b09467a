"""The transition table: forward verdict by reversed verdict, every planned pair in one cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import CELLS, NONE, UNKNOWN_ORDER, codes_where
from counterbalance.dispositions.disposition import CONFOUNDED, NOT_PLANNED, Disposition

if TYPE_CHECKING:
    from counterbalance.dispositions.pair_columns import PairColumns

__all__ = ["Transition", "transition_table"]

_LABELS = (*(cell.value for cell in CELLS), CONFOUNDED, NOT_PLANNED, Disposition.IDENTICAL.value)
_IS_ALWAYS_SHOWN = codes_where(_LABELS, CELLS)


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


def transition_table(pairs: PairColumns) -> Transition:
    """Count pairs by what each order says of them, in the candidate frame.

    Parameters
    ----------
    pairs : PairColumns
        Every planned pair of a group, once. An order that was not recorded counts as forward.

    Returns
    -------
    Transition
        All cell classes, and ``confounded``, ``not_planned`` and ``identical`` where they occur.
    """
    forward = np.maximum(pairs.cells[0], pairs.cells[UNKNOWN_ORDER])
    is_identical = pairs.is_any_of({Disposition.IDENTICAL})
    rows, columns = (
        np.select(
            [is_identical, pairs.is_confounded, cells == NONE],
            [_code(Disposition.IDENTICAL.value), _code(CONFOUNDED), _code(NOT_PLANNED)],
            cells,
        )
        for cells in (forward, pairs.cells[1])
    )
    n = len(_LABELS)
    table = np.bincount(rows * np.int64(n) + columns, minlength=n * n).reshape(n, n)
    is_used = (table.sum(axis=0) > 0) | (table.sum(axis=1) > 0) | _IS_ALWAYS_SHOWN
    labels = tuple(label for label, used in zip(_LABELS, is_used, strict=True) if used)
    return Transition(labels, tuple(tuple(row) for row in table[is_used][:, is_used].tolist()))


def _code(label: str) -> int:
    return _LABELS.index(label)
