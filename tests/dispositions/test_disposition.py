from __future__ import annotations

import json
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import evidence, in_columns, in_slot, judged, judged_from, pair, shown
from counterbalance.dispositions.disposition import Disposition, dispose
from counterbalance.dispositions.evidence import PairEvidence
from counterbalance.dispositions.transition import transition_table
from counterbalance.items.frames import Order
from counterbalance.measures.position import (
    position_consistency,
    position_consistency_all,
    preference_fairness,
    preference_fairness_shi,
)

WORDS = [
    "a", "b", "tie", "neither", "insufficient", "refused", "unparsed", "conflicting", "truncated",
    "off_scale", "empty", "too_long", "failed:timeout", "failed:lost", "-",
]  # fmt: skip
MICRO = Path(__file__).parent.parent / "vectors" / "two_order_micro.json"


@pytest.mark.parametrize(
    ("forward", "reversed_", "wanted", "detail"),
    [
        ("a", "a", "stable_a", ""),
        ("b", "b", "stable_b", ""),
        ("tie", "tie", "tie", ""),
        ("neither", "neither", "neither", ""),
        ("insufficient", "insufficient", "insufficient", ""),
        ("a", "b", "order_disagreement", "primacy"),
        ("b", "a", "order_disagreement", "recency"),
        ("tie", "a", "tie_transition", "a:second"),
        ("tie", "b", "tie_transition", "b:first"),
        ("a", "tie", "tie_transition", "a:first"),
        ("b", "tie", "tie_transition", "b:second"),
        ("neither", "a", "abstention_transition", ""),
        ("tie", "neither", "abstention_transition", ""),
        ("insufficient", "neither", "abstention_transition", ""),
        ("refused", "a", "refused", ""),
        ("refused", "refused", "refused", ""),
        ("refused", "unparsed", "incomplete", ""),
        ("a", "-", "incomplete", ""),
        ("-", "-", "incomplete", ""),
        ("failed:timeout", "b", "incomplete", ""),
        ("a b", "a a", "unstable", ""),
        ("a b", "refused refused", "refused", ""),
        ("a b", "empty empty", "incomplete", ""),
        ("a a b", "a b a", "stable_a", ""),
        ("a a unparsed", "a a unparsed", "stable_a", ""),
        ("a unparsed", "a a", "incomplete", ""),
        ("a b tie", "a a a", "unstable", ""),
        ("a refused refused", "a a a", "refused", ""),
    ],
)
def test_first_line_of_the_table_that_applies(forward, reversed_, wanted, detail):
    result = judged(pair(), forward, reversed_).result
    assert (result.disposition.value, result.detail) == (wanted, detail)


def test_seed_five_rows_of_slots():
    """The fictional log: letters as shown, first order then reversed; A in order 1 is Old."""
    case = json.loads(MICRO.read_text("utf-8"))[0]
    letters = {"A": "first", "B": "second", "TIE": "tie", "INVALID": "unparsed"}
    pairs = []
    for i, (forward, reversed_) in enumerate(case["inputs"]["rows"]):
        of = pair(f"P{i + 1}")
        found = PairEvidence(
            main={
                Order.FORWARD: [shown(of, Order.FORWARD, (letters[forward],))],
                Order.REVERSED: [shown(of, Order.REVERSED, (letters[reversed_],))],
            }
        )
        pairs.append(judged_from(of, found))
    names = {
        "stable_a": "stable Old",
        "stable_b": "stable New",
        "order_disagreement": "order disagreement (primacy)",
        "tie": "explicit tie",
        "incomplete": "incomplete",
    }
    expected = case["expected"]
    assert [names[j.result.disposition.value] for j in pairs] == expected["disposition"]
    group = in_columns(pairs)
    assert position_consistency(group).value == expected["pc_valid"]
    assert position_consistency_all(group).value == expected["pc_all"]
    assert preference_fairness(group).value == expected["pf_valid"]
    assert preference_fairness_shi(group).value == expected["pf_all"]
    assert pairs[4].result.reasons == {"unparsed": 1}


def test_identical_texts_cost_no_call():
    assert dispose(pair(a="same", b="same"), None).disposition is Disposition.IDENTICAL


def test_a_pair_that_was_never_planned_is_incomplete_and_not_identical():
    judged_ = judged_from(pair(), None)
    result = judged_.result
    assert (result.disposition, dict(result.reasons)) == (
        Disposition.INCOMPLETE,
        {"not_planned": 1},
    )
    assert transition_table(in_columns([judged_])).n_pairs == 1


def test_only_orders_without_a_verdict_give_reasons():
    assert judged(pair(), "a a unparsed", "- - -").result.reasons == {"not_run": 3}


def test_what_comes_back_beside_the_verdict_may_differ_between_orders():
    of = pair()
    found = PairEvidence(
        main={
            order: [shown(of, order, (in_slot("a", order),), sent={"n_probs": n})]
            for n, order in enumerate(Order)
        }
    )
    assert dispose(of, found).disposition is Disposition.STABLE_A


def test_one_planned_order_is_never_stable():
    of = pair()
    found = PairEvidence(main={Order.REVERSED: [shown(of, Order.REVERSED, ("first",))]})
    result = dispose(of, found)
    assert result.disposition is Disposition.SINGLE_ORDER
    assert result.cells[Order.REVERSED].cell.value == "b"


@pytest.mark.parametrize(
    "difference", [{"model": "other"}, {"fingerprint": "x"}, {"sent": {"t": 1}}]
)
def test_orders_answered_differently_are_confounded(difference):
    of = pair()
    found = PairEvidence(
        main={
            Order.FORWARD: [shown(of, Order.FORWARD, ("first",), model="m")],
            Order.REVERSED: [shown(of, Order.REVERSED, ("second",), **{"model": "m"} | difference)],
        }
    )
    result = dispose(of, found)
    assert (result.disposition, dict(result.reasons)) == (Disposition.INCOMPLETE, {"confounded": 2})


def test_another_sampling_seed_is_not_another_setting():
    of = pair()
    found = PairEvidence(
        main={
            order: [shown(of, order, (in_slot("a", order),), sent={"seed": n, "temperature": 1})]
            for n, order in enumerate(Order)
        }
    )
    assert dispose(of, found).disposition is Disposition.STABLE_A


def test_the_last_attempt_decides_and_earlier_ones_stay():
    of = pair()
    found = PairEvidence(
        main={
            Order.FORWARD: [shown(of, Order.FORWARD, ("failed:timeout", "unparsed", "first"))],
            Order.REVERSED: [shown(of, Order.REVERSED, ("second",))],
        }
    )
    assert dispose(of, found).disposition is Disposition.STABLE_A
    assert len(found.main[Order.FORWARD][0].attempts) == 3


def test_every_two_cells_have_one_disposition_and_one_place():
    pairs = [pair(f"p{i}") for i in range(len(WORDS) ** 2)]
    found = [
        judged(of, forward, reversed_)
        for of, (forward, reversed_) in zip(pairs, product(WORDS, WORDS), strict=True)
    ]
    results = [each.result for each in found]
    assert sum(Counter(r.disposition for r in results).values()) == len(pairs)
    table = transition_table(in_columns(found))
    assert table.n_pairs == len(pairs)
    diagonal = sum(table.cells[i][i] for i in range(5))
    stable = sum(
        r.disposition.value in {"stable_a", "stable_b", "tie", "neither", "insufficient"}
        for r in results
    )
    assert diagonal == stable


@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS)), max_size=30))
def test_exchanging_the_orders_turns_primacy_into_recency_and_nothing_else(rows):
    for i, (forward, reversed_) in enumerate(rows):
        of = pair(f"p{i}")
        there, back = judged(of, forward, reversed_).result, judged(of, reversed_, forward).result
        assert there.disposition is back.disposition
        if there.disposition is Disposition.ORDER_DISAGREEMENT:
            assert {there.detail, back.detail} == {"primacy", "recency"}


def test_exchanging_the_orders_transposes_the_transition_table():
    rows = list(product(WORDS, WORDS))
    pairs = [pair(f"p{i}") for i in range(len(rows))]
    there, back = (
        transition_table(
            in_columns([judged(p, *row[::step]) for p, row in zip(pairs, rows, strict=True)])
        )
        for step in (1, -1)
    )
    assert back.cells == tuple(zip(*there.cells, strict=True))


@given(st.sampled_from(WORDS), st.sampled_from(WORDS))
def test_renaming_the_candidates_permutes_dispositions_and_keeps_ties(forward, reversed_):
    """Renaming a and b also exchanges which order is called forward."""
    swap = {"a": "b", "b": "a"}
    of, renamed = pair(a="x", b="y"), pair(a="y", b="x")
    there = judged(of, forward, reversed_).result
    back = judged(renamed, swap.get(reversed_, reversed_), swap.get(forward, forward)).result
    names = {"stable_a": "stable_b", "stable_b": "stable_a"}
    wanted = names.get(there.disposition.value, there.disposition.value)
    assert back.disposition.value == wanted
    if there.disposition is Disposition.ORDER_DISAGREEMENT:
        assert back.detail == there.detail


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_repetitions_have_no_order_of_their_own(words, random):
    shuffled = words[:]
    random.shuffle(shuffled)
    of = pair()
    one = dispose(of, evidence(of, " ".join(words), "a")).disposition
    assert dispose(of, evidence(of, " ".join(shuffled), "a")).disposition is one
