"""One order for each pair: what is compared, with whom, and that it is said."""

from __future__ import annotations

import numpy as np
import pytest

from attempts import Row, attempt_columns
from builders import in_columns, judged_from, pair, shown
from counterbalance.dispositions.evidence import PairEvidence
from counterbalance.dispositions.from_attempts import pairs_from_attempts
from counterbalance.items.frames import Order
from counterbalance.measures.catalogue import group_measures, group_tests
from counterbalance.measures.one_order import (
    is_in_one_order,
    order_effect_between_pairs,
    order_tests_between_pairs,
)
from counterbalance.statistics.crossover import mainland_gart_test
from counterbalance.statistics.prescott import prescott_test


def log(forward, reversed_, cluster=lambda i: f"c{i}"):
    """One row for each pair; counts of first, tie, second and neither in each order."""
    words = ("first", "tie", "second", "neither")
    rows = [
        (word, order)
        for order, counts in enumerate((forward, reversed_))
        for word, n in zip(words, counts, strict=True)
        for _ in range(n)
    ]
    pairs = [pair(f"p{i}", cluster=cluster(i)) for i in range(len(rows))]
    columns = [Row(word, order, pair=i) for i, (word, order) in enumerate(rows)]
    (found,) = pairs_from_attempts(attempt_columns(columns, pairs))
    return found


def test_shares_of_a_in_either_order_are_compared():
    estimate = order_effect_between_pairs(log((30, 10, 20, 5), (24, 8, 28, 7)))
    # a is second in the reversed order, so there it wins where the second slot does.
    assert estimate.value == pytest.approx((30 + 5) / 60 - (28 + 4) / 60)
    assert (estimate.numerator, estimate.denominator, estimate.counted) == (None, 120, "pairs")
    assert estimate.low < estimate.value < estimate.high
    said = " ".join(estimate.cautions)
    assert "different pairs" in said
    assert "won 0.583 of the 60 pairs that showed it first, 0.533 of the 60 others" in said


def test_the_tests_see_slots_in_both_orders():
    exact, ties = order_tests_between_pairs(log((30, 10, 20, 5), (24, 8, 28, 7)))
    assert exact.p_value == mainland_gart_test([[30, 20], [24, 28]], "period").p_value
    assert ties.p_value == prescott_test([[30, 10, 20], [24, 8, 28]], "period").p_value
    assert (exact.numerator, exact.denominator, ties.denominator) == (54, 102, 120)
    assert all("different pairs" in test.cautions[0] for test in (exact, ties))


def test_a_judge_that_takes_the_first_is_seen_and_one_that_knows_a_is_not():
    first = log((40, 0, 0, 0), (40, 0, 0, 0))
    assert order_effect_between_pairs(first).value == 1
    assert "No interval" in order_effect_between_pairs(first).cautions[-1]
    assert order_tests_between_pairs(first)[0].p_value < 1e-9
    knows = log((40, 0, 0, 0), (0, 0, 40, 0))
    assert order_effect_between_pairs(knows).value == 0
    assert order_tests_between_pairs(knows)[0].undefined


def test_a_planted_preference_for_the_first_slot_is_covered():
    rng = np.random.default_rng(5)
    # a wins .6 on its merits; the first slot adds .1 to whoever stands there.
    forward, reversed_ = rng.binomial(2000, 0.7), rng.binomial(2000, 0.5)
    found = log((forward, 0, 2000 - forward, 0), (2000 - reversed_, 0, reversed_, 0))
    estimate = order_effect_between_pairs(found)
    assert estimate.low < 0.2 < estimate.high
    assert estimate.high - estimate.low < 0.07


def test_pairs_of_one_cluster_are_said_and_counted():
    found = log((6, 0, 6, 0), (6, 0, 6, 0), cluster=lambda i: f"c{i % 4}")
    assert "24 pairs share 4 clusters" in order_tests_between_pairs(found)[0].cautions[1]
    assert order_effect_between_pairs(found).n_clusters == 4


@pytest.mark.parametrize("orders", [(0, 1), (2,)])
def test_only_one_recorded_order_each_is_compared_between_pairs(orders):
    rows = [Row("first", order) for order in orders]
    (pairs,) = pairs_from_attempts(attempt_columns(rows, [pair()]))
    assert not is_in_one_order(pairs)
    assert "order_effect_between_pairs" not in {
        estimate.name for estimate in group_measures(pairs, baseline=None)
    }


def test_a_live_run_in_one_order_has_it_too():
    found = []
    for i in range(6):
        of, order = pair(f"p{i}"), list(Order)[i % 2]
        evidence = PairEvidence(main={order: [shown(of, order, ("first",))]})
        found.append(judged_from(of, evidence))
    pairs = in_columns(found)
    measures = {estimate.name: estimate for estimate in group_measures(pairs, baseline=None)}
    assert measures["order_effect_between_pairs"].value == 1
    assert [test.name for test in group_tests(pairs)][2:] == [
        "order_between_pairs",
        "order_between_pairs_ties",
    ]
