"""Conditional and marginal odds of two judges, named apart."""

from __future__ import annotations

import numpy as np
import pytest

from compare.sides import side
from counterbalance.compare.comparison import Plan, compare
from counterbalance.compare.odds import judge_odds
from counterbalance.report.odds_text import odds_lines, odds_value
from counterbalance.statistics import cluster_logit, mixed_logit

RIGHT, WRONG = ("a", "a"), ("b", "b")


def compared(n=240, clusters=None):
    """Two judges of pairs that differ in difficulty; the second is better everywhere."""
    generator = np.random.default_rng(11)
    ease = generator.normal(scale=2, size=n)
    sides = []
    for name, shift in (("one", 0.0), ("two", 1.5)):
        is_right = generator.random(n) < 1 / (1 + np.exp(-(ease + shift)))
        said = {f"p{i}": RIGHT if right else WRONG for i, right in enumerate(is_right.tolist())}
        sides.append(side(said, name, clusters=clusters))
    return compare([(sides[0], sides[1])], Plan(("agreement_both", "win_rate_a"))).comparisons[0]


def odds_of(comparison):
    sides = comparison.first, comparison.second
    return judge_odds(sides, comparison.matched, [d.measure for d, _ in comparison.differences])


def test_both_odds_are_those_of_the_statistics_and_are_named_apart():
    comparison = compared()
    (odds,) = odds_of(comparison)
    values = np.concatenate(
        [s.pairs.verdict("forward") == 0 for s in (comparison.first, comparison.second)]
    ).astype(int)
    pairs = list(range(240)) * 2
    features = [[0.0]] * 240 + [[1.0]] * 240
    oracle = mixed_logit(values, features, ["two"], {"pair": pairs}, "pair")
    assert odds.fit.conditional == oracle.conditional
    marginal = cluster_logit(values, features, ["two"], pairs).coefficients[1].estimate
    assert odds.fit.marginal.coefficients[1].estimate == pytest.approx(marginal)
    assert odds.fit.conditional[1].estimate > marginal > 0
    text = "\n".join(odds_lines(odds))
    assert "conditional odds ratio" in text
    assert "for one given pair" in text
    assert "averaged over pairs" in text
    value = odds_value(odds)
    assert value["conditional_log_odds"]["value"] != value["marginal_log_odds"]["value"]


def test_pairs_that_share_clusters_have_an_intercept_for_each():
    clusters = {f"p{i}": f"c{i // 6}" for i in range(240)}
    (odds,) = odds_of(compared(clusters=clusters))
    assert [group.name for group in odds.fit.groups] == ["pair", "cluster"]
    assert odds.fit.cluster == "cluster"


def test_judges_that_are_always_right_have_no_odds_and_it_says_why():
    said = {f"p{i}": RIGHT for i in range(30)}
    found = compare([(side(said, "one"), side(said, "two"))], Plan(("agreement_both",)))
    (odds,) = odds_of(found.comparisons[0])
    text = "\n".join(odds_lines(odds))
    assert "no conditional odds: " in text
    assert "nan" not in text
