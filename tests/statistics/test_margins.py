"""Inside, outside or open: two one-sided tests, every place an interval can lie, refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from counterbalance.errors import StatisticsError
from counterbalance.statistics import MarginPlace, Undefined, cluster_mean, decide_margin

NUMBER = st.integers(-20, 20).map(lambda n: n / 10)


@pytest.mark.parametrize("shift", [0.0, 0.1, 0.2, 0.3, 0.45, 0.7])
def test_margin_oracle_is_two_one_sided_tests(shift):
    values = np.random.default_rng(1).normal(shift, 1, 200)
    mean = cluster_mean(values, None, 0.9)
    above = stats.ttest_1samp(values, -0.3, alternative="greater").pvalue
    below = stats.ttest_1samp(values, 0.3, alternative="less").pvalue
    result = decide_margin(mean.estimate, mean.low, mean.high, -0.3, 0.3)
    assert (result.decision is MarginPlace.INSIDE) == (max(above, below) < 0.05)
    beyond = stats.ttest_1samp(values, 0.3, alternative="greater").pvalue < 0.05
    assert (result.decision is MarginPlace.OUTSIDE) == beyond


@pytest.mark.parametrize(
    ("low", "high", "place"),
    [
        (-0.04, 0.04, "inside"),
        (-0.05, 0.04, "undetermined"),
        (0.01, 0.05, "undetermined"),
        (0.05, 0.09, "outside"),
        (-0.09, -0.05, "outside"),
        (-0.2, 0.2, "undetermined"),
        (0.04, 0.06, "undetermined"),
    ],
)
def test_every_place(low, high, place):
    result = decide_margin((low + high) / 2, low, high, -0.05, 0.05)
    assert (str(result.decision), result.undefined) == (place, None)
    assert (result.low, result.high, result.lower_margin, result.upper_margin) == (
        low,
        high,
        -0.05,
        0.05,
    )


@given(NUMBER, st.integers(0, 20), NUMBER, st.integers(1, 20))
def test_turning_the_axis_leaves_the_decision(low, width, margin, gap):
    high, upper = low + width / 10, margin + gap / 10
    here = decide_margin(low, low, high, margin, upper)
    there = decide_margin(-low, -high, -low, -upper, -margin)
    assert here.decision is there.decision


@given(NUMBER, st.integers(0, 20), NUMBER)
def test_a_margin_left_out_is_never_crossed(low, width, margin):
    high = low + width / 10
    above = decide_margin(low, low, high, None, margin).decision
    assert (above is MarginPlace.INSIDE) == (high < margin)
    assert (above is MarginPlace.OUTSIDE) == (low >= margin)
    below = decide_margin(low, low, high, margin, None).decision
    assert (below is MarginPlace.INSIDE) == (low > margin)


@pytest.mark.parametrize("found", [(None, None, None), (0.0, None, None), (None, -0.01, 0.01)])
def test_without_an_interval_nothing_is_inside(found):
    result = decide_margin(*found, -1.0, 1.0)
    assert result.decision is MarginPlace.UNDETERMINED
    assert result.undefined is Undefined.NO_INTERVAL


@pytest.mark.parametrize(
    "numbers",
    [
        (0, -0.1, 0.1, None, None),
        (0, -0.1, 0.1, 0.1, -0.1),
        (0, -0.1, 0.1, 0.1, 0.1),
        (0, -0.1, 0.1, -math.inf, 0.1),
        (0, -0.1, 0.1, -0.1, math.nan),
        (0, 0.1, -0.1, -0.1, 0.1),
        (0, -0.1, None, -0.1, 0.1),
        (0, math.nan, 0.1, -0.1, 0.1),
        (0, -0.1, math.inf, -0.1, 0.1),
    ],
)
def test_meaningless_margins_and_limits_are_refused(numbers):
    with pytest.raises(StatisticsError):
        decide_margin(*numbers)
