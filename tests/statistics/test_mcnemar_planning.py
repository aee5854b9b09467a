"""Sample size and detectable difference against the published formula, solved by numbers."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri

from counterbalance.errors import StatisticsError
from counterbalance.statistics import (
    Undefined,
    mcnemar_detectable_difference,
    mcnemar_power,
    mcnemar_sample_size,
)
from vectors.loading import cases


def of(key):
    return [case for case in cases("mcnemar_power") if key in case.values[0]["inputs"]]


@pytest.mark.parametrize("case", of("discordant"))
def test_detectable_difference_vector(case):
    inputs, expected = case["inputs"], case["expected"]
    share = inputs["discordant"] / inputs["n"]
    plan = mcnemar_detectable_difference(inputs["n"], share, inputs["power"], inputs["alpha"])
    assert plan.difference == pytest.approx(expected["mde"], abs=case["tolerance"])
    exact = expected["power_exact_at_mde"]["midp"]
    assert plan.exact_power == pytest.approx(exact, abs=case["tolerance"])


@pytest.mark.parametrize("case", of("diff"))
def test_sample_size_vector(case):
    inputs = case["inputs"]
    plan = mcnemar_sample_size(
        inputs["diff"], inputs["discordant_rate"], inputs["power"], inputs["alpha"]
    )
    assert plan.n_units == case["expected"]["n"]
    assert plan.exact_power == pytest.approx(inputs["power"], abs=0.03)


def gap(plan):
    """Left minus right side of Connor's equation; rising in the difference at powers from 1/2."""
    n, d, psi = plan.n_units, plan.difference, plan.discordant_share
    right = float(ndtri(plan.power)) * math.sqrt(psi - d * d)
    return d * math.sqrt(n) - float(ndtri(1 - plan.error_rate / 2)) * math.sqrt(psi) - right


@given(
    st.integers(10, 10_000), st.floats(0.01, 1.0), st.floats(0.06, 0.99), st.floats(0.001, 0.059)
)
def test_detectable_difference_solves_the_equation(n, share, power, rate):
    plan = mcnemar_detectable_difference(n, share, power, rate)
    if plan.difference is None:
        assert plan.undefined is Undefined.OUT_OF_REACH
    else:
        assert 0 < plan.difference <= share
        assert gap(plan) == pytest.approx(0, abs=1e-9)


@given(st.floats(0.01, 1.0), st.floats(0.05, 1.0), st.floats(0.5, 0.95))
def test_size_and_difference_undo_each_other(share, part, power):
    size = mcnemar_sample_size(share * part, share, power)
    back = mcnemar_detectable_difference(size.n_units, share, power)
    if back.difference is not None:
        assert back.difference <= size.difference * (1 + 1e-9)
    mirrored = mcnemar_sample_size(-share * part, share, power)
    assert mirrored == size


def test_what_is_significant_is_found_in_half_of_all_studies():
    # 15 of 400 net would be significant with 45 discordant; a true 15 of 400 is found by a coin.
    assert mcnemar_power(400, 30 / 400, 15 / 400).power == pytest.approx(0.6, abs=0.05)
    assert mcnemar_detectable_difference(400, 45 / 400).difference > 15 / 400


def test_no_plan_has_its_reason():
    assert mcnemar_detectable_difference(0, 0.1).undefined is Undefined.NO_OBSERVATIONS
    assert mcnemar_detectable_difference(10, 0.0).undefined is Undefined.NO_DISCORDANT
    beyond = mcnemar_detectable_difference(2, 0.1)
    assert (beyond.undefined, beyond.difference) == (Undefined.OUT_OF_REACH, None)
    assert beyond.exact_power is None


@pytest.mark.parametrize(
    "arguments",
    [
        (0.0, 0.1),
        (0.2, 0.1),
        (0.1, 1.2),
        (0.1, 0.2, 0.04),
        (0.1, 0.2, 1.0),
        (float("nan"), 0.2),
        (float("inf"), 0.2),
    ],
)
def test_sizes_without_meaning_are_refused(arguments):
    with pytest.raises(StatisticsError):
        mcnemar_sample_size(*arguments)


@pytest.mark.parametrize("arguments", [(-1, 0.1), (10, -0.1), (10, 0.1, 0.05), (10, 0.1, 0.8, 5)])
def test_differences_without_meaning_are_refused(arguments):
    with pytest.raises(StatisticsError):
        mcnemar_detectable_difference(*arguments)
