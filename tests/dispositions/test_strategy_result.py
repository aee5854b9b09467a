from __future__ import annotations

from dataclasses import replace

import pytest

from builders import evidence, judged, pair, shown
from counterbalance.dispositions.disposition import dispose
from counterbalance.dispositions.evidence import PairEvidence
from counterbalance.dispositions.strategy_result import balanced_calibration, plain_result
from counterbalance.items.frames import Order


@pytest.mark.parametrize(
    ("forward", "reversed_", "value", "from_disagreement"),
    [
        ("a", "a", "a", False),
        ("b", "b", "b", False),
        ("tie", "tie", "tie", False),
        ("a", "b", "tie", True),
        ("tie", "b", "tie", True),
        ("neither", "neither", "neither", False),
        ("insufficient", "insufficient", "none", False),
        ("neither", "a", "none", True),
        ("refused", "a", "none", False),
        ("-", "a", "none", False),
    ],
)
def test_both_orders_with_a_tie_where_they_disagree(forward, reversed_, value, from_disagreement):
    result = plain_result(judged(pair(), forward, reversed_).result)
    assert (result.strategy, result.value, result.from_disagreement) == (
        "S1",
        value,
        from_disagreement,
    )


def test_one_order_is_taken_as_it_is():
    of = pair()
    found = PairEvidence(main={Order.REVERSED: [shown(of, Order.REVERSED, ("first",))]})
    result = plain_result(dispose(of, found))
    assert (result.strategy, result.value) == ("B0", "b")


def with_log_odds(of, forward: float | None, reversed_: float | None) -> PairEvidence:
    """Log-odds of the first slot in each order."""
    found = evidence(of, "a", "a")
    for order, odds in ((Order.FORWARD, forward), (Order.REVERSED, reversed_)):
        (one,) = found.main[order]
        (attempt,) = one.attempts
        outcome = replace(attempt.outcome, log_odds_first=odds)
        found.main[order] = [replace(one, attempts=(replace(attempt, outcome=outcome),))]
    return found


@pytest.mark.parametrize("slot", [-3.0, 0.0, 2.5])
@pytest.mark.parametrize("label", [-1.0, 0.0, 4.0])
@pytest.mark.parametrize(("content", "value"), [(0.3, "a"), (-0.2, "b"), (0.0, "tie")])
def test_additive_slot_and_label_preferences_cancel(slot, label, content, value):
    """Log-odds of the first slot are the sum of slot, label and content preference."""
    of = pair()
    one = with_log_odds(of, slot + label + content, slot + label - content)
    other = with_log_odds(of, slot - label + content, slot - label - content)
    result = balanced_calibration([one, other])
    assert result.log_odds_a == pytest.approx(content, abs=1e-12)
    assert result.value == value


def test_a_missing_probability_gives_no_result():
    of = pair()
    whole, broken = with_log_odds(of, 1.0, 2.0), with_log_odds(of, 1.0, None)
    assert balanced_calibration([whole, broken]).value == "none"
    assert balanced_calibration([]).value == "none"
    assert balanced_calibration([evidence(of, "-", "-")]).value == "none"
