"""What holds for replies in any format: position, cut, provider, refusal, fallback, labels."""

from __future__ import annotations

import pytest

from counterbalance.parsing.parser import parse_reply
from counterbalance.presentations.reply import Reply, Usage
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.verdict_format import VerdictFormat

LABELS = Labelling(first="A", second="B")
DIGITS = Labelling(first="1", second="2")
GRADE = r"(?i)(?:answer|grade):\s*(?P<label>\w+)"


def test_only_makes_two_verdicts_conflicting(read):
    assert read("[[A]] or [[B]]", position="only").kind.value == "conflicting"
    assert read("[[A]], yes [[A]]", position="only").kind.value == "first"
    assert read("[[A]] or [[D]]", position="only").kind.value == "conflicting"
    both = read("[[A>>B]] or [[A>B]]", position="only", format="bracket5")
    assert both.kind.value == "conflicting"
    assert both.strength is None
    assert read("1\n2", DIGITS, format="number", position="only").kind.value == "conflicting"
    assert read("1\n2", DIGITS, format="number").kind.value == "second"


@pytest.mark.parametrize(
    ("text", "declared", "kind"),
    [
        ("At first [[A]] looked right, but", {}, "truncated"),
        ("So the verdict is [[A]]", {}, "first"),
        ("So the verdict is **[[A]]**.", {}, "first"),
        ("So the verdict is [[A", {}, "truncated"),
        ("A", {"format": "choice"}, "first"),
        ("A", {"format": "choice", "tie": "A or B"}, "truncated"),
        ("[RESULT] A", {"format": "result"}, "truncated"),
        ("[RESULT] A.", {"format": "result"}, "first"),
        ("I can't help with", {}, "truncated"),
        ('{"winner":"A"} be', {"format": "json"}, "truncated"),
        ('{"winner":"A"}', {"format": "json"}, "first"),
        ("<verdict>A", {"format": "tag", "lenient": True}, "truncated"),
        ("GRADE: C", {"format": "regex", "pattern": GRADE, "tie": "C"}, "truncated"),
    ],
)
@pytest.mark.parametrize("finish", ["length", "MAX_TOKENS"])
def test_cut(read, text, declared, kind, finish):
    assert read(text, finish=finish, **declared).kind.value == kind


def test_cut_number(read):
    assert read("The best one is 1", DIGITS, "length", format="number").kind.value == "truncated"
    assert read("1", DIGITS, "length", format="number").kind.value == "first"


def _whole(**reply) -> str:
    return parse_reply(VerdictFormat(format="bracket"), LABELS, Reply(**reply)).kind.value


def test_no_text():
    assert _whole(text="", finish="length", reasoning="so [[A]]") == "truncated"
    assert _whole(text="", finish="length", usage=Usage(9, 100, is_measured=True)) == "truncated"
    assert _whole(text="", finish="length") == "empty"
    assert _whole(text="", finish="stop", reasoning="so [[A]]") == "empty"
    assert _whole(text="<think>x</think> ", finish="length") == "truncated"
    assert _whole(text="\u200b\ufeff") == "empty"


def test_the_provider_is_asked_first():
    assert _whole(text="[[A]]", refusal="No.") == "refused"
    assert _whole(text="[[A]]", finish="content_filter") == "refused"
    assert _whole(text="", finish="SAFETY") == "refused"
    assert _whole(text="[[A]]", refusal="  ") == "first"


def test_declared_refusal_patterns(read):
    assert read("POLICY: no.", refusal_patterns=(r"policy:",)).kind.value == "refused"
    assert read("POLICY: no. [[A]]", refusal_patterns=(r"policy:",)).kind.value == "first"
    assert read("anything", refusal_patterns=("",)).kind.value == "unparsed"


def test_fallback_is_declared_and_recorded(read):
    outcome = read("So: [RESULT] B", fallback=("json", "result"))
    assert (outcome.kind.value, outcome.fallback) == ("second", "result")
    assert outcome.rule == "result/1:last"
    assert read("[[A]] [RESULT] B", fallback=("result",)).fallback == ""
    assert read("[[D]] [RESULT] B", fallback=("result",)).kind.value == "off_scale"
    assert read("nothing", fallback=("result",)).fallback == ""


def test_neither_and_insufficient(read):
    declared = {"tie": "C", "neither": "N", "insufficient": "not sure"}
    assert read("[[N]]", **declared).kind.value == "neither"
    assert read("[[Not  sure]]", **declared).kind.value == "insufficient"


def test_a_label_with_two_meanings_is_no_verdict(read):
    assert read("[[A]]", tie="A").kind.value == "conflicting"
    assert read("[[B]]", tie="A").kind.value == "second"


def test_spans_count_in_the_text_received(read):
    text = "\u200bＡ\u200b ﬁ said: \u200b【【\u200bＢ】】\u200b end"
    outcome = read(text)
    assert text[slice(*outcome.span)] == "【【\u200bＢ】】"
