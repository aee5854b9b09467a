"""Tango and Newcombe: published cases, R's constrained likelihood, coverage, laws, edges."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Undefined, newcombe_interval, tango_interval
from vectors.loading import cases

CELL = st.integers(0, 60)


def limits(interval):
    return [interval.low, interval.high]


@pytest.mark.parametrize("case", cases("paired_difference_ci"))
def test_paired_vector(case):
    (a, b, c, d), expected = case["inputs"].values(), case["expected"]
    near = {"abs": case["tolerance"]}
    tango = tango_interval(b, c, a + b + c + d)
    newcombe = newcombe_interval(a, b, c, d)
    plain = newcombe_interval(a, b, c, d, is_corrected=False)
    assert limits(tango) == pytest.approx(expected["tango"], **near)
    assert limits(newcombe) == pytest.approx(expected["newcombe_method10"], **near)
    assert limits(plain) == pytest.approx(expected["newcombe_no_phi_correction"], **near)
    for result in (tango, newcombe, plain):
        assert result.estimate == pytest.approx(expected["diff"], **near)
    assert [r.method for r in (tango, newcombe, plain)] == [
        "tango",
        "newcombe",
        "newcombe_uncorrected",
    ]


@pytest.mark.parametrize(("b", "c", "n"), [(1, 7, 21), (17, 63, 400), (10, 10, 200), (4, 0, 25)])
def test_tango_oracle_by_constrained_likelihood(b, c, n):
    def score(difference):
        def minus_log_likelihood(loss):
            chances = (loss + difference, loss, 1 - 2 * loss - difference)
            counts = (b, c, n - b - c)
            return -sum(k * math.log(max(p, 1e-300)) for k, p in zip(counts, chances, strict=True))

        edges = (max(0.0, -difference), (1 - difference) / 2)
        fit = optimize.minimize_scalar(
            minus_log_likelihood, bounds=edges, method="bounded", options={"xatol": 1e-12}
        )
        variance = n * (2 * fit.x + difference * (1 - difference))
        return (b - c - n * difference) / math.sqrt(variance)

    result = tango_interval(b, c, n)
    z = stats.norm.ppf(0.975)
    assert score(result.low) == pytest.approx(z, abs=1e-3)
    assert score(result.high) == pytest.approx(-z, abs=1e-3)


@given(CELL, CELL, CELL, CELL)
def test_exchanging_the_conditions_turns_the_interval(a, b, c, d):
    n = a + b + c + d
    pairs = [(tango_interval(b, c, n), tango_interval(c, b, n))]
    pairs.append((newcombe_interval(a, b, c, d), newcombe_interval(a, c, b, d)))
    # Newcombe's correction knows no success from failure either.
    pairs.append((newcombe_interval(a, b, c, d), newcombe_interval(d, c, b, a)))
    for here, there in pairs:
        if n == 0:
            assert (here.undefined, here.low) == (Undefined.NO_OBSERVATIONS, None)
            continue
        assert there.estimate == -here.estimate
        assert there.low == pytest.approx(-here.high, abs=1e-9)
        assert there.high == pytest.approx(-here.low, abs=1e-9)


@given(CELL, CELL, CELL, CELL, st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_limits_have_a_width_hold_the_estimate_and_stay_in_range(a, b, c, d, level):
    n = a + b + c + d
    if n == 0:
        return
    for result in (
        tango_interval(b, c, n, level),
        newcombe_interval(a, b, c, d, level),
        newcombe_interval(a, b, c, d, level, is_corrected=False),
    ):
        assert -1 <= result.low <= result.estimate <= result.high <= 1
        assert result.high - result.low > 1e-3


@given(CELL, CELL, CELL)
def test_a_higher_level_widens(b, c, rest):
    n = b + c + rest + 1
    narrow, wide = tango_interval(b, c, n, 0.8), tango_interval(b, c, n, 0.99)
    assert wide.low <= narrow.low
    assert narrow.high <= wide.high


def test_tango_rejects_where_the_asymptotic_test_does():
    # At a difference of 0 the score is McNemar's without correction.
    for b, c in [(12, 3), (10, 4), (9, 4), (8, 4)]:
        result = tango_interval(b, c, 60)
        significant = (b - c) ** 2 / (b + c) > stats.chi2.ppf(0.95, 1)
        assert (result.low > 0) == significant


def test_coverage_by_enumeration_is_near_nominal_for_few_units():
    n, gain, loss = 30, 0.15, 0.05
    covered = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            chance = stats.multinomial.pmf([b, c, n - b - c], n, [gain, loss, 1 - gain - loss])
            if chance > 1e-9:
                interval = tango_interval(b, c, n)
                covered += chance * (interval.low <= gain - loss <= interval.high)
    assert 0.93 <= covered <= 0.98


def test_all_one_way_ends_at_the_edge_and_not_in_a_point():
    won, lost = tango_interval(20, 0, 20), tango_interval(0, 20, 20)
    assert (won.high, lost.low) == (1.0, -1.0)
    squared = stats.norm.ppf(0.975) ** 2
    expected = (20 - squared) / (20 + squared)
    assert [won.low, -lost.high] == pytest.approx([expected, expected], abs=1e-12)
    assert newcombe_interval(0, 20, 0, 0).high == 1.0


@pytest.mark.parametrize(
    "call",
    [
        lambda: tango_interval(3, 3, 5),
        lambda: tango_interval(-1, 3, 5),
        lambda: tango_interval(1, 2.5, 5),
        lambda: tango_interval(1, 2, 5, 95),
        lambda: newcombe_interval(1, 2, 3, math.nan),
        lambda: newcombe_interval(1, 2, 3, -4),
        lambda: newcombe_interval(1, 2, 3, 4, 0.0),
    ],
)
def test_meaningless_arguments_are_refused(call):
    with pytest.raises(StatisticsError):
        call()


def test_results_are_plain_numbers():
    result = tango_interval(np.int64(3), np.int64(1), np.int64(20))
    assert {type(x) for x in (result.estimate, result.low, result.high)} == {float}
    assert {type(x) for x in (result.n_gained, result.n_lost, result.n_common)} == {int}
