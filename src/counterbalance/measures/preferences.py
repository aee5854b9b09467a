"""Which side each pair prefers, and by how much: what length and style are held apart from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import CELL_VERDICT, NONE, VERDICTS
from counterbalance.dispositions.disposition import TWO_VERDICTS, Disposition
from counterbalance.items.frames import Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.dispositions.codes import Booleans
    from counterbalance.dispositions.pair_columns import PairColumns

__all__ = ["PARTS", "Preferences", "preferences_of"]

PARTS = 4
"""Credits are multiples of one over this: a tie in one of two orders is a quarter."""
_CREDITS = {Verdict.A: 1.0, Verdict.TIE: 0.5, Verdict.B: 0.0}
_CREDIT = np.array([*(_CREDITS.get(verdict, np.nan) for verdict in VERDICTS), np.nan])
_ASKED = (*TWO_VERDICTS, Disposition.SINGLE_ORDER)


@dataclass(frozen=True, slots=True, eq=False)
class Preferences:
    """Pairs of one group that say which of two named systems was preferred.

    Attributes
    ----------
    names : tuple[str, ...]
        Systems, with their version where one is given.
    place : NDArray[np.int64]
        Place of each pair in the group's columns.
    a : NDArray[np.int64]
        Place in `names` of the system of candidate a.
    b : NDArray[np.int64]
        The same of candidate b.
    credit : NDArray[np.float64]
        Of candidate a, from 0 to 1: wins and half the ties, averaged over the orders asked.
    item : NDArray[np.int32]
        Code of the item.
    cluster : NDArray[np.int32]
        Code of the unit of uncertainty.
    left_out : dict[str, int]
        Pairs that say nothing of this, by reason; with the rows they add up to all pairs.
    """

    names: tuple[str, ...]
    place: NDArray[np.int64]
    a: NDArray[np.int64]
    b: NDArray[np.int64]
    credit: NDArray[np.float64]
    item: NDArray[np.int32]
    cluster: NDArray[np.int32]
    left_out: dict[str, int]

    def where(self, kept: Booleans, reason: str) -> Preferences:
        """Return the rows that are kept; the others are counted under a reason."""
        n = int((~kept).sum())
        if not n:
            return self
        return Preferences(
            self.names,
            self.place[kept],
            self.a[kept],
            self.b[kept],
            self.credit[kept],
            self.item[kept],
            self.cluster[kept],
            {**self.left_out, reason: self.left_out.get(reason, 0) + n},
        )


def preferences_of(pairs: PairColumns) -> Preferences:
    """Return which system each pair of a group prefers.

    Parameters
    ----------
    pairs : PairColumns
        The group.

    Returns
    -------
    Preferences
        Pairs with a verdict in every order that was asked. Pairs whose candidates were judged
        neither acceptable or not decidable prefer no side and are left out, counted.
    """
    credit = _CREDIT[CELL_VERDICT[pairs.cells]]  # by order (3) and pair
    is_asked = pairs.cells != NONE
    has_verdict = CELL_VERDICT[pairs.cells] != NONE
    n_asked = is_asked.sum(axis=0)
    total = np.where(is_asked, np.nan_to_num(credit), 0.0).sum(axis=0)
    names, codes = _systems(pairs)
    a, b = codes[pairs.systems].T
    found = Preferences(
        names=names,
        place=np.arange(pairs.n_pairs, dtype=np.int64),
        a=a,
        b=b,
        credit=total / np.maximum(n_asked, 1),
        item=pairs.table.item[pairs.pair],
        cluster=pairs.cluster,
        left_out={},
    )
    is_whole = pairs.is_any_of(_ASKED) & (n_asked > 0) & (has_verdict | ~is_asked).all(axis=0)
    is_preference = ~(is_asked & np.isnan(credit)).any(axis=0)
    is_identical = pairs.is_any_of({Disposition.IDENTICAL})
    for kept, reason in (
        (~is_identical, "equal texts"),
        (is_whole, "without a verdict in every order asked"),
        (is_preference, "neither acceptable, or not decidable"),
        ((a != NONE) & (b != NONE), "a system has no name"),
        (a != b, "both answers of one system"),
    ):
        found = found.where(kept[found.place], reason)
    return found


def _systems(pairs: PairColumns) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return the names, and for each pair of systems (row) their places; -1 for one unnamed."""
    places: dict[str, int] = {}
    codes = np.full((len(pairs.table.system_pairs), 2), NONE, dtype=np.int64)
    for row in np.unique(pairs.systems).tolist():
        for side, (system, version) in enumerate(pairs.table.system_pairs[row]):
            if system:
                name = f"{system} {version}".rstrip()
                codes[row, side] = places.setdefault(name, len(places))
    return tuple(places), codes
