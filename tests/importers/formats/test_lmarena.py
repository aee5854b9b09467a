"""LMArena: four winners, both-bad is neither, and only the raw log tells who stood on the left."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

import pytest

from counterbalance.items.frames import Order
from counterbalance.parsing.outcome import OutcomeKind
from extras import require
from foreign_logs import NASTY, jsonl, read, reasons, verdicts

if TYPE_CHECKING:
    from pathlib import Path


def battle(**changes: Any) -> dict[str, Any]:
    return {
        "question_id": "q1",
        "model_a": "phi",
        "model_b": "alpaca",
        "winner": "model_a",
        "judge_hash": "ab12",
        "conversation_a": json.dumps([{"role": "user", "content": NASTY, "num_tokens": 3}]),
        "conversation_b": "[]",
        "turn": 1,
        "anony": True,
        "language": "English",
        "tstamp": 1.0,
        **changes,
    }


def test_battles_have_four_winners_and_no_order(tmp_path: Path) -> None:
    winners = ["model_a", "model_b", "tie", "tie (bothbad)"]
    rows = [battle(question_id=f"q{i}", winner=w) for i, w in enumerate(winners)]
    log = read(jsonl(tmp_path / "b.jsonl", rows))
    assert log.log_format.name == "lmarena-battles"
    assert verdicts(log.judgments) == ["b", "a", "tie", "neither"]
    assert {(j.order, j.judge, j.strategy) for j in log.judgments} == {
        (None, "people", "anonymous")
    }
    assert [j.item for j in log.judgments] == ["q0", "q1", "q2", "q3"]


def test_the_cards_of_other_years_are_read_too(tmp_path: Path) -> None:
    early = battle(judge="arena_user_9", anony=False)
    del early["question_id"], early["judge_hash"]
    (tmp_path / "clean_battle.json").write_text(json.dumps([early, early]), encoding="utf-8")
    log = read(tmp_path / "clean_battle.json")
    assert log.log_format.name == "lmarena-battles"
    assert [j.item for j in log.judgments] == ["battle 1", "battle 2"]
    assert {j.strategy for j in log.judgments} == {"names shown"}
    late = {
        "id": "x7",
        "model_a": "phi",
        "model_b": "alpaca",
        "winner": "both_bad",
        "evaluation_session_id": "s1",
        "evaluation_order": 2,
    }
    log = read(jsonl(tmp_path / "late.jsonl", [late]))
    assert verdicts(log.judgments) == ["neither"]
    assert (log.judgments[0].item, log.judgments[0].cluster) == ("x7", "s1")


ONE_HOT = {"id": "30192", "model_a": "phi", "model_b": "alpaca", "prompt": '["a\nb"]'}


@pytest.mark.parametrize("one", [1, "1", "1.0"])
def test_one_column_for_each_winner(tmp_path, one) -> None:
    none = type(one)(0) if one == 1 else one.replace("1", "0", 1)
    columns = ("winner_model_a", "winner_model_b", "winner_tie")
    rows = [ONE_HOT | {c: one if c == won else none for c in columns} for won in columns]
    rows.append(ONE_HOT | dict.fromkeys(columns, none))
    rows.append(ONE_HOT | dict.fromkeys(columns, one))
    rows.append(ONE_HOT | dict.fromkeys(columns, "yes"))
    path = tmp_path / "train.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    for log in (read(path), read(jsonl(tmp_path / "train.jsonl", rows))):
        assert log.log_format.name == "lmarena-battles"
        assert verdicts(log.judgments) == ["b", "a", "tie"]
        assert sum(reasons(log.rejects).values()) == 3
        assert [note for note in log.notes if "both-bad" in note]


def test_battles_of_parquet_read_only_what_they_need(tmp_path: Path) -> None:
    require("frames")
    import polars as pl  # noqa: PLC0415 (an extra)

    pl.DataFrame([battle(), battle(winner=None)]).write_parquet(tmp_path / "b.parquet")
    log = read(tmp_path / "b.parquet")
    assert log.log_format.name == "lmarena-battles"
    assert verdicts(log.judgments) == ["b"]
    assert len(log.rejects) == 1


def test_damaged_parquet_is_told(tmp_path: Path) -> None:
    require("frames")
    import polars as pl  # noqa: PLC0415 (an extra)

    from counterbalance.errors import InputError  # noqa: PLC0415

    pl.DataFrame([battle()] * 50).write_parquet(tmp_path / "b.parquet")
    content = (tmp_path / "b.parquet").read_bytes()
    (tmp_path / "b.parquet").write_bytes(content[: len(content) // 2])
    with pytest.raises(InputError, match="no readable Parquet file"):
        read(tmp_path / "b.parquet")


def test_every_battle_is_accounted_for(tmp_path: Path) -> None:
    rows = [
        battle(),
        "{",
        battle(winner="draw"),
        battle(winner=["model_a"]),
        battle(model_a=None),
        battle(model_b="phi"),
        battle(anony=["x"], question_id=["x"]),
    ]
    log = read(jsonl(tmp_path / "b.jsonl", rows))
    assert len(log.rejects) == 5
    assert [(j.line, j.item, j.strategy) for j in log.judgments] == [
        (1, "q1", "anonymous"),
        (7, "battle 7", ""),
    ]


def voted(kind: object = "leftvote", **changes: Any) -> dict[str, Any]:
    states = [
        {"conv_id": "c1", "model_name": "phi", "messages": [], "offset": 0},
        {"conv_id": "c2", "model_name": "alpaca", "messages": [], "offset": 0},
    ]
    return {
        "tstamp": 1.0,
        "type": kind,
        "models": ["", ""],
        "states": states,
        "ip": "::1",
    } | changes


@pytest.mark.parametrize(
    ("kind", "slot"),
    [
        ("leftvote", OutcomeKind.FIRST),
        ("rightvote", OutcomeKind.SECOND),
        ("tievote", OutcomeKind.TIE),
        ("bothbad_vote", OutcomeKind.NEITHER),
    ],
)
def test_raw_votes_tell_the_order(tmp_path, kind, slot) -> None:
    shown = voted(kind, models=["alpaca", "phi"])
    log = read(jsonl(tmp_path / "log.json", [voted(kind), shown]))
    assert log.log_format.name == "lmarena-votes"
    hidden, named = log.judgments
    assert (hidden.a, hidden.b, hidden.order) == ("alpaca", "phi", Order.REVERSED)
    assert (named.order, named.item) == (Order.FORWARD, "c1")
    assert [j.outcome.kind for j in log.judgments] == [slot, slot]
    assert [j.strategy for j in log.judgments] == ["anonymous", "names shown"]


@pytest.mark.parametrize(
    "models",
    [
        ["<h3>Model A: phi</h3>\n", "<h3>Model B: alpaca</h3>\n"],
        ["### Model A: phi", "### Model B: alpaca"],
    ],
)
def test_names_of_raw_votes_are_freed_of_their_headings(tmp_path, models) -> None:
    (judgment,) = read(jsonl(tmp_path / "l.jsonl", [voted(models=models)])).judgments
    assert {judgment.a, judgment.b} == {"phi", "alpaca"}


def test_every_raw_row_is_accounted_for(tmp_path: Path) -> None:
    rows = [
        {"tstamp": 1, "type": "chat", "model": "phi", "state": {}},
        voted(),
        voted("upvote"),
        voted(None),
        voted(models=["phi"]),
        voted(models=["phi", None]),
        voted(states=None),
        voted(states=[{}, 3]),
        voted(models=["phi", "phi"]),
        voted(models=["phi", "alpaca"], states=None),
    ]
    log = read(jsonl(tmp_path / "l.jsonl", rows))
    assert reasons(log.rejects) == {
        "the row is no vote between two answers": 3,
        "two different models cannot be told": 5,
    }
    assert [(j.line, j.item) for j in log.judgments] == [(2, "c1"), (10, "vote 10")]
