"""What holds for every text and every format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from counterbalance.items.frames import Slot
from counterbalance.parsing.offer import offer_problem
from counterbalance.parsing.outcome import Outcome, OutcomeKind
from counterbalance.parsing.parser import parse_reply
from counterbalance.parsing.registry import READERS
from counterbalance.presentations.reply import Reply
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.verdict_format import FORMAT_IDS, FormatId, VerdictFormat

PAGE = Path(__file__).parents[2] / "docs/reference/verdict-formats.md"
GRADE = r"(?i)grade:\s*(?P<label>[^\n]+)"
WRITTEN = {
    "bracket": "[[{}]]",
    "bracket5": "[[{}]]",
    "json": '{{"winner": "{}"}}',
    "tag": "<verdict>{}</verdict>",
    "choice": "{}",
    "number": "{}",
    "result": "[RESULT] {}",
    "boxed": "\\boxed{{{}}}",
    "regex": "GRADE: {}",
}
PIECES = [
    "[[A]]", "[[B]]", "[[", "]]", "[[A>B]]", "[[b << a]]", '{"winner":"A"}', '{"winner":', '"B"',
    "}", "<verdict>", "A", "B", "C", "1", "2", "</verdict>", "\\boxed{", "[RESULT] ", "GRADE: ",
    "<think>",
    "</think>", "```", "\n", " ", '"', "'", ". ", "The best is ", "\u200b", "\u202e", "Ａ", "&gt;",
    "e\u0301", "\ud800", "\\", "I cannot help", "<reasoning>", "...", "x", "【",
]  # fmt: skip
TEXTS = st.text() | st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
FORMATS = st.sampled_from(FORMAT_IDS)


def declared(format_id: str, **more) -> VerdictFormat:
    return VerdictFormat(format=format_id, pattern=GRADE if format_id == "regex" else None, **more)


def labels_for(format_id: str) -> Labelling:
    return (
        Labelling(first="1", second="2")
        if format_id == "number"
        else Labelling(first="A", second="B")
    )


def test_every_format_has_a_reader_and_a_place_in_the_page():
    assert set(READERS) == set(FORMAT_IDS) == set(get_args(FormatId))
    page = PAGE.read_text(encoding="utf-8")
    for format_id in FORMAT_IDS:
        assert f"\n## `{format_id}`" in page


@given(
    text=TEXTS,
    format_id=FORMATS,
    finish=st.sampled_from(["", "stop", "length"]),
    lenient=st.booleans(),
    position=st.sampled_from(["last", "only"]),
    echo=TEXTS,
    cut=st.booleans(),
)
def test_any_text_gives_one_outcome_with_a_valid_span(
    text, format_id, finish, lenient, position, echo, cut
):
    others = tuple(x for x in FORMAT_IDS if x not in {format_id, "regex"})
    for fallback in ((), others):
        verdict = declared(
            format_id,
            lenient=lenient,
            position=position,
            tie="C",
            readable_when_cut=cut,
            fallback=fallback,
            fields=("unsafe",) if format_id == "json" else (),
            refusal_patterns=("cannot.*",),
        )
        reply = Reply(text, finish=finish)
        outcome = parse_reply(verdict, labels_for(format_id), reply, echoes=(echo, text))
        assert isinstance(outcome, Outcome)
        assert outcome.kind not in {OutcomeKind.FAILED, OutcomeKind.TOO_LONG}
        assert outcome.rule
        if outcome.span is not None:
            start, end = outcome.span
            assert 0 <= start < end <= len(text)
        assert (outcome.strength is not None) <= (
            outcome.kind in {OutcomeKind.FIRST, OutcomeKind.SECOND}
        )
        assert not outcome.is_verdict or outcome.span is not None


@given(
    text=TEXTS, format_id=FORMATS, lenient=st.booleans(), position=st.sampled_from(["last", "only"])
)
def test_exchanging_the_labels_exchanges_the_slots(text, format_id, lenient, position):
    verdict = declared(format_id, lenient=lenient, position=position, tie="C")
    labels = labels_for(format_id)
    exchanged = Labelling(first=labels.second, second=labels.first)
    logs = (("A", -0.5), ("B", -1.5), ("1", -0.5), ("2", -1.0), ("C", -2.0))
    reply = Reply(text, token_logprobs=logs)
    one, other = parse_reply(verdict, labels, reply), parse_reply(verdict, exchanged, reply)
    swap = {OutcomeKind.FIRST: OutcomeKind.SECOND, OutcomeKind.SECOND: OutcomeKind.FIRST}
    assert other.kind is swap.get(one.kind, one.kind)
    assert (one.rule, one.span, one.strength) == (other.rule, other.span, other.strength)
    if one.log_odds_first is not None:
        assert one.log_odds_first == -other.log_odds_first


@given(
    st.sampled_from(sorted(WRITTEN)),
    st.sampled_from(["", "Reasons come first.\n", "<think>[[B]] 2</think>\n", "\u200f"]),
    st.sampled_from(["", "\n", "\u200b "]),
    st.sampled_from(["A", "Output (a)", "Ä1", "甲", "model_x", "first"]),
    st.sampled_from(list(Slot)),
)
def test_what_is_written_is_read(format_id, before, after, label, slot):
    labels = Labelling(first=label, second="Z")
    if format_id == "number":
        labels = labels_for(format_id)
    written = WRITTEN[format_id].format(labels.label(slot))
    if format_id == "bracket5":
        written = WRITTEN[format_id].format(f"{labels.label(slot)}>>{labels.label(slot.other)}")
    if format_id == "choice" and "Reasons" in before:
        before = ""
    outcome = parse_reply(declared(format_id), labels, Reply(before + written + after))
    assert outcome.kind.value == slot.value
    assert outcome.strength == ("much" if format_id == "bracket5" else None)


NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers()
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda x: st.lists(x) | st.dictionaries(st.text(), x),
    max_leaves=20,
)


@given(VALUES, st.text())
def test_json_reads_what_the_standard_library_reads(value, prose):
    row = {"more": value, "winner": "B", "last": value}
    for indent in (None, 1):
        text = json.dumps(row, ensure_ascii=False, indent=indent)
        outcome = parse_reply(declared("json"), labels_for("json"), Reply(text))
        assert outcome.kind is OutcomeKind.SECOND
    prose = prose.replace("{", "").replace("<", "").replace("[", "").replace("◁", "")
    after = parse_reply(declared("json"), labels_for("json"), Reply(f"{prose}\n{text}"))
    assert after.kind in {OutcomeKind.SECOND, OutcomeKind.EMPTY, OutcomeKind.TRUNCATED}


@given(st.text(max_size=40))
def test_a_broken_object_is_never_read(text):
    broken = '{"winner": "A", ' + text
    try:
        json.loads(broken, strict=False)
    except (ValueError, RecursionError):
        if "{" not in text:
            outcome = parse_reply(declared("json"), labels_for("json"), Reply(broken))
            assert not outcome.is_verdict


@pytest.mark.parametrize(
    "more",
    [
        {"format": "regex", "pattern": "("},
        {"format": "regex", "pattern": "(A|B)"},
        {"format": "regex", "pattern": r"(?<=x)(?P<label>A)"},
        {"format": "regex", "pattern": "(?P<label>\ud800)"},
        {"format": "regex"},
        {"format": "bracket", "pattern": "(?P<label>A)"},
        {"format": "bracket", "refusal_patterns": ("(",)},
    ],
)
def test_bad_patterns_are_refused_before_the_first_call(more, capfd):
    with pytest.raises(ValidationError):
        VerdictFormat(**more)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("verdict", "first", "problem"),
    [
        ({"format": "bracket", "tie": "a"}, "A", "two things"),
        ({"format": "number"}, "A", "digits"),
        ({"format": "tag", "tag": "Think"}, "A", "reasoning"),
        ({"format": "bracket", "tie": "C"}, "A", ""),
    ],
)
def test_what_cannot_work_together_is_said(verdict, first, problem):
    said = offer_problem(VerdictFormat(**verdict), Labelling(first=first, second="2"))
    assert (problem in said) if problem else not said
