"""Conger's kappa against irrCAC and Cohen's, and the marginals of every rater."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.errors import StatisticsError
from counterbalance.statistics import (
    Undefined,
    cohen_kappa,
    rater_agreement,
    two_rater_agreement,
)
from vectors.loading import case, cases

NAME = "pba_mtbench_9judges_rep1"
RATINGS = st.integers(1, 4).flatmap(
    lambda n: st.lists(
        st.lists(st.sampled_from(["x", "y", "z", None]), min_size=n, max_size=n), max_size=12
    )
)


def panel_of_nine():
    labels = case("dawid_skene", "pba_mtbench_rep1_9judges")["inputs"]["labels"]
    return list(zip(*labels.values(), strict=True))


def ratings_of(table):
    return [
        (row, column)
        for row, counts in enumerate(table)
        for column, count in enumerate(counts)
        for _ in range(count)
    ]


def test_conger_vector():
    # The same 192 units as in panel_agreement.json, there without the names of the raters.
    vector = case("panel_agreement", NAME)
    result = rater_agreement(panel_of_nine(), "ABC")
    expected = vector["expected"]["irrCAC"]["conger"]["value"]
    assert result.conger.value == pytest.approx(expected, abs=vector["tolerance"])
    assert result.gwet.value == pytest.approx(vector["expected"]["gwet_ac1"], abs=1e-12)
    alpha = vector["expected"]["krippendorff_alpha_nominal"]
    assert result.krippendorff.value == pytest.approx(alpha, abs=1e-12)
    assert (result.n_raters, len(result.pairs)) == (9, 36)
    assert sum(sum(row) for row in result.rater_counts) == 1720


@pytest.mark.parametrize("one", cases("kappa"))
def test_two_raters_vector_conger_is_cohen_with_its_standard_error(one):
    table = one["inputs"]["table"]
    n = sum(map(sum, table))
    result = rater_agreement(ratings_of(table), range(len(table)))
    assert result.conger.value == pytest.approx(one["expected"]["kappa"], abs=1e-9)
    ase = one["expected"]["ase"] * np.sqrt(n / (n - 1))
    assert result.conger.se == pytest.approx(ase, abs=1e-9)
    assert result.pairs[0].kappa == cohen_kappa(table)
    assert result.gwet.value == pytest.approx(two_rater_agreement(table).gwet.value, abs=1e-12)


def test_two_raters_oracle_by_hand_and_both_marginals():
    # 82 % agree; category shares .89 and .11 give AC1's chance agreement 2 x .89 x .11.
    result = two_rater_agreement([[40, 4], [5, 1]])
    chance = 2 * 0.89 * 0.11
    assert result.gwet.value == pytest.approx((0.82 - chance) / (1 - chance))
    assert result.kappa.row_shares == pytest.approx((0.88, 0.12))
    assert result.kappa.column_shares == pytest.approx((0.9, 0.1))
    # Scott's pi with the correction of alpha for 100 ratings.
    pi_disagreement = 0.18 / (1 - 0.89**2 - 0.11**2)
    assert result.krippendorff.value == pytest.approx(1 - 99 / 100 * pi_disagreement)


@given(RATINGS)
def test_exchanging_raters_exchanges_marginals_and_nothing_else(ratings):
    here = rater_agreement(ratings, "xyz")
    there = rater_agreement([row[::-1] for row in ratings], "xyz")
    assert here.rater_counts == there.rater_counts[::-1]
    for name in ("conger", "gwet", "krippendorff"):
        one, other = getattr(here, name), getattr(there, name)
        assert one.undefined == other.undefined
        assert one.interval_undefined == other.interval_undefined
        for field in ("value", "se", "low", "high"):
            value = getattr(other, field)
            near = value if value is None else pytest.approx(value, abs=1e-9)
            assert getattr(one, field) == near


@given(RATINGS)
def test_no_value_is_invented(ratings):
    result = rater_agreement(ratings, "xyz").conger
    assert (result.value is None) == (result.undefined is not None)
    assert (result.low is None) == (result.interval_undefined is not None)
    if result.low is not None:
        assert result.low < result.high <= 1


def test_a_rater_without_ratings_has_no_shares_and_changes_nothing():
    with_one = rater_agreement([["x", "x", None], ["x", "y", None], ["y", "y", None]], "xy")
    without = rater_agreement([["x", "x"], ["x", "y"], ["y", "y"]], "xy")
    assert with_one.rater_shares[2] is None
    assert with_one.conger == without.conger
    assert with_one.pairs[1].kappa.undefined is Undefined.NO_OBSERVATIONS


def test_empty_and_single_have_reasons():
    assert rater_agreement([], "xy").conger.undefined is Undefined.NO_OBSERVATIONS
    assert rater_agreement([["x"]], "xy").conger.undefined is Undefined.TOO_FEW_RATINGS
    constant = rater_agreement([["x", "x"], ["x", "x"]], "xy").conger
    assert constant.undefined is Undefined.EXPECTED_AGREEMENT_ONE
    assert two_rater_agreement([]).gwet.undefined is Undefined.NO_OBSERVATIONS


@pytest.mark.parametrize(
    ("ratings", "categories"),
    [
        ([["x", "y"], ["x"]], "xy"),
        ([["x", "q"]], "xy"),
        ([["x", "y"]], "xx"),
        ([["x", "y"]], []),
        ([["x", "y"]], ["x", "y", None]),
    ],
)
def test_ratings_that_are_none_are_refused(ratings, categories):
    with pytest.raises(StatisticsError):
        rater_agreement(ratings, categories)


def test_a_table_that_is_not_square_is_refused():
    with pytest.raises(StatisticsError):
        two_rater_agreement([[1, 2]])
