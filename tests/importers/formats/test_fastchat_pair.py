"""FastChat pairs: winners are models, game 2 shows ``model_2`` first, an error is never a tie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from counterbalance.importers.formats import fastchat_pair
from counterbalance.importers.reading import read_again
from counterbalance.items.frames import Order
from counterbalance.parsing.outcome import OutcomeKind
from foreign_logs import NASTY, dispositions, format_of, jsonl, read, reasons, verdicts
from reference_data import expected, stored

if TYPE_CHECKING:
    from pathlib import Path

SINGLE = (
    "[User Question]\n{q}\n\n[The Start of Assistant A's Answer]\n{a}\n[The End of Assistant A's"
    " Answer]\n\n[The Start of Assistant B's Answer]\n{b}\n[The End of Assistant B's Answer]"
)
MATH = "[The Start of Reference Answer]\n42\n[The End of Reference Answer]\n\n" + SINGLE
MULTI = (
    "<|The Start of Assistant A's Conversation with User|>\n\n### User:\n{q}\n\n### Assistant A:\n"
    "{a}\n\n### User:\nMore!\n\n### Assistant A:\n{a}2\n\n<|The End of Assistant A's Conversation"
    " with User|>\n\n\n<|The Start of Assistant B's Conversation with User|>\n\n### User:\n{q}\n\n"
    "### Assistant B:\n{b}\n\n### User:\nMore!\n\n### Assistant B:\n{b}2\n\n<|The End of Assistant"
    " B's Conversation with User|>"
)


def row(template: str = SINGLE, a: str = NASTY, b: str = "short", **changes: Any) -> dict[str, Any]:
    return {
        "question_id": 81,
        "model_1": "phi",
        "model_2": "alpaca",
        "g1_winner": "model_1",
        "g2_winner": "tie",
        "judge": ["gpt-4", "pair-v2"],
        "g1_user_prompt": template.format(q="Why?", a=a, b=b),
        "g1_judgment": "So: [[A]]",
        "g2_user_prompt": template.format(q="Why?", a=b, b=a),
        "g2_judgment": "So: [[C]]",
        "turn": 1,
        "tstamp": 1.5,
        **changes,
    }


def test_a_row_is_two_calls_of_one_pair(tmp_path: Path) -> None:
    log = read(jsonl(tmp_path / "data" / "mt_bench" / "model_judgment" / "g_pair.jsonl", [row()]))
    assert log.log_format.name == "fastchat-pair"
    first, second = log.judgments
    assert (first.item, first.cluster, first.a, first.b) == ("81", "81", "alpaca", "phi")
    assert (first.judge, first.strategy, first.subset) == ("gpt-4", "pair-v2", "mt_bench")
    assert first.order is Order.REVERSED  # phi is b and was shown first
    assert second.order is Order.FORWARD
    assert first.outcome.kind is OutcomeKind.FIRST
    assert verdicts(log.judgments) == ["b", "tie"]
    assert NASTY in first.prompt
    assert first.reply == "So: [[A]]"


@pytest.mark.parametrize(("model_1", "model_2"), [("phi", "alpaca"), ("alpaca", "phi"), ("🜁", "ü")])
@pytest.mark.parametrize("g1", ["model_1", "model_2"])
@pytest.mark.parametrize("g2", ["model_1", "model_2"])
def test_winners_are_models_in_both_games(tmp_path, model_1, model_2, g1, g2) -> None:
    changes = {"model_1": model_1, "model_2": model_2, "g1_winner": g1, "g2_winner": g2}
    log = read(jsonl(tmp_path / "x_pair.jsonl", [row(**changes)]))
    named = zip(log.judgments, verdicts(log.judgments), strict=True)
    assert [getattr(j, won) for j, won in named] == [changes[g1], changes[g2]]
    shown_first = [j.a if j.order is Order.FORWARD else j.b for j in log.judgments]
    assert shown_first == [model_1, model_2]


@pytest.mark.parametrize("template", [SINGLE, MATH, MULTI])
def test_prompts_that_exchange_the_answers_have_one_setting(tmp_path, template) -> None:
    same, other = row(template), row(template)
    other["g2_user_prompt"] += " Be brief."
    log = read(jsonl(tmp_path / "x_pair.jsonl", [same, other]))
    settings = [j.setting for j in log.judgments]
    assert settings[0] == settings[1] != ""
    assert settings[2] != settings[3]
    assert log.notes == []


@pytest.mark.parametrize("template", [SINGLE, MULTI])
def test_prompts_that_do_not_exchange_the_answers_are_no_exchange(tmp_path, template) -> None:
    kept = row(template)
    kept["g2_user_prompt"] = kept["g1_user_prompt"]
    log = read(jsonl(tmp_path / "x_pair.jsonl", [kept]))
    assert log.judgments[0].setting != log.judgments[1].setting


@pytest.mark.parametrize(
    "prompts",
    [
        {"g1_user_prompt": None, "g2_user_prompt": None},
        {"g1_user_prompt": "shown", "g2_user_prompt": "shown"},
        {"g2_user_prompt": ["an image", "hash"]},
    ],
)
def test_prompts_that_cannot_be_compared_say_nothing(tmp_path, prompts) -> None:
    log = read(jsonl(tmp_path / "x_pair.jsonl", [row(**prompts)]))
    assert [j.setting for j in log.judgments] == ["", ""]
    assert [note for note in log.notes if "could not be compared" in note]


def test_an_answer_that_quotes_the_marks_is_not_called_a_difference(tmp_path: Path) -> None:
    quoting = "x\n[The End of Assistant A's Answer]\n\n[The Start of Assistant B's Answer]\ny"
    log = read(jsonl(tmp_path / "x_pair.jsonl", [row(a=quoting)]))
    assert [j.setting for j in log.judgments] == ["", ""]


def test_turns_are_items_and_share_a_cluster(tmp_path: Path) -> None:
    rows = [
        row(turn=2),
        row(turn=None, judge=["gpt-4", "pair-math-v1-multi-turn"]),
        row(turn=None, judge=["gpt-4", "pair-v2"]),
    ]
    del rows[1]["turn"]
    log = read(jsonl(tmp_path / "x_pair.jsonl", rows))
    assert [j.item for j in log.judgments[::2]] == ["81 turn 2", "81 turn 2", "81"]
    assert {j.cluster for j in log.judgments} == {"81"}


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("$ERROR$", OutcomeKind.FAILED),
        ("  \n", OutcomeKind.EMPTY),
        ("Both are fine.", OutcomeKind.UNPARSED),
        (None, OutcomeKind.UNPARSED),
    ],
)
def test_an_error_is_never_a_tie(tmp_path, reply, kind) -> None:
    log = read(jsonl(tmp_path / "x_pair.jsonl", [row(g1_winner="error", g1_judgment=reply)]))
    assert log.judgments[0].outcome.kind is kind
    assert not log.judgments[0].outcome.is_verdict


def test_replies_are_read_again_where_labels_were_asked_for(tmp_path: Path) -> None:
    both = row(g1_judgment="B wrote [[A]]. I say [[B]]", g2_judgment="Scores: [[8, 7]]")
    first, second = read(jsonl(tmp_path / "x_pair.jsonl", [both])).judgments
    assert first.reading is not None
    assert first.outcome.kind is OutcomeKind.FIRST  # FastChat looks for [[A]] before [[B]]
    assert read_again(first.reading, first.reply).kind is OutcomeKind.SECOND
    assert second.reading is None


def test_every_row_is_accounted_for(tmp_path: Path) -> None:
    lacking = row()
    del lacking["judge"]
    rows = [
        row(),
        "{broken",
        "",
        "[1]",
        lacking,
        row(m1_score=8, m2_score=7),
        row(judge={"name": "gpt-4"}),
        row(judge=[]),
        row(judge="gpt-4"),
        row(question_id=None),
        row(question_id=[81]),
        row(turn={"n": 1}),
        row(model_2=""),
        row(model_2="phi"),
        row(g1_winner="model_3"),
        row(g1_winner=["model_1"], g2_winner=None),
        '{"question_id": NaN}',
        row(),
    ]
    log = read(jsonl(tmp_path / "x_pair.jsonl", rows))
    assert reasons(log.rejects) == {
        "the line is not JSON": 1,
        "the row is no object": 1,
        "the row lacks a key": 2,
        "the row was derived from single scores: no pairwise call was made": 1,
        "judge is neither a name nor a list of names": 2,
        "question, turn and two different models cannot be told": 5,
        "the winner is none of model_1, model_2, tie, error": 3,
    }
    assert [j.line for j in log.judgments] == [1, 1, 9, 9, 15, 18, 18]
    assert log.judgments[2].strategy == ""


@pytest.mark.parametrize("name", ["x.jsonl", "x_pair.jsonl.gz", "x.txt"])
@pytest.mark.parametrize(("start", "end"), [(b"", "\n"), (b"\xef\xbb\xbf", "\r\n")])
def test_it_is_known_by_its_rows(tmp_path, name, start, end) -> None:
    path = jsonl(tmp_path / name, [row(), row(question_id=82)], end, start)
    assert format_of(path) == "fastchat-pair"
    assert len(read(path).judgments) == 4


def test_a_rerun_is_kept_for_the_collector_to_find(tmp_path: Path) -> None:
    log = read(jsonl(tmp_path / "x_pair.jsonl", [row(), row(tstamp=2)]))
    assert len(log.judgments) == 4
    keys = {(j.judge, j.strategy, j.item, j.a, j.b, j.order, j.repetition) for j in log.judgments}
    assert len(keys) == 2


REAL = "fastchat/llm_judge/data/mt_bench/model_judgment/gpt-4_pair.jsonl.gz"


@pytest.mark.reference
def test_the_real_log_has_the_expected_numbers() -> None:
    log = read(stored("fastchat_fork_pair_log", REAL))
    wanted = expected("fastchat_fork_pair_log", REAL)["dispositions"]
    found = dispositions(log.judgments)
    assert {name: found[name] for name in wanted if name != "pairs"} | {
        "pairs": found.total()
    } == wanted
    assert log.rejects == []
    assert {(j.strategy, j.subset) for j in log.judgments} == {
        ("pair-v2", "mt_bench"),
        ("pair-math-v1", "mt_bench"),
    }


def _read_again_alike(judgments: list) -> int:
    """Games in which the label in the reply, mapped by the order, is the stored winner."""
    return sum(
        read_again(j.reading, j.reply).kind is j.outcome.kind
        for j in judgments
        if j.outcome.is_verdict
    )


@pytest.mark.reference
def test_the_label_in_every_reply_is_the_stored_winner() -> None:
    judgments = read(stored("fastchat_fork_pair_log", REAL)).judgments
    assert _read_again_alike(judgments) == 147
    assert [j.reply for j in judgments if not j.outcome.is_verdict] == ["$ERROR$"] * 3
    assert all(j.setting for j in judgments)
    pairs = zip(judgments[::2], judgments[1::2], strict=True)
    assert all(one.setting == other.setting for one, other in pairs)


@pytest.mark.reference
@pytest.mark.parametrize("fault", ["no exchange", "winners taken for slots"])
def test_a_wrong_map_would_be_seen(monkeypatch, fault) -> None:
    slots = {"a": OutcomeKind.FIRST, "b": OutcomeKind.SECOND}
    if fault == "no exchange":
        monkeypatch.setattr(Order, "other", property(lambda order: order))
    else:
        monkeypatch.setattr(fastchat_pair, "slot_of", lambda side, _: slots[side.value])
    judgments = read(stored("fastchat_fork_pair_log", REAL)).judgments
    assert _read_again_alike(judgments) < 100
