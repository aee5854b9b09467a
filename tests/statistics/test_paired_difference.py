"""Paired differences: which method the clusters allow, t by hand, coverage, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from counterbalance.errors import StatisticsError
from counterbalance.statistics import (
    Undefined,
    bootstrap_ratio,
    mcnemar_test,
    paired_difference,
    tango_interval,
)
from vectors.loading import cases

UNITS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), max_size=60)


@pytest.mark.parametrize("case", cases("paired_difference_ci"))
def test_paired_difference_vector(case):
    counts = case["inputs"]
    kinds = {"a": (1, 1), "b": (1, 0), "c": (0, 1), "d": (0, 0)}
    units = [kinds[name] for name, times in counts.items() for _ in range(times)]
    result = paired_difference([u for u, _ in units], [v for _, v in units], None)
    assert (result.n_gained, result.n_lost) == (counts["b"], counts["c"])
    assert result.n_common == len(units)
    assert result.estimate == pytest.approx(case["expected"]["diff"], abs=1e-12)
    assert [result.low, result.high] == pytest.approx(
        case["expected"]["tango"], abs=case["tolerance"]
    )
    assert result.p_value == mcnemar_test(counts["b"], counts["c"]).p_value
    assert result.first_share == pytest.approx((counts["a"] + counts["b"]) / len(units))
    assert result.second_share == pytest.approx((counts["a"] + counts["c"]) / len(units))


def test_clustered_oracle_is_the_t_test_of_equal_clusters():
    generator = np.random.default_rng(1)
    first, second = generator.integers(0, 2, (2, 15, 4))
    result = paired_difference(first.ravel(), second.ravel(), np.repeat(np.arange(15), 4))
    means = (first - second).mean(axis=1)
    test = stats.ttest_1samp(means, 0)
    assert result.p_value == pytest.approx(test.pvalue, rel=1e-9)
    assert (result.low, result.high) == pytest.approx(tuple(test.confidence_interval()))
    assert result.degrees_of_freedom == pytest.approx(14)
    assert (result.method, result.p_method) == ("cluster_robust_t", "cluster_robust_t")


@settings(max_examples=60, deadline=None)
@given(UNITS, st.integers(1, 40))
def test_exchanging_the_conditions_turns_the_sign_and_leaves_the_p_value(units, n_clusters):
    first, second = [u for u, _ in units], [v for _, v in units]
    clusters = [place % n_clusters for place in range(len(units))]
    here = paired_difference(first, second, clusters)
    there = paired_difference(second, first, clusters)
    assert (here.n_gained, here.n_lost) == (there.n_lost, there.n_gained)
    assert (here.method, here.p_undefined) == (there.method, there.p_undefined)
    if here.p_value is not None:
        assert there.p_value == pytest.approx(here.p_value, rel=1e-9)
    if here.low is not None:
        assert (there.low, there.high) == pytest.approx((-here.high, -here.low), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(UNITS, st.integers(1, 40))
def test_every_gap_has_a_reason_and_every_interval_a_width(units, n_clusters):
    first, second = [u for u, _ in units], [v for _, v in units]
    result = paired_difference(first, second, [p % n_clusters for p in range(len(units))])
    assert (result.estimate is None) == (result.undefined is not None)
    assert (result.low is None) == (result.interval_undefined is not None)
    assert (result.p_value is None) == (result.p_undefined is not None)
    assert (result.method == "none") == (result.low is None)
    assert (result.p_method == "none") == (result.p_value is None)
    if result.low is not None:
        assert -1 <= result.low <= result.estimate <= result.high <= 1
        assert result.high > result.low
    if result.p_value is not None:
        assert 0 < result.p_value <= 1


def test_the_method_depends_on_the_clusters_and_not_on_the_outcomes():
    first, second = [1, 0] * 20, [0, 0] * 20
    assert paired_difference(first, second, list(range(40))).method == "tango"
    assert paired_difference(first, second, [0, *range(39)]).method == "cluster_robust_t"


def test_copied_units_do_not_shrink_the_interval():
    generator = np.random.default_rng(2)
    first, second = generator.integers(0, 2, (2, 40))
    once = paired_difference(first, second, None)
    copied = paired_difference(np.tile(first, 5), np.tile(second, 5), list(range(40)) * 5)
    assert copied.high - copied.low > 0.9 * (once.high - once.low)
    naive = tango_interval(copied.n_gained, copied.n_lost, copied.n_common)
    assert naive.high - naive.low < 0.6 * (copied.high - copied.low)


def draw_paired(generator, n_clusters, per_cluster):
    """Return outcomes of two conditions whose difference varies between clusters."""
    shape = (n_clusters, per_cluster)
    base = generator.normal(0.7, 0.7, (n_clusters, 1)) + generator.normal(0, 1.3, shape)
    shift = generator.normal(0.4, 0.8, (n_clusters, 1))
    draws = generator.random((2, *shape))
    first = draws[0] < 1 / (1 + np.exp(-(base + shift)))
    return first.astype(int).ravel(), (draws[1] < 1 / (1 + np.exp(-base))).astype(int).ravel()


def test_coverage_is_nominal_where_the_interval_for_independent_units_fails():
    generator, n_runs, truth = np.random.default_rng(3), 400, 0.05469564928871995
    codes, hits = np.repeat(np.arange(12), 10), np.zeros(3)
    for _ in range(n_runs):
        first, second = draw_paired(generator, 12, 10)
        clustered = paired_difference(first, second, codes)
        alone = paired_difference(first, second, None)
        resampled = bootstrap_ratio(
            first - second, np.ones(120), codes, generator, n_replicates=399, bounds=(-1, 1)
        )
        intervals = (clustered, resampled, alone)
        hits += [interval.low <= truth <= interval.high for interval in intervals]
    robust, studentised, independent = hits / n_runs
    assert 0.92 <= robust <= 0.975
    assert 0.92 <= studentised <= 0.98
    assert independent < 0.92


def test_dead_ends_have_a_reason():
    empty = paired_difference([], [], None)
    assert empty.undefined is empty.p_undefined is Undefined.NO_OBSERVATIONS
    one = paired_difference([1, 0], [0, 0], ["p", "p"])
    assert (one.estimate, one.interval_undefined) == (0.5, Undefined.ONE_CLUSTER)
    few = paired_difference([1, 0] * 9, [0, 0] * 9, list(range(9)) * 2)
    assert few.interval_undefined is few.p_undefined is Undefined.TOO_FEW_CLUSTERS
    same = paired_difference([1, 0] * 20, [1, 0] * 20, list(range(20)) * 2)
    assert (same.p_value, same.p_undefined) == (None, Undefined.NO_DISCORDANT)
    assert same.low < 0 < same.high
    always = paired_difference([1] * 40, [0] * 40, list(range(20)) * 2)
    assert (always.p_value, always.p_undefined) == (None, Undefined.NO_VARIATION)
    assert (always.method, always.high) == ("no_spread_bound", 1.0)
    assert always.low < 1


@pytest.mark.parametrize(
    "call",
    [
        lambda: paired_difference([1, 0.5], [0, 1], None),
        lambda: paired_difference([1, 2], [0, 1], None),
        lambda: paired_difference([1, float("nan")], [0, 1], None),
        lambda: paired_difference([1, 0], [0], None),
        lambda: paired_difference([1, 0], [0, 1], ["p"]),
        lambda: paired_difference([1, 0], [0, 1], None, 95),
    ],
)
def test_meaningless_arguments_are_refused(call):
    with pytest.raises(StatisticsError):
        call()
