"""What a cap buys: every cell of the grid is paid for, and more money never buys less."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import judged, judged_from, pair, shown
from compare.strategy_sides import strategy
from counterbalance.compare.budget import AIMS, budget_grid
from counterbalance.compare.budget_cells import Planned
from counterbalance.compare.pilot import Arm, Asked, Decision, plain_arms
from counterbalance.compare.pilot_spread import spread_of
from counterbalance.compare.strategy_difference import strategy_difference
from counterbalance.dispositions.evidence import PairEvidence
from counterbalance.items.frames import Order
from counterbalance.measures.cost import Spent
from counterbalance.protocol.prices_section import Price
from counterbalance.statistics.allocation import Costs, best_allocation
from counterbalance.statistics.mcnemar_planning import mcnemar_detectable_difference
from counterbalance.statistics.proportions import wilson_interval

PRICE = Price(prompt_usd_per_million=10.0, completion_usd_per_million=100.0)
A_CALL = 0.002
"""Dollars: 100 prompt tokens at 10 and 10 reply tokens at 100 dollars a million."""


def spent(calls=100, prompt=10_000, completion=1_000):
    return Spent(calls, calls, 0, prompt, completion, 0, None, 0, 0.0)


def arm(values, units=None, calls=1, **more):
    units = units or [f"p{n}" for n in range(len(values))]
    decisions = tuple(Decision(float(v), u, u) for v, u in zip(values, units, strict=True))
    asked = (Asked("judge", calls, more.pop("spent", spent())),)
    return Arm("judge", more.pop("strategy", "B0"), decisions, asked, len(set(units)), **more)


def planned(n_clusters, prices=None, **more):
    prices = {"judge": PRICE} if prices is None else prices
    return Planned([1] * n_clusters, prices, more.pop("differences", {}), **more)


def test_a_pilot_says_of_each_call_and_each_couple_whether_it_agrees():
    pairs = [
        judged(pair("p1", accepted=("a",)), "a a", "a b"),
        judged(pair("p2", accepted=("a", "tie")), "a", "b"),
        judged(pair("p3", accepted=("a",)), "unparsed", "b"),
        judged(pair("p4"), "a", "a"),
        judged(pair("p5", accepted=("tie",)), "neither", "a"),
    ]
    one, both = plain_arms("judge", pairs)
    assert [(d.pair, d.value) for d in one.decisions] == [
        ("p1", 1.0), ("p1", 1.0), ("p1", 1.0), ("p1", 0.0),
        ("p2", 1.0), ("p2", 0.0), ("p3", 0.0), ("p5", 0.0), ("p5", 0.0),
    ]  # fmt: skip
    # Orders that disagree are a tie, which one reference accepts and the other does not; neither
    # acceptable against a candidate is no result.
    assert [(d.pair, d.value) for d in both.decisions] == [("p1", 1.0), ("p1", 0.0), ("p2", 1.0)]
    assert one.agreement == pytest.approx((0.75 + 0.5 + 0.0 + 0.0) / 4)
    assert (one.calls_per_decision, both.calls_per_decision) == (1, 2)
    assert (one.n_referenced, one.n_pairs, both.n_pairs) == (4, 4, 2)


def test_the_repetitions_of_a_subset_count_once():
    thing = pair("p1", accepted=("a",))
    main = shown(thing, Order.FORWARD, ("first",))
    again = shown(thing, Order.FORWARD, ("second",), 1)
    evidence = PairEvidence({Order.FORWARD: [main]}, {Order.FORWARD: [main, again]})
    (one,) = plain_arms("judge", [judged_from(thing, evidence)])
    assert [d.value for d in one.decisions] == [1.0, 0.0]


def test_a_cell_is_what_the_hand_works_out():
    # 20 decisions, half of them right: variance 20/19 * 1/4. Ten cents pay 25 pairs of two calls.
    (offer,) = budget_grid(0.1, [arm([1, 0] * 10, calls=2)], planned(50)).offers
    assert offer.dollars_per_decision == pytest.approx(2 * A_CALL)
    best = offer.best
    assert (best.n_pairs, best.n_repeats, best.n_calls) == (25, 1, 50)
    assert best.dollars == pytest.approx(0.1)
    assert best.standard_error == pytest.approx((5 / 19 / 25) ** 0.5)
    assert best.half_width == pytest.approx(1.959964 * (5 / 19 / 25) ** 0.5, rel=1e-6)
    assert best.detectable == pytest.approx(2.801585 * (5 / 19 / 25) ** 0.5, rel=1e-6)
    by_pairs = {cell.n_pairs: cell for cell in offer.grid if cell.n_repeats == 1}
    assert sorted(by_pairs) == [5, 12, 25, 38, 50]
    assert [by_pairs[n].fits for n in sorted(by_pairs)] == [True, True, True, False, False]


def test_the_standard_errors_are_those_of_the_allocation():
    values, units = [1, 0, 1, 1, 0, 0, 1, 1] * 5, [f"p{n // 2}" for n in range(40)]
    (offer,) = budget_grid(0.5, [arm(values, units)], planned(400)).offers
    expected = best_allocation(
        0.5, Costs(0, A_CALL, 1), spread_of(arm(values, units).decisions).planned, 1, 400
    )
    cells = {(c.n_pairs, c.n_repeats): c for c in offer.grid}
    assert len(expected.designs) == 9
    for design in expected.designs:
        cell = cells[design.n_clusters, design.n_repeats]
        assert cell.standard_error == pytest.approx(design.variance**0.5)
        assert cell.detectable == pytest.approx(design.detectable_difference)
    assert (offer.best.n_pairs, offer.best.n_repeats) == (
        expected.best.n_clusters, expected.best.n_repeats,
    )  # fmt: skip


def test_a_difference_from_b0_is_found_at_the_upper_share_of_the_pilot():
    said = {f"p{n}": (("a", "a") if n < 20 else ("b", "b")) for n in range(40)}
    changed = {f"p{n}": ("a", "a") for n in range(20, 25)} | {"p0": ("b", "b")}
    found = strategy_difference(
        strategy(said | changed, "S5", by_rule=True), strategy(said, by_rule=True)
    )
    assert (found.n_gained, found.n_lost, found.n_common) == (5, 1, 40)
    better = arm([1, 1, 0, 1] * 10, strategy="S5")
    grid = budget_grid(
        0.1,
        [arm([1, 0] * 20), better],
        planned(50, differences={("judge", "S5"): found}, family_size=2),
        "difference",
    )
    assert [offer.strategy for offer in grid.offers] == ["S5", "B0"]
    share = wilson_interval(6, 40).high
    for cell in grid.offers[0].grid:
        if cell.n_repeats == 1:
            expected = mcnemar_detectable_difference(cell.n_pairs, share, 0.8, 0.025).difference
            assert expected is None or cell.difference == pytest.approx(expected)
    assert grid.offers[1].best is None
    assert "baseline itself" in grid.offers[1].undefined


def test_each_aim_has_its_best_and_its_front():
    good = arm([1] * 18 + [0] * 2, strategy="good", calls=3)
    cheap = arm([1, 0] * 10, strategy="cheap")
    of = {aim: budget_grid(0.1, [cheap, good], planned(50), aim) for aim in AIMS}
    # 50 pairs of one call at variance 5/19 against 16 of three calls at 20/19 * 9/100.
    assert of["interval"].offers[0].strategy == "cheap"
    assert of["agreement"].offers[0].strategy == "good"
    assert of["agreement"].offers[0].best.n_pairs == 16
    assert of["difference"].front == ()
    for grid in of.values():
        assert all(place.cell.fits for place in grid.front)
        assert [p.cell.dollars for p in grid.front] == sorted(p.cell.dollars for p in grid.front)
    widths = [place.cell.half_width for place in of["interval"].front]
    assert widths == sorted(widths, reverse=True)
    assert len(set(widths)) == len(widths)
    assert [p.strategy for p in of["agreement"].front] == ["cheap", "good"]


def test_of_equals_the_cheaper_one_is_first():
    dear, cheap = arm([1, 0] * 10, strategy="dear", calls=2), arm([1, 0] * 10, strategy="cheap")
    assert budget_grid(9, [dear, cheap], planned(50)).offers[0].strategy == "cheap"


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
        budget_grid(money, [given_arm], planned(50)).offers[0] for money in (cap, cap * more)
    )
    assert all(cell.fits == (cell.dollars <= cap * (1 + 1e-9)) for cell in poor.grid)
    assert all(cell.n_pairs <= 50 for cell in poor.grid)
    assert poor.best is None or poor.best.fits
    if poor.best is not None:
        assert rich.best.half_width <= poor.best.half_width * (1 + 1e-9)


def test_a_pilot_without_repetitions_tells_nothing_of_them():
    (offer,) = budget_grid(1.0, [arm([1, 0] * 10)], planned(100)).offers
    repeated = [cell for cell in offer.grid if cell.n_repeats > 1]
    assert {cell.n_repeats for cell in repeated} == set(range(2, 10))
    for cell in repeated:
        assert cell.standard_error is cell.half_width is cell.detectable is None
        assert cell.dollars == pytest.approx(cell.n_pairs * cell.n_repeats * A_CALL)
        assert "decided twice" in cell.undefined
    assert offer.best.n_repeats == 1
    assert any("decided twice" in note for note in offer.notes)


def test_pairs_without_a_result_are_named():
    given_arm = arm([1, 0] * 10)
    some = Arm("judge", "B0", given_arm.decisions, given_arm.asked, 23)
    (offer,) = budget_grid(1.0, [some], planned(100)).offers
    assert any(note.startswith("3 of 23 pairs") for note in offer.notes)


def test_a_panel_costs_what_its_members_cost():
    asked = (Asked("judge", 1, spent()), Asked("other", 0.5, spent(10, 3_000, 0)))
    panel = Arm("judge + other", "S3", arm([1, 0] * 10).decisions, asked, 20)
    prices = {"judge": PRICE, "other": PRICE}
    (offer,) = budget_grid(1.0, [panel], planned(100, prices)).offers
    assert offer.dollars_per_decision == pytest.approx(A_CALL + 0.5 * 300 * 10 / 1e6)
    assert offer.calls_per_decision == 1.5
    (half,) = budget_grid(1.0, [panel], planned(100)).offers
    assert half.undefined == "Unpriced: [prices] has no price of other."
    assert half.best is None
    assert all(c.dollars is c.fits is None and c.half_width for c in half.grid if c.n_repeats == 1)


@pytest.mark.parametrize(
    ("given_arm", "prices", "n_clusters", "said"),
    [
        (arm([1, 0]), {}, 1, "Unpriced"),
        (arm([1, 0], spent=Spent(2, 0, 0, 0, 0, 0, None, 0, 0.0)), None, 9, "no tokens"),
        (arm([]), None, 9, "held against a reference"),
        (arm([1, 1, 1]), None, 9, "no spread"),
        (arm([1, 0]), None, 0, "No planned pair"),
        (arm([1, 0]), None, 1, "two clusters"),
        (Arm("judge", "S5", missing="The pilot did not ask it."), None, 9, "did not ask it"),
    ],
)
def test_what_cannot_be_bought_says_why(given_arm, prices, n_clusters, said):
    (offer,) = budget_grid(1.0, [given_arm], planned(n_clusters, prices)).offers
    assert offer.best is None
    assert said in offer.undefined
