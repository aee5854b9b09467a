"""Orders that a log should hold and does not: partners of pairs that stand in one order alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from counterbalance.dispositions.codes import NOT_RUN_CODE, ORDERS, UNKNOWN_ORDER

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.dispositions.codes import Booleans

__all__ = ["Shown", "with_missing_partners"]


class Shown(NamedTuple):
    """Presentations of one group, a row each.

    Attributes
    ----------
    place : NDArray[np.int32]
        Place of the pair among those of the group.
    order : NDArray[np.int8]
        Code of the order.
    outcome : NDArray[np.int8]
        Code of the outcome.
    """

    place: NDArray[np.int32]
    order: NDArray[np.int8]
    outcome: NDArray[np.int8]


def with_missing_partners(shown: Shown, is_identical: Booleans) -> Shown:
    """Add what is missing where a group holds both orders of at least half of its pairs.

    A log of one order has no partners to miss: there, every pair is ``single_order``. Where both
    orders are the rule, a pair in one order alone has lost the other (its line is broken, was left
    out, or was never asked), and what was lost is a presentation that was not run.

    Parameters
    ----------
    shown : Shown
        What the log holds.
    is_identical : Booleans
        Whether both texts of a pair are the same, by place; such pairs are asked in no order.

    Returns
    -------
    Shown
        The same rows, and behind them one for each missing order, with ``NOT_RUN_CODE``.
    """
    n = is_identical.size
    has = np.zeros((UNKNOWN_ORDER + 1, n), dtype=np.bool_)
    has[shown.order, shown.place] = True
    has[:, is_identical] = False
    both = has[: len(ORDERS)].all(axis=0)
    alone = has[: len(ORDERS)].any(axis=0) & ~both
    n_alone = int(alone.sum())
    if not 0 < n_alone <= int(both.sum()):
        return shown
    places = np.flatnonzero(alone).astype(np.int32)
    orders = has[0, places].astype(np.int8)  # forward is there, so reversed is missing
    return Shown(
        np.concatenate([shown.place, places]),
        np.concatenate([shown.order, orders]),
        np.concatenate([shown.outcome, np.full(n_alone, NOT_RUN_CODE, dtype=np.int8)]),
    )
