"""The truth that simulations are held against is itself checked, on very many pairs."""

from __future__ import annotations

import numpy as np
import pytest

from counterbalance.compare.comparison import Plan, compare
from counterbalance.measures.catalogue import group_measures
from counterbalance.selftest import scenarios
from counterbalance.selftest.drawn import BASELINE, clusters_of, columns_of, joined
from counterbalance.selftest.laws import CoinLaw, SlotLaw

MANY = 8000


@pytest.mark.parametrize(
    "law",
    [
        SlotLaw(tie=0.1, content=(0.9, 0.5), wins=(0.8, 0.4), first=0.7),
        SlotLaw(tie=0.0, content=(0.2, 0.6), wins=(0.1, 0.9), first=0.5),
        CoinLaw(forward=(0.9, 0.4), reversed_=(0.9, 0.4)),
        CoinLaw(forward=(0.9, 0.1), reversed_=(0.2, 0.1)),
    ],
)
def test_measures_of_very_many_pairs_come_near_the_truth(law):
    generator = np.random.default_rng(1)
    clusters = clusters_of(generator, MANY)
    pairs = columns_of(law.draw(generator, clusters), clusters)
    found = {e.name: e.value for e in group_measures(pairs, baseline=BASELINE)}
    for name, truth in law.truth.items():
        assert found[name] == pytest.approx(truth, abs=0.02), name


@pytest.mark.parametrize("law", [scenarios._ALIKE, scenarios._UNLIKE, scenarios._AT_MARGIN])
def test_differences_of_very_many_pairs_come_near_the_truth(law):
    generator = np.random.default_rng(2)
    clusters = clusters_of(generator, MANY)
    first, second = scenarios._sides(joined(list(law.draw(generator, clusters)), clusters))
    found = compare([(first, second)], Plan(("agreement_both", "win_rate_a")))
    for difference, _ in found.comparisons[0].differences:
        assert difference.value == pytest.approx(law.difference, abs=0.02)


def test_the_law_at_the_margin_is_at_the_margin():
    assert scenarios._AT_MARGIN.difference == pytest.approx(scenarios._MARGIN)
    assert scenarios._ALIKE.difference == pytest.approx(0)


def test_pairs_of_a_cluster_resemble_one_another():
    generator = np.random.default_rng(3)
    clusters = np.repeat(np.arange(2000, dtype=np.int32), 2)
    law = SlotLaw(tie=0, content=(1.0, 1.0), wins=(0.9, 0.1), first=0.5)
    won = law.draw(generator, clusters).forward.reshape(-1, 2)
    assert (won[:, 0] == won[:, 1]).mean() == pytest.approx(0.82, abs=0.03)
