"""Clustered proportions near 0 and 1: the textbook limit, an oracle, and coverage."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from counterbalance.errors import StatisticsError
from counterbalance.statistics import (
    Caution,
    Undefined,
    clopper_pearson_interval,
    cluster_mean,
    cluster_proportion,
    cluster_ratio,
)

UNITS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 12)), min_size=1, max_size=60
)


def mid_p(share, successes, trials):
    """Chance of fewer successes and half that of as many, from the beta distribution."""
    fewer = stats.beta.sf(share, successes, trials - successes + 1)
    return (fewer + stats.beta.sf(share, successes + 1, trials - successes)) / 2


def test_proportion_oracle_from_its_formula():
    codes = np.repeat(np.arange(12), 5)
    successes = (np.random.default_rng(2).random(60) < 0.3).astype(int)
    base = cluster_ratio(successes, np.ones(60), codes)
    share, level = base.estimate, 0.975
    effective = share * (1 - share) / base.se**2
    effective *= (stats.t.ppf(level, 59) / stats.t.ppf(level, base.degrees_of_freedom)) ** 2
    effective = min(60, effective)
    k = share * effective
    result = cluster_proportion(successes, np.ones(60), codes)
    assert mid_p(result.low, k, effective) == pytest.approx(0.975)
    assert mid_p(result.high, k, effective) == pytest.approx(0.025)
    assert (result.estimate, result.se, result.method) == (share, base.se, "korn_graubard_mid_p")


@pytest.mark.parametrize("successes", [1, 7, 29])
def test_clusters_of_one_are_nearly_mid_p_of_a_binomial(successes):
    result = cluster_proportion([1] * successes + [0] * (30 - successes), [1] * 30, None)
    chances = stats.binom(30, [result.low, result.high])
    tails = chances.cdf(successes - 1) + chances.pmf(successes) / 2
    assert tails == pytest.approx([0.975, 0.025], abs=0.006)


@pytest.mark.parametrize("successes", [0, 30])
def test_clusters_that_are_all_alike_have_the_limits_of_clopper_and_pearson(successes):
    result = cluster_proportion([int(successes > 0)] * 30, [1] * 30, None)
    exact = clopper_pearson_interval(successes, 30)
    assert (result.low, result.high) == pytest.approx((exact.low, exact.high))


@given(UNITS)
def test_limits_hold_the_estimate_and_stay_in_range(units):
    trials = [a + b for a, b, _ in units]
    result = cluster_proportion([a for a, _, _ in units], trials, [c for _, _, c in units])
    assert (result.estimate is None) == (sum(trials) == 0)
    if result.low is None:
        assert result.interval_undefined is not None
    else:
        assert 0 <= result.low <= result.estimate <= result.high <= 1
        assert result.low < result.high
    assert Caution.CUT_AT_BOUND not in result.cautions


@given(UNITS)
def test_exchanging_success_and_failure_mirrors_the_limits(units):
    trials, clusters = [a + b for a, b, _ in units], [c for _, _, c in units]
    here = cluster_proportion([a for a, _, _ in units], trials, clusters)
    there = cluster_proportion([b for _, b, _ in units], trials, clusters)
    if here.low is not None:
        assert here.low == pytest.approx(1 - there.high, abs=1e-9)


def test_without_spread_or_trials_or_clusters_it_says_so():
    assert cluster_proportion([2] * 5, [2] * 5, None).method == "no_spread_bound"
    assert cluster_proportion([0], [0], None).undefined is Undefined.ZERO_DENOMINATOR
    assert cluster_proportion([], [], None).undefined is Undefined.NO_OBSERVATIONS
    assert cluster_proportion([1], [2], None).interval_undefined is Undefined.ONE_CLUSTER


@pytest.mark.parametrize(
    ("successes", "trials"), [([2], [1]), ([1], [1, 1]), ([0.5], [1]), ([-1], [1])]
)
def test_meaningless_arguments_are_refused(successes, trials):
    with pytest.raises(StatisticsError):
        cluster_proportion(successes, trials, None)


def test_rare_successes_are_covered_where_the_t_interval_fails():
    generator, truth, n_runs = np.random.default_rng(4), 0.1, 500
    codes = np.repeat(np.arange(12), [40, 30, 20] + [3] * 9)
    edge, ones = stats.norm.ppf(truth) * np.sqrt(1.5), np.ones(codes.size)
    hits = np.zeros(2)
    for _ in range(n_runs):
        cluster = generator.normal(scale=np.sqrt(0.5), size=12)[codes]
        values = (cluster + generator.normal(size=codes.size) < edge).astype(int)
        intervals = cluster_proportion(values, ones, codes), cluster_mean(values, codes)
        hits += [interval.low <= truth <= interval.high for interval in intervals]
    proportion, mean = hits / n_runs
    assert 0.93 <= proportion <= 0.98
    assert mean < 0.92


def test_matched_trials_are_not_taken_as_independent():
    """Two trials of a unit that mostly has one success: their spread is a fraction of binomial."""
    generator, n_runs, n = np.random.default_rng(5), 1000, 80
    truth, hits = 0.55, 0
    for _ in range(n_runs):
        successes = generator.choice([0, 1, 2], size=n, p=[0.05, 0.8, 0.15])
        found = cluster_proportion(successes, [2] * n, None)
        hits += found.low <= truth <= found.high
    assert abs(hits / n_runs - 0.95) <= 3 * np.sqrt(0.95 * 0.05 / n_runs)
