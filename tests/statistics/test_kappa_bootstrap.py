"""Kappa of clustered units: the plain kappa, its standard error, an oracle that draws clusters."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Undefined, bootstrap_kappa, cohen_kappa
from vectors.loading import cases


def rng(seed=0):
    return np.random.default_rng(seed)


def units_of(table):
    rows = [(i, j) for i, j in np.ndindex(*np.shape(table)) for _ in range(table[i][j])]
    return [i for i, _ in rows], [j for _, j in rows]


def table_of(first, second, n_kinds):
    table = np.zeros((n_kinds, n_kinds), int)
    np.add.at(table, (np.asarray(first), np.asarray(second)), 1)
    return table


@pytest.mark.parametrize("case", cases("kappa"))
def test_bootstrap_kappa_vector(case):
    expected = case["expected"]
    first, second = units_of(case["inputs"]["table"])
    result = bootstrap_kappa(first, second, None, rng(1))
    assert result.estimate == pytest.approx(expected["kappa"], abs=case["tolerance"])
    # With independent units the linearised error is the one of Fleiss, Cohen and Everitt, but for
    # the factor n / (n - 1).
    assert result.se == pytest.approx(expected["ase"] * np.sqrt(400 / 399), rel=1e-9)
    assert (result.low, result.high) == pytest.approx(tuple(expected["ci95"]), abs=0.004)


def test_kappa_oracle_draws_cluster_by_cluster():
    generator = rng(2)
    codes = np.repeat(np.arange(60), 3)
    shared = generator.integers(0, 3, 60)[codes]
    first = np.where(generator.random(180) < 0.7, shared, generator.integers(0, 3, 180))
    second = np.where(generator.random(180) < 0.5, shared, generator.integers(0, 3, 180))
    kappas = []
    for _ in range(3000):
        places = (generator.integers(0, 60, 60)[:, None] * 3 + np.arange(3)).ravel()
        kappas.append(cohen_kappa(table_of(first[places], second[places], 3)).kappa)
    result = bootstrap_kappa(first, second, codes, rng(3), method="percentile")
    assert result.estimate == pytest.approx(cohen_kappa(table_of(first, second, 3)).kappa)
    expected = np.quantile(kappas, [0.025, 0.975])
    assert (result.low, result.high) == pytest.approx(tuple(expected), abs=0.01)
    assert result.se == pytest.approx(np.std(kappas), rel=0.08)


@settings(max_examples=40, deadline=None)
@given(
    pairs=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=40),
    n_clusters=st.integers(1, 30),
)
def test_exchanging_raters_or_renaming_categories_changes_nothing(pairs, n_clusters):
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    codes = [place % n_clusters for place in range(len(pairs))]
    here = bootstrap_kappa(first, second, codes, rng(), n_replicates=199)
    names = {0: "tie", 1: ("b",), 2: None}
    renamed = bootstrap_kappa(
        [names[a] for a in first], [names[b] for b in second], codes, rng(), n_replicates=199
    )
    exchanged = bootstrap_kappa(second, first, codes, rng(), n_replicates=199)
    assert here == renamed
    assert (here.undefined, here.interval_undefined is None) == (
        exchanged.undefined,
        exchanged.interval_undefined is None,
    )
    if here.se is not None:
        assert here.estimate == pytest.approx(exchanged.estimate, abs=1e-9)
        assert here.se == pytest.approx(exchanged.se, rel=1e-6)
    if here.low is not None:
        assert -1 <= here.low < here.high <= 1
    assert (here.estimate is None) == (here.undefined is not None)


def test_shared_clusters_widen_the_interval():
    first, second = [0, 0, 0, 1, 1] * 12, [0, 0, 1, 1, 0] * 12
    alone = bootstrap_kappa(first * 4, second * 4, None, rng(4))
    copies = bootstrap_kappa(first * 4, second * 4, list(range(60)) * 4, rng(4))
    once = bootstrap_kappa(first, second, None, rng(4))
    assert copies.se == pytest.approx(once.se, rel=1e-9)
    assert copies.se == pytest.approx(2 * alone.se, rel=0.02)


def test_dead_ends_have_a_reason():
    assert bootstrap_kappa([], [], None, rng()).undefined is Undefined.NO_OBSERVATIONS
    same = bootstrap_kappa(["u"] * 30, ["u"] * 30, None, rng())
    assert (same.estimate, same.undefined) == (None, Undefined.EXPECTED_AGREEMENT_ONE)
    full = bootstrap_kappa([0, 1] * 15, [0, 1] * 15, None, rng())
    assert (full.estimate, full.interval_undefined) == (1.0, Undefined.NO_VARIATION)
    few = bootstrap_kappa([0, 1, 1], [0, 1, 0], None, rng())
    assert few.interval_undefined is Undefined.TOO_FEW_CLUSTERS
    one = bootstrap_kappa([0, 1, 1], [0, 1, 0], ["p"] * 3, rng())
    assert one.interval_undefined is Undefined.ONE_CLUSTER


@pytest.mark.parametrize(
    "call",
    [
        lambda: bootstrap_kappa([0, 1], [0], None, rng()),
        lambda: bootstrap_kappa([0, 1], [0, 1], ["p"], rng()),
        lambda: bootstrap_kappa([0, 1], [0, 1], None, rng(), 1.0),
        lambda: bootstrap_kappa([0, 1], [0, 1], None, rng(), method="normal"),
    ],
)
def test_meaningless_arguments_are_refused(call):
    with pytest.raises(StatisticsError):
        call()
