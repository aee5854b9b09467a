"""Format json: every case of the specification, and more of each kind."""

from __future__ import annotations

import pytest

from counterbalance.protocol.labelling import Labelling

DIGITS = Labelling(first="1", second="2")


JSON = [
    ('```json {"winner":"B"} ```', "second"),
    ('Here it is:\n```json\n{"winner":"B"}\n```', "second"),
    ('{"winner":"B"} I hope that helps.', "second"),
    ('{"reason":"use ```x``` here","winner":"A"}', "first"),
    ('{"winner":"A","winner":"B"}', "conflicting"),
    ('{"winner":null}', "unparsed"),
    ('{"winner":"A or B"}', "unparsed"),
    ('{"winner":"C"}', "off_scale"),
    ('<think>{"winner":"A"}</think>{"winner":"B"}', "second"),
    # extended
    ('{"winner":"A","winner":"A"}', "first"),
    ('{"winner":"A","winner":"a"}', "first"),
    ('{"winner":"A","winner":null}', "conflicting"),
    ('{"winner":"A","w\\u0069nner":"B"}', "conflicting"),
    ('{"winner":["A"]}', "unparsed"),
    ('{"winner":{"winner":"A"}}', "unparsed"),
    ('{"result":{"winner":"A"}}', "unparsed"),
    ('{"winner":true}', "unparsed"),
    ('{"winner":1}', "unparsed"),
    ('{"winner":""}', "unparsed"),
    ('{"winner":"Assistant A"}', "unparsed"),
    ('{"winner":"**B**"}', "second"),
    ('{"winner":"\\u0042"}', "second"),
    ('{"winner":"b"}', "second"),
    ('{"winner":"&#66;"}', "second"),
    ('{"winner":"Ｂ"}', "second"),
    ('\ufeff{"winner":"B"}', "second"),
    ('{"Winner":"B"}', "unparsed"),
    ("{'winner':'B'}", "unparsed"),
    ('{"winner":"B",}', "unparsed"),
    ('{"winner":B}', "unparsed"),
    ('{winner:"B"}', "unparsed"),
    ('{"winner":"B"', "unparsed"),
    ('{"winner":"B","x":NaN}', "unparsed"),
    ('{"winner":"B","x":01}', "unparsed"),
    ('[{"winner":"B"}]', "unparsed"),
    ('"{\\"winner\\":\\"B\\"}"', "unparsed"),
    ('{"note":"全角＂引号＂","winner":"B"}', "second"),
    ('{"reason":"an open <think> tag","winner":"B"}', "second"),
    ('{"reason":"multi\nline","winner":"B"}', "second"),
    ('{"reason":"\\frac \\(x\\)","winner":"B"}', "unparsed"),
    ('The set {x} and {"a", "b"} then {"winner":"B"}', "second"),
    ('{"winner":"A"} is wrong, so {"winner":"B"}', "second"),
    ('{"winner":"A"} and {"sure":true}', "first"),
    ('```json\n{"winner":"B"}\n``` as in {"winner":"A"}', "conflicting"),
    ('{"winner":"A"} becomes ```json\n{"winner":"B"}\n```', "second"),
    ('```{"winner":"A"}``` ```{"winner":"B"}```', "second"),
    ('{"a": "x" {"winner":"B"}', "second"),
    ('{"list":[{"winner":"A"}, oops], "winner":"B"}', "unparsed"),
    ('{"quote":"he wrote {"winner": "A"}", "winner":"B"}', "unparsed"),
    ('{"x":{"winner":"A"},"winner":"B"}', "second"),
    ('{"winner":"B"}{', "second"),
    ('{}{"winner":"B"}', "second"),
    ("{}", "unparsed"),
    ("no object", "unparsed"),
]


@pytest.mark.parametrize(("text", "kind"), JSON)
def test_json(read, text, kind):
    assert read(text, format="json").kind.value == kind


def test_json_cut(read):
    text = '{"winner":"A","why":"it is'
    assert read(text, finish="length", format="json").kind.value == "truncated"
    outcome = read(text, finish="length", format="json", readable_when_cut=True)
    assert outcome.kind.value == "first"
    assert outcome.repairs == ("read_when_cut",)
    assert text[slice(*outcome.span)] == '"winner":"A"'


@pytest.mark.parametrize(
    "text", ['{"why":"A is', '{"winner":"A', '{"winner":', '{"why":{"winner":"A"},"a":"']
)
def test_json_cut_before_the_verdict(read, text):
    outcome = read(text, finish="length", format="json", readable_when_cut=True)
    assert outcome.kind.value == "truncated"


def test_json_cut_needs_the_length_limit(read):
    outcome = read('{"winner":"A","why":"', format="json", readable_when_cut=True)
    assert outcome.kind.value == "unparsed"


def test_json_number_that_may_be_half_of_one(read):
    declared = {"format": "json", "lenient": True, "readable_when_cut": True}
    assert read('{"winner":1', DIGITS, "length", **declared).kind.value == "truncated"
    assert read('{"winner":1}', DIGITS, **declared).kind.value == "first"


def test_json_repairs_are_recorded(read):
    assert read('{"r":"a\nb","winner":"A"}', format="json").repairs == ("control_characters",)
    lenient = read('{"r":"\\(x\\)","winner":"A"}', format="json", lenient=True)
    assert (lenient.kind.value, lenient.repairs) == ("first", ("invalid_escapes",))
    assert read('{"Winner":"A"}', format="json", lenient=True).kind.value == "first"


@pytest.mark.parametrize(
    ("value", "slots"),
    [
        ('"A"', ["first"]),
        ('["B","A"]', ["first", "second"]),
        ('["B"]', ["second"]),
        ('"both"', ["first", "second"]),
        ('"None"', []),
        ("null", []),
        ("[]", []),
        ('"C"', None),
        ('"neither of these"', None),
        ('["A","C"]', None),
        ("[1]", None),
        ("false", None),
        ("{}", None),
    ],
)
def test_json_fields(read, value, slots):
    text = f'{{"winner":"B","unsafe":{value}}}'
    outcome = read(text, format="json", fields=("unsafe", "absent"))
    assert outcome.kind.value == "second"
    wanted = () if slots is None else (("unsafe", tuple(slots)),)
    assert tuple((k, tuple(x.value for x in v)) for k, v in outcome.fields) == wanted


def test_json_field_given_twice_is_unreadable(read):
    text = '{"unsafe":"A","unsafe":"B","winner":"A"}'
    assert read(text, format="json", fields=("unsafe",)).fields == ()
