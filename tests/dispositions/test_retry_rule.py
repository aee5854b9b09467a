"""The retry rule as data: what is due, what counts, what lies beyond, in whatever order it came."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import outcome, pair, shown
from counterbalance.dispositions.disposition import Disposition, dispose
from counterbalance.dispositions.evidence import PairEvidence, PresentationEvidence, collect
from counterbalance.dispositions.retry_rule import RetryRule, calls_that_count
from counterbalance.items.frames import Order
from counterbalance.presentations.presentation import PlanEntry, Purpose
from protocol.examples import protocol

NAMED = ["unparsed", "failed", "truncated"]
RAISED = 256


def raising(most=2, **retry):
    """A protocol whose judge is asked with 64 tokens, and again with 256 after a cut."""
    judge = {"name": "judge", "kind": "scripted", "max_tokens": 64}
    rule = {"outcomes": NAMED, "max_attempts": most, "raise_max_tokens_to": RAISED} | retry
    return protocol(judges=[judge], retry={k: v for k, v in rule.items() if v is not None})


FORWARD, REVERSED = (shown(pair(), order, ()).presentation for order in Order)


def stood(rule_of, forward, reversed_=None):
    """Where the forward order stands; words separated by spaces are attempts."""
    made = {FORWARD.key: forward.split()}
    if reversed_ is not None:
        made[REVERSED.key] = reversed_.split()
    planned = [p for p in (FORWARD, REVERSED) if p.key in made]
    rule = RetryRule(rule_of, planned)
    found = {key: [outcome(word) for word in words] for key, words in made.items()}
    standing = rule.standing(FORWARD, found.__getitem__)
    state = "raised " * standing.is_raised + "waiting " * standing.is_waiting
    state += "due" if standing.is_due else "settled" if standing.is_settled else "open"
    return standing.begin, standing.end, state


@pytest.mark.parametrize(
    ("attempts", "end", "state"),
    [
        ("", 0, "due"),
        ("first", 1, "settled"),
        ("refused", 1, "settled"),
        ("unparsed", 1, "due"),
        ("unparsed tie", 2, "settled"),
        ("unparsed unparsed", 2, "settled"),
        ("failed:lost unparsed failed:lost", 3, "due"),
        ("failed:auth failed:quota", 2, "due"),
        ("truncated", 1, "due"),
        # Beyond the rule, also where the call was lost: no rerun asks again.
        ("unparsed unparsed first", 2, "settled"),
        ("unparsed unparsed failed:lost", 2, "settled"),
        ("unparsed failed:lost failed unparsed", 3, "settled"),
    ],
)
def test_without_a_raise_each_order_is_on_its_own(attempts, end, state):
    rule = raising(raise_max_tokens_to=None)
    assert stood(rule, attempts, "truncated truncated") == (0, end, state)


@pytest.mark.parametrize(
    ("forward", "reversed_", "wanted"),
    [
        # No cut: nothing changes, and nobody waits.
        ("first", "second", (0, 1, "settled")),
        ("first", "unparsed", (0, 1, "open")),
        ("first", "", (0, 1, "open")),
        # A cut waits for the other order, and then both begin again.
        ("truncated", "", (0, 1, "waiting open")),
        ("truncated", "unparsed", (0, 1, "waiting open")),
        ("truncated", "first", (1, 1, "raised due")),
        ("first", "truncated", (1, 1, "raised due")),
        ("truncated first", "second", (1, 2, "raised open")),
        ("truncated first", "second second", (1, 2, "raised settled")),
        # Attempts at both limits count together; the partner has one more at least.
        ("truncated truncated", "first", (1, 2, "raised open")),
        ("unparsed first", "truncated", (2, 2, "raised due")),
        ("unparsed first unparsed", "truncated first", (2, 3, "raised settled")),
        ("first unparsed", "truncated first", (1, 2, "raised settled")),
        # A cut that used the last attempt raises nothing.
        ("unparsed truncated", "first", (0, 2, "settled")),
        ("first", "unparsed truncated", (0, 1, "settled")),
        # A call that was lost at the raised limit is asked again at it.
        ("truncated failed:lost", "first", (1, 2, "raised due")),
        # Beyond the rule.
        ("truncated truncated first", "first first", (1, 2, "raised settled")),
    ],
)
def test_a_cut_raises_both_orders(forward, reversed_, wanted):
    assert stood(raising(), forward, reversed_) == wanted


def test_one_order_alone_is_raised_alone():
    assert stood(raising(), "truncated") == (1, 1, "raised due")
    assert stood(raising(), "truncated first") == (1, 2, "raised settled")


def test_more_attempts_are_shared_between_the_limits():
    assert stood(raising(4), "unparsed truncated unparsed", "first") == (2, 3, "raised due")
    assert stood(raising(4), "unparsed truncated unparsed unparsed", "first")[2] == "raised open"


WORDS = ["first", "second", "tie", "unparsed", "truncated", "refused", "failed", "failed:lost"]


def played(rule_of, words, seed):
    """Ask whatever is due in a random order until nothing is; words are drawn per attempt."""
    made = {FORWARD.key: [], REVERSED.key: []}
    rule = RetryRule(rule_of, (FORWARD, REVERSED))
    draw = np.random.default_rng(seed)

    def standing(shown_):
        return rule.standing(shown_, made.__getitem__)

    while due := [p for p in (FORWARD, REVERSED) if standing(p).is_due]:
        asked = due[draw.integers(len(due))]
        n_served, is_raised = calls_that_count(made[asked.key]), standing(asked).is_raised
        word = words[asked.order, n_served, is_raised]
        if draw.random() < 0.3:
            made[asked.key].append(outcome("failed:lost"))
        made[asked.key].append(outcome(word))
    return made, [standing(p) for p in (FORWARD, REVERSED)]


def served(outcomes):
    return [o.kind.value for o in outcomes if o.failure != "lost"]


@given(
    st.integers(2, 4),
    st.lists(st.sampled_from(WORDS[:-1]), min_size=24, max_size=24),
    st.integers(0, 99),
    st.integers(0, 99),
)
def test_laws_of_every_history(most, drawn, seed, other_seed):
    places = [(order, n, up) for order in Order for n in range(6) for up in (False, True)]
    words = dict(zip(places, drawn, strict=True))
    made, standings = played(raising(most), words, seed)
    again, _ = played(raising(most), words, other_seed)
    # Neither the order of the calls nor lost ones change what is asked.
    assert {key: served(found) for key, found in made.items()} == {
        key: served(found) for key, found in again.items()
    }
    assert standings[0].is_raised == standings[1].is_raised
    assert all(s.is_settled and s.end == len(made[k]) for s, k in zip(standings, made, strict=True))
    assert sum(len(served(found)) for found in made.values()) <= 2 * most + 1
    for key, standing in zip(made, standings, strict=True):
        assert len(served(made[key])) <= most + standing.is_raised
        for i, (before, _) in enumerate(pairwise(served(made[key]))):
            # What the rule does not name is asked again for the partner's sake only, once.
            if before not in NAMED:
                assert standing.is_raised
                assert i + 1 == len(served(made[key][: standing.begin]))


def attempts(of, order, *words_and_limits):
    """Attempts at one order, each with the limit that was sent."""
    found = shown(of, order, tuple(word for word, _ in words_and_limits)).attempts
    return [
        attempt
        if attempt.reply is None
        else replace(attempt, reply=replace(attempt.reply, sent={"max_tokens": limit}))
        for attempt, (_, limit) in zip(found, words_and_limits, strict=True)
    ]


def disposed(rule_of, forward, reversed_, **how):
    """The disposition of one pair, from attempts to the end; and its evidence."""
    of = pair()
    plan = [PlanEntry(Purpose.MAIN, shown(of, order, ()).presentation) for order in Order]
    made = [*attempts(of, Order.FORWARD, *forward), *attempts(of, Order.REVERSED, *reversed_)]
    (found,) = collect(plan, reversed(made), rule_of, **how).values()
    return dispose(of, found[of.id]), found[of.id]


CUT = [("truncated", 64), ("first", RAISED)]


def test_both_orders_count_at_the_raised_limit():
    result, found = disposed(raising(), CUT, [("first", 64), ("second", RAISED)])
    # Under the declared limit the reversed order had said b, and the pair would disagree.
    assert result.disposition is Disposition.STABLE_A
    assert [held[0].is_raised for held in found.main.values()] == [True, True]
    assert [held[0].decisive.number for held in found.main.values()] == [2, 2]


@pytest.mark.parametrize(
    ("after", "reasons"),
    [([], {"not_run": 1}), ([("refused", RAISED)], {}), ([("too_long", RAISED)], {"too_long": 1})],
)
def test_an_order_that_cannot_be_had_at_the_raised_limit_keeps_no_earlier_verdict(after, reasons):
    result, _ = disposed(raising(), CUT, [("first", 64), *after])
    assert result.cells[Order.REVERSED].cell.verdict is None
    assert result.disposition in {Disposition.INCOMPLETE, Disposition.REFUSED}
    if reasons:
        assert result.reasons == reasons


def test_a_mix_of_limits_in_a_record_made_by_hand_is_confounded():
    by_hand = [("first", 64), ("second", 64)]
    result, _ = disposed(raising(), CUT, by_hand)
    assert result.is_confounded
    without_rule = raising(raise_max_tokens_to=None)
    result, _ = disposed(without_rule, CUT, [("first", 64)])
    assert result.is_confounded
    result, _ = disposed(without_rule, [("truncated", 64), ("first", 64)], [("first", 64)])
    assert not result.is_confounded


def test_limits_that_are_crossed_between_repetitions_are_confounded():
    """Both orders hold both limits, and still no repetition has the same one in both orders."""
    of = pair()

    def held(order, *limits):
        return [
            PresentationEvidence(
                shown(of, order, (), repetition).presentation,
                tuple(attempts(of, order, ("first", limit))),
            )
            for repetition, limit in enumerate(limits)
        ]

    for reversed_limits, is_confounded in (((RAISED, 64), True), ((64, RAISED), False)):
        evidence = PairEvidence(
            {
                Order.FORWARD: held(Order.FORWARD, 64, RAISED),
                Order.REVERSED: held(Order.REVERSED, *reversed_limits),
            }
        )
        assert dispose(of, evidence).is_confounded == is_confounded


def test_what_lies_beyond_the_rule_counts_only_where_one_asks_for_it():
    forward = [("unparsed", 64), ("unparsed", 64), ("first", 64)]
    result, found = disposed(raising(), forward, [("second", 64)])
    assert result.reasons == {"unparsed": 1}
    assert [a.number for a in found.main[Order.FORWARD][0].beyond] == [3]
    result, found = disposed(raising(), forward, [("second", 64)], counts_beyond=True)
    assert result.disposition is Disposition.STABLE_A
    assert [a.number for a in found.main[Order.FORWARD][0].beyond] == [3]
