"""Joint difficulty against a bare optimiser, a planted one, and real preferences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from counterbalance.errors import StatisticsError
from counterbalance.statistics import (
    Undefined,
    joint_difficulty,
    saturated_differences,
)

DIFFERENCES = st.lists(st.integers(-1000, 1000), min_size=2, max_size=20)


def grid(n_systems, n_items):
    return np.repeat(np.arange(n_systems), n_items), np.tile(np.arange(n_items), n_systems)


def test_saturated_differences_oracle_by_hand():
    # Mean 2, squares 4 + 0 + 4 over 2: standard deviation 2.
    found = saturated_differences([0, 2, 4])
    assert found.scale == 2.0
    assert found.values == pytest.approx(np.tanh([0, 1, 2]).tolist())


@given(DIFFERENCES, st.floats(0.01, 100))
def test_units_do_not_matter_and_signs_turn(differences, scale):
    here = saturated_differences(differences)
    if here.values is None:
        assert here.undefined is Undefined.NO_VARIATION
        return
    assert max(map(abs, here.values)) <= 1
    there = saturated_differences([-scale * one for one in differences])
    assert there.values == pytest.approx([-one for one in here.values], abs=1e-9)


def test_joint_difficulty_oracle_by_a_bare_optimiser():
    generator = np.random.default_rng(20261130)
    systems, items = grid(4, 12)
    outcomes, feature = generator.random(48), generator.normal(size=48)

    def loss(at):
        strengths, slopes, ease = at[:4], at[4:8], at[8:]
        predictor = strengths[systems] + slopes[systems] * feature + ease[items]
        fit = np.logaddexp(0, predictor).sum() - outcomes @ predictor
        return fit + 0.1 * (slopes**2).sum() / 2 + (ease**2).sum() / 2

    best = minimize(loss, np.zeros(20), method="BFGS", options={"gtol": 1e-9}).x
    fit = joint_difficulty(outcomes, feature, systems.tolist(), items.tolist())
    assert fit.ease == pytest.approx((best[8:] - best[8:].mean()).tolist(), abs=1e-5)
    assert fit.slopes == pytest.approx(best[4:8].tolist(), abs=1e-5)
    assert fit.strengths == pytest.approx((best[:4] + best[8:].mean()).tolist(), abs=1e-5)


def test_a_planted_difficulty_is_recovered():
    generator = np.random.default_rng(3)
    systems, items = grid(30, 200)
    ease, strength = generator.normal(0, 1.5, 200), generator.normal(0, 1, 30)
    feature = generator.normal(size=6000)
    predictor = strength[systems] - 0.8 * feature + ease[items]
    outcomes = generator.random(6000) < 1 / (1 + np.exp(-predictor))
    fit = joint_difficulty(outcomes, feature, systems.tolist(), items.tolist())
    assert np.corrcoef(fit.ease, ease)[0, 1] > 0.93
    assert np.mean(fit.slopes) == pytest.approx(-0.8, abs=0.1)
    assert np.mean(fit.ease) == pytest.approx(0, abs=1e-9)


@settings(deadline=None)
@given(st.lists(st.sampled_from([0, 0.25, 0.5, 1]), min_size=12, max_size=12), st.randoms())
def test_sequence_of_rows_does_not_matter(outcomes, random):
    systems, items = grid(3, 4)
    order = list(range(12))
    random.shuffle(order)
    here = joint_difficulty(outcomes, [0.0] * 12, systems.tolist(), items.tolist())
    there = joint_difficulty(
        np.array(outcomes)[order], [0.0] * 12, systems[order].tolist(), items[order].tolist()
    )
    assert here.undefined == there.undefined
    if here.ease is not None:
        ease = dict(zip(there.items, there.ease, strict=True))
        assert here.ease == pytest.approx([ease[item] for item in here.items], abs=1e-6)


@pytest.mark.parametrize(
    ("outcomes", "systems", "items", "reason"),
    [
        ([], "", "", Undefined.NO_OBSERVATIONS),
        ([0, 1, 1, 0], "aabb", "xyxy", Undefined.NOT_IDENTIFIED),
        ([0, 1, 1, 0, 1, 1], "aabbcc", "xyxyxy", Undefined.SEPARATION),
        ([0, 1, 1, 0, 0, 0], "aabbcc", "xyxyxy", Undefined.SEPARATION),
    ],
)
def test_no_estimate_has_its_reason(outcomes, systems, items, reason):
    fit = joint_difficulty(outcomes, [0] * len(outcomes), systems, items)
    assert (fit.ease, fit.strengths, fit.undefined) == (None, None, reason)


def test_differences_that_do_not_vary_have_no_scale():
    assert saturated_differences([]).undefined is Undefined.NO_OBSERVATIONS
    assert saturated_differences([3]).undefined is Undefined.NO_VARIATION
    assert saturated_differences([3, 3]).undefined is Undefined.NO_VARIATION
    with pytest.raises(StatisticsError):
        saturated_differences([1, float("inf")])


@pytest.mark.parametrize(
    ("rows", "settings"),
    [
        (([0, 1], [0], "ab", "xx"), {}),
        (([0, 1], [0, 0], "a", "xx"), {}),
        (([0, 1], [0, 0], "ab", "x"), {}),
        (([0, 2], [0, 0], "ab", "xx"), {}),
        (([0, 1], [0, float("nan")], "ab", "xx"), {}),
        (([0, 1], [0, 0], "ab", "xx"), {"item_precision": 0}),
        (([0, 1], [0, 0], "ab", "xx"), {"slope_precision": float("inf")}),
    ],
)
def test_rows_without_meaning_are_refused(rows, settings):
    with pytest.raises(StatisticsError):
        joint_difficulty(*rows, **settings)
