"""Stuart-Maxwell, Bhapkar and Bowker: statsmodels' values, other formulas, laws, dead ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from counterbalance.errors import StatisticsError
from counterbalance.statistics import (
    Caution,
    Undefined,
    bhapkar_test,
    bowker_test,
    stuart_maxwell_test,
)
from vectors.loading import cases

METHODS = [stuart_maxwell_test, bhapkar_test, bowker_test]
NAMES = {"stuart_maxwell": stuart_maxwell_test, "bhapkar": bhapkar_test, "bowker": bowker_test}
TABLES = st.integers(2, 4).flatmap(
    lambda k: hnp.arrays(np.int64, (k, k), elements=st.integers(0, 40))
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("case", cases("marginal_homogeneity"))
def test_homogeneity_vector(case, name):
    expected, near = case["expected"][name], {"abs": case["tolerance"]}
    result = NAMES[name](case["inputs"]["table"])
    assert result.chi_square == pytest.approx(expected["chi2"], **near)
    assert result.degrees_of_freedom == expected["df"]
    assert result.p_value == pytest.approx(expected["p"], **near)
    assert (result.method, result.undefined, result.cautions) == (name, None, ())


@given(st.integers(0, 200), st.integers(0, 200), st.integers(0, 50))
def test_two_categories_oracle_is_mcnemar(gained, lost, same):
    for function in (stuart_maxwell_test, bowker_test):
        result = function([[same, gained], [lost, same]])
        if gained + lost == 0:
            assert result.p_value is None
            continue
        statistic = (gained - lost) ** 2 / (gained + lost)
        assert result.chi_square == pytest.approx(statistic, abs=1e-9)
        assert result.degrees_of_freedom == 1
        assert result.p_value == pytest.approx(stats.chi2.sf(statistic, 1), rel=1e-9)


def test_bhapkar_oracle_is_the_wald_test_of_the_differences():
    table = np.array([[61, 8, 30], [5, 20, 9], [11, 6, 50]])
    rows = [(i, j) for i, j in np.ndindex(3, 3) for _ in range(table[i, j])]
    moves = np.array([[(i == k) - (j == k) for k in range(2)] for i, j in rows])
    covariance = np.cov(moves.T, bias=True) / len(rows)
    wald = moves.mean(axis=0) @ np.linalg.solve(covariance, moves.mean(axis=0))
    assert bhapkar_test(table).chi_square == pytest.approx(wald, rel=1e-10)


@pytest.mark.parametrize("method", METHODS)
@given(table=TABLES, seed=st.integers(0, 99))
def test_exchanging_conditions_or_renaming_categories_changes_nothing(method, table, seed):
    names = np.random.default_rng(seed).permutation(len(table))
    here = method(table)
    for other in (method(table.T), method(table[np.ix_(names, names)])):
        assert (here.undefined, here.degrees_of_freedom) == (
            other.undefined,
            other.degrees_of_freedom,
        )
        if here.undefined is None:
            assert other.chi_square == pytest.approx(here.chi_square, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("method", [stuart_maxwell_test, bowker_test])
@given(table=TABLES, more=st.integers(1, 1000))
def test_units_on_the_diagonal_decide_nothing(method, table, more):
    here, there = method(table), method(table + more * np.eye(len(table), dtype=np.int64))
    if here.undefined is None:
        assert there.chi_square == pytest.approx(here.chi_square, rel=1e-9, abs=1e-9)
        assert there.n_discordant == here.n_discordant
        assert there.n_units > here.n_units


@given(TABLES)
def test_bhapkar_is_never_below_stuart_maxwell(table):
    restricted, free = stuart_maxwell_test(table), bhapkar_test(table)
    if free.undefined is None:
        assert free.chi_square >= restricted.chi_square
        assert free.degrees_of_freedom == restricted.degrees_of_freedom


@pytest.mark.parametrize("method", METHODS)
@given(table=TABLES)
def test_a_p_value_is_in_range_or_has_a_reason(method, table):
    result = method(table)
    assert (result.p_value is None) == (result.undefined is not None)
    if result.p_value is not None:
        assert 0 < result.p_value <= 1
        assert result.degrees_of_freedom >= 1
        assert (Caution.FEW_DISCORDANT in result.cautions) == (result.n_discordant < 10)


def test_a_category_that_nobody_used_costs_a_degree_of_freedom():
    without = stuart_maxwell_test([[9, 7], [2, 9]])
    unused = stuart_maxwell_test([[9, 7, 0], [2, 9, 0], [0, 0, 0]])
    apart = stuart_maxwell_test([[9, 7, 0], [2, 9, 0], [0, 0, 25]])
    for result in (unused, apart):
        assert result.degrees_of_freedom == without.degrees_of_freedom == 1
        assert result.chi_square == pytest.approx(without.chi_square)


def test_all_moved_one_way_has_no_free_variance():
    result = bhapkar_test([[0, 30], [0, 0]])
    assert (result.p_value, result.undefined) == (None, Undefined.NO_VARIATION)
    assert stuart_maxwell_test([[0, 30], [0, 0]]).chi_square == pytest.approx(30)


@pytest.mark.parametrize("method", METHODS)
def test_nothing_to_test_is_no_p_value(method):
    assert method([]).undefined is Undefined.NO_OBSERVATIONS
    assert method([[0, 0], [0, 0]]).undefined is Undefined.NO_OBSERVATIONS
    result = method([[5, 0], [0, 7]])
    assert (result.p_value, result.undefined) == (None, Undefined.NO_DISCORDANT)
    assert (result.n_units, result.row_shares) == (12, pytest.approx((5 / 12, 7 / 12)))


@pytest.mark.parametrize("method", METHODS)
def test_a_p_value_too_small_for_a_float_is_not_zero(method):
    assert method([[10_000, 10_000], [0, 0]]).p_value > 0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "table", [[[1, 2]], [1, 2], [[1, -1], [0, 1]], [[0.5, 1], [1, 1]], [[float("nan"), 1], [1, 1]]]
)
def test_tables_that_are_none_are_refused(method, table):
    with pytest.raises(StatisticsError):
        method(table)
