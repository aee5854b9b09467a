"""Power of McNemar's tests against an R enumeration, and against all tables of a small study."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.errors import StatisticsError
from counterbalance.statistics import (
    Undefined,
    mcnemar_least_significant,
    mcnemar_power,
    mcnemar_test,
)
from vectors.loading import cases

METHODS = {"exact": "exact", "midp": "mid_p", "cc": "corrected", "asym": "asymptotic"}
SHARES = st.tuples(st.floats(0, 0.5), st.floats(0, 0.5))


def of(topic, key):
    return [case for case in cases(topic) if key in case.values[0]["inputs"]]


@pytest.mark.parametrize("case", of("mcnemar_power", "p10"))
@pytest.mark.parametrize("name", METHODS)
def test_power_vector(case, name):
    inputs = case["inputs"]
    shares = inputs["p10"], inputs["p01"]
    result = mcnemar_power(inputs["n"], *shares, inputs["alpha"], METHODS[name])
    assert result.power == pytest.approx(case["expected"][name], abs=case["tolerance"])


@pytest.mark.parametrize("case", of("mcnemar_power", "discordant"))
@pytest.mark.parametrize("name", METHODS)
def test_least_significant_vector(case, name):
    inputs = case["inputs"]
    result = mcnemar_least_significant(inputs["discordant"], inputs["alpha"], METHODS[name])
    assert result.net == case["expected"]["min_significant_net"][name]


@pytest.mark.parametrize("case", of("mcnemar_power", "discordant"))
@pytest.mark.parametrize("name", ["cc", "midp"])
def test_power_vector_at_the_detectable_difference(case, name):
    n, difference = case["inputs"]["n"], case["expected"]["mde"]
    share = case["inputs"]["discordant"] / n
    halves = (share + difference) / 2, (share - difference) / 2
    power = mcnemar_power(n, *halves, case["inputs"]["alpha"], METHODS[name]).power
    expected = case["expected"]["power_exact_at_mde"][name]
    assert power == pytest.approx(expected, abs=case["tolerance"])


def mid_p(gained, lost):
    return mcnemar_test(gained, lost, "mid_p").p_value


def test_power_oracle_by_all_sequences_of_units():
    shares = {1: 0.5, -1: 0.1, 0: 0.4}
    power = 0.0
    for sequence in product(shares, repeat=9):
        gained, lost = sequence.count(1), sequence.count(-1)
        if gained + lost and mid_p(gained, lost) <= 0.2:
            power += math.prod(shares[step] for step in sequence)
    assert mcnemar_power(9, 0.5, 0.1, 0.2).power == pytest.approx(power, abs=1e-12)


@given(st.integers(1, 120), st.floats(0.01, 0.9), st.sampled_from(list(METHODS.values())))
def test_least_significant_oracle_is_where_the_p_value_falls_to_the_rate(n, rate, method):
    found = mcnemar_least_significant(n, rate, method)
    tests = {
        net: mcnemar_test((n + net) // 2, (n - net) // 2, method).p_value
        for net in range(n, -1, -2)
    }
    rejected = [net for net, p_value in tests.items() if p_value <= rate]
    assert found.net == (min(rejected) if rejected else None)
    assert (found.undefined is None) == bool(rejected)


@given(st.integers(1, 300), SHARES, st.sampled_from(list(METHODS.values())))
def test_exchanging_the_conditions_leaves_the_power(n, shares, method):
    here = mcnemar_power(n, *shares, method=method)
    there = mcnemar_power(n, *shares[::-1], method=method)
    assert here.undefined == there.undefined
    if here.power is None:
        assert sum(shares) == 0
    else:
        assert here.power == pytest.approx(there.power, abs=1e-10)
        assert 0 <= here.power <= 1


@given(st.integers(1, 400), st.floats(0.01, 0.49))
def test_exact_and_corrected_tests_keep_the_error_rate(n, share):
    for method in ("exact", "corrected"):
        assert mcnemar_power(n, share, share, 0.05, method).power <= 0.05 + 1e-9
    mid = mcnemar_power(n, share, share, 0.05, "mid_p").power
    assert mid >= mcnemar_power(n, share, share, 0.05, "exact").power - 1e-12


def test_large_studies_keep_their_digits():
    # 200 000 units: the normal approximation is good to three digits here.
    n, gained, lost = 200_000, 0.101, 0.099
    z = (gained - lost) * math.sqrt(n / (gained + lost))
    upper = 0.5 * math.erfc((1.959964 - z) / math.sqrt(2))
    assert mcnemar_power(n, gained, lost).power == pytest.approx(upper, abs=1e-3)


def test_no_power_has_its_reason():
    assert mcnemar_power(0, 0.1, 0.1).undefined is Undefined.NO_OBSERVATIONS
    assert mcnemar_power(10, 0, 0).undefined is Undefined.NO_DISCORDANT
    assert mcnemar_least_significant(0).undefined is Undefined.NO_DISCORDANT
    assert mcnemar_least_significant(3).undefined is Undefined.OUT_OF_REACH
    # Too few units for any table to be significant: the power exists, and is 0.
    assert mcnemar_power(3, 1.0, 0.0).power == 0.0


@pytest.mark.parametrize(
    "arguments",
    [
        (-1, 0.1, 0.1),
        (1.5, 0.1, 0.1),
        (10, 0.6, 0.5),
        (10, -0.1, 0.1),
        (10, np.nan, 0.1),
        (10, 0.1, 0.1, 0.0),
        (10, 0.1, 0.1, 0.05, "chi"),
        (np.inf, 0.1, 0.1),
    ],
)
def test_arguments_without_meaning_are_refused(arguments):
    with pytest.raises(StatisticsError):
        mcnemar_power(*arguments)
