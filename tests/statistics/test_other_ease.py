"""Ease from the others against a one-dimensional search, and blind to a system's own outcome."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from counterbalance.errors import StatisticsError
from counterbalance.statistics import ease_by_others, joint_difficulty

N = 30


def rows(seed=5, n_systems=4):
    generator = np.random.default_rng(seed)
    ease = generator.normal(0, 1.5, N)
    feature = generator.normal(size=(n_systems, N))
    chances = 1 / (1 + np.exp(-(np.linspace(-1, 1, n_systems)[:, None] + feature + ease)))
    outcomes = (generator.random((n_systems, N)) < chances).astype(float)
    systems = [f"s{i}" for i in range(n_systems) for _ in range(N)]
    return outcomes.ravel(), feature.ravel(), systems, [*range(N)] * n_systems


def test_ease_by_others_oracle_by_a_search():
    y, x, systems, items = rows()
    fit = joint_difficulty(y, x, systems, items)
    found = ease_by_others(fit, y, x, systems, items)
    for row in (0, N + 3, 2 * N + 7):
        others = [k for k in range(len(y)) if items[k] == items[row] and systems[k] != systems[row]]

        def loss(ease, others=others):
            total = fit.item_precision * ease**2 / 2
            for k in others:
                place = fit.systems.index(systems[k])
                eta = fit.strengths[place] + fit.slopes[place] * x[k] + ease
                total += np.logaddexp(0, eta) - y[k] * eta
            return total

        assert found[row] == pytest.approx(minimize_scalar(loss).x, abs=1e-6)


def test_a_systems_own_outcome_does_not_move_its_own_ease():
    y, x, systems, items = rows()
    fit = joint_difficulty(y, x, systems, items)
    turned = y.copy()
    turned[7] = 1 - turned[7]
    before = ease_by_others(fit, y, x, systems, items)
    after = ease_by_others(fit, turned, x, systems, items)
    assert after[7] == before[7]
    assert after[N + 7] != before[N + 7]


def test_an_item_that_no_other_met_is_neither_hard_nor_easy():
    y, x, systems, items = rows()
    items[3] = "alone"
    fit = joint_difficulty(y, x, systems, items)
    assert ease_by_others(fit, y, x, systems, items)[3] == 0


def test_what_is_not_in_the_fit_is_refused():
    y, x, systems, items = rows()
    fit = joint_difficulty(y, x, systems, items)
    with pytest.raises(StatisticsError, match="not in the joint fit"):
        ease_by_others(fit, y, x, ["else", *systems[1:]], items)
    with pytest.raises(StatisticsError, match="no estimate"):
        ease_by_others(replace(fit, strengths=None), y, x, systems, items)
    with pytest.raises(StatisticsError, match="items"):
        ease_by_others(fit, y, x, systems, items[:-1])
