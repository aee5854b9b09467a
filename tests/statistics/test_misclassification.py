"""Rogan and Gladen's estimator against its formula, its derivatives and simulated coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Undefined, rogan_gladen
from vectors.loading import cases

COUNTS = st.integers(0, 30)


def of(inputs):
    labelled = ((inputs["n11"], inputs["n10"]), (inputs["n01"], inputs["n00"]))
    return rogan_gladen(labelled, inputs["unlabelled_judge_positive"], inputs["N"])


@pytest.mark.parametrize("case", cases("few_labels"))
def test_rogan_gladen_vector(case):
    expected, result = case["expected"]["rogan_gladen"], of(case["inputs"])
    assert result.estimate == pytest.approx(expected["est"], abs=1e-12)
    assert result.se == pytest.approx(expected["se"], abs=1e-12)
    assert [result.sensitivity, result.specificity] == pytest.approx(expected["se_sp"], abs=1e-12)
    assert result.low < result.estimate < result.high
    # The vector's point: the correction is less certain than the labels alone.
    assert result.se > case["expected"]["human_only"]["se"]


def test_standard_error_oracle_by_numeric_derivatives():
    def share(sensitivity, specificity, predicted):
        return (predicted + specificity - 1) / (sensitivity + specificity - 1)

    rates, sizes, step, variance = [0.8, 0.9, 0.55], [40, 50, 600], 1e-6, 0.0
    for index, (rate, size) in enumerate(zip(rates, sizes, strict=True)):
        up, down = rates.copy(), rates.copy()
        up[index] += step
        down[index] -= step
        variance += ((share(*up) - share(*down)) / (2 * step)) ** 2 * rate * (1 - rate) / size
    assert rogan_gladen(((32, 8), (5, 45)), 330, 600).se == pytest.approx(math.sqrt(variance))


@pytest.mark.parametrize(("n_positive", "n_negative", "true"), [(30, 30, 0.5), (20, 60, 0.25)])
def test_coverage_is_near_nominal(n_positive, n_negative, true):
    generator = np.random.default_rng(20261130)
    covered, runs = 0, 2000
    for _ in range(runs):
        tp = int(generator.binomial(n_positive, 0.9))
        tn = int(generator.binomial(n_negative, 0.85))
        predicted = int(generator.binomial(500, true * 0.9 + (1 - true) * 0.15))
        labelled = ((tp, n_positive - tp), (n_negative - tn, tn))
        result = rogan_gladen(labelled, predicted, 500)
        covered += result.low is not None and result.low <= true <= result.high
    assert 0.93 < covered / runs < 0.985


@given(COUNTS, COUNTS, COUNTS, COUNTS, COUNTS, COUNTS)
def test_renaming_positive_and_negative_mirrors_the_share(tp, fn, fp, tn, positive, negative):
    here = rogan_gladen(((tp, fn), (fp, tn)), positive, positive + negative)
    there = rogan_gladen(((tn, fp), (fn, tp)), negative, positive + negative)
    assert here.undefined == there.undefined
    assert here.interval_undefined == there.interval_undefined
    if here.estimate is not None:
        assert 0 <= here.estimate <= 1
        assert here.estimate == pytest.approx(1 - there.estimate, abs=1e-9)
        assert (here.se or 0) == pytest.approx(there.se or 0, abs=1e-9)
    if here.low is not None:
        assert 0 <= here.low < here.high <= 1
        assert [here.low, here.high] == pytest.approx([1 - there.high, 1 - there.low], abs=1e-9)


def test_perfect_predictions_still_have_an_interval():
    result = rogan_gladen(((5, 0), (0, 5)), 20, 20)
    assert (result.estimate, result.se) == (1.0, None)
    assert result.low < 0.9
    assert result.high == 1.0


@pytest.mark.parametrize(
    ("labelled", "predicted", "reason"),
    [
        (((5, 0), (0, 5)), (0, 0), Undefined.NO_OBSERVATIONS),
        (((0, 0), (1, 5)), (3, 9), Undefined.ZERO_DENOMINATOR),
        (((4, 1), (0, 0)), (3, 9), Undefined.ZERO_DENOMINATOR),
        (((5, 5), (5, 5)), (3, 9), Undefined.NOT_IDENTIFIED),
        (((1, 9), (9, 1)), (3, 9), Undefined.NOT_IDENTIFIED),
    ],
)
def test_no_value_has_its_reason(labelled, predicted, reason):
    result = rogan_gladen(labelled, *predicted)
    assert (result.uncut, result.estimate, result.se, result.low) == (None,) * 4
    assert (result.undefined, result.interval_undefined) == (reason, reason)


def test_a_gain_that_one_more_unit_takes_away_leaves_no_limits():
    # Found by a search: 13/19 + 7/22 is just above 1, 14/21 + 8/24 is 1.
    result = rogan_gladen(((13, 6), (15, 7)), 0, 1)
    assert result.uncut is not None
    assert (result.low, result.interval_undefined) == (None, Undefined.NOT_IDENTIFIED)


def test_a_share_outside_the_range_is_shown_and_cut():
    result = rogan_gladen(((900, 100), (400, 600)), 10, 1000)
    assert result.uncut < 0
    assert result.estimate == 0.0
    assert "cut_at_bound" in result.cautions
    assert (result.low, result.interval_undefined) == (None, Undefined.OUTSIDE_RANGE)


@pytest.mark.parametrize(
    ("labelled", "positive", "predicted"),
    [
        (((-1, 1), (1, 1)), 1, 2),
        (((1, 1), (1, 0.5)), 1, 2),
        (((1, 1), (1, 1)), 3, 2),
        (((1, float("nan")), (1, 1)), 1, 2),
    ],
)
def test_counts_without_meaning_are_refused(labelled, positive, predicted):
    with pytest.raises(StatisticsError):
        rogan_gladen(labelled, positive, predicted)
