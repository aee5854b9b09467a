"""The mixed logit model against glmmTMB, a direct Laplace approximation, and a planted truth."""

from __future__ import annotations

import csv
import gzip
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Undefined, cluster_logit, mixed_logit
from counterbalance.statistics.laplace import LaplaceDeviance
from vectors.loading import FOLDER

ROWS = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 4), st.integers(0, 2)),
    min_size=12,
    max_size=40,
)


def simulated():
    """Outcomes, features with their names, and groups, as R simulated them."""
    with gzip.open(FOLDER / "glmm_sim.csv.gz", "rt", encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    names = [f"J{i}" for i in range(2, 6)] + [f"S{i}" for i in range(1, 5)]
    features = [[float(name in (row["judge"], row["strategy"])) for name in names] for row in rows]
    groups = {name: [row[name] for row in rows] for name in ("question", "item", "ij")}
    return [float(row["y"]) for row in rows], features, names, groups


def test_mixed_logit_vector():
    text = (FOLDER / "glmm_reference.json").read_text(encoding="utf-8")
    expected, near = json.loads(text)["expected"], {"abs": 2e-3}
    fit = mixed_logit(*simulated(), cluster="question")
    found = {one.name: one for one in fit.conditional}
    for name, (estimate, se) in expected["glmmTMB"].items():
        assert found[name].estimate == pytest.approx(estimate, **near)
        assert found[name].se == pytest.approx(se, abs=1e-5)
    own = expected["own_laplace"]
    assert [group.sd for group in fit.groups] == pytest.approx(own["sd"], **near)
    assert found["intercept"].estimate == pytest.approx(own["intercept"], **near)
    assert fit.deviance == pytest.approx(own["deviance"], abs=1e-5)
    # Marginal odds are another number; exchangeable estimating equations aim at them too.
    marginal = {one.name: one.estimate for one in fit.marginal.coefficients}
    assert marginal["S4"] == pytest.approx(expected["logit_cluster_question"]["S4"][0], abs=1e-5)
    assert marginal["S4"] == pytest.approx(expected["gee_exch"]["S4"][0], abs=1e-4)
    assert found["S4"].estimate > 1.4 * marginal["S4"]
    # A mode without the determinant's pull on the coefficients (nAGQ = 0) is a third number.
    assert found["S4"].estimate > expected["nAGQ0_lme4_and_own"]["S4"] + 0.03


def small_model(generator, n_groups=2):
    y = generator.integers(0, 2, 30).astype(float)
    design = np.column_stack([np.ones(30), generator.normal(size=30)])
    sizes = [6, 4, 3][:n_groups]
    levels = [generator.permutation(np.arange(30) % size) for size in sizes]
    return LaplaceDeviance(y, design, levels, sizes)


@pytest.mark.parametrize("n_groups", [1, 2, 3])
def test_deviance_oracle_by_dense_matrices(n_groups):
    model = small_model(np.random.default_rng(n_groups), n_groups)
    at = np.concatenate([np.log([0.8, 1.3, 0.5][:n_groups]), [0.3, -0.6]])
    scaled = np.concatenate(
        [np.exp(at[k]) * np.eye(size)[model.levels[k]] for k, size in enumerate(model.sizes)],
        axis=1,
    )
    fixed = model.design @ at[n_groups:]

    def density(u):
        predictor = fixed + scaled @ u
        return np.logaddexp(0, predictor).sum() - model.y @ predictor + u @ u / 2

    mode = minimize(density, np.zeros(scaled.shape[1]), method="BFGS", options={"gtol": 1e-9})
    chances = 1 / (1 + np.exp(-(fixed + scaled @ mode.x)))
    matrix = scaled.T @ (scaled * (chances * (1 - chances))[:, np.newaxis])
    expected = 2 * mode.fun + np.linalg.slogdet(matrix + np.eye(len(matrix)))[1]
    assert model(at)[0] == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("n_groups", [1, 2, 3])
def test_gradient_oracle_by_differences(n_groups):
    model = small_model(np.random.default_rng(10 + n_groups), n_groups)
    at = np.concatenate([np.log([1.1, 0.6, 0.9][:n_groups]), [-0.2, 0.7]])
    steps = np.eye(at.size) * 1e-5
    slopes = [(model(at + step)[0] - model(at - step)[0]) / 2e-5 for step in steps]
    assert model(at)[1] == pytest.approx(slopes, abs=1e-5)


def test_a_planted_spread_is_recovered():
    generator = np.random.default_rng(20261130)
    items, raters = np.repeat(np.arange(250), 8), np.tile(np.arange(8), 250)
    x = generator.integers(0, 2, 2000)
    predictor = -0.3 + 0.9 * x + generator.normal(0, 1.5, 250)[items]
    y = generator.random(2000) < 1 / (1 + np.exp(-predictor))
    groups = {"rater": raters, "item": items}
    fit = mixed_logit(y, x[:, np.newaxis], ["x"], groups, "item")
    assert fit.conditional[1].low < 0.9 < fit.conditional[1].high
    assert fit.groups[1].sd == pytest.approx(1.5, abs=0.2)
    # Raters have no spread, and it is put at 0 with a word about it.
    assert fit.groups[0].sd < 0.15
    # Zeger, Liang and Albert's factor between the two kinds of odds.
    factor = np.sqrt(1 + (16 * np.sqrt(3) / (15 * np.pi)) ** 2 * 1.5**2)
    marginal = fit.marginal.coefficients[1].estimate
    assert fit.conditional[1].estimate / marginal == pytest.approx(factor, rel=0.1)


def test_groups_without_spread_leave_the_plain_fit():
    generator = np.random.default_rng(4)
    items = np.tile(np.arange(20), 10)
    x = np.repeat([0.0, 1.0], 100)
    y = np.concatenate([generator.permutation(20) % 2 for _ in range(10)])
    fit = mixed_logit(y, x[:, np.newaxis], ["x"], {"item": items}, "item")
    plain = cluster_logit(y, x[:, np.newaxis], ["x"], items)
    assert [group.sd for group in fit.groups] == [0.0]
    assert [str(caution) for caution in fit.cautions] == ["no_group_spread"]
    for one, other in zip(fit.conditional, plain.coefficients, strict=True):
        assert one.estimate == pytest.approx(other.estimate, abs=1e-3)


@settings(deadline=None, max_examples=15)
@given(ROWS)
def test_renaming_the_outcomes_turns_every_sign(rows):
    y, x, items, raters = (np.array(column) for column in zip(*rows, strict=True))
    here, there = (
        mixed_logit(one, x[:, np.newaxis], ["x"], {"item": items, "rater": raters}, "item")
        for one in (y, 1 - y)
    )
    assert here.undefined == there.undefined
    assert (here.conditional is None) == (here.undefined is not None)
    for one, other in zip(here.conditional or (), there.conditional or (), strict=True):
        assert one.estimate == pytest.approx(-other.estimate, abs=2e-3)
        assert one.low < one.high
        assert np.isfinite([one.low, one.high]).all()
    for one, other in zip(here.groups, there.groups, strict=True):
        assert one.sd == (None if other.sd is None else pytest.approx(other.sd, abs=2e-2))


def test_names_of_levels_and_sequence_of_groups_do_not_matter():
    generator = np.random.default_rng(9)
    items, raters = np.repeat(np.arange(40), 5), np.tile(np.arange(5), 40)
    y = generator.random(200) < 1 / (1 + np.exp(-generator.normal(0, 1.5, 40)[items]))
    x = generator.normal(size=(200, 1))
    here = mixed_logit(y, x, ["x"], {"item": items, "rater": raters}, "item")
    renamed = {"rater": [f"r{9 - one}" for one in raters], "item": [(one, "i") for one in items]}
    there = mixed_logit(y, x, ["x"], renamed, "item")
    assert there.deviance == pytest.approx(here.deviance, abs=1e-5)
    assert there.conditional[1].estimate == pytest.approx(here.conditional[1].estimate, abs=1e-3)
    assert [group.name for group in there.groups] == ["rater", "item"]


@pytest.mark.parametrize(
    ("outcomes", "groups", "reason"),
    [
        ([], {"g": []}, Undefined.NO_OBSERVATIONS),
        ([1, 0, 1, 0], {"g": "aaaa"}, Undefined.ONE_CLUSTER),
        ([1, 0, 1, 0], {"g": "abcd"}, Undefined.NOT_IDENTIFIED),
        ([1, 0, 1, 0], {"g": "aabb", "h": "xxyy"}, Undefined.NOT_IDENTIFIED),
        ([1, 1, 1, 1], {"g": "aabb"}, Undefined.SEPARATION),
        ([0, 1, 0, 1], {"g": "aabb"}, Undefined.SEPARATION),
    ],
)
def test_no_conditional_odds_have_their_reason(outcomes, groups, reason):
    features = [[0], [1], [0], [1]][: len(outcomes)]
    if reason in {Undefined.ONE_CLUSTER, Undefined.NOT_IDENTIFIED}:
        features = [[0], [0], [1], [1]]
    fit = mixed_logit(outcomes, features, ["x"], groups, "g")
    assert (fit.conditional, fit.deviance, fit.undefined) == (None, None, reason)
    assert {group.sd for group in fit.groups} == {None}


def test_marginal_odds_stand_where_conditional_ones_do_not_exist():
    rows = [1, 0, 1, 0, 1, 1], [[0], [0], [0], [1], [1], [1]], ["x"]
    fit = mixed_logit(*rows, {"g": "abcdef"}, "g")
    assert fit.conditional is None
    assert fit.marginal == cluster_logit(*rows, clusters="abcdef")


@pytest.mark.parametrize(
    ("outcomes", "groups", "cluster"),
    [
        ([1, 0.5], {"g": "ab"}, "g"),
        ([1, 2], {"g": "ab"}, "g"),
        ([1, float("nan")], {"g": "ab"}, "g"),
        ([1, 0], {"g": "a"}, "g"),
        ([1, 0], {"g": "ab"}, "h"),
        ([1, 0], {}, "g"),
    ],
)
def test_arguments_without_meaning_are_refused(outcomes, groups, cluster):
    with pytest.raises(StatisticsError):
        mixed_logit(outcomes, [[0], [1]], ["x"], groups, cluster)


def test_more_levels_than_can_be_fitted_are_refused():
    many = list(range(8000)) * 2
    groups = {"g": many, "h": [*many[1:], 0]}
    with pytest.raises(StatisticsError, match="too many to fit"):
        mixed_logit([0, 1] * 8000, [[0]] * 16_000, ["x"], groups, "g")
