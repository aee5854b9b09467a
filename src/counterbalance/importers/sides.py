"""Which of two systems is candidate ``a``: the same for every row of a log, whatever the order.

And the slot in which a verdict falls when a log speaks of candidates: logs in candidate frame are
turned into slot terms here, so that one map (`presentations.order`) leads back for everybody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.items.frames import Order, Side, Slot
from counterbalance.parsing.outcome import OutcomeKind
from counterbalance.presentations.order import side_in

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["in_display_order", "shown_pair", "slot_of"]

_SLOT_OF = {
    (side_in(slot, order), order): OutcomeKind(slot.value) for slot in Slot for order in Order
}


def slot_of(side: Side, order: Order | None) -> OutcomeKind:
    """Return the outcome of a win of a candidate that is known by identity.

    Parameters
    ----------
    side : Side
        The candidate that won.
    order : Order | None
        Display order; None stands for a log that hides it, written as if forward.

    Returns
    -------
    OutcomeKind
        FIRST or SECOND.

    Examples
    --------
    >>> slot_of(Side.A, Order.REVERSED)
    <OutcomeKind.SECOND: 'second'>
    """
    return _SLOT_OF[side, order or Order.FORWARD]


def shown_pair(first: str, second: str, baselines: Collection[str] = ()) -> tuple[str, str, Order]:
    """Return candidates ``a`` and ``b`` and the order for two systems as they were shown.

    Parameters
    ----------
    first : str
        System shown first.
    second : str
        System shown second.
    baselines : Collection[str]
        Systems that the log compares others with; such a one is ``a``. Otherwise ``a`` is the
        one whose name sorts first.

    Returns
    -------
    tuple[str, str, Order]
        The pair in its one form, and the order it was shown in.

    Examples
    --------
    >>> shown_pair("zephyr", "alpaca")
    ('alpaca', 'zephyr', <Order.REVERSED: 'reversed'>)
    """
    rank_first = (first not in baselines, first)
    rank_second = (second not in baselines, second)
    if rank_first <= rank_second:
        return first, second, Order.FORWARD
    return second, first, Order.REVERSED


def in_display_order(a: str, b: str, order: Order) -> tuple[str, str]:
    """Return what belongs to the candidates in the order in which they were shown; or back.

    Parameters
    ----------
    a : str
        What belongs to candidate ``a``; or to the first slot, to go back.
    b : str
        What belongs to candidate ``b``; or to the second slot.
    order : Order
        Display order.

    Returns
    -------
    tuple[str, str]
        First and second; or, going back, ``a`` and ``b``.

    Examples
    --------
    >>> in_display_order("alpaca", "zephyr", Order("reversed"))
    ('zephyr', 'alpaca')
    """
    return (a, b) if side_in(Slot.FIRST, order) is Side.A else (b, a)
