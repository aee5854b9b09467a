"""McNemar against R and statsmodels, published tables, all coin tosses, and its laws."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Caution, Undefined, holm, mcnemar_test, sign_test
from vectors.loading import cases

METHODS = ["mid_p", "exact", "asymptotic", "corrected"]
COUNTS = st.integers(0, 400)
NAMED = {"cc": "corrected", "asym": "asymptotic", "exact": "exact", "midp": "mid_p"}


@pytest.mark.parametrize("case", cases("mcnemar"))
def test_mcnemar_vector(case):
    expected, near = case["expected"], {"abs": case["tolerance"]}
    b, c = case["inputs"]["b"], case["inputs"]["c"]
    keys = {"corrected": "p_cc", "asymptotic": "p_nocc", "exact": "p_exact", "mid_p": "p_midp"}
    for method, key in keys.items():
        assert mcnemar_test(b, c, method).p_value == pytest.approx(expected[key], **near)
    for method, key in (("corrected", "chi2_cc"), ("asymptotic", "chi2")):
        assert mcnemar_test(b, c, method).chi_square == pytest.approx(expected[key], **near)


@pytest.mark.parametrize("case", cases("holm_variants"))
def test_mcnemar_vector_of_nine_comparisons(case):
    method = NAMED[case["name"].rsplit("_", 1)[1]]
    p_values = [mcnemar_test(b, c, method).p_value for b, c in case["inputs"]["bc"]]
    assert p_values == pytest.approx(case["expected"]["p"], abs=case["tolerance"])
    family = holm({str(place): p for place, p in enumerate(p_values)}, case["inputs"]["m"])
    assert family.n_rejected == case["expected"]["survivors"]


@pytest.mark.parametrize("case", cases("mcnemar_bc_search"))
def test_mcnemar_vector_of_published_tables(case):
    inputs = case["inputs"]
    net = inputs["correct_new"] - inputs["correct_base"]

    def fits(lost):
        test = mcnemar_test(lost + net, lost, "corrected")
        return (
            abs(test.chi_square - inputs["chi2_cc_2dp"]) <= 0.005 + 1e-9
            and abs(test.p_value - inputs["p_4dp"]) <= 0.00005 + 1e-9
        )

    most = min(inputs["correct_base"], (inputs["n"] - net) // 2)
    found = [[lost + net, lost] for lost in range(most + 1) if fits(lost)]
    assert found == case["expected"]["solutions_gained_lost"]


@pytest.mark.parametrize("n", range(1, 12))
def test_mid_p_oracle_by_fractions(n):
    for gained in range(n + 1):
        fewer = min(gained, n - gained)
        below = sum(comb(n, k) for k in range(fewer))
        seen = comb(n, fewer)
        twice = 2 * below + seen if 2 * fewer != n else 2**n - Fraction(seen, 2)
        result = mcnemar_test(gained, n - gained)
        assert result.p_value == pytest.approx(float(Fraction(twice, 2**n)), rel=1e-12)


def test_size_of_mid_p_is_near_nominal_where_exact_falls_far_below():
    # One hundred units of which a tenth is discordant, half each way: chances of every outcome.
    size = dict.fromkeys(("mid_p", "exact"), 0.0)
    for method in size:
        for n in range(1, 101):
            weight = stats.binom.pmf(n, 100, 0.1)
            if weight < 1e-12:
                continue
            size[method] += weight * sum(
                stats.binom.pmf(k, n, 0.5)
                for k in range(n + 1)
                if mcnemar_test(k, n - k, method).p_value <= 0.05 + 1e-12
            )
    assert size["mid_p"] == pytest.approx(0.041, abs=0.001)
    assert size["exact"] == pytest.approx(0.022, abs=0.001)


@given(COUNTS, COUNTS, st.sampled_from(METHODS))
def test_exchanging_the_conditions_leaves_the_p_value(gained, lost, method):
    here, there = mcnemar_test(gained, lost, method), mcnemar_test(lost, gained, method)
    assert (here.p_value, here.chi_square) == (there.p_value, there.chi_square)
    assert here.n_discordant == gained + lost
    assert (here.p_value is None) == (gained + lost == 0) == (here.undefined is not None)
    assert here.p_value is None or 0 < here.p_value <= 1


@given(COUNTS, COUNTS)
def test_mid_p_is_below_exact_and_exact_is_the_sign_test(gained, lost):
    exact, mid_p = (mcnemar_test(gained, lost, method).p_value for method in ("exact", "mid_p"))
    assert exact == sign_test(gained, lost).p_value
    assert exact is None or mid_p < exact


@given(COUNTS, st.integers(0, 50))
def test_a_wider_gap_is_never_likelier(lost, more):
    narrow, wide = mcnemar_test(lost + more, lost), mcnemar_test(lost + more + 1, lost)
    if narrow.p_value is not None:
        assert wide.p_value < narrow.p_value


def test_nothing_discordant_is_not_a_p_value_of_one():
    for method in METHODS:
        result = mcnemar_test(0, 0, method)
        assert (result.p_value, result.chi_square) == (None, None)
        assert result.undefined is Undefined.NO_DISCORDANT


def test_few_discordant_units_are_named_where_the_sample_must_be_large():
    assert mcnemar_test(5, 4, "asymptotic").cautions == (Caution.FEW_DISCORDANT,)
    assert mcnemar_test(5, 5, "corrected").cautions == ()
    assert mcnemar_test(5, 4).cautions == ()


@pytest.mark.parametrize("method", METHODS)
def test_a_p_value_too_small_for_a_float_is_not_zero(method):
    assert mcnemar_test(5000, 0, method).p_value > 0


@pytest.mark.parametrize("counts", [(-1, 2), (2, -1), (1.5, 2), (float("nan"), 2)])
def test_counts_that_are_none_are_refused(counts):
    with pytest.raises(StatisticsError, match="count is a whole number"):
        mcnemar_test(*counts)


def test_an_unknown_method_is_refused():
    with pytest.raises(StatisticsError, match="choose one of"):
        mcnemar_test(1, 2, "chi2")
