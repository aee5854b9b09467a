from counterbalance.items.fields import Place
from counterbalance.items.frames import Order, Side, Slot, Verdict
from counterbalance.items.item import Message, conversation_text
from counterbalance.items.rows import pair_from_row


def test_candidate_of_a_side():
    pair = pair_from_row({"prompt": "?", "a": "4", "b": "4"}, Place("p", 1))
    assert pair.candidate(Side.A) is pair.a
    assert pair.candidate(Side.B) is pair.b
    assert pair.is_identical


def test_one_turn_is_its_text():
    assert conversation_text((Message("assistant", " x\r\n"),)) == " x\r\n"


def test_the_other_of_each_frame():
    assert [side.other for side in Side] == [Side.B, Side.A]
    assert [slot.other for slot in Slot] == [Slot.SECOND, Slot.FIRST]
    assert [order.other for order in Order] == [Order.REVERSED, Order.FORWARD]
    assert [v.side for v in Verdict] == [Side.A, Side.B, None, None, None]
