"""Marginal odds against R and statsmodels, by hand for one feature, and their laws."""

from __future__ import annotations

import csv
import gzip
import json
import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Undefined, cluster_logit
from counterbalance.statistics.logit import fit_logit
from vectors.loading import FOLDER

BINARY = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 3)), max_size=20)


@cache
def simulated():
    """Outcomes, indicator features with their names, and questions, as R simulated them."""
    with gzip.open(FOLDER / "glmm_sim.csv.gz", "rt", encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    names = [f"J{i}" for i in range(2, 6)] + [f"S{i}" for i in range(1, 5)]
    features = [[float(name in (row["judge"], row["strategy"])) for name in names] for row in rows]
    return [float(row["y"]) for row in rows], features, names, [row["question"] for row in rows]


def test_cluster_logit_vector():
    expected = json.loads(Path(FOLDER / "glmm_reference.json").read_text(encoding="utf-8"))
    fit = cluster_logit(*simulated())
    found = {one.name: one for one in fit.coefficients}
    value, se = expected["expected"]["logit_cluster_question"]["S4"]
    assert found["S4"].estimate == pytest.approx(value, abs=1e-5)
    # The reference also multiplies by (n - 1) / (n - k), for 10 000 rows and 9 coefficients.
    assert found["S4"].se * math.sqrt(9999 / 9991) == pytest.approx(se, abs=1e-5)
    assert (fit.n_units, fit.n_clusters) == (10_000, 80)


def test_cluster_logit_oracle_by_hand():
    # 8 of 20 and 15 of 25 succeed: log-odds and Woolf's error, times 45/44 for 45 clusters.
    outcomes = [1] * 8 + [0] * 12 + [1] * 15 + [0] * 10
    fit = cluster_logit(outcomes, [[0]] * 20 + [[1]] * 25, ["x"])
    assert fit.coefficients[0].estimate == pytest.approx(math.log(8 / 12))
    assert fit.coefficients[1].estimate == pytest.approx(math.log(15 / 10 / (8 / 12)))
    woolf = math.sqrt((1 / 8 + 1 / 12 + 1 / 15 + 1 / 10) * 45 / 44)
    assert fit.coefficients[1].se == pytest.approx(woolf)
    assert fit.coefficients[1].odds_ratio == pytest.approx(15 / 10 / (8 / 12))


def test_prior_oracle_by_a_bare_optimiser():
    generator = np.random.default_rng(1)
    design = np.column_stack([np.ones(50), generator.normal(size=(50, 2))])
    outcomes = generator.random(50)
    means, precisions = np.array([0, -1.5, 0]), np.array([0, 10.0, 0.5])

    def loss(at):
        predictor = design @ at
        fit = np.logaddexp(0, predictor).sum() - outcomes @ predictor
        return fit + (precisions * (at - means) ** 2).sum() / 2

    best = minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-8})
    assert fit_logit(outcomes, design, means, precisions).at == pytest.approx(best.x, abs=1e-6)


@settings(deadline=None)
@given(BINARY)
def test_renaming_the_outcomes_turns_every_sign(rows):
    y, x = np.array([row[0] for row in rows]), [[row[1]] for row in rows]
    clusters = [row[2] for row in rows]
    here, there = cluster_logit(y, x, ["x"], clusters), cluster_logit(1 - y, x, ["x"], clusters)
    assert here.undefined == there.undefined
    assert (here.coefficients is None) == (here.undefined is not None)
    for one, other in zip(here.coefficients or (), there.coefficients or (), strict=True):
        assert one.estimate == pytest.approx(-other.estimate, abs=1e-7)
        assert one.undefined == other.undefined
        if one.se is not None:
            assert one.se == pytest.approx(other.se, abs=1e-7)
            assert one.low < one.estimate < one.high
            assert 0 < one.p_value <= 1


@pytest.mark.parametrize(
    ("outcomes", "features", "reason"),
    [
        ([], [], Undefined.NO_OBSERVATIONS),
        ([1, 1, 1], [[0], [1], [1]], Undefined.SEPARATION),
        ([0, 0, 1, 1], [[0], [1], [2], [3]], Undefined.SEPARATION),
        ([0, 1, 1, 1], [[0], [0], [1], [1]], Undefined.SEPARATION),
        ([0, 1, 0, 1], [[1], [1], [1], [1]], Undefined.NOT_IDENTIFIED),
    ],
)
def test_no_estimate_has_its_reason(outcomes, features, reason):
    fit = cluster_logit(outcomes, features, ["x"])
    assert (fit.coefficients, fit.undefined) == (None, reason)


def test_clusters_that_cancel_have_no_error_rather_than_a_tiny_one():
    # Found by a search: the scores of each cluster add up to 0 for the intercept, but for rounding.
    y, x, clusters = [0, 0, 0, 1, 1, 1], [[0], [0], [1], [0], [1], [1]], [2, 2, 0, 2, 1, 2]
    for outcomes in (np.array(y), 1 - np.array(y)):
        intercept, slope = cluster_logit(outcomes, x, ["x"], clusters).coefficients
        assert (intercept.se, intercept.undefined) == (None, Undefined.NO_VARIATION)
        assert slope.se > 0.1


def test_few_clusters_leave_estimates_without_limits():
    rows = [1, 0, 1, 1, 0, 0], [[0], [0], [0], [1], [1], [1]], ["x"]
    one = cluster_logit(*rows, clusters="aaaaaa").coefficients[1]
    assert (one.se, one.low, one.p_value) == (None, None, None)
    assert one.undefined is Undefined.ONE_CLUSTER
    two = cluster_logit(*rows, clusters="aabbab").coefficients[1]
    assert two.undefined is Undefined.TOO_MANY_PARAMETERS


def test_a_tiny_p_value_is_not_zero():
    outcomes = [0] * 9999 + [1] + [1] * 9999 + [0]
    fit = cluster_logit(outcomes, [[0]] * 10_000 + [[1]] * 10_000, ["x"])
    assert 0 < fit.coefficients[1].p_value < 1e-12


@pytest.mark.parametrize(
    ("outcomes", "features", "names"),
    [
        ([2, 0], [[0], [1]], ["x"]),
        ([0, float("nan")], [[0], [1]], ["x"]),
        ([0, 1], [[0], [float("inf")]], ["x"]),
        ([0, 1], [[0]], ["x"]),
        ([0, 1], [0, 1], ["x"]),
        ([0, 1], [[0], [1]], ["x", "z"]),
    ],
)
def test_arguments_without_meaning_are_refused(outcomes, features, names):
    with pytest.raises(StatisticsError):
        cluster_logit(outcomes, features, names)
