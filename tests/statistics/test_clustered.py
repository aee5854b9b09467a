"""Clustered means and ratios: textbook special cases, an oracle by matrices, honest edges."""

from __future__ import annotations

import math

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
    cluster_ratio,
    proportion_interval,
)
from vectors.loading import case

NUMBERS = st.floats(-1, 1).map(lambda x: round(x, 3))
UNITS = st.lists(st.tuples(NUMBERS, st.integers(0, 6)), min_size=1, max_size=40)


def bell_mccaffrey(values, codes):
    """Return se and degrees of freedom of a mean from the definitions, with full matrices."""
    n, groups = len(values), [np.flatnonzero(codes == code) for code in np.unique(codes)]
    ones = np.ones((n, 1))
    residual = np.eye(n) - ones @ ones.T / n
    scores = []
    for group in groups:
        block = residual[np.ix_(group, group)]
        size, vectors = np.linalg.eigh(block)
        root = vectors @ np.diag(np.where(size > 1e-9, size, np.inf) ** -0.5) @ vectors.T
        scores.append(residual[:, group] @ root @ np.ones(len(group)) / n)
    contrasts = np.array(scores)
    variance = ((contrasts @ values) ** 2).sum()
    inner = contrasts @ contrasts.T
    return math.sqrt(variance), np.trace(inner) ** 2 / (inner**2).sum()


def test_mean_oracle_by_matrices():
    generator = np.random.default_rng(3)
    codes = np.repeat(np.arange(6), [1, 2, 3, 5, 8, 13])
    values = generator.normal(size=codes.size) + codes
    result = cluster_mean(values, codes)
    se, degrees = bell_mccaffrey(values, codes)
    assert result.se == pytest.approx(se, rel=1e-9)
    assert result.degrees_of_freedom == pytest.approx(degrees, rel=1e-9)
    assert 1 < result.degrees_of_freedom < 5
    half = stats.t.ppf(0.975, degrees) * se
    assert (result.low, result.high) == pytest.approx((values.mean() - half, values.mean() + half))


def test_mean_vector_of_mirrored_units():
    paired = case("mirrored_pairs", "paired_50")
    rows = [(a, b) for a, b, times in paired["inputs"]["table"] for _ in range(times)]
    near = {"abs": paired["tolerance"]}
    for name, sign in (("format", 1), ("slot", -1)):
        result = cluster_mean([(a + sign * b) / 2 for a, b in rows], None)
        assert result.n_units == paired["expected"]["n"]
        assert result.estimate == pytest.approx(paired["expected"][name], **near)
        assert result.se == pytest.approx(paired["expected"][f"{name}_se"], **near)


@given(st.lists(NUMBERS, min_size=2, max_size=40).filter(lambda x: np.std(x) > 1e-6))
def test_clusters_of_one_give_the_ordinary_t_interval(values):
    result = cluster_mean(values, None, 0.9)
    sem = stats.sem(values)
    low, high = stats.t.interval(0.9, len(values) - 1, loc=np.mean(values), scale=sem)
    assert result.se == pytest.approx(sem, rel=1e-9)
    assert result.degrees_of_freedom == pytest.approx(len(values) - 1, rel=1e-9)
    assert (result.low, result.high) == pytest.approx((low, high), abs=1e-9)


def test_equal_clusters_give_the_t_interval_of_their_means():
    generator = np.random.default_rng(5)
    values = generator.normal(size=(12, 4))
    result = cluster_mean(values.ravel(), np.repeat(np.arange(12), 4))
    means = values.mean(axis=1)
    assert result.se == pytest.approx(stats.sem(means), rel=1e-9)
    assert result.degrees_of_freedom == pytest.approx(11, rel=1e-9)


def test_ratio_oracle_is_the_mean_over_the_units_that_count():
    generator = np.random.default_rng(7)
    values = generator.integers(0, 2, 60)
    counts = generator.integers(0, 2, 60)
    codes = np.repeat(np.arange(15), 4)
    ratio = cluster_ratio(values * counts, counts, codes)
    mean = cluster_mean(values[counts == 1], codes[counts == 1])
    assert (ratio.estimate, ratio.n_units) == (mean.estimate, mean.n_units)
    assert (ratio.low, ratio.high) == pytest.approx((mean.low, mean.high))


@given(UNITS)
def test_limits_hold_the_estimate_and_the_bounds_hold_the_limits(units):
    values, clusters = zip(*units, strict=True)
    result = cluster_mean(values, clusters, bounds=(-1, 1))
    assert result.undefined is None
    assert result.n_clusters == len(set(clusters))
    if result.low is None:
        assert result.interval_undefined is Undefined.ONE_CLUSTER
    else:
        assert -1 <= result.low <= result.estimate <= result.high <= 1
        assert (Caution.FEW_CLUSTERS in result.cautions) == (result.n_clusters < 10)


@given(UNITS, st.randoms(use_true_random=False))
def test_neither_the_sequence_nor_the_names_of_clusters_matter(units, shuffler):
    shuffled = list(units)
    shuffler.shuffle(shuffled)
    here = cluster_mean(*zip(*units, strict=True))
    there = cluster_mean([v for v, _ in shuffled], [("cluster", str(c)) for _, c in shuffled])
    assert here.estimate == pytest.approx(there.estimate, abs=1e-12)
    assert here.n_clusters == there.n_clusters
    if here.se is not None and here.se > 1e-9:
        assert here.se == pytest.approx(there.se, rel=1e-6)


def test_clusters_keep_apart_what_numpy_would_merge():
    assert cluster_mean([0, 1, 1], [1, "1", 2]).n_clusters == 3
    assert cluster_mean([0, 1, 1], np.array(["p", "q", "q"])).n_clusters == 2
    assert cluster_mean([0, 1, 1], np.array(["p", "q", 1], dtype=object)).n_clusters == 3


@pytest.mark.parametrize(("value", "low", "high"), [(0, 0, 0.168433), (1, 0.831567, 1)])
def test_nothing_or_everything_gets_clopper_pearson_on_the_clusters(value, low, high):
    result = cluster_mean([value] * 60, np.repeat(np.arange(20), 3))
    interval = clopper_pearson_interval(20 * value, 20)
    assert (result.low, result.high) == pytest.approx((low, high), abs=1e-6)
    assert (result.low, result.high) == pytest.approx((interval.low, interval.high), abs=1e-12)
    assert (result.method, result.se) == ("no_spread_bound", None)
    assert result.cautions == (Caution.NO_SPREAD,)


def test_equal_clusters_inside_the_range_get_a_bound_to_either_side():
    result = cluster_mean([0] * 20, None, bounds=(-1, 1))
    assert (result.low, result.high) == pytest.approx((-0.168433, 0.168433), abs=1e-6)
    tenths = cluster_mean([0.1] * 30, None, bounds=(0, 1))
    assert tenths.method == "no_spread_bound"


def test_equal_values_without_known_range_have_no_interval():
    result = cluster_mean([0.3] * 20, None)
    assert result.estimate == pytest.approx(0.3)
    assert (result.low, result.high, result.se, result.method) == (None, None, None, "none")
    assert (result.undefined, result.interval_undefined) == (None, Undefined.NO_VARIATION)


def test_limits_are_cut_only_where_bounds_are_declared():
    values = [1] + [0] * 30
    assert cluster_mean(values, None).low < 0
    cut = cluster_mean(values, None, bounds=(0, 1))
    assert (cut.low, cut.cautions) == (0, (Caution.CUT_AT_BOUND,))


def test_a_few_large_clusters_are_named():
    codes = np.concatenate([np.zeros(500, int), np.ones(500, int), np.arange(2, 12)])
    values = np.random.default_rng(1).integers(0, 2, codes.size)
    result = cluster_mean(values, codes)
    assert result.n_clusters == 12
    assert result.cautions == (Caution.UNEVEN_CLUSTERS,)


def test_one_cluster_has_an_estimate_and_no_interval():
    result = cluster_mean([0, 1], ["p", "p"])
    assert (result.estimate, result.low) == (0.5, None)
    assert (result.undefined, result.interval_undefined) == (None, Undefined.ONE_CLUSTER)


@pytest.mark.parametrize(
    ("tops", "bottoms", "reason"),
    [([], [], Undefined.NO_OBSERVATIONS), ([0, 0], [0, 0], Undefined.ZERO_DENOMINATOR)],
)
def test_nothing_to_divide_by_is_no_value(tops, bottoms, reason):
    result = cluster_ratio(tops, bottoms, None)
    assert (result.estimate, result.n_units, result.n_clusters) == (None, 0, 0)
    assert (result.undefined, result.interval_undefined) == (reason, reason)


@pytest.mark.parametrize(
    "call",
    [
        lambda: cluster_mean([math.nan, 1], None),
        lambda: cluster_mean([[1, 2]], None),
        lambda: cluster_mean([1, 2], ["p"]),
        lambda: cluster_mean([1, 2], None, 95),
        lambda: cluster_mean([1, 2], None, bounds=(0, 1)),
        lambda: cluster_mean([1, 2], None, bounds=(2, 1)),
        lambda: cluster_mean([1, 2], None, bounds=(0, math.inf)),
        lambda: cluster_ratio([1], [1, 2], None),
        lambda: cluster_ratio([1], [-1], None),
        lambda: cluster_ratio([1, 1], [0, 1], None),
        lambda: cluster_ratio([3, 1], [1, 1], None, bounds=(0, 1)),
    ],
)
def test_meaningless_arguments_are_refused(call):
    with pytest.raises(StatisticsError):
        call()


def test_results_are_plain_floats():
    result = cluster_mean(np.array([0, 1, 1, 0]), np.array([0, 0, 1, 1]), bounds=(0, 1))
    fields = (result.estimate, result.numerator, result.low, result.high, *result.bounds)
    assert {type(x) for x in fields} == {float}
    assert {type(x) for x in (result.n_units, result.n_clusters)} == {int}


def test_coverage_is_nominal_where_the_interval_for_independent_trials_fails():
    generator, truth, n_runs = np.random.default_rng(11), 0.5, 800
    sizes = np.tile([2, 5, 8, 13], 6)
    codes = np.repeat(np.arange(sizes.size), sizes)
    hits = np.zeros(2)
    for _ in range(n_runs):
        latent = generator.normal(size=sizes.size)[codes] + generator.normal(size=codes.size)
        values = (latent > 0).astype(int)
        intervals = (
            cluster_mean(values, codes),
            proportion_interval(int(values.sum()), values.size),
        )
        hits += [interval.low <= truth <= interval.high for interval in intervals]
    clustered, independent = hits / n_runs
    assert 0.93 <= clustered <= 0.97
    assert independent < 0.8
