"""Whether the two orders of pairs were asked in the same way, for logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import NONE, ORDERS
from counterbalance.dispositions.packing import packed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.dispositions.codes import Booleans

__all__ = ["compare_settings"]


def compare_settings(
    place: NDArray[np.int32],
    order: NDArray[np.int8],
    setting: NDArray[np.int32],
    n_places: int,
) -> tuple[Booleans, Booleans]:
    """Compare the settings of both orders of each pair.

    Parameters
    ----------
    place : NDArray[np.int32]
        The pair of each row with a verdict, from 0 up.
    order : NDArray[np.int8]
        Its order, 0 or 1.
    setting : NDArray[np.int32]
        Its setting; -1 where it is not known.
    n_places : int
        Number of pairs.

    Returns
    -------
    tuple[Booleans, Booleans]
        For each pair whether it is confounded (both orders have known settings, and not the same
        ones), and whether that cannot be told (both orders have rows, one has no known setting).
    """
    is_known: Booleans = setting != NONE
    n_rows = _by_order(place, order, n_places)
    n_known = n_rows if is_known.all() else _by_order(place[is_known], order[is_known], n_places)
    is_unknown = _in_both(n_rows) & ~_in_both(n_known)
    known = setting[is_known]
    if not known.size or known.min() == known.max():
        return np.zeros(n_places, dtype=np.bool_), is_unknown
    from_zero = setting.astype(np.int64) - NONE
    n_settings = int(from_zero.max()) + 1
    key = packed((place, n_places), (from_zero, n_settings), (order, len(ORDERS)))
    _, rows = np.unique(key, return_index=True)
    rows = rows[is_known[rows]]
    places, settings = place[rows], setting[rows]
    n_different = _by_order(places, order[rows], n_places)
    # Sorted by pair and setting, a setting of both orders stands in two rows beside each other.
    shared = (places[1:] == places[:-1]) & (settings[1:] == settings[:-1])
    n_shared = np.bincount(places[1:][shared], minlength=n_places)
    is_same = (n_different[0] == n_shared) & (n_different[1] == n_shared)
    return _in_both(n_different) & ~is_same, is_unknown


def _in_both(counts: NDArray[np.int64]) -> Booleans:
    is_in_both: Booleans = (counts[0] > 0) & (counts[1] > 0)
    return is_in_both


def _by_order(
    place: NDArray[np.int32], order: NDArray[np.int8], n_places: int
) -> NDArray[np.int64]:
    n_orders = len(ORDERS)
    counts = np.bincount(order * np.int64(n_places) + place, minlength=n_orders * n_places)
    return counts.reshape(n_orders, n_places)
