from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import in_columns, judged, judged_from, pair, shown
from counterbalance.dispositions.evidence import PairEvidence
from counterbalance.items.frames import Order
from counterbalance.measures.agreement import agreement_both, agreement_in_order, kappa_orders
from counterbalance.measures.catalogue import group_measures, group_tests
from counterbalance.measures.position import (
    bias_position,
    first_slot_rate,
    position_consistency,
    position_consistency_all,
    preference_fairness,
    preference_fairness_shi,
    primacy_recency_test,
)
from counterbalance.measures.repetition import (
    order_excess_disagreement,
    repetition_disagreement,
    repetition_stability,
)
from counterbalance.measures.win_rates import (
    tie_rate,
    why_no_win_rate,
    win_rate_a,
    win_rate_a_in_order,
    win_rate_a_stable,
)
from counterbalance.protocol.protocol import MEASURES, TESTS
from counterbalance.statistics.agreement import cohen_kappa

WORDS = ["a", "b", "tie", "neither", "insufficient", "refused", "unparsed", "-"]


def group(*rows, **options):
    """Rows of (forward, reversed), repeated as often as a third entry says."""
    flat = [row[:2] for row in rows for _ in range(row[2] if len(row) > 2 else 1)]
    return in_columns([judged(pair(f"p{i}", **options), *row) for i, row in enumerate(flat)])


FIFTY = group(
    ("a", "a", 12), ("b", "b", 8), ("tie", "tie", 3), ("a", "b", 9), ("b", "a", 2), ("tie", "a", 4),
    ("b", "tie", 3), ("neither", "a", 1), ("refused", "a", 2), ("a", "-", 3), ("unparsed", "b", 3),
)  # fmt: skip


@pytest.mark.parametrize(
    ("measure", "numerator", "denominator"),
    [
        (position_consistency, 23, 42),
        (position_consistency_all, 23, 50),
        (preference_fairness, 2 - 9, 42),
        # One-sided ties: (tie, a) is a in the second slot, (b, tie) is b in the second slot.
        (preference_fairness_shi, (2 + 4 + 3) - 9, 50),
        # Slots: (a,a) (b,b) one each; (a,b) two first; (b,a) two second; a one-sided tie one
        # second; (neither,a) second; (refused,a) second; (a,-) first; (unparsed,b) first.
        (first_slot_rate, 20 + 18 + 3 + 3, 20 + 20 + 18 + 4 + 7 + 1 + 2 + 3 + 3),
        (bias_position, (20 + 18 + 6) - (20 + 4 + 7 + 1 + 2), 84 + 2 + 3 + 3),
        (tie_rate, 3 * 2 + 4 + 3, 84 + 2 + 3 + 3),
        # Each pair's mean over both orders; abstentions and losses give nothing.
        (win_rate_a, 12 + 3 / 2 + 9 / 2 + 2 / 2 + 4 * 0.75 + 3 * 0.25 + 1 / 2, 42),
        (win_rate_a_stable, 12, 20),
    ],
)
def test_counts_by_hand(measure, numerator, denominator):
    estimate = measure(FIFTY)
    assert (estimate.numerator, estimate.denominator) == (numerator, denominator)
    assert estimate.value == pytest.approx(numerator / denominator)
    assert estimate.low <= estimate.value <= estimate.high


def test_win_rate_of_each_order_has_its_own_denominator():
    forward = win_rate_a_in_order(FIFTY, Order.FORWARD)
    backward = win_rate_a_in_order(FIFTY, Order.REVERSED)
    assert (forward.numerator, forward.denominator) == (12 + 9 + 3 / 2 + 4 / 2 + 3, 42 + 3)
    assert (backward.numerator, backward.denominator) == (12 + 3 / 2 + 2 + 4 + 3 / 2 + 1 + 2, 47)


def test_agreement_counts_a_set_of_accepted_verdicts():
    pairs = group(("a", "a"), ("tie", "a"), ("b", "a"), ("-", "a"), accepted=("a", "tie"))
    assert agreement_in_order(pairs, Order.FORWARD).value == 2 / 3
    assert agreement_in_order(pairs, Order.FORWARD, missing_is_wrong=True).value == 2 / 4
    assert agreement_in_order(pairs, Order.REVERSED).value == 1
    assert agreement_both(pairs).value == 2 / 3
    assert agreement_both(pairs, missing_is_wrong=True).value == 2 / 4


def test_kappa_of_the_orders_is_the_textbook_kappa_of_the_transition_table():
    estimate = kappa_orders(FIFTY)
    table = [[12, 9, 0, 0], [2, 8, 3, 0], [4, 0, 3, 0], [1, 0, 0, 0]]
    assert estimate.value == pytest.approx(cohen_kappa(table).kappa)
    assert estimate.denominator == 42


def test_always_second_judge_shows_full_negative_bias():
    pairs = group(("b", "a", 20))
    assert bias_position(pairs).value == -1
    assert first_slot_rate(pairs).value == 0
    assert preference_fairness(pairs).value == 1
    assert primacy_recency_test(pairs).p_value == pytest.approx(2 * 0.5**20)


def test_always_tie_judge_is_consistent_and_no_failure():
    pairs = group(("tie", "tie", 20))
    assert position_consistency(pairs).value == 1
    assert tie_rate(pairs).value == 1
    assert first_slot_rate(pairs).undefined


def test_no_flip_and_all_flips_have_intervals_of_some_width():
    for pairs in (group(("a", "a", 20)), group(("a", "b", 20))):
        estimate = position_consistency(pairs)
        assert 0.1 < estimate.high - estimate.low < 0.3


def test_rows_of_one_prompt_do_not_count_as_independent():
    rows = [("a", "a"), ("a", "b")] * 12
    alone = [judged(pair(f"p{i}"), *row) for i, row in enumerate(rows)]
    shared = [
        judged(pair(f"p{i}", cluster=f"c{i % 2}-{i // 6}"), *row) for i, row in enumerate(rows)
    ]
    wide, narrow = (position_consistency(in_columns(p, "cluster")) for p in (shared, alone))
    assert wide.value == narrow.value
    assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)


def test_repetitions_measure_noise_and_order_apart():
    # Within an order the judge repeats itself; the orders always disagree.
    pairs = group(("a a a", "b b b", 12))
    assert repetition_stability(pairs).value == 1
    assert repetition_disagreement(pairs).value == 0
    assert order_excess_disagreement(pairs).value == 1
    # A coin in both orders: disagreement, but the order adds nothing.
    coin = group(("a b", "a b", 12))
    assert repetition_disagreement(coin).value == 1
    assert order_excess_disagreement(coin).value == pytest.approx(-0.5)


def test_a_missing_repetition_stays_in_the_denominator_of_stability():
    assert repetition_stability(group(("a a unparsed", "a a a"))).value == (2 / 3 + 1) / 2


@pytest.mark.parametrize(
    ("baseline", "systems", "words"),
    [
        (None, ("old", "new"), "No baseline is declared"),
        ("new", ("old", "new"), "not the declared baseline"),
        ("old", ("old", "new"), None),
    ],
)
def test_win_rates_need_a_declared_baseline(baseline, systems, words):
    reason = why_no_win_rate(group(("a", "a"), systems=systems), baseline)
    assert reason is None if words is None else words in reason


def test_win_rates_refuse_several_system_pairs():
    found = [judged(pair(str(i), systems=("old", new)), "a", "a") for i, new in enumerate("xy")]
    pairs = in_columns(found)
    assert "2 different pairs of systems or versions" in why_no_win_rate(pairs, "old")
    measures = {e.name: e for e in group_measures(pairs, baseline="old")}
    assert measures["win_rate_a"].undefined
    assert measures["position_consistency"].value == 1


def test_the_catalogue_has_every_measure_and_test_that_a_protocol_can_plan():
    assert {e.name for e in group_measures(FIFTY, baseline="old")} == set(MEASURES)
    assert {t.name for t in group_tests(FIFTY)} == set(TESTS)


def test_a_binomial_test_needs_pairs_that_were_shown_once():
    tests = {t.name: t for t in group_tests(FIFTY)}
    assert tests["first_slot"].p_value is None
    assert "matched" in tests["first_slot"].undefined


@given(st.lists(st.tuples(*[st.sampled_from(WORDS)] * 2), max_size=25))
def test_every_measure_is_bounded_and_says_why_it_is_undefined(rows):
    for estimate in group_measures(group(*rows, accepted=("a",)), baseline="old"):
        assert (estimate.value is None) == (estimate.undefined is not None)
        if estimate.value is not None:
            assert math.isfinite(estimate.value)
            assert -1 <= estimate.value <= 1
        if estimate.low is not None:
            assert estimate.low <= estimate.value + 1e-12 <= estimate.high + 2e-12


@given(st.lists(st.tuples(*[st.sampled_from(WORDS)] * 2), max_size=25))
def test_exchanging_the_orders_turns_the_signs_and_keeps_the_rates(rows):
    there, back = group(*rows), group(*[(r, f) for f, r in rows])
    assert position_consistency(there) == position_consistency(back)
    one, other = preference_fairness(there), preference_fairness(back)
    assert (one.value is None) == (other.value is None)
    if one.value is not None:
        assert one.value == pytest.approx(-other.value)


def test_pairs_of_one_cluster_count_once_in_the_sign_test():
    pairs = [judged(pair(f"p{i}", cluster=f"c{i % 2}"), "a", "b") for i in range(20)]
    found = primacy_recency_test(in_columns(pairs, "cluster"))
    assert (found.n_plus, found.n_minus, found.p_value) == (2, 0, 0.5)


def confounded(n, **options):
    found = []
    for i in range(n):
        of = pair(f"x{i}", **options)
        shown_ = {o: [shown(of, o, ("first",), model=f"model of {o}")] for o in Order}
        found.append(judged_from(of, PairEvidence(main=shown_)))
    return found


def test_confounded_pairs_stay_out_of_order_measures():
    found = confounded(12)
    assert {j.result.disposition.value for j in found} == {"incomplete"}
    pairs = in_columns(found)
    for measure in (first_slot_rate, bias_position, position_consistency, preference_fairness):
        assert measure(pairs).undefined, measure
    assert primacy_recency_test(pairs).p_value is None
    assert position_consistency_all(pairs).denominator == 12


def test_versions_of_a_system_are_not_pooled():
    from dataclasses import replace  # noqa: PLC0415

    one = judged(pair("p1"), "a", "a")
    newer = replace(one.pair, b=replace(one.pair.b, version="3"))
    other = judged(newer, "a", "a")
    assert "2 different pairs of systems or versions" in why_no_win_rate(
        in_columns([one, other]), "old"
    )


def test_repetitions_say_how_often_and_at_which_temperature():
    said = repetition_stability(group(("a a a", "b b b", 12))).cautions
    assert "Each order was asked 3 times." in said


def test_one_quantity_has_one_interval():
    """Without ties the bias is twice the first-slot rate less one, and so are its limits."""
    pairs = group(("a", "b", 4), ("a", "a", 8), ("b", "b", 8))
    bias, rate = bias_position(pairs), first_slot_rate(pairs)
    for signed, share in ((bias.value, rate.value), (bias.low, rate.low), (bias.high, rate.high)):
        assert signed == pytest.approx(2 * share - 1)
    assert bias.low < 0 < bias.high  # as the exact test says: 4 of 4 is no evidence
    forward = win_rate_a_in_order(pairs, Order.FORWARD)
    reference = agreement_in_order(
        group(("a", "b", 12), ("b", "b", 8), accepted=("a",)), Order.FORWARD
    )
    assert (forward.value, forward.low, forward.high) == pytest.approx(
        (reference.value, reference.low, reference.high)
    )
