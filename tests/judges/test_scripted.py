from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from scipy.stats import binom

from counterbalance.errors import JudgeError
from counterbalance.items.frames import Order, Slot
from counterbalance.items.item import Message
from counterbalance.judges.scripted import ScriptedJudgeModel, markdown_marks
from counterbalance.judges.scripted_replies import PROSE, REFUSAL
from counterbalance.presentations.order import side_in
from counterbalance.protocol.judge_settings import ScriptedJudge
from counterbalance.protocol.verdict_format import FORMAT_IDS, VerdictFormat
from judges.asking import replies, request, shown_in

PAIRS = 600
RATE = 0.3


def judge(verdict=None, **settings):
    verdict = verdict or VerdictFormat(format="choice", tie="tie")
    return ScriptedJudgeModel(ScriptedJudge(name="s", kind="scripted", **settings), verdict)


def is_within(count, n, rate):
    low, high = binom.interval(0.9999, n, rate)
    return low <= count <= high


def pairs(n=PAIRS):
    """Texts of the same length without any mark, so that no rule but the coin tells them apart."""
    return [(f"answer {2 * i:05d}", f"answer {2 * i + 1:05d}") for i in range(n)]


def both_orders(model, texts, labels=("1", "2"), **changes):
    """Slot and candidate that win in each order, None for a tie."""
    won = []
    for order in Order:
        asked = [
            shown_in(order, a, b, labels, key=f"{order} {i} {labels}", **changes)
            for i, (a, b) in enumerate(texts)
        ]
        slots = [
            None if r.text == "tie" else (Slot.FIRST if r.text == labels[0] else Slot.SECOND)
            for r in replies(model, *asked)
        ]
        won.append([(slot, slot and side_in(slot, order)) for slot in slots])
    return list(zip(*won, strict=True))


def test_without_bias_the_same_text_wins_in_both_orders_about_half_the_time_each():
    rows = both_orders(judge(), pairs())
    assert all(forward[1] == reverse[1] for forward, reverse in rows)
    assert is_within(sum(forward[1] == "a" for forward, _ in rows), PAIRS, 0.5)


@pytest.mark.parametrize("favoured", ["first", "second"])
def test_slot_bias_is_recovered(favoured):
    rows = both_orders(judge(slot_rate=RATE, favoured_slot=favoured), pairs())
    same_slot = sum(f[0] == r[0] == favoured for f, r in rows)
    assert is_within(same_slot, PAIRS, RATE)
    assert all(f[1] == r[1] for f, r in rows if not f[0] == r[0] == favoured)


def test_label_bias_follows_the_label_and_not_the_slot():
    model = judge(label_rate=RATE, favoured_label="2")
    plain = both_orders(model, pairs(), ("1", "2"))
    exchanged = both_orders(model, pairs(), ("2", "1"))
    assert is_within(sum(f[0] == r[0] == "second" for f, r in plain), PAIRS, RATE)
    assert is_within(sum(f[0] == r[0] == "first" for f, r in exchanged), PAIRS, RATE)
    assert not any(f[0] == r[0] == "first" for f, r in plain)


def test_label_that_is_not_shown_has_no_say():
    rows = both_orders(judge(label_rate=1, favoured_label="9"), pairs(50))
    assert all(f[1] == r[1] for f, r in rows)


@pytest.mark.parametrize(
    ("settings", "better"),
    [
        ({"length_rate": RATE}, "{} and more"),
        ({"markdown_rate": RATE}, "**{}**"),
        ({"quality_rate": RATE, "quality_marker": "because"}, "{} because"),
    ],
)
def test_bias_for_a_property_of_the_text_is_recovered(settings, better):
    # The other half of the rate comes from the coin, which falls on either text.
    texts = [(better.format(a), b) for a, b in pairs()]
    rows = both_orders(judge(**settings), texts)
    assert all(f[1] == r[1] for f, r in rows)
    expected = RATE + (1 - RATE) / 2
    assert is_within(sum(f[1] == "a" for f, _ in rows), PAIRS, expected)


@pytest.mark.parametrize("name", ["length_rate", "markdown_rate"])
def test_bias_for_a_property_that_both_texts_share_has_no_say(name):
    assert both_orders(judge(**{name: 1}), pairs(100)) == both_orders(judge(), pairs(100))


def test_ties_are_recovered_and_the_same_in_both_orders():
    rows = both_orders(judge(tie_rate=RATE), pairs())
    assert all((f[0] is None) == (r[0] is None) for f, r in rows)
    assert is_within(sum(f[0] is None for f, _ in rows), PAIRS, RATE)


def test_no_tie_where_none_is_offered():
    model = judge(VerdictFormat(format="choice"), tie_rate=1)
    assert {f[0] for f, _ in both_orders(model, pairs(50))} <= {"first", "second"}


def test_noise_is_drawn_for_each_call():
    rows = both_orders(judge(noise=RATE), pairs())
    differs = 2 * RATE * (1 - RATE)
    assert is_within(sum(f[1] != r[1] for f, r in rows), PAIRS, differs)
    model = judge(noise=0.5)
    assert len({replies(model, request(attempt=n))[0].text for n in range(1, 20)}) == 2


@pytest.mark.parametrize(("name", "text"), [("refusal_rate", REFUSAL), ("unparsed_rate", PROSE)])
def test_calls_without_a_verdict_are_recovered(name, text):
    asked = [request(key=f"k{i}") for i in range(PAIRS)]
    got = [r.text for r in replies(judge(**{name: RATE}), *asked)]
    assert is_within(got.count(text), PAIRS, RATE)


def test_dropped_calls_get_no_reply_and_are_drawn_for_each_call():
    model = judge(drop_rate=RATE)
    dropped = []
    for i in range(PAIRS):
        try:
            replies(model, request(key=f"k{i}"))
        except JudgeError as error:
            dropped.append(error.kind)
    assert is_within(len(dropped), PAIRS, RATE)
    assert set(dropped) == {"network"}


def test_planted_bias_survives_repetition():
    model = judge(slot_rate=0.5)
    for a, b in pairs(20):
        assert (
            len({r.text for r in replies(model, *[request(a, b, attempt=n) for n in (1, 2, 3)])})
            == 1
        )


def test_identical_texts_favour_no_slot():
    asked = [request("same", "same", key=f"k{i}") for i in range(PAIRS)]
    first = sum(r.text == "A" for r in replies(judge(), *asked))
    assert is_within(first, PAIRS, 0.5)


WRITTEN = {
    "bracket": "My final verdict is [[A]]",
    "bracket5": "My final verdict is [[A>B]]",
    "json": '{"winner": "A"}',
    "tag": "<verdict>A</verdict>",
    "result": "The answers were compared. [RESULT] A",
    "boxed": r"\boxed{A}",
}


@pytest.mark.parametrize("name", FORMAT_IDS)
def test_every_format_is_written(name):
    pattern = {"pattern": "^(?P<label>.)$"} if name == "regex" else {}
    verdict = VerdictFormat(format=name, tie="C", **pattern)
    (reply,) = replies(judge(verdict, slot_rate=1), request(labels=("A", "B", "C")))
    assert reply.text == WRITTEN.get(name, "A")
    (tie,) = replies(judge(verdict, tie_rate=1), request(labels=("A", "B", "C")))
    assert tie.text == WRITTEN.get(name, "A").replace(">B", "").replace("A", "C")


def test_json_fields_and_tag_nonce_are_written():
    verdict = VerdictFormat(format="json", key="better", fields=("breaks",))
    (reply,) = replies(judge(verdict, slot_rate=1), request())
    assert reply.text == '{"better": "A", "breaks": "none"}'
    verdict = VerdictFormat(format="tag", nonce=True)
    prompt = (
        'quoted <verdict nonce="00"> ... <verdict nonce="5f1a">A</verdict> if answer A is better'
    )
    (reply,) = replies(judge(verdict, slot_rate=1), request(messages=(Message("user", prompt),)))
    assert reply.text == '<verdict nonce="5f1a">A</verdict>'


def test_logprob_format_gets_probabilities_below_one_in_total():
    verdict = VerdictFormat(format="logprob", tie="C")
    (reply,) = replies(judge(verdict, slot_rate=1), request(labels=("A", "B", "C")))
    assert [token for token, _ in reply.token_logprobs] == ["A", "B", "C"]
    assert sum(math.exp(value) for _, value in reply.token_logprobs) == pytest.approx(0.95)


def test_quality_rate_needs_its_marker():
    with pytest.raises(ValidationError, match="quality_marker"):
        ScriptedJudge(name="s", kind="scripted", quality_rate=0.5)


@given(st.text(), st.text(), st.integers(0, 99))
def test_a_fair_judge_never_contradicts_itself(a, b, seed):
    if a == b:
        return
    model = judge(seed=seed)
    forward, reverse = (replies(model, shown_in(order, a, b))[0].text for order in Order)
    assert {forward, reverse} == {"1", "2"}


def test_markdown_marks_of_plain_prose_are_none():
    assert markdown_marks("It costs 3 - 4 euros; see section 2.1 (not 3).\nYours") == 0


def test_reasoning_that_passes_the_limit_is_cut_before_its_verdict():
    model = judge(max_tokens=40, reasoning_words=80)
    asked = [request(a, b, labels=("1", "2"), key=f"k{i}") for i, (a, b) in enumerate(pairs(200))]
    found = replies(model, *asked)
    cut = [reply for reply in found if reply.finish == "length"]
    assert is_within(len(cut), 200, 41 / 80)
    assert {(r.text, len(r.reasoning.split()), r.sent["max_tokens"]) for r in cut} == {("", 40, 40)}
    whole = [reply for reply in found if reply.finish != "length"]
    assert all(reply.text in {"1", "2"} for reply in whole)
    assert all(1 <= len(reply.reasoning.split()) < 40 for reply in whole)
    # The same question takes the same thought, and a raised limit lets all of it through.
    raised = replies(model, *[replace(one, max_tokens=81) for one in asked])
    assert all(reply.text in {"1", "2"} and reply.sent["max_tokens"] == 81 for reply in raised)
    assert [r for r in raised if len(r.reasoning.split()) < 40] == [
        replace(r, sent={**r.sent, "max_tokens": 81}) for r in whole
    ]


def test_without_a_limit_nothing_is_cut_and_no_limit_is_recorded():
    found = replies(judge(reasoning_words=500), *[request(key=f"k{i}") for i in range(20)])
    assert {reply.finish for reply in found} == {"stop"}
    assert all("max_tokens" not in reply.sent for reply in found)
