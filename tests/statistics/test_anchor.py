"""Three calls of each unit: published counts, exchangeability, dead ends."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.errors import StatisticsError
from counterbalance.statistics import Undefined, anchor_test, mcnemar_test
from reference_data import repeated_letters
from vectors.loading import FOLDER

EXPECTED = json.loads((FOLDER / "order_vs_repeat.json").read_text("utf-8"))["expected"]
CALLS = st.lists(st.tuples(*[st.sampled_from("ABC")] * 3), max_size=60)


@pytest.mark.parametrize("name", EXPECTED)
def test_anchor_vector_of_p_values(name):
    expected = EXPECTED[name]
    test = mcnemar_test(expected["anchor_b"], expected["anchor_c"], "exact")
    assert test.p_value == pytest.approx(expected["anchor_p_exact"], rel=1e-9)


# Which of the two orders was the anchor follows the sequence of the source's rows. For MT-Bench
# that came from a file that is not among the logs at hand.
@pytest.mark.reference
@pytest.mark.parametrize(
    "name",
    [
        "DevBench|claude-3-haiku-20240307",
        "DevBench|claude-3-sonnet-20240229",
        "DevBench|gemini-pro",
        "DevBench|gpt-3.5-turbo-1106",
        "DevBench|gpt-4-0125-preview",
        "DevBench|gpt-4-0613",
    ],
)
def test_anchor_vector(name):
    full = [row for row in repeated_letters()[name] if "-" not in row[1] + row[2]]
    calls = [row[1][0] for row in full], [row[1][1] for row in full], [row[2][0] for row in full]
    result, expected = anchor_test(*calls, method="exact"), EXPECTED[name]
    assert result.n_units == expected["n_pairs"]
    assert (result.test.n_gained, result.test.n_lost) == (
        expected["anchor_b"],
        expected["anchor_c"],
    )
    assert result.test.p_value == pytest.approx(expected["anchor_p_exact"], rel=1e-9)


@given(CALLS)
def test_anchor_oracle_by_counting(calls):
    anchor, repeat, change = zip(*calls, strict=True) if calls else ((), (), ())
    result = anchor_test(anchor, repeat, change)
    assert result.test.n_gained == sum(a == r != c for a, r, c in calls)
    assert result.test.n_lost == sum(a == c != r for a, r, c in calls)
    exchanged = anchor_test(anchor, change, repeat)
    assert exchanged.test.p_value == result.test.p_value
    if calls:
        assert exchanged.excess == -result.excess
        net = result.test.n_gained - result.test.n_lost
        assert result.excess == pytest.approx(net / len(calls))


def test_a_change_without_effect_is_found_at_no_more_than_the_nominal_rate():
    generator, n_runs = np.random.default_rng(5), 400
    found = 0
    for _ in range(n_runs):
        shares = generator.dirichlet([1, 1, 1], size=80)
        edges = shares.cumsum(axis=1)[:, :2]
        draws = [(generator.random((80, 1)) > edges).sum(axis=1) for _ in range(3)]
        found += anchor_test(*draws).test.p_value <= 0.05
    assert 0.02 <= found / n_runs <= 0.07


def test_dead_ends_have_a_reason():
    empty = anchor_test([], [], [])
    assert (empty.excess, empty.test.undefined) == (None, Undefined.NO_DISCORDANT)
    both = anchor_test("uu", "vv", "vv")
    assert (both.excess, both.test.p_value) == (0.0, None)
    assert anchor_test([1], ["1"], [1]).n_repeat_differs == 1


@pytest.mark.parametrize("calls", [("u", "uv", "u"), ("u", "u", "uv"), ("u", "", "")])
def test_calls_of_other_units_are_refused(calls):
    with pytest.raises(StatisticsError):
        anchor_test(*calls)
