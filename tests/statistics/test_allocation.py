"""Budgets against an exhaustive enumeration and a closed form."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Costs, Spread, Undefined, best_allocation
from vectors.loading import cases

AMOUNTS = st.floats(0, 2).map(lambda amount: round(amount, 3))


@pytest.mark.parametrize("case", cases("budget"))
def test_budget_vector(case):
    inputs, expected = case["inputs"], case["expected"]
    # The reference divides 20 by 0.05 in binary and gets 399; with the money of 399 both agree.
    budget = expected["cost"] if case["name"] == "budget0" else inputs["B"]
    plan = best_allocation(
        budget,
        Costs(inputs["c_pair"], inputs["c_call"], inputs["calls"]),
        Spread(inputs["s2q"], inputs["s2p"], inputs["s2r"]),
        inputs["m"],
        inputs["Gmax"],
    )
    assert (plan.best.n_clusters, plan.best.n_repeats) == (expected["prompts"], expected["repeats"])
    assert plan.best.cost == pytest.approx(expected["cost"], abs=case["tolerance"])
    # The reference rounds the sum of its quantiles to 2.801585.
    rounded = plan.best.detectable_difference * 2.801585 / 2.8015852184
    assert rounded == pytest.approx(expected["mde"], abs=case["tolerance"])


def test_money_that_is_just_enough_is_enough():
    plan = best_allocation(20, Costs(0, 0.005, 2), Spread(0.03, 0.18, 0.12), 5, 10**6)
    assert (plan.best.n_clusters, plan.best.n_repeats) == (400, 1)
    assert plan.best.cost == pytest.approx(20)


@given(st.floats(0.5, 50), AMOUNTS, AMOUNTS, st.tuples(AMOUNTS, AMOUNTS, AMOUNTS))
def test_best_oracle_no_affordable_design_detects_less(budget, per_unit, per_call, variances):
    costs, spread = Costs(per_unit, per_call, 2), Spread(*variances)
    plan = best_allocation(budget, costs, spread, 2, 40, most_repeats=5)
    affordable = [
        (spread.cluster + (spread.unit + spread.repeat / r) / 2) / g
        for g in range(2, 41)
        for r in range(1, 6)
        if g * 2 * (per_unit + r * 2 * per_call) <= budget
    ]
    if plan.best is None:
        assert not affordable or sum(variances) == 0
    else:
        assert plan.best.cost <= budget * (1 + 1e-9)
        assert plan.best.variance <= min(affordable, default=math.inf) * (1 + 1e-9)


def test_free_units_without_end_are_never_repeated():
    plan = best_allocation(100, Costs(0, 0.01, 2), Spread(0.1, 0.2, 5.0), 3, 10**9)
    assert plan.best.n_repeats == 1
    assert len(plan.designs) == 9


def test_no_design_has_its_reason():
    spread = Spread(0.1, 0.1, 0.1)
    poor = best_allocation(1, Costs(1, 0, 1), spread, 1, 100)
    assert (poor.best, poor.designs, poor.undefined) == (None, (), Undefined.OUT_OF_REACH)
    few = best_allocation(100, Costs(1, 0, 1), spread, 1, 1)
    assert few.undefined is Undefined.OUT_OF_REACH
    calm = best_allocation(100, Costs(1, 0, 1), Spread(0, 0, 0), 1, 100)
    assert (calm.best, calm.undefined) == (None, Undefined.NO_VARIATION)


@pytest.mark.parametrize(
    ("budget", "costs", "spread", "units", "clusters"),
    [
        (0, Costs(0, 1, 2), Spread(1, 1, 1), 1, 10),
        (float("inf"), Costs(0, 1, 2), Spread(1, 1, 1), 1, 10),
        (float("nan"), Costs(0, 1, 2), Spread(1, 1, 1), 1, 10),
        (5, Costs(-1, 1, 2), Spread(1, 1, 1), 1, 10),
        (5, Costs(0, 1, 0), Spread(1, 1, 1), 1, 10),
        (5, Costs(0, 1, 2), Spread(1, -1, 1), 1, 10),
        (5, Costs(0, 1, 2), Spread(1, 1, float("nan")), 1, 10),
        (5, Costs(0, 1, 2), Spread(1, 1, 1), 0, 10),
        (5, Costs(0, 1, 2), Spread(1, 1, 1), 1, 2.5),
    ],
)
def test_amounts_without_meaning_are_refused(budget, costs, spread, units, clusters):
    with pytest.raises(StatisticsError):
        best_allocation(budget, costs, spread, units, clusters)
