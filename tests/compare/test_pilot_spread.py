"""Where a pilot's spread comes from, against numbers that were worked out by hand."""

from __future__ import annotations

import pytest

from counterbalance.compare.pilot import Decision
from counterbalance.compare.pilot_spread import spread_of


def decisions(*found, clusters=None):
    """Return decisions of ``(pair, order, values)``; each pair is a cluster unless said."""
    return [
        Decision(float(value), pair, (clusters or {}).get(pair, pair), order)
        for pair, order, values in found
        for value in values
    ]


def variances(spread):
    return [s.variance for s in (spread.cluster, spread.pair, spread.order, spread.repetition)]


def test_orders_are_told_from_repetitions():
    # Within the four cells the variance is 0, 0, 1/2, 0: repetitions 1/8. The means 1, 0 and 1/2, 0
    # vary by 1/2 and 1/8 within their pairs: 5/16, of which repetitions leave 1/8 : 2 = 1/16.
    # The pairs' means 1/2 and 1/4 vary by 1/32, less than the 5/16 : 2 that chance alone gives.
    spread = spread_of(
        decisions(("p", "f", (1, 1)), ("p", "r", (0, 0)), ("q", "f", (1, 0)), ("q", "r", (0, 0)))
    )
    assert variances(spread) == [0.0, None, 0.25, 0.125]
    assert "No cluster has two pairs" in spread.pair.undefined
    assert (spread.planned.cluster, spread.planned.unit, spread.planned.repeat) == (0, 0.25, 0.125)


def test_repetitions_are_taken_out_of_the_orders():
    # Cells: 0, 1/2, 0, 1/2, so 1/4. Means 1, 1/2 and 0, 1/2: 1/8 in each pair, which is what
    # repetitions leave (1/4 : 2), so nothing of the orders. Pairs 3/4 and 1/4: 1/8 - 1/8 : 2.
    spread = spread_of(
        decisions(("p", "f", (1, 1)), ("p", "r", (0, 1)), ("q", "f", (0, 0)), ("q", "r", (1, 0)))
    )
    assert variances(spread) == [0.0625, None, 0.0, 0.25]


def test_without_repetitions_orders_hold_them():
    spread = spread_of(
        decisions(("p", "f", (1,)), ("p", "r", (0,)), ("q", "f", (1,)), ("q", "r", (1,)))
    )
    assert variances(spread) == [0.0, None, 0.25, None]
    assert "twice in the same order" in spread.repetition.undefined
    assert not spread.is_repeated


def test_in_one_order_the_pairs_hold_it():
    spread = spread_of(decisions(("p", "f", (1, 0)), ("q", "r", (1, 1)), ("s", "f", (0, 0))))
    # Repetitions: (1/2 + 0 + 0) / 3. Means 1/2, 1, 0 vary by 1/4, less 1/6 : 2.
    assert variances(spread) == pytest.approx([1 / 6, None, None, 1 / 6])
    assert "decided in one order" in spread.order.undefined


def test_decided_once_the_pairs_hold_everything():
    spread = spread_of(decisions(*((f"p{n}", "", (n % 2,)) for n in range(20))))
    assert variances(spread) == pytest.approx([None, 5 / 19, None, None])
    assert "both orders" in spread.order.undefined
    assert "decided twice" in spread.repetition.undefined


def test_clusters_of_two_pairs_are_told_from_pairs():
    # Means of the clusters 1, 0, 1/2: the rest is between pairs, and adds up to the whole.
    found = decisions(
        *(("p", "", (1,)), ("q", "", (1,)), ("r", "", (0,)), ("s", "", (0,))),
        *(("t", "", (1,)), ("u", "", (0,))),
        clusters={"p": "x", "q": "x", "r": "y", "s": "y", "t": "z", "u": "z"},
    )
    spread = spread_of(found)
    # MS between clusters 2 (1/4 + 1/4) / 2 = 1/2, within 1/2 / 3 = 1/6: (1/2 - 1/6) / 2 = 1/6.
    assert spread.cluster.variance == pytest.approx(1 / 6)
    assert spread.pair.variance == pytest.approx(0.3 - 1 / 6)
