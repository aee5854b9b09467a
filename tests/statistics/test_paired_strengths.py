"""Davidson and Beaver against R's log-linear model, planted effects, and a bare optimiser."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Undefined, davidson_beaver
from vectors.loading import cases

COUNTS = st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=6, max_size=6)
FIRST, SECOND = "xyxzyz", "yxzxzy"


def arrays(case):
    rows = case["inputs"]["rows"]
    return (
        [row["first"] for row in rows],
        [row["second"] for row in rows],
        [[row["w1"], row["w2"], row["tie"]] for row in rows],
    )


@pytest.mark.parametrize("case", cases("davidson_beaver"))
def test_davidson_beaver_vector(case):
    expected, near = case["expected"], {"abs": case["tolerance"]}
    fit = davidson_beaver(*arrays(case), reference=case["inputs"]["reference"])
    found = {one.name: one for one in fit.strengths}
    found |= {"second": fit.order, "tie": fit.tie}
    assert set(found) == set(expected["coef"])
    for name, one in found.items():
        assert one.estimate == pytest.approx(expected["coef"][name], **near)
        assert one.se == pytest.approx(expected["se"][name], **near)
    assert fit.order_statistic == pytest.approx(expected["LR_order"], **near)
    assert fit.order_p_value == pytest.approx(expected["p"], **near)
    assert fit.deviance == pytest.approx(expected["deviance"], **near)
    assert fit.residual_degrees == expected["df"]
    assert fit.n_first + fit.n_second + fit.n_ties == 3355
    assert fit.order_test == "likelihood_ratio"


def test_davidson_beaver_oracle_by_a_bare_optimiser():
    table = np.array([[8, 3, 2], [2, 9, 1], [5, 5, 3], [4, 4, 4], [7, 2, 0], [1, 6, 5]])

    def loss(parameters):
        strength = dict(zip("xyz", [0, *parameters[:2]], strict=True))
        total = 0.0
        for a, b, counts in zip(FIRST, SECOND, table, strict=True):
            scores = [
                strength[a],
                strength[b] + parameters[2],
                (strength[a] + strength[b]) / 2 + parameters[3],
            ]
            total -= counts @ (np.array(scores) - np.log(np.exp(scores).sum()))
        return total

    best = minimize(loss, np.zeros(4), method="BFGS")
    fit = davidson_beaver(FIRST, SECOND, table)
    found = [*(one.estimate for one in fit.strengths), fit.order.estimate, fit.tie.estimate]
    assert found == pytest.approx(best.x.tolist(), abs=1e-4)
    assert fit.log_likelihood == pytest.approx(-best.fun, abs=1e-8)


@settings(deadline=None)
@given(COUNTS)
def test_exchanging_first_and_second_turns_the_order_effect_round(counts):
    here = davidson_beaver(FIRST, SECOND, counts)
    swapped = [[second, first, tie] for first, second, tie in counts]
    there = davidson_beaver(
        SECOND, FIRST, swapped, reference=here.things[0] if any(map(any, counts)) else None
    )
    assert here.undefined == there.undefined
    if here.order is not None:
        assert here.order.estimate == pytest.approx(-there.order.estimate, abs=1e-6)
        assert here.order_p_value == pytest.approx(there.order_p_value, abs=1e-6)
        strengths = {one.name: one.estimate for one in there.strengths}
        for one in here.strengths:
            assert one.estimate == pytest.approx(strengths[one.name], abs=1e-6)


@settings(deadline=None)
@given(COUNTS, st.permutations("xyz"))
def test_names_and_reference_do_not_matter(counts, names):
    renamed = dict(zip("xyz", names, strict=True))
    here = davidson_beaver(FIRST, SECOND, counts)
    there = davidson_beaver(
        [renamed[name] for name in FIRST], [renamed[name] for name in SECOND], counts
    )
    other = (
        here
        if not here.things
        else davidson_beaver(FIRST, SECOND, counts, reference=here.things[-1])
    )
    assert here.undefined == there.undefined == other.undefined
    if here.order is not None:
        assert there.order.estimate == pytest.approx(here.order.estimate, abs=1e-6)
        assert other.order.estimate == pytest.approx(here.order.estimate, abs=1e-6)
        assert other.order.se == pytest.approx(here.order.se, rel=1e-5)
        assert math.isfinite(here.order.se)
        assert 0 < here.order_p_value <= 1


def simulate(generator, order, n_pairs=120, tilt=0.0):
    """Both orders of each pair; `tilt` is how much the pairs differ in what they favour."""
    first, second, counts, clusters = [], [], [], []
    strength = {"x": 0.0, "y": 0.6, "z": -0.4}
    for pair in range(n_pairs):
        a, b = ("xy", "yz", "xz")[pair % 3]
        lean = generator.normal(0, tilt)
        for one, other, sign in ((a, b, 1), (b, a, -1)):
            scores = np.array(
                [
                    strength[one] + sign * lean,
                    strength[other] - sign * lean + order,
                    (strength[one] + strength[other]) / 2 - 0.5,
                ]
            )
            chances = np.exp(scores) / np.exp(scores).sum()
            first.append(one)
            second.append(other)
            counts.append(generator.multinomial(1, chances))
            clusters.append(pair)
    return first, second, counts, clusters


def test_a_planted_order_effect_is_recovered():
    generator = np.random.default_rng(20261130)
    first, second, counts, clusters = simulate(generator, 0.5, n_pairs=3000)
    fit = davidson_beaver(first, second, counts, reference="x", clusters=clusters)
    assert fit.order.low < 0.5 < fit.order.high
    assert fit.order_p_value < 1e-6
    assert (fit.order_test, fit.n_clusters) == ("cluster_wald_t", 3000)


def test_clusters_keep_the_error_rate_of_the_order_effect():
    # The two orders of a pair lean opposite ways, so errors that take them as independent are too
    # large for the order effect; with clusters the rate is near nominal.
    generator = np.random.default_rng(8)
    clustered, runs = 0, 160
    for _ in range(runs):
        first, second, counts, clusters = simulate(generator, 0.0, n_pairs=90, tilt=1.5)
        clustered += davidson_beaver(first, second, counts, clusters=clusters).order_p_value < 0.05
    assert 0.01 < clustered / runs < 0.1


def test_single_clusters_are_the_sandwich_of_single_comparisons():
    generator = np.random.default_rng(4)
    first, second, counts, _ = simulate(generator, 0.2, n_pairs=600)
    single = davidson_beaver(first, second, counts, clusters=range(len(counts)))
    model = davidson_beaver(first, second, counts)
    assert single.order.estimate == model.order.estimate
    assert single.order.se == pytest.approx(model.order.se, rel=0.05)


def test_without_ties_there_is_no_tie_effect():
    fit = davidson_beaver("xy", "yx", [[30, 15, 0], [20, 26, 0]])
    assert (fit.tie, fit.n_ties) == (None, 0)
    assert fit.order.estimate == pytest.approx((math.log(15 / 30) + math.log(26 / 20)) / 2)


def test_one_thing_against_itself_shows_the_order_effect_alone():
    fit = davidson_beaver("x", "x", [[30, 15, 5]])
    assert fit.strengths == ()
    assert fit.order.estimate == pytest.approx(math.log(15 / 30))
    assert fit.order_statistic == pytest.approx(2 * (30 * math.log(4 / 3) + 15 * math.log(2 / 3)))


@pytest.mark.parametrize(
    ("first", "second", "counts", "reason"),
    [
        ("", "", [], Undefined.NO_OBSERVATIONS),
        ("xy", "yx", [[0, 0, 0], [0, 0, 0]], Undefined.NO_OBSERVATIONS),
        # One order of two things: what the first gains by order, it could have by strength.
        ("x", "y", [[9, 5, 3]], Undefined.NOT_IDENTIFIED),
        # Two islands.
        ("xyzw", "yxwz", [[5, 4, 1]] * 4, Undefined.NOT_IDENTIFIED),
        ("xy", "yx", [[0, 0, 9], [0, 0, 9]], Undefined.SEPARATION),
        ("xy", "yx", [[9, 0, 0], [0, 9, 0]], Undefined.SEPARATION),
        ("xy", "yx", [[9, 0, 0], [9, 0, 0]], Undefined.SEPARATION),
    ],
)
def test_no_estimate_has_its_reason(first, second, counts, reason):
    fit = davidson_beaver(first, second, counts, clusters=range(len(first)))
    assert (fit.strengths, fit.order, fit.tie, fit.order_p_value) == (None,) * 4
    assert (fit.undefined, fit.order_test) == (reason, "none")


def test_few_clusters_leave_estimates_without_limits():
    rows = ("xyxzyz", "yxzxzy", [[5, 3, 2]] * 6)
    one = davidson_beaver(*rows, clusters="aaaaaa")
    assert (one.order.se, one.order.undefined) == (None, Undefined.ONE_CLUSTER)
    assert (one.order_p_value, one.order_test) == (None, "none")
    three = davidson_beaver(*rows, clusters="aabbcc")
    assert three.order.undefined is Undefined.TOO_MANY_PARAMETERS
    assert three.order.estimate is not None
    assert [str(caution) for caution in three.cautions] == ["few_clusters"]


def test_a_row_may_hold_one_comparison_or_many():
    many = davidson_beaver("xy", "yx", [[3, 1, 1], [2, 2, 1]])
    outcomes = [(0, 3), (1, 1), (2, 1)], [(0, 2), (1, 2), (2, 1)]
    first, second, rows = [], [], []
    for (a, b), found in zip(("xy", "yx"), outcomes, strict=True):
        for outcome, times in found:
            first += [a] * times
            second += [b] * times
            rows += [[int(outcome == k) for k in range(3)]] * times
    single = davidson_beaver(first, second, rows)
    assert single.order.estimate == pytest.approx(many.order.estimate)
    assert single.deviance == pytest.approx(many.deviance)


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        (("x", "yz", [[1, 1, 1]]), {}),
        (("x", "y", [[1, 1]]), {}),
        (("x", "y", [[1, -1, 1]]), {}),
        (("x", "y", [[1, float("nan"), 1]]), {}),
        (("x", "y", [[1, 1, 1]]), {"reference": "w"}),
        (("x", "y", [[1, 1, 1]]), {"clusters": "ab"}),
        (("x", "y", [[1, 1, 1]]), {"confidence_level": 1}),
    ],
)
def test_arguments_without_meaning_are_refused(arguments, settings):
    with pytest.raises(StatisticsError):
        davidson_beaver(*arguments, **settings)
