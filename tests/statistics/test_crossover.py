"""Mainland-Gart and Prescott: R's values, all tables by hand, which question is which."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats.contingency import odds_ratio

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Undefined, mainland_gart_test, prescott_test
from vectors.loading import cases

TWO = [c for c in cases("crossover_single_order") if c.values[0]["name"].startswith("mainland")]
THREE = [c for c in cases("crossover_single_order") if c.values[0]["name"].startswith("prescott")]
EFFECTS = ["period", "treatment"]
CELL = st.integers(0, 12)


@pytest.mark.parametrize("case", TWO)
def test_mainland_gart_vector(case):
    expected, near = case["expected"], {"abs": case["tolerance"]}
    result = mainland_gart_test(case["inputs"]["table"], "treatment")
    assert result.p_value == pytest.approx(expected["p"], **near)
    # R looks for odds ratios with a tolerance of its own, of about 1e-4; SciPy does not.
    assert result.odds_ratio == pytest.approx(expected["or_cond"], rel=2e-4)
    fit = odds_ratio(case["inputs"]["table"])
    assert result.odds_ratio == pytest.approx(fit.statistic, rel=1e-6)
    low, high = fit.confidence_interval(0.95)
    assert (result.low, result.high) == pytest.approx((low, high), rel=1e-6)
    if "ci" in expected:
        assert (result.low, result.high) == pytest.approx(tuple(expected["ci"]), rel=2e-4)


@pytest.mark.parametrize("case", THREE)
def test_prescott_vector(case):
    expected, near = case["expected"], {"abs": case["tolerance"]}
    result = prescott_test(case["inputs"]["table"], "treatment")
    assert result.chi_square == pytest.approx(expected["M2"], **near)
    assert result.p_asymptotic == pytest.approx(expected["p_asymptotic"], **near)
    # R scored the sequences 1 and 2, here X-Y is the larger: the other sign.
    assert result.correlation == pytest.approx(-expected["r"], **near)


@given(st.tuples(CELL, CELL, CELL, CELL))
def test_mainland_gart_oracle_by_fractions(cells):
    (a, b, c, d) = cells
    result = mainland_gart_test([[a, b], [c, d]], "treatment")
    if result.undefined:
        assert 0 in (a + b, c + d, a + c, b + d)
        return
    ways = {
        k: comb(a + b, k) * comb(c + d, a + c - k)
        for k in range(max(0, a - d), min(a + b, a + c) + 1)
    }
    tail = sum(n for n in ways.values() if n <= ways[a])
    assert result.p_value == pytest.approx(float(Fraction(tail, sum(ways.values()))), rel=1e-9)


@given(st.tuples(CELL, CELL, CELL, CELL, CELL, CELL))
def test_prescott_oracle_by_enumeration(cells):
    top, bottom = cells[:3], cells[3:]
    result = prescott_test([top, bottom], "treatment")
    if result.undefined:
        return
    columns, size = [t + b for t, b in zip(top, bottom, strict=True)], sum(top)
    expected = Fraction(size * (columns[0] - columns[2]), sum(columns))
    seen = abs(top[0] - top[2] - expected)
    every = extreme = 0
    for first in range(columns[0] + 1):
        for second in range(columns[2] + 1):
            if 0 <= (tie := size - first - second) <= columns[1]:
                ways = comb(columns[0], first) * comb(columns[1], tie) * comb(columns[2], second)
                every += ways
                extreme += ways * (abs(first - second - expected) >= seen)
    assert result.method == "exact"
    assert result.p_value == pytest.approx(float(Fraction(extreme, every)), rel=1e-9)
    scores = [1] * top[0] + [0] * top[1] + [-1] * top[2]
    scores += [1] * bottom[0] + [0] * bottom[1] + [-1] * bottom[2]
    sequences = [1] * sum(top) + [-1] * sum(bottom)
    assert result.correlation == pytest.approx(np.corrcoef(sequences, scores)[0, 1], abs=1e-9)


def preferences(first_better, x_better, n=400):
    """Return units by sequence and preferred period, from log odds of period and treatment."""
    generator = np.random.default_rng(4)
    chances = [1 / (1 + np.exp(-(first_better + sign * x_better))) for sign in (1, -1)]
    firsts = [generator.binomial(n, chance) for chance in chances]
    return [[first, n - first] for first in firsts]


@pytest.mark.parametrize(
    ("first_better", "x_better", "found"),
    [(0.8, 0.0, {"period"}), (0.0, 0.8, {"treatment"}), (0.8, 0.8, {"period", "treatment"})],
)
def test_each_question_finds_its_own_effect_and_not_the_other(first_better, x_better, found):
    two = preferences(first_better, x_better)
    three = [[first, 50, second] for first, second in two]
    for effect in EFFECTS:
        for result in (mainland_gart_test(two, effect), prescott_test(three, effect)):
            assert (result.p_value < 0.001) == (effect in found)
    if "period" in found:
        result = mainland_gart_test(two, "period")
        assert result.low <= np.exp(2 * first_better) <= result.high


@given(st.tuples(CELL, CELL, CELL, CELL), st.sampled_from(EFFECTS))
def test_exchanging_the_treatments_inverts_only_the_treatment_effect(cells, effect):
    (a, b, c, d) = cells
    here = mainland_gart_test([[a, b], [c, d]], effect)
    there = mainland_gart_test([[c, d], [a, b]], effect)
    assert here.undefined == there.undefined
    if here.undefined is None:
        assert there.p_value == pytest.approx(here.p_value, rel=1e-9)
    if here.odds_ratio and there.odds_ratio:
        expected = here.odds_ratio if effect == "period" else 1 / here.odds_ratio
        assert there.odds_ratio == pytest.approx(expected, rel=1e-6)


@given(st.tuples(CELL, CELL, CELL, CELL))
def test_limits_hold_the_odds_ratio_and_agree_with_the_tail(cells):
    (a, b, c, d) = cells
    result = mainland_gart_test([[a, b], [c, d]], "treatment")
    assert (result.undefined is None) == (result.p_value is not None)
    if result.undefined:
        assert result.odds_ratio_undefined is result.undefined
        return
    if result.odds_ratio is not None:
        assert result.low <= result.odds_ratio
        assert result.high is None or result.odds_ratio <= result.high
    if result.high is not None:
        # SciPy's noncentral hypergeometric is an implementation of its own.
        law = stats.nchypergeom_fisher(a + b + c + d, a + b, a + c, result.high)
        assert law.cdf(a) == pytest.approx(0.025, rel=1e-5)
    else:
        assert result.odds_ratio_undefined is Undefined.UNBOUNDED


def test_without_ties_prescott_asks_what_mainland_gart_asks():
    two = mainland_gart_test([[9, 3], [4, 10]], "treatment")
    three = prescott_test([[9, 0, 3], [4, 0, 10]], "treatment")
    assert three.p_value == pytest.approx(two.p_value, rel=0.3)
    assert (three.n_ties, three.n_units, two.n_units) == (0, 26, 26)


def test_many_units_fall_back_to_the_large_sample():
    result = prescott_test([[4000, 3000, 3800], [3900, 3100, 3700]], "period")
    assert (result.method, result.p_value) == ("asymptotic", result.p_asymptotic)


def test_a_p_value_too_small_for_a_float_is_not_zero():
    assert mainland_gart_test([[5000, 0], [0, 5000]], "treatment").p_value > 0
    assert prescott_test([[5000, 0, 0], [0, 0, 5000]], "treatment").p_value > 0


@pytest.mark.parametrize("effect", EFFECTS)
@pytest.mark.parametrize(
    ("two", "reason"),
    [
        ([[0, 0], [0, 0]], Undefined.NO_OBSERVATIONS),
        ([[3, 4], [0, 0]], Undefined.ONE_GROUP),
    ],
)
def test_nothing_to_compare_is_no_value(effect, two, reason):
    result = mainland_gart_test(two, effect)
    assert (result.undefined, result.p_value, result.odds_ratio) == (reason, None, None)
    three = prescott_test([[first, 0, second] for first, second in two], effect)
    assert (three.undefined, three.p_value, three.method) == (reason, None, "none")


def test_a_preference_that_never_varies_answers_one_question_only():
    always_first = [[7, 0], [5, 0]]
    assert mainland_gart_test(always_first, "treatment").undefined is Undefined.NO_VARIATION
    result = mainland_gart_test(always_first, "period")
    assert (result.odds_ratio, result.odds_ratio_undefined) == (None, Undefined.UNBOUNDED)
    assert result.p_value == pytest.approx(1 / comb(12, 5), rel=1e-9)
    assert result.low > 1
    assert result.high is None
    ties = prescott_test([[0, 3, 0], [0, 4, 0]], "period")
    assert (ties.undefined, ties.n_ties) == (Undefined.NO_VARIATION, 7)


@pytest.mark.parametrize(
    "call",
    [
        lambda: mainland_gart_test([[1, 2, 3], [4, 5, 6]], "period"),
        lambda: mainland_gart_test([[1, 2], [3, 4]], "order"),
        lambda: mainland_gart_test([[1, -2], [3, 4]], "period"),
        lambda: mainland_gart_test([[1, 2], [3, 4]], "period", 95),
        lambda: prescott_test([[1, 2], [3, 4]], "period"),
        lambda: prescott_test([[1, 2, 0.5], [3, 4, 5]], "period"),
        lambda: prescott_test([[1, 2, 3], [3, 4, 5]], "order"),
    ],
)
def test_meaningless_arguments_are_refused(call):
    with pytest.raises(StatisticsError):
        call()
