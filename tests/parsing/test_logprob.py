"""Verdicts from probabilities, and the probabilities beside other verdicts."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.parsing.parser import parse_reply
from counterbalance.presentations.reply import Reply
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.verdict_format import VerdictFormat

LABELS = Labelling(first="A", second="B")


def read(probabilities: dict[str, float], text: str = "", **declared):
    declared.setdefault("format", "logprob")
    logs = tuple((token, math.log(p)) for token, p in probabilities.items())
    return parse_reply(VerdictFormat(**declared), LABELS, Reply(text, token_logprobs=logs))


@pytest.mark.parametrize(
    ("probabilities", "declared", "kind"),
    [
        ({"A": 0.7, "B": 0.2}, {}, "first"),
        ({"A": 0.2, "B": 0.7}, {}, "second"),
        ({"A": 0.3, " A": 0.1, "▁a": 0.05, "B": 0.4}, {}, "first"),
        ({"A": 0.3, "ĠB": 0.2, "B": 0.2}, {}, "second"),
        ({"A": 0.4, "B": 0.4}, {}, "conflicting"),
        ({"A": 0.4, "B": 0.4, "C": 0.1}, {"tie": "C"}, "tie"),
        ({"A": 0.45, "B": 0.40, "C": 0.1}, {"tie": "C", "tie_margin": 0.1}, "tie"),
        ({"A": 0.45, "B": 0.40}, {"tie_margin": 0.1}, "conflicting"),
        ({"A": 0.45, "B": 0.30}, {"tie_margin": 0.1}, "first"),
        ({"A": 0.2, "B": 0.3, "C": 0.4}, {"tie": "C"}, "tie"),
        ({"A": 0.2, "B": 0.2, "N": 0.4}, {"neither": "N"}, "neither"),
        ({"A": 0.4, "B": 0.1, "C": 0.4}, {"tie": "C"}, "conflicting"),
        ({"A": 0.9}, {}, "unparsed"),
        ({"A": 0.5, "B": 0.4}, {"tie": "C"}, "unparsed"),
        ({"A": 0.05, "B": 0.02}, {"mass_floor": 0.1}, "unparsed"),
        ({"A": 0.08, "B": 0.02}, {"mass_floor": 0.05}, "first"),
        ({"x": 0.9}, {}, "unparsed"),
        ({"A": 0.4, "B": 0.1, "Answer": 0.5}, {}, "first"),
    ],
)
def test_verdict(probabilities, declared, kind):
    assert read(probabilities, **declared).kind.value == kind


def test_no_probabilities_is_no_verdict():
    outcome = read({}, "A")
    assert (outcome.kind.value, outcome.rule) == ("unparsed", "logprob/1:none")
    assert read({}, "A", fallback=("choice",)).fallback == "choice"
    assert read({}).kind.value == "empty"


def test_one_token_is_not_cut():
    reply = Reply("A", finish="length", token_logprobs=(("A", -0.1), ("B", -3.0)))
    assert parse_reply(VerdictFormat(format="logprob"), LABELS, reply).kind.value == "first"
    reply = Reply("A", finish="length", token_logprobs=(("A", -0.1),))
    assert parse_reply(VerdictFormat(format="logprob"), LABELS, reply).kind.value == "unparsed"


@pytest.mark.parametrize("format_id", ["choice", "bracket", "logprob"])
def test_numbers_beside_any_format(format_id):
    text = {"choice": "B", "bracket": "[[B]]", "logprob": ""}[format_id]
    outcome = read({"A": 0.5, "B": 0.25}, text, format=format_id)
    assert outcome.label_mass == pytest.approx(0.75)
    assert outcome.log_odds_first == pytest.approx(math.log(2))
    if format_id != "logprob":
        assert outcome.kind.value == "second"


def test_unknown_is_not_zero():
    outcome = read({"A": 0.5}, "A", format="choice")
    assert (outcome.kind.value, outcome.label_mass, outcome.log_odds_first) == ("first", None, None)
    outcome = read({"A": 0.5, "B": 0.4}, "A", format="choice", tie="C")
    assert outcome.label_mass is None
    assert outcome.log_odds_first == pytest.approx(math.log(5 / 4))


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, -9999.0, 5.0])
def test_a_number_that_is_none_is_unknown(bad):
    reply = Reply("", token_logprobs=(("A", -0.1), ("B", bad)))
    outcome = parse_reply(VerdictFormat(format="logprob"), LABELS, reply)
    assert (outcome.kind.value, outcome.rule) == ("unparsed", "logprob/1:unknown_label")
    assert outcome.log_odds_first is None


def test_a_token_listed_twice_counts_once():
    reply = Reply(
        "", token_logprobs=(("A", math.log(0.4)), ("A", math.log(0.4)), ("B", math.log(0.5)))
    )
    assert parse_reply(VerdictFormat(format="logprob"), LABELS, reply).kind.value == "second"


@given(st.lists(st.tuples(st.text() | st.sampled_from(["A", " B", "b"]), st.floats())))
def test_any_alternatives_give_finite_numbers_or_none(pairs):
    reply = Reply("A", token_logprobs=tuple(pairs))
    for format_id in ("logprob", "choice"):
        outcome = parse_reply(VerdictFormat(format=format_id), LABELS, reply)
        assert outcome.label_mass is None or 0 <= outcome.label_mass <= 1
        assert outcome.log_odds_first is None or math.isfinite(outcome.log_odds_first)
