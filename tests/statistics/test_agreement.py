"""Cohen's kappa against R, fractions by hand, and an infinitesimal jackknife."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Undefined, cohen_kappa
from vectors.loading import cases

TABLES = st.integers(1, 4).flatmap(
    lambda k: hnp.arrays(np.int64, (k, k), elements=st.integers(0, 40))
)


@pytest.mark.parametrize("case", cases("kappa"))
def test_kappa_vector(case):
    expected, near = case["expected"], {"abs": case["tolerance"]}
    result = cohen_kappa(case["inputs"]["table"])
    assert result.observed_agreement == pytest.approx(expected["po"], **near)
    assert result.expected_agreement == pytest.approx(expected["pe"], **near)
    assert result.kappa == pytest.approx(expected["kappa"], **near)
    assert result.se == pytest.approx(expected["ase"], **near)
    assert result.se_null == pytest.approx(expected["se_null"], **near)
    assert [result.low, result.high] == pytest.approx(expected["ci95"], **near)


def test_kappa_oracle_by_hand():
    # 35 of 50 agree; marginals 25, 25 and 30, 20: chance brings (25 x 30 + 25 x 20) / 2500 = 1/2.
    result = cohen_kappa([[20, 5], [10, 15]])
    assert result.kappa == pytest.approx(float(Fraction(35 - 25, 50 - 25)))
    assert (result.n_agree, result.n_units) == (35, 50)
    assert result.row_shares == pytest.approx((0.5, 0.5))
    assert result.column_shares == pytest.approx((0.6, 0.4))
    assert result.table == ((20, 5), (10, 15))


def kappa_of(shares):
    expected = shares.sum(axis=1) @ shares.sum(axis=0)
    return (np.trace(shares) - expected) / (1 - expected)


def test_kappa_oracle_standard_error_by_numeric_derivatives():
    table = np.array([[31, 4, 2], [7, 22, 5], [1, 9, 19]])
    shares, n, step = table / table.sum(), table.sum(), 1e-6
    slopes = np.zeros_like(shares)
    for cell in np.ndindex(shares.shape):
        up, down = shares.copy(), shares.copy()
        up[cell] += step
        down[cell] -= step
        slopes[cell] = (kappa_of(up) - kappa_of(down)) / (2 * step)
    variance = ((shares * slopes**2).sum() - (shares * slopes).sum() ** 2) / n
    assert cohen_kappa(table).se == pytest.approx(np.sqrt(variance), rel=1e-6)


@given(TABLES)
def test_kappa_is_symmetric_in_the_raters(table):
    result, exchanged = cohen_kappa(table), cohen_kappa(table.T)
    assert result.row_shares == exchanged.column_shares
    for name in ("kappa", "se", "se_null", "low", "high"):
        here, there = getattr(result, name), getattr(exchanged, name)
        assert here == (there if there is None else pytest.approx(there, abs=1e-9))


@given(TABLES)
def test_values_are_in_range_and_limits_hold_kappa(table):
    result = cohen_kappa(table)
    if result.kappa is not None:
        assert result.kappa <= 1 + 1e-12
        assert result.se >= 0
    if result.low is not None:
        assert -1 <= result.low <= result.kappa <= result.high <= 1
    assert (result.kappa is None) == (result.undefined is not None)
    assert (result.low is None) == (result.interval_undefined is not None)


def test_both_raters_with_one_category_have_agreement_and_no_kappa():
    result = cohen_kappa([[7, 0], [0, 0]])
    assert (result.observed_agreement, result.expected_agreement, result.kappa) == (1.0, 1.0, None)
    assert result.undefined is Undefined.EXPECTED_AGREEMENT_ONE
    assert result.interval_undefined is Undefined.EXPECTED_AGREEMENT_ONE


def test_one_category_of_each_rater_but_not_the_same_has_a_kappa():
    result = cohen_kappa([[0, 7], [0, 0]])
    assert (result.kappa, result.undefined) == (0.0, None)
    assert result.interval_undefined is Undefined.NO_VARIATION


def test_full_agreement_has_no_limits():
    result = cohen_kappa([[7, 0], [0, 3]])
    assert (result.kappa, result.low, result.high) == (pytest.approx(1), None, None)
    assert result.undefined is None
    assert result.interval_undefined is Undefined.NO_VARIATION


@pytest.mark.parametrize("table", [[[0, 0], [0, 0]], []])
def test_an_empty_table_has_no_value(table):
    result = cohen_kappa(table)
    assert result.undefined is Undefined.NO_OBSERVATIONS
    assert (result.observed_agreement, result.row_shares, result.kappa) == (None, None, None)


def test_limits_are_cut_where_kappa_ends():
    assert cohen_kappa([[9, 1], [0, 9]], 0.999).high == 1.0


@pytest.mark.parametrize(
    "table", [[[1, 2]], [1, 2], [[1, -1], [0, 1]], [[0.5, 1], [1, 1]], [[float("nan"), 1], [1, 1]]]
)
def test_tables_that_are_none_are_refused(table):
    with pytest.raises(StatisticsError):
        cohen_kappa(table)


def test_results_are_plain_numbers():
    result = cohen_kappa(np.array([[20, 5], [10, 15]]))
    assert {type(x) for x in (result.kappa, result.se, result.low, *result.row_shares)} == {float}
    assert {type(x) for row in result.table for x in row} == {int}
