"""Scores and quotes beside a verdict: read where the verdict was read, and never one themselves."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.parsing.beside_verdict import quote_beside, score_difference
from counterbalance.parsing.parser import parse_reply
from counterbalance.parsing.quotes import quote_state
from counterbalance.presentations.reply import Reply
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.verdict_format import VerdictFormat

FORM = VerdictFormat(format="json", tie="C", scores="scores", quote="evidence")
LABELS = Labelling(first="A", second="B")


def scored(text: str) -> float | None:
    return score_difference(FORM, LABELS, text, parse_reply(FORM, LABELS, Reply(text)))


def quoted(text: str) -> str:
    return quote_beside(FORM, text, parse_reply(FORM, LABELS, Reply(text)))


@pytest.mark.parametrize(
    ("text", "difference"),
    [
        ('{"scores": {"A": 8, "B": 5}, "winner": "B"}', 3.0),
        ('So: {"winner": "A", "scores": {"b": 2.5, "a": 4}} done', 1.5),
        ('{"scores": {"A": 8}, "winner": "A"}', None),
        ('{"scores": {"A": "8", "B": 5}, "winner": "A"}', None),
        ('{"scores": {"A": true, "B": 5}, "winner": "A"}', None),
        ('{"scores": {"A": NaN, "B": 5}, "winner": "A"}', None),
        ('{"scores": [8, 5], "winner": "A"}', None),
        ('{"scores": {"A": 8, "B": 5}, "scores": {"A": 1, "B": 5}, "winner": "A"}', None),
        ('{"scores": {"A": 8, "B": 5}}', None),
        ('{"scores": {"A": 8, "B": 5}} and {"winner": "A"}', None),
        ("A is better", None),
        ("", None),
    ],
)
def test_scores_are_read_from_the_object_of_the_verdict(text, difference):
    assert scored(text) == difference


def test_scores_make_no_verdict():
    for text in ('{"scores": {"A": 9, "B": 1}}', '{"scores": {"A": 9, "B": 1}, "winner": "?"}'):
        assert not parse_reply(FORM, LABELS, Reply(text)).is_verdict
    against = parse_reply(FORM, LABELS, Reply('{"scores": {"A": 9, "B": 1}, "winner": "B"}'))
    assert against.kind.value == "second"


def test_a_quote_is_read_from_the_object_of_the_verdict():
    assert quoted('{"winner": "A", "evidence": " on Tuesday "}') == "on Tuesday"
    assert quoted('{"evidence": "on Tuesday"} {"winner": "A"}') == ""
    assert quoted('{"winner": "A", "evidence": ["x"]}') == ""
    assert quoted('{"evidence": "on Tuesday"}') == ""


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_has_one_state_and_changes_no_verdict(context, quote):
    text = json.dumps({"winner": "A", "evidence": quote})
    assert parse_reply(FORM, LABELS, Reply(text)).kind.value == "first"
    assert quote_state(context, quoted(text)) in {"quoted", "not_found", "none"}


@given(st.text(min_size=1, max_size=80), st.data())
def test_what_was_copied_from_the_source_is_found_in_it(context, data):
    begin = data.draw(st.integers(0, len(context)))
    part = context[begin:]
    assert quote_state(context, part) in {"quoted", "none"}


@pytest.mark.parametrize(
    ("quote", "state"),
    [
        ("The parcel “left” on Monday", "quoted"),
        ("\"the  parcel 'left' on monday\"", "not_found"),
        ("left\non", "not_found"),
        ("parcel … Monday", "quoted"),
        ("Monday [...] parcel", "not_found"),
        ("…", "none"),
        ("", "none"),
        ("on Tuesday", "not_found"),
    ],
)
def test_a_quote_is_found_whatever_its_marks_and_spaces(quote, state):
    assert quote_state('The parcel "left" on Monday.', quote) == state
