from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Undefined, mean_detectable_difference, mean_sample_size


@pytest.mark.parametrize(("n", "spread", "power"), [(50, 0.5, 0.8), (400, 0.3, 0.9), (997, 1, 0.5)])
def test_the_power_at_the_difference_is_the_one_asked_for_oracle(n, spread, power):
    plan = mean_detectable_difference(n, spread, power)
    z = plan.difference * math.sqrt(n) / spread
    # Without the far tail, which a normal approximation of this kind leaves out.
    assert norm.sf(norm.isf(0.025) - z) == pytest.approx(power)
    assert mean_sample_size(plan.difference, spread, power).n_units == n


def test_simulated_power_is_near_the_one_planned():
    plan = mean_sample_size(0.1, 0.5)
    generator = np.random.default_rng(3)
    draws = generator.normal(0.1, 0.5, (4000, plan.n_units))
    z = draws.mean(axis=1) / (draws.std(axis=1, ddof=1) / math.sqrt(plan.n_units))
    assert 0.78 <= (np.abs(z) > 1.96).mean() <= 0.83


def test_no_unit_detects_nothing():
    plan = mean_detectable_difference(0, 0.5)
    assert (plan.difference, plan.undefined) == (None, Undefined.NO_OBSERVATIONS)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: mean_sample_size(0.0, 0.5), "difference is 0.0"),
        (lambda: mean_sample_size(0.1, 0.0), "spread is 0.0"),
        (lambda: mean_sample_size(0.1, float("nan")), "spread is nan"),
        (lambda: mean_detectable_difference(-1, 0.5), "n_units is -1"),
        (lambda: mean_detectable_difference(10, -0.5), "spread is -0.5"),
        (lambda: mean_detectable_difference(10, 0.5, 1.0), "power is 1.0"),
        (lambda: mean_detectable_difference(10, 0.5, 0.04), "ask for more than that rate"),
    ],
)
def test_what_has_no_meaning_is_refused(call, words):
    with pytest.raises(StatisticsError, match=words):
        call()
