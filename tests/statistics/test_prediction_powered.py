"""PPI++ against ppi-python, against the labels alone, and by simulated coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Undefined, cluster_mean, prediction_powered_mean
from vectors.loading import cases

NUMBERS = st.floats(-5, 5).map(lambda x: round(x, 2))


def units(inputs):
    positive, negative = inputs["n11"] + inputs["n10"], inputs["n01"] + inputs["n00"]
    labels = [1] * positive + [0] * negative
    predictions = [1] * inputs["n11"] + [0] * inputs["n10"]
    predictions += [1] * inputs["n01"] + [0] * inputs["n00"]
    ones = inputs["unlabelled_judge_positive"]
    return labels, predictions, [1] * ones + [0] * (inputs["N"] - ones)


@pytest.mark.parametrize("case", cases("few_labels"))
@pytest.mark.parametrize(("name", "trust"), [("ppi", 1.0), ("ppi_pp", None)])
def test_prediction_powered_vector(case, name, trust):
    expected, near = case["expected"][name], case["tolerance"]
    result = prediction_powered_mean(*units(case["inputs"]), trust=trust)
    assert result.estimate == pytest.approx(expected["est"], abs=near)
    if trust is None:
        assert result.trust == pytest.approx(expected["lam_own"], abs=1e-9)
        # Tuned, the error is a jackknife and a little larger; at a fixed weight it is the same.
        fixed = prediction_powered_mean(*units(case["inputs"]), trust=result.trust)
        assert fixed.se < result.se < 1.02 * fixed.se
        result = fixed
    # The reference divides by n, not n - 1, and takes a normal quantile: too sure with few labels.
    n = result.n_labelled
    half = 1.9599639845 * result.se * math.sqrt((n - 1) / n)
    limits = [result.estimate - half, result.estimate + half]
    assert limits == pytest.approx(expected["ci95"], abs=near)


@pytest.mark.parametrize("case", cases("few_labels"))
def test_labels_alone_vector(case):
    expected = case["expected"]["human_only"]
    result = prediction_powered_mean(*units(case["inputs"]))
    n = result.n_labelled
    assert result.labelled_mean == pytest.approx(expected["est"])
    assert result.labelled_se * math.sqrt((n - 1) / n) == pytest.approx(expected["se"])
    assert result.se < result.labelled_se


@pytest.mark.parametrize("n", [20, 60])
def test_coverage_is_near_nominal_with_biased_predictions(n):
    generator = np.random.default_rng(20261130)
    covered, shorter, runs = 0, 0, 700
    for _ in range(runs):
        label = generator.random(n + 800) < 0.6
        wrong = generator.random(n + 800) < np.where(label, 0.05, 0.3)
        prediction = (label ^ wrong).astype(float)
        result = prediction_powered_mean(label[:n].astype(float), prediction[:n], prediction[n:])
        covered += result.low <= 0.6 <= result.high
        shorter += result.se < result.labelled_se
    assert 0.92 < covered / runs < 0.97
    assert shorter / runs > 0.8


def test_clusters_widen_what_units_of_one_cluster_share():
    generator = np.random.default_rng(7)
    covered, naive, runs = 0, 0, 250
    for _ in range(runs):
        tilt = np.repeat(generator.normal(0, 1, 80), 6)
        label = tilt + generator.normal(0, 1, 480)
        prediction = label + generator.normal(0, 0.7, 480) + 2
        names = np.repeat(np.arange(80), 6)
        is_labelled = np.tile([True, True, False, False, False, False], 80)
        arrays = label[is_labelled], prediction[is_labelled], prediction[~is_labelled]
        result = prediction_powered_mean(
            *arrays, clusters=names[is_labelled], unlabelled_clusters=names[~is_labelled]
        )
        covered += result.low <= 0 <= result.high
        alone = prediction_powered_mean(*arrays)
        naive += alone.low <= 0 <= alone.high
    assert 0.9 < covered / runs < 0.98
    assert naive / runs < 0.88


def test_weights_undo_a_choice_of_units():
    generator = np.random.default_rng(3)
    label = generator.normal(0, 1, 40_000)
    chance = np.where(label > 0, 0.3, 0.1)
    taken = generator.random(40_000) < chance
    prediction = label + generator.normal(0, 1, 40_000)
    rows = label[taken], prediction[taken], prediction[~taken]
    weighted = prediction_powered_mean(*rows[:2], prediction, weights=1 / chance[taken])
    assert weighted.estimate == pytest.approx(0, abs=4 * weighted.se)
    assert prediction_powered_mean(*rows[:2], prediction).estimate > 20 * weighted.se


@given(hnp.arrays(np.float64, st.integers(2, 15), elements=NUMBERS))
def test_labels_alone_oracle_without_trust(labels):
    result = prediction_powered_mean(labels, labels * 0, [1.0, 2.0], trust=0.0)
    mean = cluster_mean(labels, None)
    assert result.estimate == pytest.approx(mean.estimate)
    if mean.se is not None:
        assert [result.se, result.low] == pytest.approx([mean.se, mean.low], rel=1e-9, abs=1e-9)


@given(
    hnp.arrays(np.float64, (2, 8), elements=NUMBERS),
    hnp.arrays(np.float64, 12, elements=NUMBERS),
    st.floats(-2, 2),
)
def test_shifting_the_predictions_changes_nothing(rows, unlabelled, shift):
    here = prediction_powered_mean(rows[0], rows[1], unlabelled)
    there = prediction_powered_mean(rows[0], rows[1] + shift, unlabelled + shift)
    assert here.estimate == pytest.approx(there.estimate, abs=1e-7)
    assert (here.low is None) == (there.low is None)
    if here.low is not None:
        assert [here.low, here.high] == pytest.approx([there.low, there.high], abs=1e-6)
        assert here.low < here.high


def test_numbers_far_from_zero_keep_their_digits():
    labels, predictions, unlabelled = [1, 0, 1, 1, 0.5], [1, 0, 0.5, 1, 0], [1, 0, 0.5, 1] * 9
    here = prediction_powered_mean(labels, predictions, unlabelled)
    far = [np.array(values) + 1e8 for values in (labels, predictions, unlabelled)]
    there = prediction_powered_mean(*far)
    assert there.trust == pytest.approx(here.trust, rel=1e-6)
    assert there.se == pytest.approx(here.se, rel=1e-6)
    assert there.estimate - 1e8 == pytest.approx(here.estimate, abs=1e-6)


def test_useless_predictions_get_no_trust():
    assert prediction_powered_mean([0, 1, 0, 1], [1, 1, 1, 1], [1] * 50).trust == 0.0
    assert prediction_powered_mean([0, 1, 0, 1], [1, 0, 1, 0], [1, 0] * 50).trust == 0.0
    assert prediction_powered_mean([0, 1], [0, 1], []).trust == 0.0


def test_no_value_and_no_limits_have_their_reason():
    empty = prediction_powered_mean([], [], [1, 0])
    assert (empty.estimate, empty.trust, empty.low) == (None, None, None)
    assert (empty.undefined, empty.interval_undefined) == (Undefined.NO_OBSERVATIONS,) * 2
    single = prediction_powered_mean([1], [1], [1, 0])
    assert (single.estimate, single.interval_undefined) == (1.0, Undefined.ONE_CLUSTER)
    constant = prediction_powered_mean([1, 1, 1], [1, 0, 1], [1, 0])
    assert (constant.se, constant.interval_undefined) == (None, Undefined.NO_VARIATION)
    shared = prediction_powered_mean(
        [1, 0], [1, 0], [1, 0], clusters="aa", unlabelled_clusters="bb"
    )
    assert shared.interval_undefined is Undefined.ONE_CLUSTER


def test_limits_are_cut_at_the_bounds_and_never_meet():
    cut = prediction_powered_mean([1, 1, 1, 0], [1, 1, 0, 0], [1] * 30, bounds=(0, 1))
    assert cut.high == 1
    assert "cut_at_bound" in cut.cautions
    labels, predictions = [1.0] * 10 + [0.9] * 10, [0.0] * 10 + [0.1] * 10
    beyond = prediction_powered_mean(labels, predictions, [9.0, 8.9] * 20, trust=1.0, bounds=(0, 1))
    assert (beyond.low, beyond.interval_undefined) == (None, Undefined.OUTSIDE_RANGE)


@pytest.mark.parametrize(
    "settings",
    [
        {"weights": [1, 0]},
        {"weights": [1, -1]},
        {"weights": [1]},
        {"weights": [1, float("nan")]},
        {"trust": 1.5},
        {"trust": float("nan")},
        {"clusters": "ab"},
        {"clusters": "ab", "unlabelled_clusters": "a"},
        {"bounds": (1, 0)},
        {"confidence_level": 95},
    ],
)
def test_settings_without_meaning_are_refused(settings):
    with pytest.raises(StatisticsError):
        prediction_powered_mean([0, 1], [0, 1], [0, 1], **settings)


@pytest.mark.parametrize(
    "arrays", [([0], [0, 1], [1]), ([float("inf")], [1], [1]), ([0], [1], [float("nan")])]
)
def test_numbers_that_do_not_fit_are_refused(arrays):
    with pytest.raises(StatisticsError):
        prediction_powered_mean(*arrays)
