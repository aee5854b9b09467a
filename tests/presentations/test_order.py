import pytest

from counterbalance.items.frames import Order, Side, Slot
from counterbalance.presentations.order import side_in


@pytest.mark.parametrize(
    ("slot", "order", "side"),
    [
        (Slot.FIRST, Order.FORWARD, Side.A),
        (Slot.SECOND, Order.FORWARD, Side.B),
        (Slot.FIRST, Order.REVERSED, Side.B),
        (Slot.SECOND, Order.REVERSED, Side.A),
    ],
)
def test_each_slot_of_each_order_holds_one_candidate(slot, order, side):
    assert side_in(slot, order) is side
    assert side_in(slot.other, order) is side.other
    assert side_in(slot, order.other) is side.other
