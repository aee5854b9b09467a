"""The tie rule: an exact identity, bounds from published rates against a real artifact, edges."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Undefined, tie_rule_bounds, tie_rule_effect
from vectors.loading import cases

CALL = st.sampled_from("abt")
UNITS = st.lists(st.tuples(CALL, CALL, CALL), max_size=60)


def columns(units):
    return tuple(zip(*units, strict=True)) if units else ((), (), ())


@given(UNITS)
def test_tie_rule_oracle_applies_the_rule(units):
    result = tie_rule_effect(*columns(units), tie="t")
    ruled = [first if first == second else "t" for first, second, _ in units]
    right = [call == reference for call, (_, _, reference) in zip(ruled, units, strict=True)]
    alone = [first == reference for first, _, reference in units]
    assert result.n_gained == sum(r and not a for r, a in zip(right, alone, strict=True))
    assert result.n_lost == sum(a and not r for r, a in zip(right, alone, strict=True))
    if not units:
        assert (result.difference, result.undefined) == (None, Undefined.NO_OBSERVATIONS)
        return
    assert result.rule_share == pytest.approx(sum(right) / len(units))
    assert result.first_share == pytest.approx(sum(alone) / len(units))


@given(UNITS)
def test_the_identity_is_exact(units):
    result = tie_rule_effect(*columns(units), tie="t")
    if result.n_disagree == 0:
        assert (result.tie_when_disagreed, result.n_gained, result.n_lost) == (None, 0, 0)
        return
    disagree = Fraction(result.n_disagree, result.n_units)
    tie_right = Fraction(result.n_tie_right, result.n_disagree)
    first_right = Fraction(result.n_first_right, result.n_disagree)
    change = Fraction(result.n_gained - result.n_lost, result.n_units)
    assert disagree * (tie_right - first_right) == change
    assert result.difference == pytest.approx(float(change), abs=1e-15)
    assert result.agreement == pytest.approx(float(1 - disagree))
    if result.n_agree:
        agreed = Fraction(result.n_agree_right, result.n_agree)
        assert result.rule_share == pytest.approx(
            float((1 - disagree) * agreed + disagree * tie_right)
        )


@given(st.lists(st.tuples(CALL, CALL, st.sampled_from("ab")), min_size=1, max_size=40))
def test_without_ties_in_the_reference_the_rule_never_helps(units):
    assert tie_rule_effect(*columns(units), tie="t").difference <= 0


@pytest.mark.parametrize("case", cases("tie_estimator"))
def test_tie_rule_bounds_vector(case):
    inputs, expected, near = case["inputs"], case["expected"], {"abs": case["tolerance"]}
    first_share, rule_share = inputs["b0_correct"] / 400, inputs["s1_correct"] / inputs["n_s1"]
    result = tie_rule_bounds(
        first_share, rule_share, inputs["b0_ties"], inputs["s1_ties"], inputs["n_s1"], inputs["t"]
    )
    found = [result.disagreement_low, result.disagreement_high]
    assert found == pytest.approx(expected["disagree_range"], **near)
    needed = [result.excess_low, result.excess_high]
    assert needed == pytest.approx(expected["needed_ttilde_minus_r"], **near)
    assert result.naive_at_high == pytest.approx(expected["naive_at_seed_a"], **near)
    assert result.naive_at_low == pytest.approx(expected["naive_at_max_a"], **near)
    assert result.rule_share == pytest.approx(expected["actual"], **near)
    misses = [rule_share - result.naive_at_high, rule_share - result.naive_at_low]
    assert misses == pytest.approx([expected["err_seed"], expected["err_min"]], **near)


@given(UNITS.filter(bool))
def test_the_bounds_hold_what_the_calls_show(units):
    effect = tie_rule_effect(*columns(units), tie="t")
    ruled = [first if first == second else "t" for first, second, _ in units]
    bounds = tie_rule_bounds(
        effect.first_share,
        effect.rule_share,
        sum(first == "t" for first, _, _ in units),
        ruled.count("t"),
        len(units),
        sum(reference == "t" for _, _, reference in units) / len(units),
    )
    rounding = 1e-9
    disagreed = effect.n_disagree / effect.n_units
    assert bounds.undefined is None
    assert bounds.disagreement_low - rounding <= disagreed <= bounds.disagreement_high + rounding
    if effect.n_disagree:
        excess = effect.tie_when_disagreed - effect.first_when_disagreed
        assert bounds.excess_low - rounding <= excess <= bounds.excess_high + rounding
        assert -1 - rounding <= bounds.excess_low <= bounds.excess_high <= 1 + rounding


def test_figures_that_contradict_each_other_have_no_bounds():
    result = tie_rule_bounds(0.5, 0.8, 10, 20, 100, 0.2)
    assert result.undefined is Undefined.CONTRADICTORY
    assert (result.disagreement_low, result.excess_high, result.naive_at_low) == (None, None, None)
    assert tie_rule_bounds(0.5, 0.5, 0, 0, 0, 0.2).undefined is Undefined.NO_OBSERVATIONS
    same = tie_rule_bounds(0.5, 0.5, 30, 20, 100, 0.2)
    assert (same.disagreement_low, same.excess_low, same.excess_high) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "call",
    [
        lambda: tie_rule_effect("ab", "a", "ab", "t"),
        lambda: tie_rule_effect("ab", "ab", "a", "t"),
        lambda: tie_rule_bounds(1.2, 0.5, 1, 2, 10, 0.2),
        lambda: tie_rule_bounds(0.5, float("nan"), 1, 2, 10, 0.2),
        lambda: tie_rule_bounds(0.5, 0.5, 1, 2, 10, -0.1),
        lambda: tie_rule_bounds(0.5, 0.5, 11, 2, 10, 0.2),
        lambda: tie_rule_bounds(0.5, 0.5, 1, 2.5, 10, 0.2),
        lambda: tie_rule_bounds(0.5, 0.5, -1, 2, 10, 0.2),
    ],
)
def test_meaningless_arguments_are_refused(call):
    with pytest.raises(StatisticsError):
        call()
