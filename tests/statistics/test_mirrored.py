"""Treatment and place apart: arithmetic by hand, both designs, what cancels, dead ends."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Undefined, mirrored_effects, mirrored_effects_apart
from vectors.loading import case

SCORES = st.lists(
    st.tuples(st.sampled_from([-1, 0, 1]), st.sampled_from([-1, 0, 1])), min_size=2, max_size=40
)


def test_mirrored_vector():
    paired = case("mirrored_pairs", "paired_50")
    rows = [(a, b) for a, b, times in paired["inputs"]["table"] for _ in range(times)]
    expected, near = paired["expected"], {"abs": paired["tolerance"]}
    result = mirrored_effects([a for a, _ in rows], [b for _, b in rows], None)
    assert result.n_units == expected["n"]
    assert result.treatment.estimate == pytest.approx(expected["format"], **near)
    assert result.treatment.se == pytest.approx(expected["format_se"], **near)
    assert result.place.estimate == pytest.approx(expected["slot"], **near)
    assert result.place.se == pytest.approx(expected["slot_se"], **near)


def test_mirrored_vector_apart():
    unpaired = case("mirrored_pairs", "unpaired_50_50")
    first, second = (
        [1] * wins + [-1] * losses + [0] * ties
        for wins, losses, ties in (unpaired["inputs"]["md_A"], unpaired["inputs"]["md_B"])
    )
    expected, near = unpaired["expected"], {"abs": unpaired["tolerance"]}
    result = mirrored_effects_apart(first, second, None, None)
    assert result.first.estimate == pytest.approx(expected["b_md_A"], **near)
    assert result.second.estimate == pytest.approx(expected["b_md_B"], **near)
    assert result.treatment.estimate == pytest.approx(expected["format"], **near)
    assert result.place.estimate == pytest.approx(expected["slot_aliased"], **near)
    # The vector divides by n where an unbiased variance divides by n - 1, with 50 in each place.
    se = expected["se_unpaired"] * math.sqrt(50 / 49)
    assert result.treatment.se == pytest.approx(se, **near)
    assert result.place.se == pytest.approx(se, **near)


def test_apart_oracle_is_welch():
    generator = np.random.default_rng(1)
    first, second = generator.normal(1, 1, 15), generator.normal(0, 3, 25)
    result = mirrored_effects_apart(first, second, None, None).place
    test = stats.ttest_ind(first, second, equal_var=False)
    low, high = test.confidence_interval()
    assert result.degrees_of_freedom == pytest.approx(test.df, rel=1e-9)
    assert (result.low, result.high) == pytest.approx((low / 2, high / 2), rel=1e-9)


@given(SCORES)
def test_exchanging_the_places_turns_only_the_place(scores):
    first, second = [a for a, _ in scores], [b for _, b in scores]
    here, there = mirrored_effects(first, second, None), mirrored_effects(second, first, None)
    assert there.treatment == here.treatment
    assert there.place.estimate == -here.place.estimate
    apart = mirrored_effects_apart(first, second, None, None)
    turned = mirrored_effects_apart(second, first, None, None)
    assert apart.treatment.estimate == turned.treatment.estimate
    assert apart.treatment.estimate == pytest.approx(here.treatment.estimate, abs=1e-12)
    assert apart.place.estimate == pytest.approx(here.place.estimate, abs=1e-12)


def test_what_a_unit_brings_to_both_places_cancels():
    generator = np.random.default_rng(2)
    level = generator.normal(0, 5, 40)
    first, second = level + generator.normal(0.5, 1, 40), level + generator.normal(0, 1, 40)
    paired = mirrored_effects(first, second, None).place
    apart = mirrored_effects_apart(first, second, None, None).place
    assert paired.se < apart.se / 3


def test_dead_ends_have_a_reason():
    empty = mirrored_effects([], [], None)
    assert empty.treatment.undefined is Undefined.NO_OBSERVATIONS
    half = mirrored_effects_apart([1, 0], [], None, None)
    assert half.treatment.undefined is half.place.undefined is Undefined.NO_OBSERVATIONS
    one = mirrored_effects_apart([1, 0], [1, 0], ["p", "p"], None)
    assert (one.place.estimate, one.place.interval_undefined) == (0.0, Undefined.ONE_CLUSTER)
    same = mirrored_effects_apart([1, 1], [0, 0], None, None)
    assert (same.place.estimate, same.place.low) == (0.5, None)
    assert same.place.interval_undefined is Undefined.NO_VARIATION
    whole = mirrored_effects([1, 1, 1], [1, 1, 1], None, bounds=(-1, 1)).treatment
    assert whole.low < whole.high == 1


@pytest.mark.parametrize(
    "call",
    [
        lambda: mirrored_effects([1, 2], [1], None),
        lambda: mirrored_effects([1, math.nan], [1, 0], None),
        lambda: mirrored_effects([1, 2], [1, 2], None, bounds=(-1, 1)),
        lambda: mirrored_effects([1, 2], [1, 2], ["p"]),
        lambda: mirrored_effects_apart([1, 2], [1, 2], None, None, 95),
        lambda: mirrored_effects_apart([1, 2], [1, 2], None, ["p"]),
    ],
)
def test_meaningless_arguments_are_refused(call):
    with pytest.raises(StatisticsError):
        call()
