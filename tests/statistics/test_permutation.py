"""Permutation within units: published p-values, all splits by hand, draws against exact."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterbalance.errors import StatisticsError
from counterbalance.statistics import (
    Undefined,
    excess_disagreement,
    excess_permutation_test,
    permutation,
)
from reference_data import repeated_letters
from vectors.loading import FOLDER

WORDS = st.text("ABC", max_size=3)
EXPECTED = json.loads((FOLDER / "order_vs_repeat.json").read_text("utf-8"))["expected"]


def counted(words):
    return [[word.count(letter) for letter in "ABC"] for word in words]


def excess(first, second):
    """Return the excess of one unit as a fraction, from all pairs of repeats."""

    def unequal(pairs):
        pairs = list(pairs)
        return Fraction(sum(a != b for a, b in pairs), len(pairs))

    within = unequal(combinations(first, 2)) + unequal(combinations(second, 2))
    return unequal(product(first, second)) - within / 2


def splits(first, second):
    """Return the excess of every split of the repeats of one unit."""
    repeats = first + second
    for chosen in combinations(range(len(repeats)), len(first)):
        rest = [repeats[place] for place in range(len(repeats)) if place not in chosen]
        yield excess([repeats[place] for place in chosen], rest)


@pytest.mark.reference
@pytest.mark.parametrize(
    "name", ["MTBench|gpt-4-0613", "DevBench|gemini-pro", "DevBench|gpt-4-0613"]
)
def test_permutation_vector(name):
    full = [row for row in repeated_letters()[name] if "-" not in row[1] + row[2]]
    result = excess_permutation_test(
        counted(row[1] for row in full), counted(row[2] for row in full)
    )
    expected = EXPECTED[name]
    assert result.method == "exact"
    assert result.excess == pytest.approx(expected["excess"], abs=1e-12)
    assert result.p_value == pytest.approx(expected["perm_p"], abs=0.002)


@settings(max_examples=60)
@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=3))
def test_permutation_oracle_by_enumeration(units):
    result = excess_permutation_test(
        counted(first for first, _ in units), counted(second for _, second in units)
    )
    used = [(a, b) for a, b in units if len(a) > 1 and len(b) > 1]
    assert result.n_left_out == len(units) - len(used)
    if not used:
        assert result.undefined is Undefined.TOO_FEW_REPEATS
        return
    seen = sum(excess(a, b) for a, b in used)
    assert result.excess == pytest.approx(float(seen / len(used)), abs=1e-12)
    if all(len(set(splits(a, b))) == 1 for a, b in used):
        assert (result.p_value, result.undefined) == (None, Undefined.NO_VARIATION)
        return
    totals = [sum(combined) for combined in product(*(list(splits(a, b)) for a, b in used))]
    expected = Fraction(sum(total >= seen for total in totals), len(totals))
    assert result.p_value == pytest.approx(float(expected), abs=1e-12)


def draw_conditions(seed):
    generator = np.random.default_rng(seed)
    first = generator.multinomial(3, [0.5, 0.3, 0.2], size=80)
    return first, generator.multinomial(4, [0.4, 0.4, 0.2], size=80)


@pytest.mark.parametrize("seed", range(3))
def test_draws_agree_with_the_exact_distribution(seed, monkeypatch):
    first, second = draw_conditions(seed)
    exact = excess_permutation_test(first, second)
    monkeypatch.setattr(permutation, "_MOST_STEPS", 0)
    drawn = excess_permutation_test(first, second, np.random.default_rng(seed), 20_000)
    assert (exact.method, exact.n_draws) == ("exact", None)
    assert (drawn.method, drawn.n_draws) == ("monte_carlo", 20_000)
    assert drawn.p_value == pytest.approx(exact.p_value, abs=0.015)
    again = excess_permutation_test(first, second, np.random.default_rng(seed), 20_000)
    assert again == drawn


def test_drawn_p_values_are_never_zero(monkeypatch):
    monkeypatch.setattr(permutation, "_MOST_STEPS", 0)
    generator = np.random.default_rng(0)
    result = excess_permutation_test([[3, 0]] * 40, [[0, 3]] * 40, generator, 999)
    assert result.p_value == 1 / 1000


def test_too_large_without_a_generator_is_refused(monkeypatch):
    monkeypatch.setattr(permutation, "_MOST_STEPS", 0)
    with pytest.raises(StatisticsError, match="pass a numpy Generator"):
        excess_permutation_test([[3, 0]], [[0, 3]])


def test_exchanging_the_conditions_changes_nothing():
    first, second = draw_conditions(9)
    here, there = excess_permutation_test(first, second), excess_permutation_test(second, first)
    assert here.excess == pytest.approx(there.excess)
    assert here.p_value == pytest.approx(there.p_value)


def test_excess_is_the_one_of_the_estimate():
    first, second = draw_conditions(5)
    estimate = excess_disagreement(first, second, None).mean.estimate
    assert excess_permutation_test(first, second).excess == pytest.approx(estimate, abs=1e-12)


def test_no_difference_is_found_at_the_nominal_rate():
    generator, n_runs = np.random.default_rng(12), 300
    found = 0
    for _ in range(n_runs):
        shares = generator.dirichlet([1, 1, 1], size=15)
        first, second = generator.multinomial(3, shares), generator.multinomial(3, shares)
        found += excess_permutation_test(first, second).p_value <= 0.05
    assert 0.02 <= found / n_runs <= 0.08


def test_nothing_to_compare_is_no_p_value():
    assert excess_permutation_test([], []).undefined is Undefined.NO_OBSERVATIONS
    few = excess_permutation_test([[1, 0]], [[3, 0]])
    assert (few.undefined, few.p_value, few.excess) == (Undefined.TOO_FEW_REPEATS, None, None)
    same = excess_permutation_test([[3, 0], [0, 2]], [[3, 0], [0, 2]])
    assert (same.undefined, same.p_value, same.excess) == (Undefined.NO_VARIATION, None, 0.0)


@pytest.mark.parametrize(
    "call",
    [
        lambda: excess_permutation_test([[3, 0]], [[3]]),
        lambda: excess_permutation_test([[3, 0]], [[0, 3]], n_draws=0),
        lambda: excess_permutation_test([[3, 0.5]], [[0, 3]]),
    ],
)
def test_meaningless_arguments_are_refused(call):
    with pytest.raises(StatisticsError):
        call()
