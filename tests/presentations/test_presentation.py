from dataclasses import fields, replace

from counterbalance.items.frames import Order
from counterbalance.items.item import Message, PairId
from counterbalance.presentations.presentation import Presentation, RenderedPrompt

SHOWN = Presentation(
    pair_id=PairId("p1"),
    pair_key="b2:pair",
    order=Order.FORWARD,
    labelling="1/2",
    judge="small",
    judge_digest="b2:judge",
    temperature=None,
    prompt_digest="b2:prompt",
    repetition=0,
)
CHANGES = {
    "pair_key": "b2:other",
    "order": Order.REVERSED,
    "labelling": "2/1",
    "judge_digest": "b2:other",
    "prompt_digest": "b2:other",
    "repetition": 1,
}
NAMES = {"prompt": "rubric", "pair_id": "p2", "judge": "other", "temperature": 1.0}
"""What the key does not hold: content and configuration stand for them."""


def test_the_key_is_a_contract():
    assert SHOWN.key == "b2:c72122664ed76fb17bce0be9cf25145f35282bbb"


def test_the_key_changes_with_each_of_its_parts():
    assert set(CHANGES) | set(NAMES) == {field.name for field in fields(Presentation) if field.init}
    keys = {replace(SHOWN, **{name: value}).key for name, value in CHANGES.items()}
    assert len(keys | {SHOWN.key}) == len(CHANGES) + 1


def test_a_name_alone_makes_no_other_question():
    assert {replace(SHOWN, **{name: value}).key for name, value in NAMES.items()} == {SHOWN.key}


def test_parts_of_a_key_do_not_run_together():
    one = replace(SHOWN, labelling="1/2", judge_digest="x")
    two = replace(SHOWN, labelling="1/", judge_digest="2x")
    assert one.key != two.key


def test_a_prompt_is_its_roles_and_words_in_order():
    user, system = Message("user", "x"), Message("system", "x")
    digests = {
        RenderedPrompt(messages).digest
        for messages in ((user,), (system,), (user, system), (system, user), (user, user))
    }
    assert len(digests) == 5
    assert RenderedPrompt((user,)).digest == "b2:aa09a9d46659ed6faee457bd571cb293a3e1d41c"
