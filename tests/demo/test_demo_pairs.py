"""The bundled pairs: enough of each kind, honest references, and short enough for a small model."""

import json
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from counterbalance.items import RequirementRule, Side, Verdict, is_fulfilled, load_pairs

FILE = Path(str(files("counterbalance") / "cli" / "demo_pairs.jsonl"))
CATEGORIES = {"customer service", "factual", "summary", "code", "instruction"}
LONGEST_ANSWER = 110
LONGEST_QUESTION = 60
LONGEST_CONTEXT = 110
MOST_CHARACTERS = 330  # of one whole pair, whatever its parts


@pytest.fixture(scope="module", name="loaded")
def _loaded():
    return load_pairs(FILE, name="demo_pairs.jsonl")


@pytest.fixture(scope="module", name="pairs")
def _pairs(loaded):
    return loaded.pairs


def accepted(pair):
    return pair.reference.accepted


def winner(pair):
    """Return the candidate that the reference prefers, if it prefers one."""
    sides = {side for v in accepted(pair) if (side := v.side) is not None}
    return sides.pop() if len(sides) == 1 else None


def longer(pair):
    a, b = len(pair.a.text), len(pair.b.text)
    return None if a == b else Side.A if a > b else Side.B


def breaches(pair, side, *, mandatory=True):
    return [
        r.id
        for r in pair.item.requirements
        if r.mandatory is mandatory and is_fulfilled(r, side, pair.candidate(side).text) is False
    ]


def parts(pair):
    item = pair.item
    texts = [m.content for m in item.messages] + [r.text for r in item.requirements]
    return [*texts, item.context, item.reference_answer, pair.a.text, pair.b.text]


def is_balanced(part, whole):
    """Return whether a share is near enough to a half that it gives nothing away."""
    return 0.4 <= part / whole <= 0.6


# ------------------------------------------------------------------ the file


def test_each_line_is_one_object_and_the_file_is_plain_utf_8():
    raw = FILE.read_bytes()
    assert raw.endswith(b"\n")
    assert b"\r" not in raw
    assert not raw.startswith(b"\xef\xbb\xbf")
    rows = [json.loads(line) for line in raw.decode().split("\n")[:-1]]
    assert all(list(row).index("a") < list(row).index("b") for row in rows)


def test_the_reader_takes_every_row_under_an_id_of_its_own(loaded):
    assert loaded.n_rows == len(loaded.pairs) == FILE.read_bytes().count(b"\n")
    assert len({pair.id for pair in loaded.pairs}) == len(loaded.pairs)


def test_there_are_at_least_24_pairs_of_all_categories(pairs):
    counts = Counter(pair.item.category for pair in pairs)
    assert 24 <= len(pairs) <= 30
    assert set(counts) == CATEGORIES
    assert counts["customer service"] >= 8
    assert min(counts.values()) >= 3


def test_both_systems_are_the_same_on_every_pair(pairs):
    sides = {(p.a.system, p.a.version, p.b.system, p.b.version) for p in pairs}
    assert sides == {("retained", "1", "revision", "2")}


# ------------------------------------------------------------------ kinds of pairs


def test_one_pair_is_identical_and_its_reference_is_a_tie(pairs):
    (pair,) = [pair for pair in pairs if pair.is_identical]
    assert accepted(pair) == {Verdict.TIE}


def test_two_pairs_with_different_texts_are_ties(pairs):
    ties = [pair for pair in pairs if accepted(pair) == {Verdict.TIE} and not pair.is_identical]
    assert len(ties) == 2


def test_a_pair_accepts_alternatives(pairs):
    assert any(len(accepted(pair)) > 1 for pair in pairs)


def test_a_pair_lacks_the_evidence_for_a_choice(pairs):
    (pair,) = [pair for pair in pairs if accepted(pair) == {Verdict.INSUFFICIENT}]
    assert pair.item.context


def test_a_conversation_has_several_turns(pairs):
    roles = [[m.role for m in pair.item.messages] for pair in pairs]
    assert ["user", "assistant", "user"] in roles


def test_some_pairs_share_a_cluster_and_others_do_not(pairs):
    sizes = Counter(Counter(pair.item.cluster for pair in pairs).values())
    assert sizes[2] >= 2
    assert sizes[1] >= 20


def test_some_text_is_not_ascii(pairs):
    text = "".join("".join(parts(pair)) for pair in pairs)
    assert {"é", "漢", "🍜"} <= set(text)


def test_a_candidate_addresses_the_judge(pairs):
    (pair,) = [pair for pair in pairs if "judge" in pair.a.text + pair.b.text]
    assert winner(pair) is Side.B
    assert "judge" in pair.a.text


def test_consequences_differ(pairs):
    assert len({pair.item.consequence for pair in pairs}) >= 3


# ------------------------------------------------------------------ references and requirements


def test_every_pair_has_a_reference_with_a_source(pairs):
    assert {pair.reference.source for pair in pairs} == {"counterbalance authors"}
    assert all(accepted(pair) for pair in pairs)


def test_every_rule_that_a_file_can_check_is_used_and_named_in_words(pairs):
    requirements = [r for pair in pairs for r in pair.item.requirements]
    rules = set(RequirementRule) - {RequirementRule.VERDICT_FIELD}
    assert {r.rule for r in requirements} == rules
    assert {r.mandatory for r in requirements} == {True, False}
    assert all(r.text for r in requirements)


def test_no_preferred_candidate_breaks_a_mandatory_requirement(pairs):
    broken = {p.id: breaches(p, side) for p in pairs if (side := winner(p)) is not None}
    assert {name: ids for name, ids in broken.items() if ids} == {}


def test_both_answers_break_a_mandatory_requirement_exactly_where_neither_is_accepted(pairs):
    both = [p for p in pairs if breaches(p, Side.A) and breaches(p, Side.B)]
    assert both == [p for p in pairs if accepted(p) == {Verdict.NEITHER}]
    assert len(both) == 1


def test_several_replies_invent_a_date_and_lose_by_a_mandatory_requirement(pairs):
    losers = [
        p.id
        for p in pairs
        if (side := winner(p)) is not None and "no_date" in breaches(p, side.other)
    ]
    assert len(losers) >= 4


def test_a_reply_without_a_next_step_breaks_a_requirement_that_is_not_mandatory(pairs):
    (pair,) = [p for p in pairs if p.id == "svc-02"]
    assert breaches(pair, Side.A, mandatory=False) == ["next_step"]
    assert breaches(pair, Side.A) == []


# ------------------------------------------------------------------ nothing gives the answer away


def test_either_side_is_better_about_equally_often(pairs):
    winners = [side for p in pairs if (side := winner(p)) is not None]
    assert len(winners) >= 20
    assert is_balanced(winners.count(Side.A), len(winners))


def test_either_side_is_longer_about_equally_often(pairs):
    sides = [side for p in pairs if (side := longer(p)) is not None]
    assert is_balanced(sides.count(Side.A), len(sides))


def test_the_better_answer_is_the_longer_one_about_half_the_time(pairs):
    decided = [p for p in pairs if winner(p) is not None and longer(p) is not None]
    assert is_balanced(sum(winner(p) is longer(p) for p in decided), len(decided))


@pytest.mark.parametrize("side", list(Side))
def test_on_either_side_the_winner_is_sometimes_the_shorter_answer(pairs, side):
    won = [p for p in pairs if winner(p) is side]
    assert is_balanced(sum(longer(p) is side for p in won), len(won))


# ------------------------------------------------------------------ short enough


def test_every_text_is_short(pairs):
    for pair in pairs:
        assert max(len(pair.a.text), len(pair.b.text)) <= LONGEST_ANSWER, pair.id
        assert sum(len(m.content) for m in pair.item.messages) <= LONGEST_QUESTION, pair.id
        assert len(pair.item.context) <= LONGEST_CONTEXT, pair.id
        assert sum(map(len, parts(pair))) <= MOST_CHARACTERS, pair.id
