"""Sign tests against R, against all sign patterns, and under exchange of the signs."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Undefined, cluster_mean, sign_score_test, sign_test
from vectors.loading import cases


def scores_of(inputs):
    """Return one signed score per unit: plus is recency, half a step where one side is a tie."""
    steps = {"recency_full": 1, "recency_half": 0.5, "primacy_full": -1, "primacy_half": -0.5}
    steps["consistent"] = 0
    return [step for name, step in steps.items() for _ in range(inputs[name])]


@pytest.mark.parametrize("case", cases("order_effect_paired"))
def test_sign_vector(case):
    inputs, tolerance = case["inputs"], case["tolerance"]
    result = sign_test(
        inputs["recency_full"] + inputs["recency_half"],
        inputs["primacy_full"] + inputs["primacy_half"],
    )
    assert result.p_value == pytest.approx(case["expected"]["sign_p"], abs=tolerance)


@pytest.mark.parametrize("case", cases("mcnemar"))
def test_sign_vector_of_r(case):
    inputs = case["inputs"]
    result = sign_test(inputs["b"], inputs["c"])
    assert result.p_value == pytest.approx(case["expected"]["p_exact"], abs=case["tolerance"])


@pytest.mark.parametrize("case", cases("order_effect_paired"))
def test_sign_score_vector(case):
    expected, tolerance = case["expected"], case["tolerance"]
    scores = scores_of(case["inputs"])
    result = sign_score_test(scores)
    assert result.n_units == expected["n"]
    assert result.z == pytest.approx(expected["score_z"], abs=tolerance)
    assert result.p_value == pytest.approx(expected["score_p"], abs=tolerance)
    mean = cluster_mean(scores, None)
    assert mean.estimate == pytest.approx(expected["pf_score_weighted"], abs=tolerance)
    whole = cluster_mean(np.sign(scores), None)
    assert whole.estimate == pytest.approx(expected["pf_code"], abs=tolerance)
    consistent = cluster_mean(np.equal(scores, 0), None)
    assert consistent.estimate == pytest.approx(expected["pc"], abs=tolerance)


@pytest.mark.parametrize("n", range(1, 9))
def test_sign_oracle_by_enumeration(n):
    patterns = [abs(sum(signs)) for signs in product((-1, 1), repeat=n)]
    for n_plus in range(n + 1):
        seen = abs(n_plus - (n - n_plus))
        expected = Fraction(sum(total >= seen for total in patterns), len(patterns))
        assert sign_test(n_plus, n - n_plus).p_value == pytest.approx(float(expected), rel=1e-12)


@given(n_plus=st.integers(0, 10_000), n_minus=st.integers(0, 10_000))
def test_exchanging_plus_and_minus_leaves_the_p_value(n_plus, n_minus):
    result, exchanged = sign_test(n_plus, n_minus), sign_test(n_minus, n_plus)
    assert result.p_value == exchanged.p_value
    assert result.n_discordant == n_plus + n_minus


@given(st.lists(st.sampled_from([-1, -0.5, 0, 0.5, 1]), max_size=50))
def test_exchanging_signs_turns_z_and_leaves_the_p_value(scores):
    result, exchanged = sign_score_test(scores), sign_score_test(-np.array(scores))
    assert result.p_value == exchanged.p_value
    assert result.total == -exchanged.total
    assert result.z is None or result.z == -exchanged.z


def test_nothing_discordant_is_not_a_p_value_of_one():
    assert sign_test(0, 0).p_value is None
    assert sign_test(0, 0).undefined is Undefined.NO_DISCORDANT
    assert sign_score_test([0, 0]).undefined is Undefined.NO_DISCORDANT
    assert sign_score_test([]).undefined is Undefined.NO_OBSERVATIONS
    assert sign_score_test([]).p_value is None


@pytest.mark.parametrize("counts", [(-1, 2), (2, -1), (1.5, 2), (float("inf"), 2)])
def test_counts_that_are_none_are_refused(counts):
    with pytest.raises(StatisticsError, match="count is a whole number"):
        sign_test(*counts)


@pytest.mark.parametrize("scores", [[[1, 2]], 3, [float("nan")], [float("inf")]])
def test_scores_that_are_none_are_refused(scores):
    with pytest.raises(StatisticsError):
        sign_score_test(scores)


def test_a_p_value_too_small_for_a_float_is_not_zero():
    assert sign_test(5000, 0).p_value > 0
    assert sign_score_test([1] * 5000).p_value > 0
