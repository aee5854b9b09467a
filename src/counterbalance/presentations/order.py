"""The only map between slots and candidates. Nothing else may know it."""

from __future__ import annotations

from counterbalance.items.frames import Order, Side, Slot

__all__ = ["side_in"]


def side_in(slot: Slot, order: Order) -> Side:
    """Return the candidate that stands in a slot when a pair is shown in an order.

    Parameters
    ----------
    slot : Slot
        A display place.
    order : Order
        FORWARD shows ``a`` first, REVERSED shows ``b`` first.

    Returns
    -------
    Side
        The candidate in that place.

    Examples
    --------
    >>> side_in(Slot.FIRST, Order.REVERSED)
    <Side.B: 'b'>
    """
    is_first = slot is Slot.FIRST
    is_forward = order is Order.FORWARD
    return Side.A if is_first == is_forward else Side.B
