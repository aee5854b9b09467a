"""The rules of strategies, alone: votes to results."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import judged, judged_from, pair
from counterbalance.dispositions.combining import Vote, VoterEvidence, combine, majority, vote_of
from counterbalance.protocol.strategies.catalogue import CATALOGUE
from counterbalance.protocol.strategies.strategy import Strategy

SILENT = Vote("none", has_verdict=False)


def votes(words: str) -> list[Vote]:
    """``-`` has no verdict, ``insufficient`` has one and no value, ``~tie`` is the rule's own."""
    made = []
    for word in words.split():
        if word == "-":
            made.append(SILENT)
        elif word == "insufficient":
            made.append(Vote("none", has_verdict=True))
        else:
            value = word.removeprefix("~")
            made.append(Vote(value, has_verdict=True, from_disagreement=word != value))
    return made


@pytest.mark.parametrize(
    ("words", "value", "is_made"),
    [
        ("a a b", "a", False),
        ("a b tie", "tie", True),
        ("a b", "tie", True),
        ("tie tie a", "tie", False),
        ("~tie ~tie a", "tie", True),
        ("~tie tie a", "tie", True),
        ("~tie tie tie", "tie", False),
        ("neither neither a", "neither", False),
        ("insufficient insufficient a", "none", False),
        ("a a -", "a", False),
        ("a b -", "tie", True),
        ("a - -", "none", False),
        ("- - -", "none", False),
    ],
)
def test_a_majority_is_of_the_votes_with_a_verdict(words, value, is_made):
    for order in permutations(votes(words)):
        made = majority("S3", order, quorum=2)
        assert (made.value, made.from_disagreement) == (value, is_made)


def test_a_tie_break_of_none_decides_nothing():
    made = majority("S3", votes("a b tie"), 2, "none")
    assert (made.value, made.from_disagreement, made.is_split) == ("none", True, True)


def test_the_quorum_counts_verdicts_and_not_calls():
    assert majority("S3", votes("a a -"), 3).value == "none"
    assert majority("S3", votes("a a insufficient"), 3).value == "a"


@given(st.lists(st.sampled_from(["a", "b", "tie", "-"]), min_size=1, max_size=7))
def test_exchanging_the_candidates_exchanges_the_result(words):
    other = {"a": "b", "b": "a"}
    quorum = len(words) // 2 + 1
    one = majority("S3", votes(" ".join(words)), quorum)
    two = majority("S3", votes(" ".join(other.get(w, w) for w in words)), quorum)
    assert two.value == other.get(one.value, one.value)
    assert two.from_disagreement == one.from_disagreement


def strategy(name: str, **changes: object) -> Strategy:
    whole = {"id": name, **CATALOGUE.get(name, {}), "panel": (), **changes}
    return Strategy.model_validate(whole)


def voter(forward: str, reversed_: str, scores=()) -> VoterEvidence:
    of = judged(pair(), forward, reversed_)
    return VoterEvidence(of.result, (of.result,), of.evidence, scores)


@pytest.mark.parametrize(
    ("cells", "value", "is_made"),
    [
        (("a", "a"), "a", False),
        (("a", "b"), "tie", True),
        (("tie", "b"), "tie", True),
        (("tie", "tie"), "tie", False),
        (("neither", "a"), "none", True),
        (("a", "failed:timeout"), "none", False),
    ],
)
def test_swap_makes_a_tie_of_disagreement_and_says_so(cells, value, is_made):
    made = combine(strategy("S1"), 1, [voter(*cells)])
    assert (made.value, made.from_disagreement) == (value, is_made)
    assert made.n_self_disagreeing == int(is_made)


def test_the_panel_of_swapped_judges_keeps_what_each_disagrees_on():
    made = combine(strategy("S7"), 2, [voter("a", "b"), voter("b", "a"), voter("a", "a")])
    assert (made.value, made.from_disagreement, made.n_self_disagreeing) == ("tie", True, 2)


def test_a_swap_without_tie_break_has_no_result_where_the_orders_disagree():
    made = combine(strategy("S1", tie_break="none"), 1, [voter("a", "b")])
    assert (made.value, made.from_disagreement) == ("none", True)


def test_the_judge_on_call_decides_where_the_first_disagrees_and_only_there():
    escalation = strategy("escalation", stronger="strong")
    asked = combine(escalation, 1, [voter("a", "b")], [voter("b", "b")])
    assert (asked.value, asked.is_escalated, asked.from_disagreement) == ("b", True, False)
    again = combine(escalation, 1, [voter("a", "b")], [voter("b", "a")])
    assert (again.value, again.from_disagreement, again.n_self_disagreeing) == ("tie", True, 2)
    alone = combine(escalation, 1, [voter("a", "a")], [voter("b", "b")])
    assert (alone.value, alone.is_escalated) == ("a", False)
    failed = combine(escalation, 1, [voter("a", "failed:timeout")], [voter("b", "b")])
    assert (failed.value, failed.is_escalated) == ("none", False)


@pytest.mark.parametrize(
    ("scores", "value", "is_made"),
    [
        (((3.0,), (-1.0,)), "a", False),
        (((1.0,), (-3.0,)), "b", False),
        (((2.0,), (-2.0,)), "tie", True),
        (((2.0,), (None,)), "none", False),
        (((2.0, 2.0, None), (1.0, None, 1.0)), "a", False),
        (((2.0, None), (1.0, 1.0)), "none", False),
    ],
)
def test_scores_are_averaged_with_equal_weight_for_both_orders(scores, value, is_made):
    made = combine(strategy("calibrated_scores"), 1, [voter("a", "b", scores)])
    assert (made.value, made.from_disagreement) == (value, is_made)


def test_identical_texts_have_no_result():
    of = judged(pair(a="same", b="same"), "a", "a")
    same = VoterEvidence(of.result, (of.result,), of.evidence)
    assert combine(strategy("S3"), 1, [same, same]).value == "none"


def test_a_vote_is_one_order_as_it_is_where_only_one_was_shown():
    of = pair()
    found = judged(of, "b", "b").evidence
    found.main.popitem()
    assert vote_of(judged_from(of, found).result) == Vote("b", has_verdict=True)
