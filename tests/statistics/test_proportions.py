"""Intervals of independent proportions: published values, equations they solve, their limits."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.errors import StatisticsError
from counterbalance.statistics import (
    Undefined,
    clopper_pearson_interval,
    proportion_interval,
    wilson_interval,
)

METHODS = [wilson_interval, clopper_pearson_interval, proportion_interval]
Z = 1.959963984540054


@st.composite
def counts(draw):
    n_trials = draw(st.integers(1, 400))
    return draw(st.integers(0, n_trials)), n_trials


def upper_tail(successes, trials, share):
    return sum(
        math.comb(trials, k) * share**k * (1 - share) ** (trials - k)
        for k in range(successes, trials + 1)
    )


# Newcombe, Stat. Med. 17 (1998) 857, table I, method 3 (recalled, reproduced here to 4 digits).
@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_vector(successes, trials, low, high):
    result = wilson_interval(successes, trials)
    assert (result.low, result.high) == pytest.approx((low, high), abs=5e-5)


# Newcombe, Stat. Med. 17 (1998) 857, table I, method 5 (recalled, reproduced to 4 digits).
@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (81, 263, 0.2527, 0.3676),
        (15, 148, 0.0578, 0.1617),
        (0, 20, 0, 0.1684),
        (1, 29, 0.0009, 0.1776),
    ],
)
def test_clopper_pearson_vector(successes, trials, low, high):
    result = clopper_pearson_interval(successes, trials)
    assert (result.low, result.high) == pytest.approx((low, high), abs=5e-5)


@given(counts())
def test_wilson_oracle_limits_are_where_the_score_test_turns(count):
    result = wilson_interval(*count)
    for limit in (result.low, result.high):
        if 0 < limit < 1:
            z = (result.estimate - limit) / math.sqrt(limit * (1 - limit) / result.n_trials)
            assert abs(z) == pytest.approx(Z, rel=1e-6)


@pytest.mark.parametrize("trials", [1, 2, 7, 20])
def test_clopper_pearson_oracle_limits_leave_half_of_alpha_in_each_tail(trials):
    for successes in range(1, trials + 1):
        result = clopper_pearson_interval(successes, trials, 0.9)
        assert upper_tail(successes, trials, result.low) == pytest.approx(0.05, rel=1e-9)
        mirrored = clopper_pearson_interval(trials - successes, trials, 0.9)
        assert mirrored.high == pytest.approx(1 - result.low, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
@given(count=counts(), level=st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_interval_holds_the_estimate_and_stays_in_range(method, count, level):
    result = method(*count, level)
    assert 0 <= result.low <= result.estimate <= result.high <= 1
    assert result.low < result.high
    assert (result.n_successes, result.n_trials) == count
    assert result.confidence_level == level
    assert result.undefined is None


def test_recommended_oracle_is_the_method_it_names():
    assert proportion_interval(3, 9) == wilson_interval(3, 9)
    assert proportion_interval(0, 9) == clopper_pearson_interval(0, 9)
    assert proportion_interval(9, 9) == clopper_pearson_interval(9, 9)


@pytest.mark.parametrize("method", METHODS)
def test_without_trials_there_is_no_value(method):
    result = method(0, 0)
    assert (result.estimate, result.low, result.high) == (None, None, None)
    assert result.undefined is Undefined.NO_OBSERVATIONS


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "arguments",
    [(-1, 3), (1, -3), (4, 3), (1.5, 3), (1, math.nan), (1, 3, 0), (1, 3, 1), (1, 3, 95)],
)
def test_meaningless_arguments_are_refused(method, arguments):
    with pytest.raises(StatisticsError):
        method(*arguments)


@pytest.mark.parametrize("method", METHODS)
def test_results_are_plain_floats(method):
    result = method(3, 9)
    assert {type(x) for x in (result.estimate, result.low, result.high)} == {float}
