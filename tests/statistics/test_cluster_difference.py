from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from counterbalance.errors import StatisticsError
from counterbalance.statistics import (
    Caution,
    Undefined,
    cluster_difference,
    cluster_ratio,
)

UNITS = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 5)), min_size=6, max_size=30
)


def conditions(values, arms):
    values, arms = np.array(values, dtype=float), np.array(arms)
    return (values * (arms == 0), arms == 0), (values * (arms == 1), arms == 1)


def regression(values, arms, codes):
    """CR2 and Satterthwaite by the matrices of the textbook, nothing simplified."""
    y = np.array(values, dtype=float)
    x = np.column_stack([np.array(arms) == k for k in range(2)]).astype(float)
    bread = np.linalg.inv(x.T @ x)
    beta = bread @ x.T @ y
    contrast = np.array([1.0, -1.0])
    hat = x @ bread @ x.T
    rows = []
    for g in sorted(set(codes)):
        inside = np.array(codes) == g
        eigenvalues, vectors = np.linalg.eigh(np.eye(inside.sum()) - hat[np.ix_(inside, inside)])
        root = vectors @ np.diag(eigenvalues**-0.5) @ vectors.T
        row = np.zeros(len(y))
        row[inside] = contrast @ bread @ x[inside].T @ root
        rows.append(row @ (np.eye(len(y)) - hat))
    rows = np.array(rows)
    variance = float(((rows @ y) ** 2).sum())
    inner = rows @ rows.T
    return contrast @ beta, variance**0.5, np.trace(inner) ** 2 / (inner**2).sum()


@given(UNITS)
def test_difference_is_the_one_of_the_regression_oracle(units):
    values, arms, codes = zip(*units, strict=True)
    for arm in range(2):
        assume(len({c for a, c in zip(arms, codes, strict=True) if a == arm}) > 1)
    result = cluster_difference(*conditions(values, arms), codes)
    difference, se, degrees = regression(values, arms, codes)
    assert result.difference == pytest.approx(difference)
    if result.se is None:
        assert result.interval_undefined is Undefined.NO_VARIATION
        assert se == pytest.approx(0, abs=1e-9)
    else:
        assert result.se == pytest.approx(se, abs=1e-9)
        assert result.degrees_of_freedom == pytest.approx(degrees)


def test_difference_of_units_apart_is_the_welch_oracle():
    rng = np.random.default_rng(3)
    values, arms = rng.integers(0, 2, 60), np.arange(60) % 2
    result = cluster_difference(*conditions(values, arms), None)
    welch = stats.ttest_ind(values[arms == 0], values[arms == 1], equal_var=False)
    assert result.difference / result.se == pytest.approx(welch.statistic)


def test_what_a_cluster_adds_to_both_cancels():
    """Clusters that differ widely, units that do not: shared clusters leave little spread."""
    codes = np.repeat(np.arange(20), 10)
    arms = np.tile([0, 1], 100)
    values = (codes % 2 == 0).astype(float)
    values[::20] = 1 - values[::20]
    shared = cluster_difference(*conditions(values, arms), codes)
    apart = cluster_difference(*conditions(values, arms), codes + 20 * arms)
    assert shared.se < apart.se / 3


def test_limits_are_cut_and_few_clusters_said():
    result = cluster_difference(
        *conditions([1, 1, 1, 0, 0, 0, 0, 1], [0, 0, 0, 0, 1, 1, 1, 1]), None, bounds=(-1, 1)
    )
    assert result.high == 1
    assert set(result.cautions) == {Caution.FEW_CLUSTERS, Caution.CUT_AT_BOUND}


@pytest.mark.parametrize(
    ("values", "arms", "codes", "undefined", "no_interval"),
    [
        ([], [], [], Undefined.NO_OBSERVATIONS, Undefined.NO_OBSERVATIONS),
        ([1, 0], [0, 0], [0, 1], Undefined.ZERO_DENOMINATOR, Undefined.ZERO_DENOMINATOR),
        ([1, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 2], None, Undefined.ONE_CLUSTER),
        ([1, 1, 0, 0], [0, 0, 1, 1], [0, 1, 2, 3], None, Undefined.NO_VARIATION),
    ],
)
def test_no_value_or_no_limits_have_a_reason(values, arms, codes, undefined, no_interval):
    result = cluster_difference(*conditions(values, arms), codes)
    assert (result.undefined, result.interval_undefined) == (undefined, no_interval)
    assert (result.low, result.high, result.se) == (None, None, None)
    assert (result.difference is None) == (undefined is not None)


def test_each_ratio_is_the_pooled_one():
    first, second = ([1, 2, 0, 0], [2, 2, 0, 0]), ([0, 0, 1, 3], [0, 0, 4, 4])
    result = cluster_difference(first, second, [0, 1, 0, 1])
    assert (result.first, result.second) == (
        cluster_ratio(*first, [0, 1, 0, 1]).estimate,
        cluster_ratio(*second, [0, 1, 0, 1]).estimate,
    )
    assert (result.first_denominator, result.second_denominator, result.n_units) == (4, 8, 4)


def test_ratios_of_different_units_are_refused():
    with pytest.raises(StatisticsError, match="second has 1 entries for 2 units"):
        cluster_difference(([1, 0], [1, 1]), ([1], [1]), None)
    with pytest.raises(StatisticsError, match="numerator over a denominator of 0"):
        cluster_difference(([1, 0], [0, 1]), ([1, 0], [1, 0]), None)
