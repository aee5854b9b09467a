from __future__ import annotations

from dataclasses import replace

import pytest

from builders import evidence, judged, pair
from counterbalance.dispositions.requirements import accepted_winner, requirement_results
from counterbalance.items.frames import Order, Side, Slot
from counterbalance.items.requirements import Requirement, RequirementRule

NO_DATE = Requirement("no-date", RequirementRule.ABSENT, ["tomorrow"])
ASKED = Requirement("policy", RequirementRule.VERDICT_FIELD, "breaks_policy")


def results(of, forward="a", reversed_="a", fields=None):
    found = evidence(of, forward, reversed_)
    for order, slots in (fields or {}).items():
        (one,) = found.main[order]
        (attempt,) = one.attempts
        outcome = replace(attempt.outcome, fields=(("breaks_policy", slots),))
        found.main[order] = [replace(one, attempts=(replace(attempt, outcome=outcome),))]
    return requirement_results(of, found)


def test_a_breach_keeps_a_stable_winner_from_being_accepted_and_leaves_the_disposition():
    of = pair(a="It comes tomorrow.", b="It is on its way.", requirements=(NO_DATE,))
    for verdict, accepted in (("a", None), ("b", Side.B)):
        result = judged(of, verdict, verdict).result
        assert result.disposition.value == f"stable_{verdict}"
        assert accepted_winner(result, results(of)) is accepted


def test_an_optional_requirement_does_not_bind():
    of = pair(a="tomorrow", requirements=(replace(NO_DATE, mandatory=False),))
    assert accepted_winner(judged(of, "a", "a").result, results(of)) is Side.A


@pytest.mark.parametrize(
    ("forward", "reversed_", "a_met", "b_met"),
    [
        ((Slot.FIRST,), (Slot.SECOND,), False, True),
        ((), (), True, True),
        ((Slot.FIRST, Slot.SECOND), (Slot.FIRST, Slot.SECOND), False, False),
        ((Slot.FIRST,), (Slot.FIRST,), None, None),
    ],
)
def test_a_declared_field_is_mapped_like_a_verdict(forward, reversed_, a_met, b_met):
    of = pair(requirements=(ASKED,))
    found = results(of, fields={Order.FORWARD: forward, Order.REVERSED: reversed_})
    assert [r.is_met for r in found] == [a_met, b_met]


def test_a_field_that_one_order_answered_accepts_nobody():
    of = pair(requirements=(ASKED,))
    found = results(of, fields={Order.FORWARD: ()})
    assert [r.is_met for r in found] == [None, None]


def test_an_unanswered_field_accepts_nobody():
    of = pair(requirements=(ASKED,))
    assert accepted_winner(judged(of, "a", "a").result, results(of)) is None
