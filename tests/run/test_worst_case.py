"""The worst case of a plan, against a run in which it happens."""

from __future__ import annotations

import json

import pytest

from commands import command
from counterbalance.protocol.protocol import Retry
from counterbalance.run.worst_case import worst_case
from studies import write_study

NAMED = ("truncated", "unparsed")


def histories(most):
    """Every way in which two orders can go: calls at the declared and at the raised limit."""
    plain = [(n, 0) for n in range(1, most + 1)]
    for declared in range(1, most):
        cut = [(declared, n) for n in range(1, most - declared + 1)]
        for n, _ in plain:
            partner = [(n, k) for k in range(1, max(1, most - n) + 1)]
            yield from ((x, y) for x in cut for y in partner)
    yield from ((x, y) for x in plain for y in plain)


@pytest.mark.parametrize("most", [2, 3, 4, 7])
@pytest.mark.parametrize(("declared", "raised"), [(10, 11), (10, 45), (10, 2000)])
def test_the_bounds_are_reached_and_never_passed(most, declared, raised):
    rule = Retry(outcomes=NAMED, max_attempts=most, raise_max_tokens_to=raised)
    found = worst_case(rule, raised, alone=[], coupled=[7], per_reply=declared)
    calls = [sum(map(sum, both)) for both in histories(most)]
    tokens = [sum(d * declared + r * raised for d, r in both) for both in histories(most)]
    assert found.calls == max(calls)
    assert found.prompt_tokens == 7 * max(calls)
    assert found.completion_tokens == max(tokens)
    alone = worst_case(rule, raised, alone=[7], coupled=[], per_reply=declared)
    assert (alone.calls, alone.prompt_tokens) == (most, 7 * most)
    assert alone.completion_tokens == declared + (most - 1) * raised


def test_without_a_raise_every_presentation_is_on_its_own():
    rule = Retry(outcomes=NAMED, max_attempts=3)
    found = worst_case(rule, None, alone=[5, 7], coupled=[], per_reply=10)
    assert (found.calls, found.prompt_tokens, found.completion_tokens) == (6, 36, 60)


def test_plan_says_it(tmp_path):
    more = (
        '[retry]\noutcomes = ["truncated"]\nmax_attempts = 2\nraise_max_tokens_to = 80\n'
        "[prices.script]\nprompt_usd_per_million = 2.0\ncompletion_usd_per_million = 8.0\n"
    )
    path = write_study(tmp_path, 10, judge="max_tokens = 20\nreasoning_words = 90", more=more)
    (judge,) = json.loads(command("plan", path, "--json").out)["judges"]
    assert (judge["calls"], judge["most_calls"]) == (20, 50)
    assert judge["most_prompt_tokens"] == judge["prompt_tokens"] * 5 // 2
    assert judge["completion_tokens"] == 20 * 20
    assert judge["most_completion_tokens"] == 10 * (100 + 40 + 80)
    cost = (2 * judge["most_prompt_tokens"] + 8 * judge["most_completion_tokens"]) / 1e6
    assert judge["most_cost_usd"] == pytest.approx(cost)
    text = command("plan", path).out
    assert "20 calls, at most 50 with retries" in text
    assert "with every retry that the rule allows: 50 calls" in text
