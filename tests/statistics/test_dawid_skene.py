"""Dawid and Skene against crowd-kit's first steps, a planted panel, and the likelihood itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Undefined, dawid_skene
from counterbalance.statistics.dawid_skene import _climb
from counterbalance.statistics.ratings import rating_array
from vectors.loading import cases

RATINGS = st.integers(3, 5).flatmap(
    lambda n: st.lists(
        st.lists(st.sampled_from(["x", "y", "z", None]), min_size=n, max_size=n),
        min_size=1,
        max_size=12,
    )
)


def panel(case):
    labels = case["inputs"]["labels"]
    return list(labels), list(zip(*labels.values(), strict=True))


@pytest.mark.parametrize("case", cases("dawid_skene"))
def test_dawid_skene_vector(case):
    # crowd-kit 1.4.2 stopped after two steps: its bound counts the shares once for each rating
    # instead of once for each unit, so it may fall while the likelihood rises. Its state after
    # those two steps is what the first half of the third one sees here.
    names, rows = panel(case)
    expected, near = case["expected"], case["tolerance"]
    array = rating_array(rows, "ABC")
    third, second = _climb(array, 3, 1e-9), _climb(array, 2, 1e-9)
    assert third.shares.tolist() == pytest.approx(list(expected["priors"].values()), abs=near)
    used = array.sum(axis=0) > 0
    for rater, name in enumerate(names):
        right = np.diagonal(third.errors[rater])[used[rater]].mean()
        assert right == pytest.approx(expected["mean_diag_accuracy"][name], abs=near)
    majority = array.sum(axis=1).argmax(axis=1)
    unlike = int((second.probabilities.argmax(axis=1) != majority).sum())
    assert unlike == expected["n_items_differing_from_majority"]
    # It had far to go.
    assert dawid_skene(rows, "ABC").log_likelihood > second.log_likelihood + 10


def log_likelihood(parameters, array):
    n_raters, k = array.shape[1:]
    logits = parameters.reshape(1 + n_raters * k, k)
    logs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    errors = logs[1:].reshape(n_raters, k, k)
    by_unit = logs[0] + np.einsum("igl,gkl->ik", array, errors)
    return float(np.log(np.exp(by_unit).sum(axis=1)).sum())


def test_dawid_skene_oracle_is_a_summit_of_the_likelihood():
    generator = np.random.default_rng(5)
    truth = generator.integers(0, 2, 60)
    flips = generator.random((60, 4)) < [0.1, 0.2, 0.3, 0.25]
    ratings = (truth[:, np.newaxis] ^ flips).tolist()
    result = dawid_skene(ratings, [0, 1])
    array = rating_array(ratings, [0, 1])
    errors = np.array(result.error_rates)
    start = np.log(np.maximum(np.vstack([[result.shares], errors.reshape(-1, 2)]), 1e-9)).ravel()
    assert log_likelihood(start, array) == pytest.approx(result.log_likelihood, abs=1e-5)
    summit = minimize(lambda p: -log_likelihood(p, array), start, method="BFGS")
    assert -summit.fun == pytest.approx(result.log_likelihood, abs=1e-4)


def test_a_planted_panel_is_recovered():
    generator = np.random.default_rng(11)
    truth = generator.choice(3, 3000, p=[0.5, 0.3, 0.2])
    rows = []
    for category in truth:
        row = [category if generator.random() < right else (category + 1) % 3 for right in RIGHT]
        rows.append(row)
    result = dawid_skene(rows, range(3))
    assert result.mean_accuracy == pytest.approx(RIGHT, abs=0.03)
    assert result.shares == pytest.approx([0.5, 0.3, 0.2], abs=0.03)
    assert np.mean(np.array(result.unit_categories) == truth) > 0.93


RIGHT = [0.95, 0.8, 0.7, 0.6, 0.85]


def test_raters_who_share_an_error_become_the_truth():
    # Two good raters against three who copy one another: the model believes the copies.
    generator = np.random.default_rng(2)
    truth = generator.integers(0, 2, 400)
    copied = truth ^ (generator.random(400) < 0.3)
    good = [truth ^ (generator.random(400) < 0.1) for _ in range(2)]
    result = dawid_skene(np.stack([*good, copied, copied, copied], axis=1).tolist(), [0, 1])
    assert min(result.mean_accuracy[2:]) > 0.97
    assert max(result.mean_accuracy[:2]) < 0.75


@settings(deadline=None)
@given(RATINGS, st.permutations("xyz"), st.randoms(use_true_random=False))
def test_names_of_categories_and_sequence_of_raters_do_not_matter(ratings, names, random):
    raters = list(range(len(ratings[0])))
    random.shuffle(raters)
    renamed = dict(zip("xyz", names, strict=True)) | {None: None}
    there = dawid_skene([[renamed[row[rater]] for rater in raters] for row in ratings], names)
    here = dawid_skene(ratings, "xyz")
    assert here.undefined == there.undefined
    if here.shares is not None:
        assert here.log_likelihood == pytest.approx(there.log_likelihood, abs=1e-4)
        assert here.shares == pytest.approx(there.shares, abs=1e-3)
        assert sum(here.shares) == pytest.approx(1)
        assert here.n_units == here.n_left_out + sum(p is not None for p in here.unit_probabilities)


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([], Undefined.NO_OBSERVATIONS),
        ([[None, None, None]], Undefined.NO_OBSERVATIONS),
        (["xy", "yy"], Undefined.NOT_IDENTIFIED),
        ([["x", "y", None], ["y", "y", None]], Undefined.NOT_IDENTIFIED),
        (["xxx", "xxx"], Undefined.EXPECTED_AGREEMENT_ONE),
    ],
)
def test_no_value_has_its_reason(ratings, reason):
    result = dawid_skene(ratings, "xy")
    assert (result.shares, result.log_likelihood, result.undefined) == (None, None, reason)
    assert set(result.unit_probabilities) <= {None}


@pytest.mark.parametrize("case", cases("dawid_skene"))
def test_steps_that_do_not_suffice_give_no_value(case):
    result = dawid_skene(panel(case)[1], "ABC", most_iterations=3)
    assert (result.undefined, result.n_iterations) == (Undefined.NO_CONVERGENCE, 3)
    assert (result.shares, set(result.mean_accuracy)) == (None, {None})


def test_full_agreement_is_certain():
    result = dawid_skene(["xxx", "yyy", "xxx", [None] * 3], "xyz")
    assert result.unit_categories == ("x", "y", "x", None)
    assert result.error_rates[0][2] is None
    assert (result.n_left_out, result.n_unlike_majority) == (1, 0)


@pytest.mark.parametrize(
    ("most", "tolerance"), [(0, 1e-9), (1.5, 1e-9), (10, 0), (10, float("nan"))]
)
def test_settings_without_meaning_are_refused(most, tolerance):
    with pytest.raises(StatisticsError):
        dawid_skene(["xxx", "xyx"], "xy", most, tolerance)
