import hashlib
import json

import pytest

from counterbalance.errors import PairFileError
from counterbalance.items.fields import Place
from counterbalance.items.frames import Verdict
from counterbalance.items.item import Message
from counterbalance.items.rows import pair_from_row

SMALL = {"prompt": "2 + 2?", "a": "4", "b": "5"}
FULL = {
    "id": "p1",
    "item": "i1",
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Où est mon colis ?\u2028"},
    ],
    "context": "Order 17: in transit.",
    "reference_answer": "In transit.",
    "requirements": [
        {"id": "no_date", "rule": "absent", "value": "tomorrow", "text": "Invents no date."}
    ],
    "category": "delivery",
    "cluster": "c1",
    "consequence": "high",
    "a": {"id": "x", "system": "s1", "version": "1", "text": "It is in transit.\r\n"},
    "b": {
        "system": "s2",
        "messages": [
            {"role": "user", "content": "?"},
            {"role": "assistant", "content": "Tomorrow 🙂"},
        ],
    },
    "reference": {"accept": ["a", "tie"], "source": "two readers"},
    "metadata": {"anything": [1, None, {"deep": True}]},
}


def pair(row):
    return pair_from_row(row, Place("pairs.jsonl", 7))


def problem(row):
    with pytest.raises(PairFileError) as caught:
        pair(row)
    message = str(caught.value)
    assert message.startswith("pairs.jsonl:7: ")
    assert message.isprintable()
    return message.removeprefix("pairs.jsonl:7: ")


def test_every_key_reaches_its_place():
    got = pair(FULL)
    assert got.item.messages == (
        Message("system", "Be brief."),
        Message("user", "Où est mon colis ?\u2028"),
    )
    assert (got.id, got.item.id, got.item.category, got.item.cluster) == (
        "p1",
        "i1",
        "delivery",
        "c1",
    )
    assert (got.item.context, got.item.reference_answer) == (
        "Order 17: in transit.",
        "In transit.",
    )
    assert got.item.consequence == 10.0
    assert (got.a.supplied_id, got.a.system, got.a.version) == ("x", "s1", "1")
    assert got.a.text == "It is in transit.\r\n"
    assert got.b.text == "[user]\n?\n\n[assistant]\nTomorrow 🙂"
    assert got.reference is not None
    assert got.reference.accepted == {Verdict.A, Verdict.TIE}
    assert got.reference.source == "two readers"
    assert got.item.requirements[0].value == ["tomorrow"]
    assert got.item.requirements[0].mandatory


def test_ids_and_keys_are_a_contract():
    small, full = pair(SMALL), pair(FULL)
    assert small.id == "pair-2a288cf50b6c54e9"
    assert small.item.id == "item-4a424aa08b7a8cce"
    assert small.item.cluster == "prompt-c89adec5670f8cd7"
    assert small.a.id == "b2:74b489e125a45774bf78ad0472471e4b3ef5e2f0"
    assert small.key == "b2:6d5221ccfe713eb8c83e683470848d5c7e41b5a6"
    assert small.digest == "b2:6f62c457571b79028777d4a03e444cf218b9e4dd"
    assert full.a.id == "b2:6eb3c8736e842e03f041f8dfa43b83d8f9f3c709"
    assert full.b.id == "b2:1667ccca10dccf13db519fe08ec2d38f812231f2"
    assert full.key == "b2:a78d9034f221e1b9ec08115a1ede2100e8f50e14"
    assert full.digest == "b2:b1369f0547ed6c18609c75c0ae61c15abf9c6581"


def test_the_golden_candidate_id_is_what_the_documentation_says():
    canonical = json.dumps(["i1", "s1", "1", "x", "It is in transit.\r\n"], separators=(",", ":"))
    content = b"candidate/1\0" + canonical.encode()
    assert pair(FULL).a.id == "b2:" + hashlib.blake2b(content, digest_size=20).hexdigest()


@pytest.mark.parametrize(
    "edit",
    [
        {"id": "other"},
        {"item": "other"},
        {"category": "other"},
        {"cluster": "other"},
        {"consequence": 2},
        {"reference": "b"},
        {"metadata": 1},
        {"a": FULL["a"] | {"id": "other", "system": "other", "version": "other"}},
    ],
)
def test_key_ignores_names(edit):
    assert pair(FULL | edit).key == pair(FULL).key
    changes_digest = "metadata" not in edit
    assert (pair(FULL | edit).digest != pair(FULL).digest) is changes_digest


@pytest.mark.parametrize(
    "edit",
    [
        {"messages": FULL["messages"][:1]},
        {"messages": [FULL["messages"][0], {"role": "assistant", "content": "Où ?"}]},
        {"context": ""},
        {"reference_answer": "Delivered."},
        {"requirements": []},
        {"requirements": [FULL["requirements"][0] | {"value": "Tomorrow"}]},
        {"requirements": [FULL["requirements"][0] | {"mandatory": False}]},
        {"a": FULL["a"] | {"text": "It is in transit.\n"}},
        {"b": "Tomorrow 🙂"},
    ],
)
def test_key_changes_with_what_the_judge_sees(edit):
    assert pair(FULL | edit).key != pair(FULL).key
    assert pair(FULL | edit).digest != pair(FULL).digest


def test_key_tells_the_candidates_apart():
    assert pair(SMALL).key != pair(SMALL | {"a": "5", "b": "4"}).key


def test_prompt_is_one_user_message():
    spelt_out = {"messages": [{"role": "user", "content": "2 + 2?"}], "a": "4", "b": "5"}
    assert pair(spelt_out) == pair(SMALL)


def test_null_is_left_out():
    nulls = dict.fromkeys(
        ["id", "item", "messages", "context", "category", "cluster", "consequence", "reference"]
    )
    assert pair(SMALL | nulls) == pair(SMALL)


def test_shared_prompt_shares_item_and_cluster():
    other = pair(SMALL | {"b": "six"})
    assert other.item == pair(SMALL).item
    assert other.id != pair(SMALL).id
    assert other.a.id == pair(SMALL).a.id
    reworded = pair(SMALL | {"reference_answer": "4"})
    assert reworded.item.cluster == other.item.cluster
    assert reworded.item.id != other.item.id


def test_texts_are_never_normalised():
    composed, decomposed = pair(SMALL | {"a": "é", "b": "e\u0301"}), pair(SMALL | {"a": "é"})
    assert composed.b.text == "e\u0301"
    assert not composed.is_identical
    assert composed.a.id == decomposed.a.id


@pytest.mark.parametrize(
    ("value", "number"),
    [(None, 1.0), ("low", 1.0), ("medium", 3.0), ("high", 10.0), (0, 0.0), (-0.0, 0.0), (2.5, 2.5)],
)
def test_consequence(value, number):
    got = pair(SMALL | {"consequence": value}).item.consequence
    assert str(got) == str(number)


@pytest.mark.parametrize("value", [True, -1, "urgent", [], 10**400, float("nan"), "3"])
def test_impossible_consequence(value):
    assert problem(SMALL | {"consequence": value}).endswith(
        "; it must be a number of 0 or more, or low, medium, high"
    )


@pytest.mark.parametrize(
    ("reference", "accepted"),
    [("b", {"b"}), (["tie", "a"], {"a", "tie"}), ({"accept": "insufficient"}, {"insufficient"})],
)
def test_reference(reference, accepted):
    got = pair(SMALL | {"reference": reference}).reference
    assert got is not None
    assert got.accepted == accepted


VERDICTS = "(allowed: a, b, tie, neither, insufficient, or several)"
BLANK = "a pair needs both candidates"


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (
            {"promt": "x"},
            ('"promt" is not a known key; did you mean "prompt"? (known: id, item, prompt, '
            "messages, context, reference_answer, requirements, category, cluster, consequence, "
            "a, b, reference, probe, metadata)"),
        ),
        ({"id": 7}, '"id" is the number 7; it must be text: put it in quotes, "7"'),
        ({"id": True}, '"id" is true; it must be text'),
        ({"id": ""}, '"id" is empty; write a name, or leave the key out'),
        ({"id": " p"}, '"id" begins or ends with white space:  p'),
        ({"id": "a\nb"}, '"id" holds a control character or line break: a\\nb'),
        ({"item": "x" * 201},
         '"item" has 201 characters, at most 200 are allowed: ' + "x" * 79 + "…"),
        ({"category": "a\x1bb"}, '"category" holds a control character or line break: a\\x1bb'),
        ({"cluster": ""}, '"cluster" is empty; write a name, or leave the key out'),
        ({"context": ["x"]}, '"context" is a list; it must be text'),
        ({"context": {"x": 1}}, '"context" is an object; it must be text'),
        ({"context": "a\0"}, '"context" holds U+0000 at character 2; remove it'),
        (
            {"a": "\ud800"},
            ('"a" holds half of a surrogate pair (U+D800 at character 1), which is no character; '
            "write the whole character"),
        ),
        ({"prompt": None}, '"prompt" is missing; a pair needs "prompt" or "messages"'),
        ({"prompt": ""}, '"prompt" is empty; write the text'),
        ({"prompt": " \n\u2003"}, '"prompt" holds only white space; write the text'),
        ({"messages": []}, '"prompt" stands beside "messages"; keep one of them'),
        ({"a": None}, f'"a" is missing; {BLANK}'),
        ({"b": None}, f'"b" is missing; {BLANK}'),
        ({"a": ""}, '"a" is empty; write the text'),
        ({"b": "\t"}, '"b" holds only white space; write the text'),
        ({"b": 5}, '"b" is the number 5; it must be the answer\'s text or an object'),
        ({"b": {}}, '"b.text" is missing; write the text'),
        ({"b": {"text": "5", "model": "m"}}, ('"b.model" is not a known key (known: id, system, '
         "version, text, messages)")),
        ({"b": {"text": "5", "version": 2}},
         '"b.version" is the number 2; it must be text: put it in quotes, "2"'),
        ({"b": {"text": "5", "id": ""}}, '"b.id" is empty; write a name, or leave the key out'),
        ({"b": {"text": "5", "messages": []}},
         '"b.text" stands beside "messages"; keep one of them'),
        ({"b": {"messages": [{"role": "user", "content": ""}]}},
         '"b.messages" holds only white space; write at least one turn with a text'),
        ({"reference": "c"}, f'"reference" is the text "c" {VERDICTS}'),
        ({"reference": []}, '"reference" is an empty list; name a verdict, or leave the key out'),
        ({"reference": ["a", ["b"]]}, f'"reference" is a list {VERDICTS}'),
        ({"reference": {"source": "me"}}, f'"reference.accept" is missing {VERDICTS}'),
        ({"reference": {"accept": "a", "by": "me"}},
         '"reference.by" is not a known key (known: accept, source)'),
    ],
)  # fmt: skip
def test_refused_rows(edit, expected):
    assert problem(SMALL | edit) == expected


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ("hello", '"messages" is the text "hello"; it must be a list of objects'),
        ([], '"messages" is empty; write at least one turn with a text'),
        (["hello"], '"messages[0]" is the text "hello"; it must be an object'),
        ([{"role": "user", "content": "a"}, {"role": "bot", "content": "b"}],
         '"messages[1].role" is the text "bot" (allowed: system, user, assistant, tool)'),
        ([{"content": "a"}],
         '"messages[0].role" is missing (allowed: system, user, assistant, tool)'),
        ([{"role": "user", "content": None}],
         '"messages[0].content" is missing; write the text of the turn'),
        ([{"role": "user", "content": "a", "name": "n"}],
         '"messages[0].name" is not a known key (known: role, content)'),
    ],
)  # fmt: skip
def test_refused_messages(messages, expected):
    assert problem({"messages": messages, "a": "4", "b": "5"}) == expected


def test_control_characters_and_empty_turns_are_allowed_in_texts():
    turns = [{"role": "user", "content": ""}, {"role": "user", "content": "a\x1b[31m\x07"}]
    got = pair({"messages": turns, "a": "\x01", "b": "\rx"})
    assert got.item.messages[1].content == "a\x1b[31m\x07"
    assert (got.a.text, got.b.text) == ("\x01", "\rx")
