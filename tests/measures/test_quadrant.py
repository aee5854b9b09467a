from __future__ import annotations

from dataclasses import replace

import pytest

from builders import in_columns, judged, pair
from counterbalance.measures.catalogue import group_measures
from counterbalance.measures.estimate import undefined
from counterbalance.measures.quadrant import quadrant

MARGINS = {"bias_position": 0.2, "order_excess_disagreement": 0.1}
A, B = "a a a", "b b b"


def cell(*rows, n=150, margins=MARGINS):
    """Where a judge stands that says these words, forward and reversed, of so many pairs each."""
    pairs = [
        judged(pair(f"p{i}-{k}"), forward, reversed_)
        for k, (forward, reversed_) in enumerate(rows)
        for i in range(n)
    ]
    found = quadrant(group_measures(in_columns(pairs), baseline="old"), margins)
    return None if found is None else found.cell.value


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([(A, A), (B, B)], "neutral_stable"),
        ([(A, B), (B, A)], "neutral_sensitive"),
        ([(A, B), (A, B)], "biased_sensitive"),
        ([(A, B), (A, B), (A, A), (B, B)], "biased_sensitive"),
        # It contradicts itself in half its pairs, in either order alike.
        ([("a b a", "b a a"), (A, A)], "neutral_stable"),
    ],
)
def test_each_judge_stands_where_it_was_put(rows, expected):
    assert cell(*rows) == expected


def test_few_pairs_cannot_tell():
    assert cell((A, A), (A, B), n=3) == "undetermined"


def test_without_repetitions_nothing_is_said_of_the_noise():
    assert cell(("a", "b"), ("b", "a")) == "undetermined"


@pytest.mark.parametrize("missing", MARGINS)
def test_without_both_margins_there_is_no_quadrant(missing):
    margins = {name: value for name, value in MARGINS.items() if name != missing}
    assert cell((A, A), margins=margins) is None


def test_a_preference_without_sensitivity_has_its_cell():
    pairs = [judged(pair(f"p{i}"), A, A) for i in range(30)]
    measures = group_measures(in_columns(pairs), baseline="old")
    biased = [
        replace(e, value=0.5, low=0.4, high=0.6) if e.name == "preference_fairness" else e
        for e in measures
    ]
    margins = {"preference_fairness": 0.2, "order_excess_disagreement": 0.5}
    found = quadrant(biased, margins)
    assert (found.cell.value, found.slot_measure) == ("biased_stable", "preference_fairness")


def test_less_disagreement_than_noise_is_not_sensitivity():
    gone = undefined("bias_position", "pair", "", "none", 0.95)
    slot = replace(gone, value=0.0, low=-0.1, high=0.1, undefined=None)
    excess = replace(slot, name="order_excess_disagreement", value=-0.5, low=-0.6, high=-0.4)
    assert quadrant([slot, excess], MARGINS).cell.value == "neutral_stable"
    assert quadrant([gone, excess], MARGINS).cell.value == "undetermined"
