"""Held-out predictions against plain refits, on data whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Undefined, cluster_logit, held_out_fit


def planted(n=400, effect=1.5, seed=3):
    generator = np.random.default_rng(seed)
    length, ease = generator.normal(size=n), generator.normal(size=n)
    chances = 1 / (1 + np.exp(-(-0.3 + effect * length + ease)))
    return (generator.random(n) < chances).astype(float), length[:, np.newaxis], ease


def test_held_out_fit_oracle_by_refits():
    y, x, _ = planted(60)
    fold, losses, constants = np.arange(60) % 4, [], []
    for one in range(4):
        rest = fold != one
        at = [c.estimate for c in cluster_logit(y[rest], x[rest], ["x"]).coefficients]
        chances = 1 / (1 + np.exp(-(at[0] + at[1] * x[~rest, 0])))
        losses += [
            -np.log(p if outcome else 1 - p) for p, outcome in zip(chances, y[~rest], strict=True)
        ]
        mean = y[rest].mean()
        constants += [-np.log(mean if outcome else 1 - mean) for outcome in y[~rest]]
    found = held_out_fit(y, x, ["x"], n_folds=4)
    assert found.log_loss == pytest.approx(np.mean(losses))
    assert found.log_loss_constant == pytest.approx(np.mean(constants))


def test_a_model_that_holds_is_calibrated_and_better_than_a_constant():
    y, x, ease = planted(4000)
    found = held_out_fit(y, x, ["length"], ease=ease)
    assert found.log_loss < found.log_loss_constant - 0.1
    assert found.calibration_slope == pytest.approx(1, abs=0.1)
    assert sum(one.n_units for one in found.bins) == 4000
    for one in found.bins:
        assert one.predicted == pytest.approx(one.observed, abs=0.05)


def test_a_feature_that_says_nothing_gains_nothing():
    y, x, _ = planted(2000, effect=0.0)
    found = held_out_fit(y, x, ["length"])
    assert found.log_loss == pytest.approx(found.log_loss_constant, abs=0.005)


def test_a_model_without_features_is_the_constant():
    y, _, _ = planted(100)
    found = held_out_fit(y, np.zeros((100, 0)), [])
    assert found.log_loss == pytest.approx(found.log_loss_constant)
    # All predictions of a fold are one number, so a slope rests on the folds' own differences.
    assert found.bins[0].n_units == 20


def test_clusters_stay_whole():
    # Pairs of opposite outcomes: each half would give the other away.
    y, clusters = np.tile([0.0, 1.0], 50), np.repeat(np.arange(50), 2)
    found = held_out_fit(y, np.zeros((100, 0)), [], clusters=clusters)
    assert found.log_loss == pytest.approx(np.log(2))


@pytest.mark.parametrize(
    ("outcomes", "clusters", "reason"),
    [
        ([], None, Undefined.NO_OBSERVATIONS),
        ([1, 0, 1, 0], None, Undefined.TOO_FEW_UNITS),
        ([1, 0, 1, 0, 1, 0], "aaaaaa", Undefined.ONE_CLUSTER),
        ([1] * 9, None, Undefined.SEPARATION),
    ],
)
def test_no_prediction_has_its_reason(outcomes, clusters, reason):
    features = [[float(i % 2)] for i, _ in enumerate(outcomes)]
    found = held_out_fit(outcomes, features, ["x"], clusters=clusters)
    assert (found.log_loss, found.bins, found.undefined) == (None, (), reason)


@pytest.mark.parametrize("words", [{"n_folds": 1}, {"n_bins": 0}, {"ease": [0.0]}])
def test_settings_without_meaning_are_refused(words):
    with pytest.raises(StatisticsError):
        held_out_fit([0, 1, 0], [[0], [1], [1]], ["x"], **words)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.sampled_from([0, 0.5, 1]), min_size=12, max_size=12))
def test_exchanging_the_sides_changes_no_loss(outcomes):
    x = np.linspace(-1, 1, 12)[:, np.newaxis]
    here = held_out_fit(outcomes, x, ["x"], n_folds=3)
    there = held_out_fit(1 - np.array(outcomes), -x, ["x"], n_folds=3)
    assert here.undefined == there.undefined
    if here.log_loss is not None:
        assert here.log_loss == pytest.approx(there.log_loss, abs=1e-6)
