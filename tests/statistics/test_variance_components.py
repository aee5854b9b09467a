"""Variance components by balanced arithmetic, by their expectation, and by reason."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Undefined, variance_components


def nested(sizes):
    """Names of units and clusters; `sizes` are the repeats of each unit, by cluster."""
    units, clusters = [], []
    for g, cluster in enumerate(sizes):
        for u, repeats in enumerate(cluster):
            units += [(g, u)] * repeats
            clusters += [g] * repeats
    return units, clusters


def test_balanced_oracle_by_the_means():
    # 3 clusters x 2 units x 2 repeats: variances of means, each less its share of the next one.
    values = np.array([[[1, 3], [4, 6]], [[2, 2], [5, 7]], [[9, 8], [4, 3]]], dtype=float)
    units, clusters = nested([[2, 2]] * 3)
    found = variance_components(values.ravel(), units, clusters)
    repeat = values.var(axis=2, ddof=1).mean()
    unit = values.mean(axis=2).var(axis=1, ddof=1).mean() - repeat / 2
    cluster = values.mean(axis=(1, 2)).var(ddof=1) - unit / 2 - repeat / 4
    assert found.repeat.uncut == pytest.approx(repeat)
    assert found.unit.uncut == pytest.approx(unit)
    assert found.cluster.uncut == pytest.approx(cluster)


def test_unbalanced_components_are_unbiased():
    sizes = [[3, 1, 2], [2], [1, 4], [2, 2, 2, 1], [5, 1]]
    units, clusters = nested(sizes)
    unit_codes = np.unique([f"{u}" for u in units], return_inverse=True)[1]
    generator = np.random.default_rng(20261130)
    draws = []
    for _ in range(4000):
        values = (
            generator.normal(0, 0.7, 5)[clusters]
            + generator.normal(0, 1.0, unit_codes.max() + 1)[unit_codes]
            + generator.normal(0, 0.5, len(units))
        )
        found = variance_components(values, units, clusters)
        draws.append([found.cluster.uncut, found.unit.uncut, found.repeat.uncut])
    error = np.std(draws, axis=0) / np.sqrt(len(draws))
    assert np.abs(np.mean(draws, axis=0) - [0.49, 1.0, 0.25]).max() < 4 * error.max()


@given(st.lists(st.integers(-5, 5), min_size=8, max_size=8), st.floats(-3, 3), st.floats(0.5, 3))
def test_shifting_changes_nothing_and_scaling_squares(values, shift, scale):
    units, clusters = nested([[2, 2], [1, 3]])
    here = variance_components(values, units, clusters)
    there = variance_components(np.array(values) * scale + shift, units, clusters)
    for name in ("cluster", "unit", "repeat"):
        one, other = getattr(here, name), getattr(there, name)
        assert one.undefined == other.undefined
        if one.uncut is not None:
            assert other.uncut == pytest.approx(one.uncut * scale**2, abs=1e-7)
            assert one.variance == max(0.0, one.uncut)


def test_each_component_has_its_own_reason():
    no_repeats = variance_components([1, 2, 4, 9], "abcd", "ppqq")
    assert no_repeats.repeat.undefined is Undefined.TOO_FEW_REPEATS
    assert no_repeats.unit.undefined is Undefined.TOO_FEW_REPEATS
    # Means 1.5 and 6.5; units within differ by 1 and 5: 12.5 - (0.5 + 12.5) / 2 / 2.
    assert no_repeats.cluster.uncut == pytest.approx(12.5 - 6.5 / 2)
    single_units = variance_components([1, 2, 4, 9], "aabb", "ppqq")
    assert single_units.unit.undefined is Undefined.TOO_FEW_UNITS
    assert single_units.cluster.uncut == pytest.approx(12.5 - 6.5 / 2)
    assert variance_components([1, 2, 3], "aab", "ppp").cluster.undefined is Undefined.ONE_CLUSTER
    lone = variance_components([1, 2, 3], "abc", "pqr")
    assert lone.cluster.undefined is Undefined.TOO_FEW_REPEATS


@pytest.mark.parametrize(
    ("values", "reason"), [([], Undefined.NO_OBSERVATIONS), ([1, 1], Undefined.NO_VARIATION)]
)
def test_nothing_that_varies_has_no_components(values, reason):
    found = variance_components(values, range(len(values)), range(len(values)))
    for component in (found.cluster, found.unit, found.repeat):
        assert (component.variance, component.undefined) == (None, reason)


@pytest.mark.parametrize(
    ("values", "units", "clusters"),
    [
        ([1, 2], "aa", "pq"),
        ([1, 2], "a", "pp"),
        ([1, 2], "ab", "p"),
        ([1, float("nan")], "ab", "pq"),
        ([1, float("inf")], "ab", "pq"),
    ],
)
def test_values_and_names_that_do_not_fit_are_refused(values, units, clusters):
    with pytest.raises(StatisticsError):
        variance_components(values, units, clusters)
