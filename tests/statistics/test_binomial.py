"""Exact binomial test against R, and against sums over all outcomes."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.errors import StatisticsError
from counterbalance.statistics import (
    Undefined,
    binomial_test,
    clopper_pearson_interval,
    sign_test,
)
from vectors.loading import cases


@pytest.mark.parametrize("case", cases("mcnemar"))
def test_binomial_vector(case):
    b, c = case["inputs"]["b"], case["inputs"]["c"]
    result = binomial_test(b, b + c)
    assert result.p_value == pytest.approx(case["expected"]["p_exact"], abs=case["tolerance"])


@pytest.mark.parametrize("share", [Fraction(1, 2), Fraction(1, 3), Fraction(9, 10)])
@pytest.mark.parametrize("trials", [1, 2, 5, 12])
def test_binomial_oracle_by_enumeration(trials, share):
    chances = [comb(trials, k) * share**k * (1 - share) ** (trials - k) for k in range(trials + 1)]
    for successes in range(trials + 1):
        expected = sum(chance for chance in chances if chance <= chances[successes])
        result = binomial_test(successes, trials, float(share))
        assert result.p_value == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize(
    ("successes", "share", "p_value"), [(0, 0.0, 1.0), (1, 0.0, 0.0), (5, 1.0, 1.0), (4, 1.0, 0.0)]
)
def test_certain_shares(successes, share, p_value):
    assert binomial_test(successes, 5, share).p_value == p_value


@given(n_plus=st.integers(0, 300), n_minus=st.integers(0, 300))
def test_even_chances_are_the_sign_test(n_plus, n_minus):
    result, sign = binomial_test(n_plus, n_plus + n_minus), sign_test(n_plus, n_minus)
    assert result.p_value == (sign.p_value and pytest.approx(sign.p_value, rel=1e-9))


def test_limits_are_those_of_clopper_and_pearson():
    result, interval = binomial_test(3, 20, 0.4, 0.9), clopper_pearson_interval(3, 20, 0.9)
    assert (result.low, result.estimate, result.high) == (interval.low, 0.15, interval.high)
    assert (result.null_share, result.confidence_level) == (0.4, 0.9)
    assert type(result.p_value) is float


def test_without_trials_there_is_no_p_value():
    result = binomial_test(0, 0)
    assert (result.p_value, result.estimate) == (None, None)
    assert result.undefined is Undefined.NO_OBSERVATIONS


@pytest.mark.parametrize("arguments", [(-1, 3), (4, 3), (1, 3, -0.1), (1, 3, 1.1), (1, 3, 0.5, 1)])
def test_meaningless_arguments_are_refused(arguments):
    with pytest.raises(StatisticsError):
        binomial_test(*arguments)


def test_a_p_value_too_small_for_a_float_is_not_zero():
    assert binomial_test(5000, 5000, 0.5).p_value > 0
