"""AC1, alpha and Fleiss' kappa against irrCAC and krippendorff, pair counting, and a jackknife."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Undefined, fleiss_kappa, gwet_ac1, krippendorff_alpha
from vectors.loading import cases

FUNCTIONS = (gwet_ac1, fleiss_kappa, krippendorff_alpha)
IN_VECTOR = {"gwet_ac1": "gwet", "fleiss_kappa": "fleiss", "krippendorff_alpha": "kripp"}
PANELS = st.tuples(st.integers(0, 12), st.integers(1, 4)).flatmap(
    lambda shape: hnp.arrays(np.int64, shape, elements=st.integers(0, 4))
)


@pytest.mark.parametrize("case", cases("panel_agreement"))
@pytest.mark.parametrize("function", FUNCTIONS)
def test_panel_vector(case, function):
    result = function(case["inputs"]["counts_per_item_ABC"])
    expected = case["expected"]["irrCAC"][IN_VECTOR[result.coefficient]]
    assert result.value == pytest.approx(expected["value"], abs=case["tolerance"])
    assert result.se == pytest.approx(expected["se"], abs=case["tolerance"])
    assert result.category_counts == (698, 897, 125)


@pytest.mark.parametrize("case", cases("panel_agreement"))
def test_panel_vector_to_all_digits(case):
    counts, expected = case["inputs"]["counts_per_item_ABC"], case["expected"]
    ac1, alpha = gwet_ac1(counts), krippendorff_alpha(counts)
    assert ac1.value == pytest.approx(expected["gwet_ac1"], abs=1e-12)
    assert alpha.value == pytest.approx(expected["krippendorff_alpha_nominal"], abs=1e-12)
    limits = expected["irrCAC"]["gwet"]["ci"]
    assert [ac1.low, ac1.high] == pytest.approx(limits, abs=case["tolerance"])


def test_alpha_oracle_by_coincidences():
    # Hayes and Krippendorff's way: every ordered pair of ratings of a unit, weighted 1/(r_i - 1).
    units = ["aab", "bb", "ab", "aaaa", "b", "ccb"]
    together, total = Fraction(0), Fraction(0)
    pool: list[str] = []
    for unit in units:
        if len(unit) < 2:
            continue
        pool += unit
        for x, y in permutations(unit, 2):
            total += Fraction(1, len(unit) - 1)
            together += Fraction(x == y, len(unit) - 1)
    chance = Fraction(sum(x == y for x, y in permutations(pool, 2)), len(pool) * (len(pool) - 1))
    expected = 1 - (1 - together / total) / (1 - chance)
    result = krippendorff_alpha([[unit.count(c) for c in "abc"] for unit in units])
    assert result.value == pytest.approx(float(expected), abs=1e-12)
    assert result.expected_agreement == pytest.approx(float(chance), abs=1e-12)
    assert (result.n_units, result.n_ratings) == (5, 14)


def test_ac1_and_fleiss_oracle_by_hand():
    # Two units, three ratings: pairs agree 3 of 3 and 1 of 3; shares 5/6 and 1/6.
    counts = [[3, 0], [2, 1]]
    observed, twice = Fraction(2, 3), 2 * Fraction(5, 6) * Fraction(1, 6)
    assert gwet_ac1(counts).value == pytest.approx(float((observed - twice) / (1 - twice)))
    both = Fraction(25, 36) + Fraction(1, 36)
    assert fleiss_kappa(counts).value == pytest.approx(float((observed - both) / (1 - both)))


def weighted(function, counts, weights):
    """The coefficient if unit i were there weights[i] times: large samples, so no correction."""
    ratings = counts.sum(axis=1)
    compared = ratings >= 2
    pairs = np.maximum(ratings * (ratings - 1), 1)
    agreeing = (counts * (counts - 1)).sum(axis=1) / pairs
    if function is krippendorff_alpha:
        by_rating = weights * ratings * compared
        observed = by_rating @ agreeing / by_rating.sum()
        shares = (weights * compared) @ counts / by_rating.sum()
    else:
        observed = (weights * compared) @ agreeing / (weights * compared).sum()
        shares = weights @ (counts / ratings[:, np.newaxis]) / weights.sum()
    expected = shares @ shares
    if function is gwet_ac1:
        expected = shares @ (1 - shares) / (counts.shape[1] - 1)
    return 1 - (1 - observed) / (1 - expected)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_standard_error_oracle_by_numeric_derivatives(function):
    counts = np.array([[3, 0, 0], [2, 1, 0], [0, 2, 1], [1, 0, 0], [0, 0, 4], [1, 1, 1], [0, 5, 1]])
    clusters = [0, 0, 1, 1, 2, 2, 3]
    n, step = len(counts), 1e-6
    slopes = np.zeros(n)
    for unit in range(n):
        up, down = np.ones(n), np.ones(n)
        up[unit] += step
        down[unit] -= step
        both = weighted(function, counts, up), weighted(function, counts, down)
        slopes[unit] = (both[0] - both[1]) / (2 * step)
    if function is krippendorff_alpha:
        slopes = np.delete(slopes, 3)
    single = function(counts)
    m = len(slopes)
    assert single.se == pytest.approx(np.sqrt(m / (m - 1) * (slopes**2).sum()), rel=1e-5)
    assert function(counts, clusters).n_clusters == 4
    assert function(counts, clusters).se != pytest.approx(single.se)


@given(PANELS)
def test_values_are_finite_and_none_has_a_reason(counts):
    for function in FUNCTIONS:
        result = function(counts)
        assert (result.value is None) == (result.undefined is not None)
        assert (result.low is None) == (result.interval_undefined is not None)
        if result.value is not None:
            assert np.isfinite(result.value)
            assert result.value <= 1 + 1e-9
        if result.low is not None:
            assert result.low < result.high <= 1
            assert result.low <= result.value + 1e-9
            assert result.value <= result.high + 1e-9


@given(PANELS, st.randoms(use_true_random=False))
def test_names_of_categories_and_sequence_of_units_do_not_matter(counts, random):
    columns, rows = list(range(counts.shape[1])), list(range(counts.shape[0]))
    random.shuffle(columns)
    random.shuffle(rows)
    for function in FUNCTIONS:
        here, there = function(counts), function(counts[rows][:, columns])
        assert here.undefined == there.undefined
        for name in ("value", "se", "low", "high"):
            one, other = getattr(here, name), getattr(there, name)
            assert one == (other if other is None else pytest.approx(other, abs=1e-9))


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ([], Undefined.NO_OBSERVATIONS),
        ([[0, 0], [0, 0]], Undefined.NO_OBSERVATIONS),
        ([[1, 0], [0, 1]], Undefined.TOO_FEW_RATINGS),
        ([[3], [2]], Undefined.EXPECTED_AGREEMENT_ONE),
    ],
)
def test_no_value_has_its_reason(function, counts, reason):
    result = function(counts)
    assert (result.value, result.se, result.low) == (None, None, None)
    assert (result.undefined, result.interval_undefined) == (reason, reason)


def test_one_category_used_has_an_ac1_only():
    assert gwet_ac1([[3, 0], [2, 0]]).value == 1.0
    assert gwet_ac1([[3, 0], [2, 0]]).interval_undefined is Undefined.NO_VARIATION
    for function in (fleiss_kappa, krippendorff_alpha):
        assert function([[3, 0], [2, 0]]).undefined is Undefined.EXPECTED_AGREEMENT_ONE


@pytest.mark.parametrize("function", FUNCTIONS)
def test_full_agreement_and_one_cluster_have_no_limits(function):
    full = function([[3, 0], [0, 2], [2, 0]])
    assert (full.value, full.low) == (pytest.approx(1), None)
    assert full.interval_undefined is Undefined.NO_VARIATION
    one = function([[3, 0], [1, 2], [2, 1]], ["p", "p", "p"])
    assert one.value is not None
    assert one.interval_undefined is Undefined.ONE_CLUSTER


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("counts", [[[1, -1]], [[0.5, 1]], [[float("nan"), 1]], [1, 2]])
def test_counts_that_are_none_are_refused(function, counts):
    with pytest.raises(StatisticsError):
        function(counts)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_clusters_and_level_are_checked(function):
    with pytest.raises(StatisticsError):
        function([[1, 2]], ["a", "b"])
    with pytest.raises(StatisticsError):
        function([[1, 2]], None, 95)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_clusters_that_are_all_the_same_have_no_limits(function):
    # Each cluster holds the same units: nothing differs between clusters, but for rounding.
    one = [[3, 0, 0], [2, 1, 0], [0, 1, 2], [0, 0, 3], [1, 1, 1], [0, 3, 0], [1, 2, 0]]
    result = function(one * 3, [name for name in "pqr" for _ in one])
    assert (result.low, result.interval_undefined) == (None, Undefined.NO_VARIATION)


def test_missing_ratings_can_push_a_coefficient_below_minus_one():
    assert fleiss_kappa([[0, 1], [1, 1]]).value == pytest.approx(1 - 1 / (1 - 10 / 16))
