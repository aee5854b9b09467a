"""Arena-Hard: labels speak of slots, game 1 shows the baseline first, no label is no tie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from counterbalance.importers.formats import arena_hard
from counterbalance.importers.reading import read_again
from counterbalance.importers.sides import shown_pair
from counterbalance.items.frames import Order
from counterbalance.parsing.outcome import OutcomeKind
from foreign_logs import NASTY, dispositions, format_of, jsonl, read, reasons, verdicts
from reference_data import expected, stored

if TYPE_CHECKING:
    from pathlib import Path

PROMPT = (
    "<|User Prompt|>\nWhy?\n\n<|The Start of Assistant A's Answer|>\n{a}\n<|The End of Assistant"
    " A's Answer|>\n\n<|The Start of Assistant B's Answer|>\n{b}\n<|The End of Assistant B's"
    " Answer|>"
)
SYSTEM = {"role": "system", "content": "Judge."}


def old_game(
    score: object, baseline: str = "text of it", model: str = NASTY, *, swap: bool = False
):
    a, b = (model, baseline) if swap else (baseline, model)
    reply = f"\nSo [[{score}]]" if score else "\nHm."
    return {"user_prompt": PROMPT.format(a=a, b=b), "judgment": reply, "score": score}


def old(first: object = "A>>B", second: object = "B>A", **changes: Any) -> dict[str, Any]:
    games = [old_game(first), old_game(second, swap=True)]
    return {"question_id": "q1", "model": "aya", "judge": "gpt-4o", "games": games, **changes}


def new(first: object = "A>>B", second: object = "B>A", **changes: Any) -> dict[str, Any]:
    games = []
    for index, score in enumerate((first, second)):
        game = old_game(score, swap=index == 1)
        prompt = [SYSTEM, {"role": "user", "content": game["user_prompt"]}]
        answer = {"answer": game["judgment"], "thought": "x"}
        games.append({"score": score, "judgment": answer, "prompt": prompt})
    row = {"uid": "q1", "category": "hard_prompt", "judge": "gpt-4.1", "model": "aya"}
    return {**row, "baseline": "zephyr", "games": games, **changes}


def test_the_old_rows_have_a_baseline_without_a_name(tmp_path: Path) -> None:
    path = tmp_path / "arena-hard-v0.1" / "model_judgment" / "gpt-4o" / "aya.jsonl"
    log = read(jsonl(path, [old()]))
    assert log.log_format.name == "arena-hard"
    first, second = log.judgments
    assert (first.item, first.a, first.b, first.order) == ("q1", "baseline", "aya", Order.FORWARD)
    assert second.order is Order.REVERSED
    assert (first.judge, first.subset, first.category) == ("gpt-4o", "arena-hard-v0.1", "")
    assert verdicts(log.judgments) == ["a", "a"]
    assert [j.outcome.strength for j in log.judgments] == ["much", "slightly"]
    assert first.setting == second.setting != ""
    assert 'it is called "baseline" here' in log.notes[0]
    assert len(log.notes) == 1


def test_the_new_rows_name_their_baseline(tmp_path: Path) -> None:
    log = read(jsonl(tmp_path / "aya.jsonl", [new()]))
    first, second = log.judgments
    assert (first.a, first.b, first.order) == ("zephyr", "aya", Order.FORWARD)
    assert (first.category, first.subset, first.cluster) == ("hard_prompt", "hard_prompt", "q1")
    assert first.setting == second.setting != ""
    assert first.reply == "\nSo [[A>>B]]"
    assert log.notes == []


@pytest.mark.parametrize(
    ("label", "kind", "strength"),
    [
        ("A>>B", "first", "much"), ("B<<A", "first", "much"),
        ("A>B", "first", "slightly"), ("B<A", "first", "slightly"),
        ("A=B", "tie", None), ("B=A", "tie", None),
        ("B>A", "second", "slightly"), ("A<B", "second", "slightly"),
        ("B>>A", "second", "much"), ("A<<B", "second", "much"),
        ("A", "off_scale", None), ("A>=B", "off_scale", None), ("AB", "off_scale", None),
    ],
)  # fmt: skip
def test_every_label_has_its_meaning_in_both_games(tmp_path, label, kind, strength) -> None:
    for row in (old(label, label), new(label, label)):
        log = read(jsonl(tmp_path / "x.jsonl", [row]))
        for judgment in log.judgments:
            assert (judgment.outcome.kind.value, judgment.outcome.strength) == (kind, strength)
            assert judgment.reading is not None
            if kind != "off_scale":
                again = read_again(judgment.reading, judgment.reply)
                assert (again.kind.value, again.strength) == (kind, strength)


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("\n[[A>B]] or [[B>A]]", OutcomeKind.CONFLICTING),
        ("\nneither", OutcomeKind.UNPARSED),
        ("\n", OutcomeKind.EMPTY),
        ("\n$ERROR$", OutcomeKind.FAILED),
        (None, OutcomeKind.UNPARSED),
    ],
)
def test_a_game_without_a_score_has_a_reason(tmp_path, reply, kind) -> None:
    game = {"user_prompt": "p", "judgment": reply, "score": None}
    log = read(jsonl(tmp_path / "x.jsonl", [old(games=[game, old_game("A=B")])]))
    assert [j.outcome.kind for j in log.judgments] == [kind, OutcomeKind.TIE]


def test_a_missing_game_is_a_call_that_failed(tmp_path: Path) -> None:
    row = new()
    row["games"][1] = None
    log = read(jsonl(tmp_path / "x.jsonl", [row]))
    assert [j.outcome.kind for j in log.judgments] == [OutcomeKind.FIRST, OutcomeKind.FAILED]
    assert [j.setting for j in log.judgments] == ["", ""]
    assert [note for note in log.notes if "could not be compared" in note]


def test_one_game_is_one_order(tmp_path: Path) -> None:
    row = new()
    del row["games"][1]
    (judgment,) = read(jsonl(tmp_path / "x.jsonl", [row])).judgments
    assert judgment.order is Order.FORWARD


def test_other_prompts_are_another_setting(tmp_path: Path) -> None:
    row = new()
    row["games"][1]["prompt"][0] = {"role": "system", "content": "Judge well."}
    log = read(jsonl(tmp_path / "x.jsonl", [row]))
    assert log.judgments[0].setting != log.judgments[1].setting


def test_every_row_is_accounted_for(tmp_path: Path) -> None:
    rows = [
        new(),
        "{",
        new(uid=None),
        new(model=["aya"]),
        new(judge=""),
        new(baseline=None),
        new(baseline="aya"),
        new(games=None),
        new(games=[]),
        new(games=[None] * 3),
        new(games=["x", {"score": 3}]),
        new(games=[{}, {"score": "A=B", "prompt": [3, None], "judgment": [1]}]),
        old(model="baseline"),
    ]
    log = read(jsonl(tmp_path / "x.jsonl", rows))
    assert reasons(log.rejects) == {
        "the line is not JSON": 1,
        "question, judge, model and baseline cannot be told": 6,
        "the row holds neither one game nor two": 3,
        "the game has no score": 2,
        "the score is no label": 1,
    }
    assert [j.line for j in log.judgments] == [1, 1, 12]


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.gz"])
def test_it_is_known_by_its_rows(tmp_path, name) -> None:
    assert format_of(jsonl(tmp_path / name, [old()], "\r\n", b"\xef\xbb\xbf")) == "arena-hard"


REAL = (
    "data/arena-hard-v0.1/model_judgment/gpt-4o/krikri-annealing-dpo_max-length-norm-fixes"
    "-checkpoint-1560-with-thinking-checkpoint.jsonl.gz"
)


@pytest.mark.reference
def test_the_real_log_has_the_expected_numbers() -> None:
    wanted = expected("arena_hard_greek", REAL)
    log = read(stored("arena_hard_greek", REAL))
    found = dispositions(log.judgments)
    assert found.total() == wanted["rows"] == 126
    assert {name: found[name] for name in wanted["dispositions"] if name != "pairs"} == {
        name: count for name, count in wanted["dispositions"].items() if name != "pairs"
    }
    assert _weighted(log.judgments) == wanted["weighted_score_of_model_vs_baseline"]


def _weighted(judgments: list) -> float:
    """Return the source's own score of the model: three times the weight for a clear verdict."""
    points = []
    for judgment, won in zip(judgments, verdicts(judgments), strict=True):
        weight = 3 if judgment.outcome.strength == "much" else 1
        points += [{"a": 0.0, "b": 1.0, "tie": 0.5}[won]] * weight
    return sum(points) / len(points)


@pytest.mark.reference
def test_every_score_is_the_label_in_its_reply_and_every_pair_was_exchanged() -> None:
    judgments = read(stored("arena_hard_greek", REAL)).judgments
    again = [read_again(j.reading, j.reply) for j in judgments]
    assert (
        sum(
            (one.kind, one.strength) == (j.outcome.kind, j.outcome.strength)
            for one, j in zip(again, judgments, strict=True)
        )
        == 252
    )
    pairs = list(zip(judgments[::2], judgments[1::2], strict=True))
    assert all(one.setting == other.setting != "" for one, other in pairs)


@pytest.mark.reference
def test_a_game_taken_for_the_other_would_be_seen(monkeypatch) -> None:
    monkeypatch.setattr(arena_hard, "shown_pair", lambda *shown: shown_pair("a", "b", shown[2]))
    judgments = read(stored("arena_hard_greek", REAL)).judgments
    wanted = expected("arena_hard_greek", REAL)["weighted_score_of_model_vs_baseline"]
    assert abs(_weighted(judgments) - wanted) > 0.01
