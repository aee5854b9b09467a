"""Means of signs in clusters: the score by its definition, mirror and range, and coverage."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from counterbalance.errors import StatisticsError
from counterbalance.statistics import (
    Undefined,
    cluster_ratio,
    cluster_sign_mean,
    wilson_interval,
)

UNITS = st.lists(st.tuples(st.integers(-2, 2), st.integers(0, 12)), min_size=1, max_size=60)


def score(above, below, n, difference):
    """Tango's score: distance over its error where the rest of the law fits best."""

    def misfit(loss):
        gain = loss + difference
        rest = 1 - gain - loss
        terms = ((above, gain), (below, loss), (n - above - below, rest))
        return -sum(count * np.log(max(chance, 1e-300)) for count, chance in terms)

    range_ = (max(0.0, -difference), (1 - difference) / 2)
    loss = optimize.minimize_scalar(misfit, bounds=range_, options={"xatol": 1e-12}).x
    variance = (2 * loss + difference - difference**2) / n
    return ((above - below) / n - difference) / np.sqrt(variance)


def test_sign_oracle_from_its_formula():
    generator = np.random.default_rng(3)
    codes = np.repeat(np.arange(15), 6)
    signs = generator.choice([-2, 0, 1, 2], size=90, p=[0.1, 0.6, 0.1, 0.2])
    base = cluster_ratio(signs, np.full(90, 2), codes)
    above, below = signs[signs > 0].sum() / 180, -signs[signs < 0].sum() / 180
    effective = (above + below - base.estimate**2) / base.se**2
    effective *= (stats.t.ppf(0.975, 89) / stats.t.ppf(0.975, base.degrees_of_freedom)) ** 2
    found = cluster_sign_mean(signs, np.full(90, 2), codes)
    at_limits = [
        score(above * effective, below * effective, effective, limit)
        for limit in (found.low, found.high)
    ]
    assert at_limits == pytest.approx([1.959964, -1.959964], abs=1e-4)
    assert (found.estimate, found.se, found.method) == (base.estimate, base.se, "tango_effective")


def test_without_zeros_it_is_the_interval_of_a_share():
    found = cluster_sign_mean([1] * 15 + [-1] * 5, [1] * 20, None)
    # Without clusters the effective number is one less than the units.
    z = stats.norm.ppf(0.975)
    share, n = 0.75, 19
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    assert (found.low, found.high) == pytest.approx(
        (2 * (middle - half) - 1, 2 * (middle + half) - 1)
    )
    whole = wilson_interval(15, 20)
    assert (found.low + 1) / 2 == pytest.approx(whole.low, abs=0.01)


@given(UNITS)
def test_limits_hold_the_mean_and_mirror(units):
    sums, clusters = [s for s, _ in units], [c for _, c in units]
    trials = [2] * len(units)
    here = cluster_sign_mean(sums, trials, clusters)
    there = cluster_sign_mean([-s for s in sums], trials, clusters)
    if here.low is None:
        assert here.interval_undefined is Undefined.ONE_CLUSTER
        return
    assert -1 <= here.low <= here.estimate <= here.high <= 1
    assert here.low < here.high
    assert here.low == pytest.approx(-there.high, abs=1e-9)


def test_without_spread_or_trials_it_says_so():
    assert cluster_sign_mean([0] * 5, [2] * 5, None).method == "no_spread_bound"
    assert cluster_sign_mean([2] * 5, [2] * 5, None).high == 1
    assert cluster_sign_mean([0], [0], None).undefined is Undefined.ZERO_DENOMINATOR


@pytest.mark.parametrize(
    ("sums", "trials"), [([3], [2]), ([-2], [1]), ([1], [1, 1]), ([np.nan], [1]), ([0], [-1])]
)
def test_meaningless_arguments_are_refused(sums, trials):
    with pytest.raises(StatisticsError):
        cluster_sign_mean(sums, trials, None)


def test_few_signs_all_one_way_are_covered_where_the_t_interval_fails():
    generator, truth, n_runs = np.random.default_rng(6), 0.02, 1000
    hits = np.zeros(2)
    for _ in range(n_runs):
        signs = (generator.random(150) < truth).astype(int)
        found = (
            cluster_sign_mean(signs, np.ones(150), None),
            cluster_ratio(signs, np.ones(150), None),
        )
        hits += [interval.low <= truth <= interval.high for interval in found]
    sign, t = hits / n_runs
    assert 0.93 <= sign <= 0.985
    assert t < 0.92
