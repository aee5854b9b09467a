"""Resampled ratios and differences: one cluster at a time, published limits, coverage, edges."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterbalance.errors import StatisticsError
from counterbalance.statistics import (
    Caution,
    Undefined,
    bootstrap_ratio,
    bootstrap_ratio_difference,
    cluster_ratio,
    excess_disagreement,
    resampling,
)
from reference_data import repeated_letters
from vectors.loading import FOLDER

EXPECTED = json.loads((FOLDER / "order_vs_repeat.json").read_text("utf-8"))["expected"]
METHODS = ["studentised", "percentile"]


def rng(seed=0):
    return np.random.default_rng(seed)


def clustered_trials(seed, n_clusters=60):
    generator = rng(seed)
    sizes = generator.integers(1, 6, n_clusters)
    codes = np.repeat(np.arange(n_clusters), sizes)
    shares = generator.beta(3, 3, n_clusters)[codes]
    return (generator.random(codes.size) < shares).astype(int), codes


def one_by_one(values, codes, n_replicates, seed):
    """Return the means and standard errors of resamples that draw and gather every cluster."""
    generator, groups = rng(seed), [values[codes == code] for code in np.unique(codes)]
    drawn = []
    for _ in range(n_replicates):
        chosen = [groups[place] for place in generator.integers(0, len(groups), len(groups))]
        mean = np.concatenate(chosen).mean()
        spread = sum((group.sum() - mean * group.size) ** 2 for group in chosen)
        n = sum(group.size for group in chosen)
        drawn.append((mean, math.sqrt(spread * len(groups) / (len(groups) - 1)) / n))
    return np.array(drawn).T


def test_ratio_oracle_draws_cluster_by_cluster():
    values, codes = clustered_trials(1)
    means, ses = one_by_one(values, codes, 4000, seed=2)
    ones = np.ones(values.size)
    percentile = bootstrap_ratio(values, ones, codes, rng(3), method="percentile")
    expected = np.quantile(means, [0.025, 0.975])
    assert (percentile.low, percentile.high) == pytest.approx(tuple(expected), abs=0.006)
    studentised = bootstrap_ratio(values, ones, codes, rng(3))
    below, above = np.quantile((means - values.mean()) / ses, [0.025, 0.975])
    assert studentised.se == pytest.approx(np.mean(ses), rel=0.05)
    limits = (values.mean() - above * studentised.se, values.mean() - below * studentised.se)
    assert (studentised.low, studentised.high) == pytest.approx(limits, abs=0.008)


@pytest.mark.reference
@pytest.mark.parametrize(
    "name", ["MTBench|gpt-4-0613", "DevBench|gemini-pro", "DevBench|gpt-4-0613"]
)
def test_bootstrap_ratio_vector_of_excess(name):
    full = [row for row in repeated_letters()[name] if "-" not in row[1] + row[2]]
    first, second = (
        [[row[side].count(letter) for letter in "ABC"] for row in full] for side in (1, 2)
    )
    values = excess_disagreement(first, second, None).unit_values
    questions = [row[0] for row in full]
    result = bootstrap_ratio(
        values, np.ones(len(values)), questions, rng(5), method="percentile", n_replicates=9999
    )
    assert result.estimate == pytest.approx(EXPECTED[name]["excess"], abs=1e-12)
    assert result.n_clusters == EXPECTED[name]["n_questions"]
    expected = tuple(EXPECTED[name]["excess_ci_cluster"])
    # Two thousand resamples made the expected limits: their own error is about 0.003.
    assert (result.low, result.high) == pytest.approx(expected, abs=0.008)
    assert result.cautions == (Caution.PERCENTILE_NARROW,)


def test_difference_oracle_is_the_ratio_where_the_second_is_constant():
    values, codes = clustered_trials(4)
    ones = np.ones(values.size)
    ratio = bootstrap_ratio(values, ones, codes, rng(6))
    half = bootstrap_ratio_difference((values, ones), (ones / 2, ones), codes, rng(6))
    assert half.estimate == pytest.approx(ratio.estimate - 0.5)
    assert half.se == pytest.approx(ratio.se, rel=1e-9)
    assert (half.low, half.high) == pytest.approx((ratio.low - 0.5, ratio.high - 0.5), abs=1e-9)


def test_difference_oracle_of_paired_units_is_the_mean_difference():
    values, codes = clustered_trials(7)
    others = rng(8).permutation(values)
    ones = np.ones(values.size)
    apart = bootstrap_ratio_difference((values, ones), (others, ones), codes, rng(9))
    paired = bootstrap_ratio(values - others, ones, codes, rng(10), n_replicates=20_000)
    assert apart.estimate == pytest.approx(paired.estimate)
    assert apart.se == pytest.approx(paired.se, rel=1e-9)
    assert (apart.low, apart.high) == pytest.approx((paired.low, paired.high), abs=0.01)


def test_standard_error_is_the_cluster_robust_one():
    codes = np.repeat(np.arange(50), 4)
    values = rng(11).integers(0, 2, 200)
    ones = np.ones(200)
    assert bootstrap_ratio(values, ones, codes, rng()).se == pytest.approx(
        cluster_ratio(values, ones, codes).se, rel=1e-9
    )


@pytest.mark.parametrize("method", METHODS)
def test_both_ways_of_drawing_have_one_distribution(method, monkeypatch):
    values, codes = clustered_trials(12, n_clusters=300)
    ones = np.ones(values.size)
    together = bootstrap_ratio(values, ones, codes, rng(13), method=method)
    monkeypatch.setattr(resampling, "_COST_OF_COUNT", 10**9)
    apart = bootstrap_ratio(values, ones, codes, rng(14), method=method)
    assert together.n_distinct < 30
    assert (together.low, together.high) == pytest.approx((apart.low, apart.high), abs=0.003)


def test_blocks_bound_memory_and_lose_no_replicate(monkeypatch):
    values, codes = clustered_trials(15)
    ones = np.ones(values.size)
    whole = bootstrap_ratio(values, ones, codes, rng(16), n_replicates=999)
    monkeypatch.setattr(resampling, "_MOST_NUMBERS", 100)
    parts = bootstrap_ratio(values, ones, codes, rng(16), n_replicates=999)
    assert (parts.low, parts.high) == pytest.approx((whole.low, whole.high), abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_one_seed_gives_one_interval_whatever_clusters_are_called(method):
    values, codes = clustered_trials(17)
    ones = np.ones(values.size)
    here = bootstrap_ratio(values, ones, codes, rng(18), method=method, n_replicates=999)
    names = [f"prompt {code}" for code in codes]
    again = bootstrap_ratio(values, ones, names, rng(18), method=method, n_replicates=999)
    assert (again.low, again.high) == pytest.approx((here.low, here.high), abs=1e-12)
    assert again.n_clusters == here.n_clusters == 60


@settings(max_examples=40, deadline=None)
@given(
    units=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=40),
    n_clusters=st.integers(1, 30),
    method=st.sampled_from(METHODS),
)
def test_limits_are_finite_and_apart_or_there_is_a_reason(units, n_clusters, method):
    tops, bottoms = [min(u) for u in units], [max(u) for u in units]
    codes = [place % n_clusters for place in range(len(units))]
    result = bootstrap_ratio(
        tops, bottoms, codes, rng(), method=method, n_replicates=199, bounds=(0, 1)
    )
    assert (result.estimate is None) == (result.undefined is not None)
    assert (result.low is None) == (result.interval_undefined is not None)
    if result.low is not None:
        assert result.n_clusters >= 10
        assert 0 <= result.low < result.high <= 1
        assert result.se > 0


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000))
def test_exchanging_the_ratios_turns_the_sign(seed):
    values, codes = clustered_trials(seed, n_clusters=20)
    first = (values, np.ones(values.size))
    second = (values[::-1] * (values >= 0), np.ones(values.size))
    here = bootstrap_ratio_difference(first, second, codes, rng(1), n_replicates=199)
    there = bootstrap_ratio_difference(second, first, codes, rng(1), n_replicates=199)
    assert there.estimate == pytest.approx(-here.estimate, abs=1e-12)
    if here.se is not None:
        assert there.se == pytest.approx(here.se, rel=1e-6)


def test_studentised_limits_cover_where_percentiles_do_not():
    generator, truth, n_runs = rng(19), 0.5, 200
    hits = np.zeros(2)
    for _ in range(n_runs):
        shares = np.repeat(generator.beta(2, 2, 12), 8)
        values = (generator.random(96) < shares).astype(int)
        intervals = [
            bootstrap_ratio(
                values, np.ones(96), np.repeat(np.arange(12), 8), generator, method=m,
                n_replicates=399, bounds=(0, 1),
            )
            for m in METHODS
        ]  # fmt: skip
        hits += [interval.low <= truth <= interval.high for interval in intervals]
    studentised, percentile = hits / n_runs
    assert 0.92 <= studentised <= 0.99
    assert percentile < 0.93


@pytest.mark.parametrize(
    ("n_clusters", "reason"), [(1, Undefined.ONE_CLUSTER), (9, Undefined.TOO_FEW_CLUSTERS)]
)
def test_too_few_clusters_have_an_estimate_and_no_interval(n_clusters, reason):
    codes = np.arange(40) % n_clusters
    result = bootstrap_ratio(np.arange(40) % 3, np.ones(40), codes, rng())
    assert result.estimate is not None
    assert (result.low, result.high, result.se) == (None, None, None)
    assert (result.interval_undefined, result.n_without_value) == (reason, None)


@pytest.mark.parametrize("value", [0, 1, 0.3])
def test_clusters_that_do_not_differ_have_no_interval(value):
    result = bootstrap_ratio([value] * 40, [1] * 40, np.arange(40) // 2, rng(), bounds=(0, 1))
    assert result.estimate == pytest.approx(value)
    assert result.interval_undefined is Undefined.NO_VARIATION
    sizes = np.arange(1, 21)
    result = bootstrap_ratio(value * sizes, sizes, None, rng(), bounds=(0, 1))
    assert result.interval_undefined is Undefined.NO_VARIATION


def test_what_most_resamples_miss_leaves_no_limit_but_the_bound():
    values = [1] + [0] * 39
    free = bootstrap_ratio(values, [1] * 40, None, rng())
    assert free.interval_undefined is Undefined.UNSTABLE_RESAMPLES
    assert free.se > 0
    bound = bootstrap_ratio(values, [1] * 40, None, rng(), bounds=(0, 1))
    assert (bound.high, bound.cautions) == (1.0, (Caution.CUT_AT_BOUND,))


def test_resamples_without_a_denominator_are_counted_and_count_against_both_limits():
    second = ([1, 0] + [0] * 38, [1, 1] + [0] * 38)
    first = ([1, 0] * 20, [1] * 40)
    result = bootstrap_ratio_difference(first, second, None, rng(), method="percentile")
    assert result.n_without_value > 1000
    assert result.interval_undefined is Undefined.UNSTABLE_RESAMPLES
    bound = bootstrap_ratio_difference(
        first, second, None, rng(), method="percentile", bounds=(-1, 1)
    )
    assert (bound.low, bound.high) == (-1.0, 1.0)


@pytest.mark.parametrize(
    ("tops", "bottoms", "reason"),
    [([], [], Undefined.NO_OBSERVATIONS), ([0, 0], [0, 0], Undefined.ZERO_DENOMINATOR)],
)
def test_nothing_to_divide_by_is_no_value(tops, bottoms, reason):
    result = bootstrap_ratio(tops, bottoms, None, rng())
    assert (result.estimate, result.n_units, result.n_clusters) == (None, 0, 0)
    assert (result.undefined, result.interval_undefined) == (reason, reason)
    good = ([1] * len(tops), [1] * len(tops))
    result = bootstrap_ratio_difference(good, (tops, bottoms), None, rng())
    assert (result.estimate, result.undefined) == (None, reason)


def test_clusters_that_count_nowhere_are_not_drawn():
    tops, bottoms = [1, 0] * 10 + [0] * 5, [1] * 20 + [0] * 5
    here = bootstrap_ratio(tops, bottoms, None, rng(1))
    there = bootstrap_ratio(tops[:20], bottoms[:20], None, rng(1))
    assert here == there
    assert here.n_clusters == 20


@pytest.mark.parametrize(
    "call",
    [
        lambda: bootstrap_ratio([1, math.nan], [1, 1], None, rng()),
        lambda: bootstrap_ratio([1, 1], [1, -1], None, rng()),
        lambda: bootstrap_ratio([1, 1], [1, 0], None, rng()),
        lambda: bootstrap_ratio([1, 1], [1, 1, 1], None, rng()),
        lambda: bootstrap_ratio([1, 1], [1, 1], ["p"], rng()),
        lambda: bootstrap_ratio([1, 1], [1, 1], None, 7),
        lambda: bootstrap_ratio([1, 1], [1, 1], None, rng(), 95),
        lambda: bootstrap_ratio([1, 1], [1, 1], None, rng(), method="bca"),
        lambda: bootstrap_ratio([1, 1], [1, 1], None, rng(), n_replicates=38),
        lambda: bootstrap_ratio([1, 1], [1, 1], None, rng(), n_replicates=99.5),
        lambda: bootstrap_ratio([1, 1], [1, 1], None, rng(), bounds=(1, 0)),
        lambda: bootstrap_ratio_difference(([1], [1]), ([1, 1], [1, 1]), None, rng()),
        lambda: bootstrap_ratio_difference(([1], [0]), ([1], [1]), None, rng()),
    ],
)
def test_meaningless_arguments_are_refused(call):
    with pytest.raises(StatisticsError):
        call()


def test_results_are_plain_numbers():
    values, codes = clustered_trials(20)
    result = bootstrap_ratio(values, np.ones(values.size), codes, rng(), bounds=(0, 1))
    assert {type(x) for x in (result.estimate, result.se, result.low, result.high)} == {float}
    assert {type(x) for x in (result.n_units, result.n_clusters, result.n_distinct)} == {int}
