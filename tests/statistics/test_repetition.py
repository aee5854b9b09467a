"""Disagreement of repeats: published figures, all pairs by hand, unbiasedness by enumeration."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.errors import StatisticsError
from counterbalance.statistics import (
    Undefined,
    excess_disagreement,
    modal_share,
    repeat_disagreement,
)
from reference_data import repeated_letters
from vectors.loading import FOLDER

LETTERS = "ABC"
EXPECTED = json.loads((FOLDER / "order_vs_repeat.json").read_text("utf-8"))["expected"]
RUNS = [
    f"{benchmark}|{judge}"
    for benchmark in ("MTBench", "DevBench")
    for judge in (
        "claude-3-haiku-20240307", "claude-3-sonnet-20240229", "gemini-pro", "gpt-3.5-turbo-1106",
        "gpt-4-0125-preview", "gpt-4-0613",
    )
]  # fmt: skip
"""Runs whose logs are at hand; a third is held out."""
REPEATS = st.lists(st.text(LETTERS, max_size=5), min_size=1, max_size=8)


def counted(words):
    return [[word.count(letter) for letter in LETTERS] for word in words]


def share_unequal(pairs):
    pairs = list(pairs)
    return sum(a != b for a, b in pairs) / len(pairs)


def complete_rows(name):
    """Return question, first and second repeats of the rows in which every letter was read."""
    return [row for row in repeated_letters()[name] if "-" not in row[1] + row[2]]


@pytest.mark.reference
@pytest.mark.parametrize("name", RUNS)
def test_excess_vector(name):
    questions, first, second = zip(*complete_rows(name), strict=True)
    expected = EXPECTED[name]
    result = excess_disagreement(counted(first), counted(second), questions)
    within = (result.within_first + result.within_second) / 2
    assert result.n_units == expected["n_pairs"]
    assert result.mean.n_clusters == expected["n_questions"]
    assert result.mean.estimate == pytest.approx(expected["excess"], abs=1e-12)
    assert result.cross_disagreement == pytest.approx(expected["order_disagreement"], abs=1e-12)
    assert within == pytest.approx(expected["repeat_disagreement"], abs=1e-12)
    # The published limits are a percentile bootstrap over clusters: somewhat narrower, not equal.
    low, high = expected["excess_ci_cluster"]
    assert 1.0 <= (result.mean.high - result.mean.low) / (high - low) <= 1.25


@pytest.mark.reference
@pytest.mark.parametrize("name", RUNS)
def test_repeat_vector(name):
    questions, first, second = zip(*complete_rows(name), strict=True)
    result = repeat_disagreement(counted(first + second), questions * 2)
    expected = EXPECTED[name]["repeat_disagreement"]
    assert result.mean.estimate == pytest.approx(expected, abs=1e-12)


# Repetition stability as its authors' own functions give it on the same rows
# (position_bias_analyzer.json, MTBench_RS and DevBench_RS).
STABILITY = {
    "MTBench|claude-3-haiku-20240307": 0.8940972222222222,
    "MTBench|gemini-pro": 0.890625,
    "MTBench|gpt-4-0613": 0.967013888888889,
    "DevBench|gpt-4-0613": 0.9699074074074073,
}


@pytest.mark.reference
@pytest.mark.parametrize("name", STABILITY)
def test_modal_share_vector(name):
    rows = repeated_letters()[name]
    words = [row[place] for place in (1, 2) for row in rows]
    result = modal_share(counted(words), [3] * len(words), [row[0] for row in rows] * 2)
    assert result.mean.estimate == pytest.approx(STABILITY[name], abs=1e-12)


@given(REPEATS)
def test_repeat_oracle_by_all_pairs(words):
    result = repeat_disagreement(counted(words), None)
    expected = [share_unequal(combinations(w, 2)) if len(w) > 1 else None for w in words]
    assert result.unit_values == pytest.approx(expected)
    assert result.n_left_out == expected.count(None)
    assert result.n_units == len(words)


@given(st.lists(st.tuples(st.text(LETTERS, max_size=4), st.text(LETTERS, max_size=4)), min_size=1))
def test_excess_oracle_by_all_pairs(units):
    result = excess_disagreement(
        counted(first for first, _ in units), counted(second for _, second in units), None
    )
    expected = [
        share_unequal(product(a, b))
        - (share_unequal(combinations(a, 2)) + share_unequal(combinations(b, 2))) / 2
        if len(a) > 1 and len(b) > 1
        else None
        for a, b in units
    ]
    assert result.unit_values == pytest.approx(expected)
    used = [value for value in expected if value is not None]
    assert result.mean.n_units == len(used)
    if used:
        assert result.mean.estimate == pytest.approx(sum(used) / len(used), abs=1e-12)


def test_excess_is_unbiased_for_half_the_squared_distance():
    first, second = (
        {"A": Fraction(3, 4), "B": Fraction(1, 4)},
        {"A": Fraction(1, 3), "B": Fraction(2, 3)},
    )
    total = Fraction(0)
    for words in product("AB", repeat=4):
        chance = first[words[0]] * first[words[1]] * second[words[2]] * second[words[3]]
        a, b = "".join(words[:2]), "".join(words[2:])
        value = excess_disagreement(counted([a]), counted([b]), None).unit_values[0]
        total += chance * Fraction(value).limit_denominator(100)
    assert total == sum((first[k] - second[k]) ** 2 for k in "AB") / 2


def test_modal_share_oracle_by_hand():
    # A repeat without a category stays in the denominator; a unit that was not planned does not.
    result = modal_share([[3, 0], [1, 1], [2, 0], [0, 0], [0, 0]], [3, 3, 3, 3, 0], None)
    assert result.unit_values == pytest.approx([1, 1 / 3, 2 / 3, 0, None])
    assert result.mean.estimate == pytest.approx(0.5)
    assert (result.n_units, result.n_left_out) == (5, 1)


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda: repeat_disagreement([[1, 0]], None), Undefined.TOO_FEW_REPEATS),
        (lambda: repeat_disagreement([], None), Undefined.NO_OBSERVATIONS),
        (lambda: modal_share([[0, 0]], [0], None), Undefined.TOO_FEW_REPEATS),
        (lambda: modal_share([], [], None), Undefined.NO_OBSERVATIONS),
        (lambda: excess_disagreement([[2, 0]], [[1, 0]], None), Undefined.TOO_FEW_REPEATS),
        (lambda: excess_disagreement([], [], None), Undefined.NO_OBSERVATIONS),
    ],
)
def test_nothing_to_compare_is_no_value(call, reason):
    mean = call().mean
    assert (mean.estimate, mean.undefined, mean.interval_undefined) == (None, reason, reason)


def test_means_of_nothing_are_none():
    result = excess_disagreement([[2, 0]], [[1, 0]], None)
    assert (result.cross_disagreement, result.within_first, result.within_second) == (None,) * 3


@pytest.mark.parametrize(
    "call",
    [
        lambda: repeat_disagreement([1, 2], None),
        lambda: repeat_disagreement([[1, 2]], ["p", "q"]),
        lambda: modal_share([[2, 1]], [2], None),
        lambda: modal_share([[2, 1]], [3, 3], None),
        lambda: modal_share([[2, 1]], [3], ["p", "q"]),
        lambda: excess_disagreement([[2, 1]], [[2, 1, 0]], None),
        lambda: excess_disagreement([[2, 1]], [[2, -1]], None),
    ],
)
def test_meaningless_arguments_are_refused(call):
    with pytest.raises(StatisticsError):
        call()
