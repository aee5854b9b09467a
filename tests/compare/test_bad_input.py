"""Data without an answer, through report and compare: a reason, never NaN or certainty."""

from __future__ import annotations

import json
import math

import pytest

from builders import in_columns, judged, judged_from, pair
from compare.sides import repeated, side
from counterbalance.compare.comparison import Plan, compare
from counterbalance.dispositions.evidence import GroupId
from counterbalance.errors import CounterbalanceError, InputError, StatisticsError
from counterbalance.protocol.sections import COMPARED
from counterbalance.report.comparison_json import comparisons_value
from counterbalance.report.comparison_text import comparisons_text
from counterbalance.report.counting import counted_group
from counterbalance.statistics import holm, prediction_powered_mean

RIGHT, WRONG, TIE, NONE = ("a", "a"), ("b", "b"), ("tie", "tie"), ("a", "refused")
FIRST, SECOND = ("a", "b"), ("b", "a")
ONE = {f"p{n}": "one cluster" for n in range(40)}
# What the first and the second judge said, and the clusters of the pairs.
CASES = {
    "no pair with a verdict": (repeated((6, NONE)), repeated((6, NONE)), None),
    "one pair": (repeated((1, RIGHT)), repeated((1, WRONG)), None),
    "one cluster": (repeated((9, RIGHT), (3, WRONG)), repeated((5, RIGHT), (7, WRONG)), ONE),
    "all ties": (repeated((12, TIE)), repeated((12, TIE)), None),
    "no discordant pair": (repeated((12, RIGHT)), repeated((12, RIGHT)), None),
    "all discordant one way": (repeated((12, WRONG)), repeated((12, RIGHT)), None),
    "always the first slot": (repeated((12, FIRST)), repeated((12, SECOND)), None),
    "missing partners": (
        repeated((4, NONE), (8, RIGHT)), repeated((8, RIGHT), (4, ("empty", "a"))), None,
    ),
    "unbalanced repetitions": (
        repeated((4, ("a a a", "a")), (4, ("b", "b a b")), (4, ("a b", "b"))),
        repeated((6, RIGHT), (6, ("b b b", "b"))),
        None,
    ),
}  # fmt: skip


def numbers(value, path=()):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from numbers(inner, (*path, key))
    elif isinstance(value, list):
        for key, inner in enumerate(value):
            yield from numbers(inner, (*path, key))
    elif isinstance(value, float):
        yield path, value


def assert_honest(value, low, high, p_value, why):
    """A number is finite, its interval has a width, its p is not 0; what is missing says why."""
    for number in (value, low, high, p_value):
        assert number is None or math.isfinite(number)
    assert (low is None) == (high is None)
    assert low is None or (low < high and low <= value <= high)
    assert p_value is None or 0 < p_value <= 1
    assert value is not None or why


@pytest.mark.parametrize("case", CASES)
def test_compare_says_why_there_is_no_answer(case):
    first, second, clusters = CASES[case]
    sides = side(first, "one", clusters=clusters), side(second, "two", clusters=clusters)
    found = compare([sides], Plan(tuple(COMPARED), dict.fromkeys(COMPARED, 0.1)))
    for each, conclusion in found.comparisons[0].differences:
        assert_honest(each.value, each.low, each.high, each.p_value, each.undefined)
        assert each.p_value is not None or each.p_undefined
        assert each.low is not None or each.undefined or each.interval_undefined
        assert conclusion.verdict
        if each.low is None:
            assert conclusion.verdict.value not in {"better", "worse", "equivalent"}
    text = comparisons_text(found, full=True)
    assert "nan" not in text.lower().split()
    assert "p = 0 " not in text
    json.dumps(comparisons_value(found), allow_nan=False)
    assert all(math.isfinite(number) for _, number in numbers(comparisons_value(found)))


@pytest.mark.parametrize("case", CASES)
def test_report_says_why_there_is_no_answer(case):
    for said in CASES[case][:2]:
        clusters = CASES[case][2] or {}
        pairs = [
            judged(pair(name, accepted=("a",), cluster=clusters.get(name, "")), *words)
            for name, words in said.items()
        ]
        assert_group_is_honest(in_columns(pairs, "cluster"))


def test_report_of_no_pair_at_all_says_why_there_is_no_answer():
    assert_group_is_honest(in_columns([]))


def test_report_of_pairs_that_were_never_asked_says_why_there_is_no_answer():
    assert_group_is_honest(in_columns([judged_from(pair(f"p{n}"), None) for n in range(3)]))


def assert_group_is_honest(columns):
    group = counted_group(
        GroupId("judge", "1/2"), columns, strategy="S1", baseline="old", level=0.95, margins={}
    )
    for each in group.measures:
        why = each.undefined or any("No interval" in caution for caution in each.cautions)
        assert_honest(each.value, each.low, each.high, None, each.undefined)
        assert each.low is not None or why, each.name
    for test in group.tests:
        assert test.p_value is None or 0 < test.p_value <= 1
        assert test.p_value is not None or test.undefined, test.name


def test_sides_without_a_common_pair_are_a_clear_error():
    with pytest.raises(InputError, match="share no pair"):
        compare([(side({"p0": RIGHT}), side({"p1": RIGHT}, "two"))], Plan())


def test_a_family_is_never_smaller_than_the_tests_that_run():
    sides = side(repeated((12, RIGHT))), side(repeated((6, RIGHT), (6, WRONG)), "two")
    found = compare([sides], Plan(tuple(COMPARED), family_size=1))
    assert found.family.family_size == len(COMPARED)
    with pytest.raises(StatisticsError):
        holm({"one": 0.01, "two": 0.02}, 1)


@pytest.mark.parametrize(
    ("labels", "weights"),
    [([1, 0], [1, 0]), ([1, 0], [1, -1]), ([1, float("nan")], None), ([1, float("inf")], [1, 1])],
)
def test_weights_of_0_or_less_and_numbers_without_end_are_refused(labels, weights):
    with pytest.raises(CounterbalanceError):
        prediction_powered_mean(labels, [1, 0], [1], weights=weights)
