"""Holm and Benjamini-Hochberg against R, by hand, and by their laws."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Undefined, benjamini_hochberg, holm
from vectors.loading import cases

P_VALUES = st.dictionaries(
    st.text(min_size=1, max_size=3), st.none() | st.floats(0, 1), max_size=12
)
METHODS = [holm, benjamini_hochberg]


def named(p_values):
    return {f"h{place:02}": p for place, p in enumerate(p_values)}


@pytest.mark.parametrize("case", cases("multiplicity"))
def test_holm_vector(case):
    inputs, expected = case["inputs"], case["expected"]
    result = holm(named(inputs["p"]), inputs.get("m", len(inputs["p"])))
    adjusted = [result.adjusted[name] for name in named(inputs["p"])]
    assert adjusted == pytest.approx(expected["holm"], abs=case["tolerance"])
    if "survivors_at_0_05" in expected:
        assert result.n_rejected == expected["survivors_at_0_05"]


@pytest.mark.parametrize("case", cases("holm_variants"))
def test_holm_vector_variants(case):
    result = holm(named(case["expected"]["p"]), case["inputs"]["m"])
    assert result.n_rejected == case["expected"]["survivors"]


@pytest.mark.parametrize("case", cases("multiplicity")[:1])
def test_benjamini_hochberg_vector(case):
    p_values = named(case["inputs"]["p"])
    result = benjamini_hochberg(p_values, len(p_values))
    adjusted = [result.adjusted[name] for name in p_values]
    assert adjusted == pytest.approx(case["expected"]["bh"], abs=case["tolerance"])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_holm_oracle_is_the_closure_of_bonferroni(p_values):
    result = holm(named(p_values), len(p_values))
    for name, p_value in named(p_values).items():
        others = [p for other, p in named(p_values).items() if other != name]
        worst = (
            max(
                min(1.0, (size + 1) * min((p_value, *subset)))
                for size in range(len(p_values))
                for subset in combinations(others, size)
                if subset or size == 0
            )
            if others
            else p_value
        )
        assert result.adjusted[name] == pytest.approx(worst, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
@given(p_values=P_VALUES, n_more=st.integers(0, 20))
def test_adjusted_values_are_no_smaller_and_in_the_same_sequence(method, p_values, n_more):
    size = len(p_values) + n_more
    result = method(p_values, size)
    tested = [step for step in result.steps if step.p_value is not None]
    assert all(step.adjusted >= step.p_value * (1 - 1e-12) for step in tested)
    assert [s.adjusted for s in tested] == sorted(s.adjusted for s in tested)
    assert [s.rank for s in tested] == list(range(1, len(tested) + 1))
    assert [s.is_rejected for s in tested] == sorted((s.is_rejected for s in tested), reverse=True)
    assert {step.name for step in result.steps} == set(p_values)
    assert result.n_without_p_value == size - len(tested)


@pytest.mark.parametrize("method", METHODS)
@given(p_values=P_VALUES)
def test_rejected_means_adjusted_within_the_error_rate(method, p_values):
    for step in method(p_values, len(p_values) + 1, 0.1).steps:
        if step.adjusted is not None and abs(step.adjusted - 0.1) > 1e-12:
            assert step.is_rejected == (step.adjusted < 0.1)


@given(P_VALUES)
def test_holm_rejects_no_more_than_benjamini_hochberg(p_values):
    size = len(p_values) + 1
    assert holm(p_values, size).n_rejected <= benjamini_hochberg(p_values, size).n_rejected


@pytest.mark.parametrize("method", METHODS)
def test_a_hypothesis_without_p_value_counts_and_is_never_rejected(method):
    result = method({"v": None, "u": 0.02}, 2)
    assert [step.name for step in result.steps] == ["u", "v"]
    last = result.steps[-1]
    assert (last.rank, last.threshold, last.adjusted, last.is_rejected) == (None, None, None, False)
    assert last.undefined is Undefined.NOT_TESTED
    assert result.adjusted == {"u": 0.04, "v": None}
    assert (result.family_size, result.error_rate) == (2, 0.05)


def test_only_the_one_that_expects_false_rejections_is_exploratory():
    assert benjamini_hochberg({"u": 0.01}, 2).is_exploratory
    assert not holm({"u": 0.01}, 2).is_exploratory


def test_the_trajectory_stops_at_the_first_that_fails():
    result = holm({"u": 0.01, "v": 0.03, "w": 0.04}, 3)
    assert [step.threshold for step in result.steps] == pytest.approx([0.05 / 3, 0.025, 0.05])
    assert [step.is_rejected for step in result.steps] == [True, False, False]
    assert holm({"u": 0.01, "v": 0.02}, 2).n_rejected == 2


@pytest.mark.parametrize("method", METHODS)
def test_an_empty_family_has_no_steps(method):
    assert method({}, 0).steps == ()
    assert method({}, 5).n_without_p_value == 5


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("p_values", "size", "rate"),
    [
        ({"u": 0.1, "v": 0.2}, 1, 0.05),
        ({"u": 1.1}, 1, 0.05),
        ({"u": -0.1}, 1, 0.05),
        ({"u": float("nan")}, 1, 0.05),
        ({"u": 0.1}, 1.5, 0.05),
        ({"u": 0.1}, 1, 0.0),
    ],
)
def test_meaningless_families_are_refused(method, p_values, size, rate):
    with pytest.raises(StatisticsError):
        method(p_values, size, rate)
