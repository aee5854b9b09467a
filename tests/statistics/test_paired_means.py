from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_rel

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Undefined, paired_mean_difference

BOUNDS = (0.0, 1.0)


def quarters(seed: int, n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    return generator.integers(0, 5, n) / 4, generator.integers(0, 5, n) / 4


@pytest.mark.parametrize("seed", range(5))
def test_units_apart_are_the_paired_t_test_oracle(seed):
    first, second = quarters(seed)
    oracle = ttest_rel(first, second)
    limits = oracle.confidence_interval(0.95)
    found = paired_mean_difference(first, second, None, bounds=BOUNDS)
    assert found.p_value == pytest.approx(oracle.pvalue, rel=1e-9)
    assert (found.low, found.high) == pytest.approx((limits.low, limits.high), rel=1e-9)
    assert found.estimate == pytest.approx(first.mean() - second.mean())


@pytest.mark.parametrize("seed", range(3))
def test_equal_clusters_are_the_t_test_of_their_means_oracle(seed):
    first, second = quarters(seed, 60)
    clusters = np.repeat(np.arange(15), 4)
    means = [values.reshape(15, 4).mean(axis=1) for values in (first, second)]
    found = paired_mean_difference(first, second, clusters, bounds=BOUNDS)
    assert found.p_value == pytest.approx(ttest_rel(*means).pvalue, rel=1e-9)
    assert (found.n_clusters, found.degrees_of_freedom) == (15, pytest.approx(14))


def test_exchanging_the_conditions_changes_the_sign_only():
    first, second = quarters(1)
    there = paired_mean_difference(first, second, None, bounds=BOUNDS)
    back = paired_mean_difference(second, first, None, bounds=BOUNDS)
    assert (there.n_gained, there.n_lost) == (back.n_lost, back.n_gained)
    assert there.estimate == pytest.approx(-back.estimate)
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))
    assert there.p_value == pytest.approx(back.p_value)


@pytest.mark.parametrize(
    ("first", "second", "clusters", "why"),
    [
        ([], [], None, (Undefined.NO_OBSERVATIONS, Undefined.NO_OBSERVATIONS)),
        ([0.5] * 9, [0.25] * 9, None, (Undefined.TOO_FEW_CLUSTERS, Undefined.TOO_FEW_CLUSTERS)),
        ([0.5, 1] * 9, [0.25] * 18, ["x"] * 18, (Undefined.ONE_CLUSTER, Undefined.ONE_CLUSTER)),
        ([0.5] * 20, [0.5] * 20, None, (None, Undefined.NO_DISCORDANT)),
        ([0.75] * 20, [0.5] * 20, None, (None, Undefined.NO_VARIATION)),
    ],
)
def test_what_cannot_be_told_says_why(first, second, clusters, why):
    found = paired_mean_difference(first, second, clusters, bounds=BOUNDS)
    assert (found.interval_undefined, found.p_undefined) == why
    assert found.p_value is None
    assert (found.low is None) == (why[0] is not None)
    if found.low is not None:
        assert found.high - found.low > 0.1  # alike units leave room for others


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([0.5, 2.0], [0.5, 0.5], None), r"first\[1\] is 2.0, outside the bounds"),
        (([0.5, 0.1], [0.5, -1.0], None), r"second\[1\] is -1.0"),
        (([0.5, float("nan")], [0.5, 0.5], None), r"first\[1\] is nan"),
        (([0.5], [0.5, 0.5], None), "second has 2 entries for 1 units"),
        (([0.5, 0.5], [0.5, 0.5], ["x"]), "clusters has 1 entries"),
    ],
)
def test_what_has_no_meaning_is_refused(arguments, words):
    with pytest.raises(StatisticsError, match=words):
        paired_mean_difference(*arguments, bounds=BOUNDS)
