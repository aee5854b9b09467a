"""What a cap buys: every cell of the grid is paid for, and more money never buys less."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import judged, judged_from, pair, shown
from counterbalance.compare.budget import budget_grid
from counterbalance.compare.pilot import Arm, arms_of
from counterbalance.dispositions.evidence import PairEvidence
from counterbalance.items.frames import Order
from counterbalance.measures.cost import Spent
from counterbalance.protocol.prices_section import Price
from counterbalance.statistics.allocation import Costs, Spread, best_allocation
from counterbalance.statistics.variance_components import variance_components

PRICE = Price(prompt_usd_per_million=10.0, completion_usd_per_million=100.0)


def spent(calls=100, prompt=10_000, completion=1_000):
    return Spent(calls, calls, 0, prompt, completion, 0, None, 0, 0.0)


def arm(values, units=None, clusters=None, calls=1, **more):
    units = units or [f"p{n}" for n in range(len(values))]
    return Arm(
        "judge", "B0", tuple(values), tuple(units), tuple(clusters or units), calls,
        more.get("spent", spent()),
    )  # fmt: skip


def test_a_pilot_says_of_each_call_and_each_couple_whether_it_agrees():
    pairs = [
        judged(pair("p1", accepted=("a",)), "a a", "a b"),
        judged(pair("p2", accepted=("a", "tie")), "a", "b"),
        judged(pair("p3", accepted=("a",)), "unparsed", "b"),
        judged(pair("p4"), "a", "a"),
    ]
    one, both = arms_of("judge", pairs)
    assert [*zip(one.units, one.values, strict=True)] == [
        ("p1", 1.0), ("p1", 1.0), ("p1", 1.0), ("p1", 0.0),
        ("p2", 1.0), ("p2", 0.0), ("p3", 0.0),
    ]  # fmt: skip
    # Orders that disagree are a tie, which one reference accepts and the other does not.
    assert [*zip(both.units, both.values, strict=True)] == [("p1", 1.0), ("p1", 0.0), ("p2", 1.0)]
    assert one.agreement == pytest.approx((0.75 + 0.5 + 0.0) / 3)
    assert (one.calls_per_decision, both.calls_per_decision) == (1, 2)


def test_the_repetitions_of_a_subset_count_once():
    thing = pair("p1", accepted=("a",))
    main = shown(thing, Order.FORWARD, ("first",))
    again = shown(thing, Order.FORWARD, ("second",), 1)
    evidence = PairEvidence({Order.FORWARD: [main]}, {Order.FORWARD: [main, again]})
    (one,) = arms_of("judge", [judged_from(thing, evidence)])
    assert one.values == (1.0, 0.0)


def test_the_grid_is_the_allocation_of_the_pilot():
    values = [1, 0, 1, 1, 0, 0, 1, 1] * 5
    units = [f"p{n // 2}" for n in range(40)]
    (offer,) = budget_grid(0.5, [arm(values, units)], {"judge": PRICE}, [1] * 400)
    each = (10_000 * 10 + 1_000 * 100) / 100 / 1e6
    assert offer.dollars_per_call == pytest.approx(each)
    parts = variance_components(values, units, units)
    expected = best_allocation(
        0.5,
        Costs(0, each, 1),
        Spread(parts.cluster.variance or 0.0, parts.unit.variance or 0.0, parts.repeat.variance),
        1,
        400,
    )
    assert [(b.n_pairs, b.n_repeats) for b in offer.grid] == [
        (d.n_clusters, d.n_repeats) for d in expected.designs
    ]
    assert (offer.best.n_pairs, offer.best.n_repeats) == (
        expected.best.n_clusters, expected.best.n_repeats,
    )  # fmt: skip


@settings(max_examples=40)
@given(
    st.lists(st.sampled_from([0.0, 1.0]), min_size=8, max_size=30),
    st.floats(0.01, 5.0),
    st.floats(1.0, 3.0),
)
def test_nothing_costs_more_than_the_cap_and_more_money_never_buys_less(values, cap, more):
    units = [f"p{n // 2}" for n in range(len(values))]
    given_arm = arm(values, units)
    poor, rich = (
        budget_grid(money, [given_arm], {"judge": PRICE}, [1] * 50)[0]
        for money in (cap, cap * more)
    )
    assert all(b.dollars <= cap * (1 + 1e-9) for b in poor.grid)
    assert all(b.n_pairs <= 50 for b in poor.grid)
    if poor.best is not None:
        assert rich.best.half_width <= poor.best.half_width * (1 + 1e-9)


def test_a_pilot_without_repetitions_buys_one_decision_each():
    (offer,) = budget_grid(1.0, [arm([1, 0] * 10)], {"judge": PRICE}, [1] * 100)
    assert {b.n_repeats for b in offer.grid} == {1}
    assert "repeats nothing" in offer.note


@pytest.mark.parametrize(
    ("given_arm", "prices", "sizes", "said"),
    [
        (arm([1, 0]), {}, [1], "Unpriced"),
        (arm([1, 0], spent=Spent(2, 0, 0, 0, 0, 0, None, 0, 0.0)), None, [1], "no tokens"),
        (arm([]), None, [1], "held against a reference"),
        (arm([1, 1, 1]), None, [1], "no spread"),
        (arm([1, 0]), None, [], "No planned pair"),
    ],
)
def test_what_cannot_be_bought_says_why(given_arm, prices, sizes, said):
    prices = {"judge": PRICE} if prices is None else prices
    (offer,) = budget_grid(1.0, [given_arm], prices, sizes)
    assert offer.best is None
    assert said in offer.undefined
