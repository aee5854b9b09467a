"""Strategies beside one another: what is counted, tested together, and advised."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compare.sides import repeated
from compare.strategy_sides import strategy
from counterbalance.compare.advice import Situation, advice
from counterbalance.compare.strategy_difference import strategy_difference
from counterbalance.compare.strategy_side import CostOfPair
from counterbalance.compare.strategy_table import StrategyPlan, strategy_table
from counterbalance.errors import UsageError
from counterbalance.report.strategy_comparison_json import strategies_value
from counterbalance.report.strategy_comparison_text import strategies_text
from counterbalance.statistics.mcnemar import mcnemar_test

RIGHT, WRONG, HALF, NONE = ("a", "a"), ("b", "b"), ("a", "b"), ("a", "unparsed")
PLAN = StrategyPlan("B0")


def table_of(*sides, plan=PLAN):
    return strategy_table(sides, plan)


def advised(table, sides, situation, adversarial=()):
    (found,) = [x for x in advice(table, sides, adversarial) if x.situation is situation]
    return found


def test_one_call_agrees_by_half_where_one_order_does_and_a_tie_by_rule_does_not():
    said = repeated((4, RIGHT), (3, WRONG), (2, HALF), (1, NONE))
    table = table_of(strategy(said), strategy(said, "S1", by_rule=True))
    one, both = table.rows
    assert (one.agreement.numerator, one.agreement.denominator) == (5.0, 9)
    assert (both.agreement.numerator, both.agreement.denominator) == (4, 9)
    assert (one.n_undecided, both.n_undecided) == (1, 1)
    assert (both.made_ties, one.made_ties) == (2, 0)
    assert (one.stable, one.disagreeing, one.two_verdicts) == (7, 2, 9)
    assert any("No reference accepts a tie" in note for note in table.notes)
    # Both rest on the same verdicts: there is nothing to compare in how stable they are.
    assert table.consistency == ()


def test_a_tie_that_a_reference_accepts_is_no_loss_of_the_rule():
    said = repeated((4, RIGHT), (2, HALF))
    table = table_of(strategy(said), strategy(said, "S1", by_rule=True, accepted=("a", "tie")))
    assert not any("No reference accepts a tie" in note for note in table.notes)


def test_yes_or_no_on_both_sides_is_mcnemar():
    first = strategy(repeated((20, RIGHT), (12, WRONG), (8, RIGHT)), "S5")
    base = strategy(repeated((20, RIGHT), (20, WRONG)))
    found = strategy_difference(first, base)
    assert (found.n_gained, found.n_lost, found.n_common) == (8, 0, 40)
    assert found.p_value == mcnemar_test(8, 0).p_value
    assert found.p_method == "mcnemar_mid_p"


def test_pairs_are_joined_by_key_never_by_place():
    said = repeated((5, RIGHT), (5, WRONG))
    turned = dict(reversed(said.items()))
    found = strategy_difference(strategy(turned, "S5"), strategy(said))
    assert (found.n_gained, found.n_lost, found.value) == (0, 0, 0.0)
    less = dict(list(turned.items())[:7])
    assert strategy_difference(strategy(less, "S5"), strategy(said)).n_common == 7


def test_missing_results_bound_the_difference():
    base = strategy(repeated((20, RIGHT)))
    found = strategy_difference(strategy(repeated((15, RIGHT), (5, NONE)), "S5"), base)
    assert (found.value, found.n_common, found.n_missing) == (0.0, 15, 5)
    assert (found.least, found.most) == (-0.25, 0.0)


@given(st.lists(st.sampled_from([RIGHT, WRONG, HALF]), min_size=2, max_size=30), st.randoms())
def test_exchanging_the_two_strategies_exchanges_gained_and_lost(words, random):
    said = repeated(*((1, word) for word in words))
    other = dict(zip(said, random.sample(words, len(words)), strict=True))
    there = strategy_difference(strategy(other, "S5"), strategy(said))
    back = strategy_difference(strategy(said), strategy(other, "S5"))
    assert (there.n_gained, there.n_lost) == (back.n_lost, back.n_gained)
    assert there.value == -back.value
    assert there.p_value == pytest.approx(back.p_value)


def test_one_family_over_all_judges_and_detectable_differences_where_nothing_is_found():
    base = repeated((60, RIGHT), (60, WRONG))
    near = repeated((62, RIGHT), (58, WRONG))
    far = repeated((110, RIGHT), (10, WRONG))
    sides = [
        strategy(said, name, judge=judge)
        for judge in ("one", "two")
        for name, said in (("B0", base), ("S5", near), ("S8", far))
    ]
    table = table_of(*sides)
    assert table.family.family_size == 4
    by_name = {(t.found.judge, t.found.strategy): t for t in table.tests}
    assert by_name["one", "S8"].is_found
    assert by_name["one", "S8"].detectable is None
    open_one = by_name["two", "S5"]
    assert not open_one.is_found
    assert 0 < open_one.detectable < 1
    assert open_one.more_needed > 0
    assert open_one.adjusted >= open_one.found.p_value
    with_margin = table_of(*sides, plan=StrategyPlan("B0", margin=0.2)).tests
    (wanted,) = [t for t in with_margin if (t.found.judge, t.found.strategy) == ("two", "S5")]
    assert wanted.pairs_needed < open_one.pairs_needed
    assert wanted.has_enough == (wanted.pairs_needed <= 120)


def test_pairs_that_are_enough_for_the_margin_need_no_more():
    base = repeated((150, RIGHT), (150, WRONG))
    near = repeated((153, RIGHT), (147, WRONG))
    sides = [strategy(base), strategy(near, "S5")]
    table = table_of(*sides, plan=StrategyPlan("B0", margin=0.3))
    (test,) = table.tests
    assert (test.has_enough, test.more_needed) == (True, None)
    assert "enough" in strategies_text(table, ())
    found = advised(table, sides, Situation.NATURAL)
    assert "enough to find what was asked for" in found.sentence
    assert found.more_pairs is None


def test_advice_by_kind_of_data_follows_the_numbers():
    base = repeated((50, RIGHT), (50, WRONG))
    kinds = {key: "hard" if n % 2 else "easy" for n, key in enumerate(base)}
    # Better on the hard half only: every hard pair is right.
    better = {key: RIGHT if kinds[key] == "hard" else base[key] for key in base}
    sides = [strategy(base, categories=kinds), strategy(better, "S5", categories=kinds)]
    table = table_of(*sides)
    hard = advised(table, sides, Situation.ADVERSARIAL, ("hard",))
    assert hard.strategy == "S5"
    assert "25 gained and 0 lost of 50 pairs" in hard.evidence[0]
    easy = advised(table, sides, Situation.NATURAL, ("hard",))
    assert easy.strategy is None
    assert "Cannot tell yet" in easy.sentence
    unnamed = advised(table, sides, Situation.ADVERSARIAL)
    assert unnamed.strategy is None
    assert "--adversarial" in unnamed.sentence


def test_advice_names_how_many_more_pairs_it_takes():
    base = repeated((30, RIGHT), (30, WRONG))
    near = repeated((33, RIGHT), (27, WRONG))
    sides = [strategy(base), strategy(near, "S5")]
    found = advised(table_of(*sides), sides, Situation.NATURAL)
    assert found.strategy is None
    assert found.more_pairs > 0
    assert f"{found.more_pairs} more pairs" in found.sentence


def test_with_a_margin_the_pairs_needed_are_for_that_whatever_was_seen():
    base = repeated((30, RIGHT), (30, WRONG))
    plan = StrategyPlan("B0", margin=0.05)
    for n_right in (33, 30, 28):
        near = repeated((n_right, RIGHT), (60 - n_right, WRONG))
        sides = [strategy(base), strategy(near, "S5")]
        table = table_of(*sides, plan=plan)
        found = advised(table, sides, Situation.NATURAL)
        assert found.strategy is None
        assert found.more_pairs == table.tests[0].more_needed > 0
        assert f"{found.more_pairs} more pairs" in found.sentence
        assert "a difference of 5 points" in found.sentence
        assert ("None is above it" in found.sentence) == (n_right <= 30)


def test_without_a_margin_and_with_nothing_above_the_baseline_it_says_where_the_number_is():
    base = repeated((30, RIGHT), (30, WRONG))
    near = repeated((28, RIGHT), (32, WRONG))
    sides = [strategy(base), strategy(near, "S5")]
    table = table_of(*sides)
    found = advised(table, sides, Situation.NATURAL)
    assert found.more_pairs is None
    points = f"{100 * table.tests[0].detectable:.1f} points"
    assert f"60 pairs like these find {points}" in found.sentence
    assert "--margin strategy_agreement=VALUE says how many more pairs" in found.sentence


def test_a_worse_strategy_is_never_advised():
    sides = [
        strategy(repeated((60, RIGHT))),
        strategy(repeated((30, RIGHT), (30, WRONG)), "S5"),
    ]
    found = advised(table_of(*sides), sides, Situation.NATURAL)
    assert found.strategy == "B0"
    assert "not S5" in found.evidence[0]


def test_without_references_only_stability_is_compared():
    shaky = repeated((30, RIGHT), (30, HALF))
    firm = repeated((60, RIGHT))
    sides = [strategy(shaky, accepted=()), strategy(firm, "S5", accepted=())]
    table = table_of(*sides)
    assert table.tests[0].found.value is None
    assert table.points == ()
    found = advised(table, sides, Situation.NO_REFERENCE)
    assert found.strategy == "S5"
    assert "Stable is not right" in found.sentence
    assert (
        "no pair of this kind has a reference" in advised(table, sides, Situation.NATURAL).sentence
    )


def test_a_tight_budget_takes_the_cheapest_and_says_what_a_dearer_one_is_known_to_bring():
    base = repeated((50, RIGHT), (50, WRONG))
    far = repeated((90, RIGHT), (10, WRONG))
    sides = [
        strategy(base, cost=CostOfPair(1, 0.001)),
        strategy(far, "S8", cost=CostOfPair(2, 0.02)),
    ]
    table = table_of(*sides)
    assert table.cost_unit == "dollars"
    found = advised(table, sides, Situation.TIGHT_BUDGET)
    assert found.strategy == "B0"
    assert "S8 at 0.02 dollars a pair" in found.evidence[1]
    unpriced = [sides[0], strategy(far, "S8", cost=CostOfPair(2, None, "unpriced"))]
    assert table_of(*unpriced).cost_unit == "calls"
    unknown = [sides[0], strategy(far, "S8")]
    assert table_of(*unknown).points == ()
    assert "Cannot tell" in advised(table_of(*unknown), unknown, Situation.TIGHT_BUDGET).sentence


def test_an_unknown_baseline_is_refused_with_those_there_are():
    with pytest.raises(UsageError, match="there are: B0"):
        table_of(strategy(repeated((3, RIGHT))), plan=StrategyPlan("S9"))


def test_hostile_names_reach_no_terminal_and_json_has_no_nan():
    said = repeated((3, RIGHT), (3, HALF))
    sides = [
        strategy(said, judge="evil\x1b[31m\njudge"),
        strategy(said, "S1\x07", by_rule=True, judge="evil\x1b[31m\njudge"),
    ]
    table = table_of(*sides)
    found = advice(table, sides)
    text = strategies_text(table, found, full=True)
    assert not any(ord(c) < 32 and c != "\n" for c in text)
    value = strategies_value(table, found)
    assert value["schema"] == "counterbalance.strategies/1"
    assert value["strategies"][0]["stable"] == {"numerator": 3, "denominator": 6}


def test_a_panel_is_compared_with_the_baseline_of_its_first_member():
    base = strategy(repeated((10, RIGHT), (10, WRONG)), judge="one")
    panel = replace(strategy(repeated((20, RIGHT)), "S3", judge="one + two"), compared_with="one")
    table = table_of(base, panel)
    (test,) = table.tests
    assert (test.found.baseline, test.found.n_gained) == ("B0 of one", 10)
    assert not any("is not there to compare with" in note for note in table.notes)
    assert "Agreement against B0 of one" in strategies_text(table, ())


def test_a_baseline_in_one_order_is_replaced_by_both_orders_of_its_prompt_for_stability():
    shaky, firm = repeated((30, RIGHT), (30, HALF)), repeated((60, RIGHT))
    one = strategy(firm)
    alone = replace(one, has_two_verdicts=np.zeros(one.n_pairs, dtype=np.bool_))
    swapped, better = strategy(shaky, "S1", by_rule=True), strategy(firm, "S8", by_rule=True)
    table = table_of(alone, swapped, better)
    assert [(t.found.strategy, t.found.baseline) for t in table.consistency] == [("S8", "S1")]
    assert table.consistency[0].is_found
