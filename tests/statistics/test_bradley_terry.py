"""Strengths against a fit by another program's optimiser, and a planted truth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Undefined, controlled_strengths

NONE = []


def no_features(n):
    return np.zeros((n, 0))


def battles(n=1500, effect=1.0, seed=8):
    generator = np.random.default_rng(seed)
    strength = {"ada": 0.8, "bob": 0.0, "cyd": -0.8}
    habit = {"ada": 0.0, "bob": 0.8, "cyd": -0.8}
    names = list(strength)
    one = generator.choice(3, n)
    other = (one + generator.integers(1, 3, n)) % 3
    a, b = [names[i] for i in one], [names[i] for i in other]
    style = np.array([habit[x] - habit[y] for x, y in zip(a, b, strict=True)])
    style = style + generator.normal(size=n)
    edge = np.array([strength[x] - strength[y] for x, y in zip(a, b, strict=True)])
    outcomes = (generator.random(n) < 1 / (1 + np.exp(-(edge + effect * style)))).astype(float)
    return a, b, outcomes, style[:, np.newaxis], strength


def test_controlled_strengths_oracle_by_another_optimiser():
    a, b, y, x, strength = battles(300)
    names = list(strength)
    who = np.zeros((300, 3))
    for row, (one, other) in enumerate(zip(a, b, strict=True)):
        who[row, names.index(one)], who[row, names.index(other)] = 1, -1

    def loss(at):
        eta = who @ at[:3] + x[:, 0] * at[3]
        # A trace of ridge settles the sum of the strengths and moves nothing else.
        return (np.logaddexp(0, eta) - y * eta).sum() + 1e-9 * at[:3].sum() ** 2

    best = minimize(loss, np.zeros(4), tol=1e-10).x
    fit = controlled_strengths(a, b, y, x, ["style"])
    found = {one.name: one.estimate for one in fit.strengths}
    for place, name in enumerate(names):
        assert found[name] == pytest.approx(best[place] - best[:3].mean(), abs=1e-4)
    assert fit.features[0].estimate == pytest.approx(best[3], abs=1e-4)
    assert sum(found.values()) == pytest.approx(0, abs=1e-12)


def test_errors_oracle_by_a_bootstrap():
    a, b, y, x, _ = battles(300)
    fit = controlled_strengths(a, b, y, x, ["style"])
    generator, draws = np.random.default_rng(4), []
    for _ in range(200):
        rows = generator.integers(0, 300, 300)
        again = controlled_strengths(
            [a[i] for i in rows], [b[i] for i in rows], y[rows], x[rows], ["style"]
        )
        draws.append({one.name: one.estimate for one in (*again.strengths, *again.features)})
    for one in (*fit.strengths, *fit.features):
        assert one.se == pytest.approx(np.std([draw[one.name] for draw in draws]), rel=0.2)


def test_a_planted_strength_is_recovered_where_the_plain_one_is_not():
    a, b, y, x, strength = battles(4000)
    fit = controlled_strengths(a, b, y, x, ["style"])
    plain = controlled_strengths(a, b, y, no_features(4000), NONE)
    for one in fit.strengths:
        assert one.low < strength[one.name] < one.high
    bob = next(one for one in plain.strengths if one.name == "bob")
    assert bob.low > 0


def test_a_strong_prior_rules_the_feature():
    a, b, y, x, _ = battles(300)
    held = {"prior_means": [0.0], "prior_precisions": [1e8]}
    fit = controlled_strengths(a, b, y, x, ["style"], **held)
    plain = controlled_strengths(a, b, y, no_features(300), NONE)
    assert fit.features[0].estimate == pytest.approx(0, abs=1e-4)
    for here, there in zip(fit.strengths, plain.strengths, strict=True):
        assert here.estimate == pytest.approx(there.estimate, abs=1e-4)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from([0, 0.5, 1]), min_size=6, max_size=6))
def test_exchanging_the_sides_changes_nothing(outcomes):
    y, x = np.array(outcomes, float), np.array([[1.0], [0], [-1], [2], [0], [-2]])
    here = controlled_strengths("xyzxyz", "yzxyzx", y, x, ["f"])
    there = controlled_strengths("yzxyzx", "xyzxyz", 1 - y, -x, ["f"])
    assert here.undefined == there.undefined
    if here.strengths is not None:
        mine = {one.name: one.estimate for one in here.strengths}
        for one in there.strengths:
            assert one.estimate == pytest.approx(mine[one.name], abs=1e-6)


@pytest.mark.parametrize(
    ("one", "other", "outcomes", "reason"),
    [
        ("", "", [], Undefined.NO_OBSERVATIONS),
        ("xxyy", "yyxx", [1, 1, 0, 0], Undefined.SEPARATION),
        ("xxzz", "yyww", [1, 0, 1, 0], Undefined.NOT_IDENTIFIED),
    ],
)
def test_no_strength_has_its_reason(one, other, outcomes, reason):
    fit = controlled_strengths(one, other, outcomes, no_features(len(outcomes)), NONE)
    assert (fit.strengths, fit.features, fit.undefined) == (None, None, reason)


@pytest.mark.parametrize(
    ("one", "other", "outcomes"), [("x", "x", [1]), ("xy", "y", [1]), ("x", "y", [2])]
)
def test_rows_without_meaning_are_refused(one, other, outcomes):
    with pytest.raises(StatisticsError):
        controlled_strengths(one, other, outcomes, no_features(len(outcomes)), NONE)
