from __future__ import annotations

import numpy as np
import pytest

from compare.sides import repeated, side
from counterbalance.compare.power import ASSUMED_SHARES, PlannedPairs, detectable
from counterbalance.compare.verdict import POWER
from counterbalance.statistics import mcnemar_detectable_difference, mcnemar_power

RIGHT, WRONG, TORN = ("a", "a"), ("b", "b"), ("a", "b")


def planned(n=400, sizes=None, **more):
    sizes = sizes or (1,) * n
    settings = {"n_calls": 2, "has_both_orders": True, **more}
    return PlannedPairs(n_pairs=n, n_referenced=n, cluster_sizes=sizes, **settings)


def test_without_a_pilot_shares_are_assumed_and_said_so():
    found, rates = detectable(planned(), ["agreement_both"], {"agreement_both": 0.05})
    assert [row.discordant_share for row in found] == list(ASSUMED_SHARES)
    for row in found:
        assert row.from_pilot == ""
        alone = mcnemar_detectable_difference(400, row.discordant_share)
        assert (row.difference, row.exact_power) == (alone.difference, alone.exact_power)
        gained = (row.discordant_share + row.difference) / 2
        exact = mcnemar_power(400, gained, row.discordant_share - gained).power
        assert exact == pytest.approx(row.exact_power)
        assert exact > POWER - 0.03
    assert found[0].pairs_for_margin < found[-1].pairs_for_margin
    (rate,) = rates
    assert (rate.spread, rate.from_pilot) == (0.5, "")
    assert rate.difference == pytest.approx(2.8016 * 0.5 / 20, abs=1e-4)


def test_a_family_detects_less():
    (one, *_), _ = detectable(planned(), ["agreement_both"], {})
    (ten, *_), _ = detectable(planned(family_size=10), ["agreement_both"], {})
    assert ten.error_rate == pytest.approx(0.005)
    assert ten.difference > one.difference


def test_agreement_is_about_pairs_with_a_reference():
    some = PlannedPairs(400, 100, (1,) * 400, 2, has_both_orders=True)
    found, _ = detectable(some, ["agreement_both", "position_consistency"], {})
    assert {row.measure: row.n_pairs for row in found} == {
        "agreement_both": 100,
        "position_consistency": 400,
    }


def test_a_pilot_gives_the_share_and_the_clustering():
    first = side(repeated((30, RIGHT), (10, WRONG)), "one")
    second = side(repeated((25, RIGHT), (15, WRONG)), "two")
    (row,), rates = detectable(planned(), ["agreement_both"], {}, [first, second])
    assert row.from_pilot == "two against one"
    assert 5 / 40 < row.discordant_share < 0.27
    assert row.crowding == 1
    assert [rate.from_pilot for rate in rates] == ["one", "two"]
    # Pairs of a cluster that move together tell less.
    clusters = {f"p{n}": f"c{n // 4}" for n in range(80)}
    said = [repeated((40, RIGHT), (40, RIGHT)), repeated((60, RIGHT), (20, WRONG))]
    crowded = [side(words, name, clusters=clusters) for words, name in zip(said, "xy", strict=True)]
    (row,), _ = detectable(planned(), ["agreement_both"], {}, crowded)
    assert row.crowding > 3
    alone = mcnemar_detectable_difference(400, row.discordant_share).difference
    assert row.difference > 1.5 * alone


def test_the_spread_of_the_pilot_holds_for_the_planned_clusters():
    generator = np.random.default_rng(4)
    words = {
        f"p{n}": RIGHT if generator.random() < (0.9 if n // 5 % 2 else 0.1) else WRONG
        for n in range(200)
    }
    pilot = [side(words, clusters={f"p{n}": f"c{n // 5}" for n in range(200)})]
    _, (apart,) = detectable(planned(), [], {}, pilot)
    _, (crowded,) = detectable(planned(sizes=(20,) * 20), [], {}, pilot)
    assert apart.cluster == pytest.approx(0.16, abs=0.06)
    assert apart.unit + apart.repeat == pytest.approx(0.09, abs=0.03)
    assert apart.repeat == 0  # both orders agree throughout
    assert crowded.spread**2 == pytest.approx(20 * apart.cluster + apart.unit)
    assert crowded.difference > 3 * apart.difference


@pytest.mark.parametrize("pilot", [[], [side({})], [side(repeated((1, RIGHT)))]])
def test_nothing_planned_and_nothing_in_a_pilot_are_no_error(pilot):
    found, rates = detectable(planned(0, ()), ["agreement_both"], {"agreement_both": 0.1}, pilot)
    assert all(row.difference is None and row.undefined for row in found)
    assert all(row.pairs_for_margin > 0 for row in found)
    assert all(rate.difference is None for rate in rates)


def test_a_pilot_without_disagreement_falls_to_its_upper_limit():
    sides = [side(repeated((30, RIGHT)), name) for name in ("one", "two")]
    (row,), (rate,) = detectable(planned(), ["agreement_both"], {}, sides)
    assert 0.1 < row.discordant_share < 0.12
    assert (rate.spread, rate.from_pilot) == (0.5, "")
