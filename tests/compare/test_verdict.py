from __future__ import annotations

import numpy as np
import pytest

from compare.sides import repeated, side
from counterbalance.compare.comparison import Plan, compare
from counterbalance.compare.pairing import pairs_of_judges
from counterbalance.compare.verdict import Verdict
from counterbalance.errors import InputError
from counterbalance.statistics import mcnemar_sample_size

RIGHT, WRONG, NONE = ("a", "a"), ("b", "b"), ("a", "unparsed")


def concluded(gained, lost, same, margin=0.05, missing=0, **more):
    """What a comparison on so many pairs comes to."""
    first = side(repeated((gained, WRONG), (lost, RIGHT), (same, RIGHT), (missing, RIGHT)), m="1")
    second = side(repeated((gained, RIGHT), (lost, WRONG), (same, RIGHT), (missing, NONE)), m="2")
    margins = {} if margin is None else {"agreement_both": margin}
    plan = Plan(("agreement_both",), margins, **more)
    ((found, conclusion),) = compare([(first, second)], plan).comparisons[0].differences
    return found, conclusion


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        ((30, 5, 165), Verdict.BETTER),
        ((5, 30, 165), Verdict.WORSE),
        ((2, 2, 396), Verdict.EQUIVALENT),
        ((8, 4, 88), Verdict.CANNOT_TELL),
        ((0, 0, 20), Verdict.CANNOT_TELL),
        ((0, 0, 400), Verdict.EQUIVALENT),
    ],
)
def test_the_verdict_follows_from_the_margin(counts, verdict):
    assert concluded(*counts)[1].verdict is verdict


def test_without_a_margin_there_is_no_verdict():
    assert concluded(30, 5, 165, None)[1].verdict is Verdict.NO_MARGIN


def test_a_difference_that_is_small_and_real_is_equivalent_and_not_better():
    found, conclusion = concluded(30, 5, 1965)
    assert found.low > 0
    assert conclusion.verdict is Verdict.EQUIVALENT


def test_a_family_makes_every_verdict_harder():
    assert concluded(14, 4, 182)[1].verdict is Verdict.BETTER
    assert concluded(14, 4, 182, family_size=8)[1].verdict is Verdict.CANNOT_TELL
    assert concluded(2, 2, 296)[1].verdict is Verdict.EQUIVALENT
    assert concluded(2, 2, 296, 0.03, family_size=40)[1].verdict is Verdict.CANNOT_TELL


def test_where_nothing_can_be_told_the_pairs_needed_are_said():
    _, conclusion = concluded(8, 4, 88)
    # Planned with the upper limit of the discordant share, so with more than from the share seen.
    assert conclusion.pairs_needed > mcnemar_sample_size(0.05, 0.12).n_units
    assert concluded(30, 5, 165)[1].pairs_needed is None


def test_that_many_pairs_do_find_a_difference_of_the_margin():
    _, conclusion = concluded(8, 2, 50, 0.15)
    n, generator = conclusion.pairs_needed, np.random.default_rng(5)
    tables = generator.multinomial(n, [0.20, 0.05, 0.75], 40)
    found = [concluded(*map(int, table), 0.15)[1].verdict for table in tables]
    # Planned for 80 % at a larger discordant share than this one; three standard errors below.
    assert sum(verdict is not Verdict.CANNOT_TELL for verdict in found) >= 25


def test_missing_verdicts_that_could_turn_a_verdict_are_said():
    assert concluded(30, 5, 165)[1].could_be_undone is False
    assert concluded(30, 5, 165, missing=30)[1].could_be_undone is True


def test_declared_margins_are_told_from_others():
    declared = concluded(30, 5, 165, declared_margins=frozenset({"agreement_both"}))[1]
    assert declared.is_declared
    assert not concluded(30, 5, 165)[1].is_declared


def test_no_run_is_compared_by_its_candidates_when_the_judging_differs():
    first = side(repeated((20, WRONG)), model="m-1")
    second = side(repeated((20, RIGHT)), texts="other", model="m-2")
    plan = Plan(("agreement_both",), {"agreement_both": 0.05}, by="id")
    (comparison,) = compare([(first, second)], plan).comparisons
    assert comparison.attribution.is_refused
    assert "REFUSED" in comparison.attribution.sentence
    assert [c.name for c in comparison.attribution.changes] == ["model"]
    assert comparison.differences[0][1].verdict is Verdict.REFUSED
    assert comparison.differences[0][1].pairs_needed is None


@pytest.mark.parametrize(
    ("texts", "judging", "cause"),
    [
        ("other", ({"m": "1"}, {"m": "1"}), "candidates"),
        ("other", ({"m": "1"}, {"m": "1", "n": "2"}), "refused"),
        ("other", ({}, {"m": "1"}), "refused"),
        ("other", ({}, {}), "refused"),
        ("text", ({"m": "1"}, {"m": "2"}), "judging"),
        ("text", ({"m": "1"}, {"m": "1"}), "repetition"),
        ("text", ({}, {"m": "1"}), "unknown"),
    ],
)
def test_a_difference_is_put_down_to_the_one_thing_that_differs(texts, judging, cause):
    said = repeated((12, RIGHT))
    first, second = side(said, **judging[0]), side(said, texts=texts, **judging[1])
    (comparison,) = compare([(first, second)], Plan(("tie_rate",), by="id")).comparisons
    assert comparison.attribution.cause.value == cause
    assert comparison.attribution.sentence


def test_sides_without_a_common_pair_say_what_to_do():
    first, second = side(repeated((2, RIGHT))), side(repeated((2, RIGHT)), texts="other")
    with pytest.raises(InputError, match="2 have the same id and other texts: --match id"):
        compare([(first, second)], Plan())


def test_dispositions_of_shared_pairs_add_up():
    first = side(repeated((4, RIGHT), (3, WRONG), (2, NONE)))
    second = side(repeated((3, RIGHT), (4, WRONG), (2, RIGHT), (5, RIGHT)))
    (comparison,) = compare([(first, second)], Plan()).comparisons
    found = comparison.moves
    assert found.n_pairs == comparison.matched.n_shared == 9
    assert sorted(found.moved) == ["p3", "p7", "p8"]
    assert dict(zip(found.labels, found.cells, strict=True))["incomplete"][0] == 2


def test_judges_are_compared_under_one_labelling_each_with_each_or_against_one():
    sides = [side({"p": RIGHT}, name) for name in ("one", "two", "three")]
    named = [(a.judge, b.judge) for a, b in pairs_of_judges(sides)]
    assert named == [("one", "two"), ("one", "three"), ("two", "three")]
    against = [(a.judge, b.judge) for a, b in pairs_of_judges(sides, "two")]
    assert against == [("two", "one"), ("two", "three")]
