from __future__ import annotations

import pytest

from compare.sides import repeated, side
from counterbalance.compare.difference import difference
from counterbalance.compare.matching import match
from counterbalance.compare.outcomes import OUTCOMES
from counterbalance.measures.catalogue import group_measures
from counterbalance.protocol.sections import COMPARED
from counterbalance.statistics import mcnemar_test, tango_interval

RIGHT, WRONG, TORN, NONE = ("a", "a"), ("b", "b"), ("a", "b"), ("a", "unparsed")


def compared(measure, first, second, **more):
    return difference(measure, (first, second), match(first, second), **more)


def test_agreement_is_mcnemar_and_tango_on_the_common_pairs():
    first = side(repeated((10, RIGHT), (4, WRONG), (6, RIGHT), (5, WRONG), (2, RIGHT), (3, NONE)))
    second = side(repeated((10, RIGHT), (4, RIGHT), (6, WRONG), (5, WRONG), (2, NONE), (3, RIGHT)))
    found = compared("agreement_both", first, second)
    assert (found.n_gained, found.n_lost, found.n_common) == (4, 6, 25)
    assert (found.first, found.second) == (16 / 25, 14 / 25)
    assert found.value == pytest.approx(-2 / 25)
    interval = tango_interval(4, 6, 25)
    assert (found.low, found.high) == (interval.low, interval.high)
    assert found.p_value == mcnemar_test(4, 6).p_value
    left = found.left_out
    assert (left.no_verdict_first, left.no_verdict_second, left.no_verdict_both) == (3, 2, 0)
    # 25 common pairs differ by -2; of 5 others each could move it by one, but never both ways.
    assert (found.least, found.most) == (pytest.approx(-4 / 30), pytest.approx(1 / 30))


def test_pairs_that_share_clusters_are_compared_by_the_cluster_robust_t():
    said = repeated((12, RIGHT), (12, WRONG)), repeated((18, RIGHT), (6, WRONG))
    clusters = {f"p{n}": f"c{n % 12}" for n in range(24)}
    found = compared("agreement_both", *(side(words, clusters=clusters) for words in said))
    assert (found.method, found.p_method) == ("cluster_robust_t", "cluster_robust_t")
    assert found.n_clusters == 12
    few = {f"p{n}": f"c{n % 9}" for n in range(24)}
    refused = compared("agreement_both", *(side(words, clusters=few) for words in said))
    assert (refused.low, refused.p_value) == (None, None)
    assert "Fewer than 10 clusters" in refused.interval_undefined


@pytest.mark.parametrize("measure", [m for m in COMPARED if m != "strategy_agreement"])
def test_each_side_is_the_measure_of_that_name_where_nothing_is_missing(measure):
    words = [RIGHT, WRONG, TORN, ("b", "a"), ("tie", "tie"), ("tie", "a"), ("neither", "a")]
    first = side(repeated(*((2, word) for word in words)))
    second = side(repeated(*((2, word) for word in reversed(words))))
    found = compared(measure, first, second)
    for value, each in ((found.first, first), (found.second, second)):
        measured = {e.name: e for e in group_measures(each.pairs, baseline="old")}
        assert value == pytest.approx(measured[measure].value)


@pytest.mark.parametrize("measure", COMPARED)
def test_exchanging_the_sides_changes_the_sign_only(measure):
    first = side(repeated((5, RIGHT), (5, TORN), (5, ("tie", "tie")), (5, NONE)))
    second = side(repeated((8, TORN), (5, RIGHT), (7, ("tie", "b"))))
    there, back = compared(measure, first, second), compared(measure, second, first)
    assert there.value == pytest.approx(-back.value)
    assert (there.low, there.high) == (pytest.approx(-back.high), pytest.approx(-back.low))
    assert (there.n_gained, there.n_lost) == (back.n_lost, back.n_gained)
    assert (there.least, there.most) == (pytest.approx(-back.most), pytest.approx(-back.least))
    assert there.p_value == (None if back.p_value is None else pytest.approx(back.p_value))


@pytest.mark.parametrize("measure", COMPARED)
@pytest.mark.parametrize("filled", [RIGHT, WRONG, TORN, ("b", "a"), ("tie", "tie")])
def test_bounds_hold_every_way_the_missing_verdicts_could_have_come(measure, filled):
    known, nothing = ((6, RIGHT), (6, TORN)), ("unparsed", "unparsed")
    second = side(repeated((6, TORN), (6, ("tie", "b")), (3, WRONG)))
    seen = compared(measure, side(repeated(*known, (3, nothing))), second)
    whole = compared(measure, side(repeated(*known, (3, filled))), second)
    assert seen.left_out.n_missing == 3
    assert seen.least - 1e-12 <= whole.value <= seen.most + 1e-12


@pytest.mark.parametrize("measure", COMPARED)
@pytest.mark.parametrize(
    "said",
    [
        {},
        repeated((1, RIGHT)),
        repeated((12, ("tie", "tie"))),
        repeated((12, NONE)),
        repeated((12, RIGHT)),
    ],
    ids=["no pair", "one pair", "all ties", "no verdict", "all alike"],
)
def test_what_cannot_be_told_says_why_and_invents_nothing(measure, said):
    found = compared(measure, side(said), side(said))
    assert (found.value is None) == (found.undefined is not None)
    assert found.p_value is None
    assert found.p_undefined
    if found.low is None:
        assert found.interval_undefined
    else:
        assert found.high > found.low


def test_all_discordant_one_way_has_no_p_value_of_0_and_no_width_of_0():
    found = compared("agreement_both", side(repeated((40, WRONG))), side(repeated((40, RIGHT))))
    assert 0 < found.p_value < 1e-10
    assert found.low < 1
    assert found.value == 1


def test_every_shared_pair_is_common_missing_or_not_eligible():
    first = side(repeated((3, RIGHT), (3, NONE), (4, TORN)), accepted=())
    second = side(repeated((3, RIGHT), (3, TORN), (4, NONE)), accepted=())
    for measure in COMPARED:
        found = compared(measure, first, second)
        left = found.left_out
        assert found.n_common + left.n_missing + left.not_eligible == 10
    assert compared("agreement_both", first, second).left_out.not_eligible == 10


def test_win_rates_of_other_baselines_are_not_compared():
    said = repeated((12, RIGHT))
    found = compared("win_rate_a", side(said), side(said, baseline=None))
    assert found.value is None
    assert "No baseline" in found.undefined
    assert (found.least, found.left_out.not_eligible) == (None, 12)


def test_the_strict_limits_are_those_of_the_whole_family():
    first, second = (
        side(repeated((30, RIGHT), (30, WRONG))),
        side(repeated((45, RIGHT), (15, WRONG))),
    )
    found = compared("agreement_both", first, second, family_size=5)
    strict = tango_interval(15, 0, 60, 0.99)
    assert found.strict_level == pytest.approx(0.99)
    assert (found.strict_low, found.strict_high) == (strict.low, strict.high)
    assert found.strict_low < found.low < found.high < found.strict_high


def test_outcomes_are_those_that_a_protocol_can_declare():
    assert tuple(OUTCOMES) == COMPARED
