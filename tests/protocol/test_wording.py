import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from counterbalance.parsing.offer import offer_problem
from counterbalance.parsing.outcome import OutcomeKind
from counterbalance.parsing.parser import parse_reply
from counterbalance.presentations.reply import Reply
from counterbalance.protocol.labelling import Label, Labelling, spoken
from counterbalance.protocol.sections import Question
from counterbalance.protocol.verdict_format import FORMAT_IDS, VerdictFormat
from counterbalance.protocol.wording import (
    offered_labels,
    question_words,
    verdict_choices,
    verdict_words,
)

LABELLINGS = [("1", "2"), ("2", "1"), ("A", "B"), ("Output (a)", "Output (b)"), ("First", "Second")]
NONCE = "5f0a5f0a5f0a5f0a"
KEYS = {
    "regex": {"pattern": r"Winner: (?P<label>\S.*)$", "form": "Winner: {{label}}"},
    "tag": {"nonce": True},
    "json": {"fields": ("breaks_policy", "breaks_form"), "key": "best"},
}
OTHERS = {"tie": "3", "neither": "4", "insufficient": "5"}


def formats():
    for format_id in FORMAT_IDS:
        for others in ({}, {"tie": "3"}, OTHERS):
            if format_id != "regex":
                yield VerdictFormat(format=format_id, **others)
            if format_id in KEYS:
                yield VerdictFormat(format=format_id, **KEYS[format_id], **others)


FORMATS = list(formats())
ALONE = {"choice", "number", "logprob"}
"""Formats whose whole reply is the label."""


def wanted(verdict, labelling):
    """Outcomes in the order in which the choices are written: by label, not by slot."""
    first, second = OutcomeKind.FIRST, OutcomeKind.SECOND
    if labelling.first > labelling.second:
        first, second = second, first
    tie = [(OutcomeKind.TIE, None)] if verdict.tie else []
    kinds = [(first, None), (second, None), *tie]
    if verdict.format == "bracket5":
        kinds = [
            (first, "much"),
            (first, "slightly"),
            *tie,
            (second, "slightly"),
            (second, "much"),
        ]
    rest = {"neither": OutcomeKind.NEITHER, "insufficient": OutcomeKind.INSUFFICIENT}
    return kinds + [(kind, None) for name, kind in rest.items() if getattr(verdict, name)]


def read(verdict, labelling, written):
    """Read what a judge that does as it is told would send, before and after some reasoning."""
    logprobs = ()
    if verdict.format == "logprob":
        labels = offered_labels(verdict, labelling)
        logprobs = tuple((label, -0.1 if label == written else -5.0) for label in labels)
    texts = [written] if verdict.format in ALONE else [written, f"Both were read.\n{written}"]
    replies = [Reply(text, "stop", token_logprobs=logprobs) for text in texts]
    nonce = NONCE if verdict.nonce else ""
    return [parse_reply(verdict, labelling, reply, nonce=nonce) for reply in replies]


@pytest.mark.parametrize("slots", LABELLINGS, ids="/".join)
@pytest.mark.parametrize("verdict", FORMATS, ids=lambda verdict: verdict.format)
def test_every_verdict_that_the_prompt_asks_for_is_read_as_what_it_means(verdict, slots):
    labelling = Labelling(first=slots[0], second=slots[1])
    if verdict.format == "number" and not slots[0].isdigit():
        assert offer_problem(verdict, labelling)
        return
    nonce = NONCE if verdict.nonce else ""
    words = verdict_words(verdict, labelling, nonce)
    choices = verdict_choices(verdict, labelling, nonce)
    assert len(choices) == len(wanted(verdict, labelling))
    for (written, meaning), (kind, strength) in zip(
        choices, wanted(verdict, labelling), strict=True
    ):
        assert written in words
        if kind not in {OutcomeKind.FIRST, OutcomeKind.SECOND} or verdict.format not in ALONE:
            assert f"{written} if {meaning}" in words
        for outcome in read(verdict, labelling, written):
            assert (outcome.kind, outcome.strength) == (kind, strength), (written, outcome)


_LABEL = TypeAdapter(Label)


def is_label(text):
    try:
        _LABEL.validate_python(text)
    except ValidationError:
        return False
    return True


texts = st.text("aZ19Äßı(). -_+#%@ϒé", min_size=1, max_size=6) | st.text(min_size=1, max_size=5)
labels = texts.filter(is_label)


@given(first=labels, second=labels, verdict=st.sampled_from(FORMATS))
def test_every_label_that_is_allowed_can_be_read_in_every_format(first, second, verdict):
    taken = {spoken(x) for x in OTHERS.values()}
    if spoken(first) == spoken(second) or taken & {spoken(first), spoken(second)}:
        return
    labelling = Labelling(first=first, second=second)
    if offer_problem(verdict, labelling):
        return
    choices = verdict_choices(verdict, labelling, NONCE if verdict.nonce else "")
    for (written, _), (kind, _) in zip(choices, wanted(verdict, labelling), strict=True):
        assert {outcome.kind for outcome in read(verdict, labelling, written)} == {kind}


def test_the_scale_is_described_step_by_step():
    verdict = VerdictFormat(format="bracket5", tie="C")
    assert verdict_words(verdict, Labelling(first="A", second="B")) == (
        "End your reply with [[A>>B]] if answer A is much better, [[A>B]] if answer A is slightly"
        " better, [[A=B]] if they are equally good, [[B>A]] if answer B is slightly better or"
        " [[B>>A]] if answer B is much better."
    )


def test_a_tie_is_asked_for_only_where_it_is_offered():
    labelling = Labelling(first="A", second="B")
    for format_id in ("bracket", "bracket5", "choice"):
        words = verdict_words(VerdictFormat(format=format_id), labelling)
        assert "equally" not in words
        assert "=" not in words


def test_the_nonce_stands_in_the_tag_and_nowhere_else():
    labelling = Labelling(first="A", second="B")
    verdict = VerdictFormat(format="tag", nonce=True)
    assert f'<verdict nonce="{NONCE}">A</verdict>' in verdict_words(verdict, labelling, NONCE)
    assert parse_reply(verdict, labelling, Reply("<verdict>A</verdict>"), nonce=NONCE).kind == (
        OutcomeKind.UNPARSED
    )


def test_declared_fields_are_asked_for_and_read():
    verdict = VerdictFormat(format="json", fields=("breaks_policy", "breaks_form"))
    labelling = Labelling(first="A", second="B")
    words = verdict_words(verdict, labelling)
    assert '"breaks_policy" and "breaks_form"' in words
    values = re.findall(r'"(\w+)"', words.rpartition(":")[2])
    assert values == ["A", "B", "both", "none"]
    for value in values:
        reply = f'{{"winner": "A", "breaks_policy": "{value}", "breaks_form": "none"}}'
        assert {name for name, _ in parse_reply(verdict, labelling, Reply(reply)).fields} == {
            "breaks_policy",
            "breaks_form",
        }


@pytest.mark.parametrize("verdict", FORMATS, ids=lambda verdict: verdict.format)
def test_the_words_are_the_same_under_exchanged_labels(verdict):
    """Labels are named in one fixed order, so that the order of mention never follows the slots."""
    words = verdict_words(verdict, Labelling(first="11", second="22"), NONCE)
    assert verdict_words(verdict, Labelling(first="22", second="11"), NONCE) == words
    assert words.index("11") < words.index("22")


QUESTIONS = ("factual_acceptability", "quality_among_acceptable", "overall_preference")


def test_each_question_has_words_of_its_own():
    def words(kind, length):
        return question_words(Question(kind=kind, length=length, decision="A secret decision."))

    found = {
        words(kind, length) for kind in QUESTIONS for length in ("detail", "brevity", "indifferent")
    }
    assert len(found) == 9
    assert not any("secret" in text for text in found)
    for kind in QUESTIONS:
        plain = words(kind, "indifferent")
        assert words(kind, "detail").startswith(plain)
        assert words(kind, "brevity").startswith(plain)


def test_offered_labels_begin_with_the_slots():
    verdict = VerdictFormat(format="choice", **OTHERS)
    assert offered_labels(verdict, Labelling(first="2", second="1")) == ("2", "1", "3", "4", "5")
