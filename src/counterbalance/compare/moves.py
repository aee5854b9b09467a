"""How dispositions moved from one side to the other, every shared pair in one cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import DISPOSITIONS

if TYPE_CHECKING:
    from counterbalance.compare.matching import Matched
    from counterbalance.compare.side import Side

__all__ = ["Moves", "moves"]


@dataclass(frozen=True, slots=True)
class Moves:
    """A square table of pairs, and which of them moved.

    Attributes
    ----------
    labels : tuple[str, ...]
        Dispositions that occur on either side: names of rows (first side) and columns (second).
    cells : tuple[tuple[int, ...], ...]
        Number of pairs; the sum is the number of shared pairs.
    moved : tuple[str, ...]
        Ids of the pairs whose disposition differs, most consequential first.
    """

    labels: tuple[str, ...]
    cells: tuple[tuple[int, ...], ...]
    moved: tuple[str, ...]

    @property
    def n_pairs(self) -> int:
        """Sum of all cells."""
        return sum(map(sum, self.cells))

    @property
    def n_moved(self) -> int:
        """Pairs whose disposition differs."""
        return len(self.moved)


def moves(first: Side, second: Side, matched: Matched) -> Moves:
    """Count the shared pairs by their disposition on each side.

    Parameters
    ----------
    first : Side
        Rows.
    second : Side
        Columns.
    matched : Matched
        The pairs that they share.

    Returns
    -------
    Moves
        Dispositions that occur on neither side are left out.
    """
    n = len(DISPOSITIONS)
    rows = first.pairs.disposition[matched.first].astype(np.intp)
    columns = second.pairs.disposition[matched.second].astype(np.intp)
    table = np.bincount(rows * n + columns, minlength=n * n).reshape(n, n)
    is_used = (table.sum(axis=0) > 0) | (table.sum(axis=1) > 0)
    labels = tuple(d.value for d, used in zip(DISPOSITIONS, is_used, strict=True) if used)
    cells = tuple(tuple(row) for row in table[is_used][:, is_used].tolist())
    where = matched.second[rows != columns]
    consequence = second.pairs.table.consequence[second.pairs.pair[where]].tolist()
    ids = second.ids
    named = sorted(
        (-weight, ids[row]) for weight, row in zip(consequence, where.tolist(), strict=True)
    )
    return Moves(labels, cells, tuple(name for _, name in named))
