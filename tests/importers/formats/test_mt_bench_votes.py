"""MT-Bench votes: the order is unknown, and people who differ are different judges."""

from __future__ import annotations

import csv
import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from counterbalance.parsing.outcome import OutcomeKind
from extras import require
from foreign_logs import NASTY, format_of, jsonl, read, reasons, verdicts
from reference_data import stored

if TYPE_CHECKING:
    from pathlib import Path


def vote(**changes: Any) -> dict[str, Any]:
    said = [{"role": "user", "content": NASTY}]
    return {
        "question_id": 81,
        "model_a": "phi",
        "model_b": "alpaca",
        "winner": "model_a",
        "judge": "expert_3",
        "conversation_a": said,
        "conversation_b": said,
        "turn": 1,
        **changes,
    }


def saved(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write the rows in the way that the ending asks for."""
    if path.suffix == ".parquet":
        require("frames")
        import polars as pl  # noqa: PLC0415 (an extra)

        pl.DataFrame(rows).write_parquet(path)
    elif path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    elif path.suffix == ".json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    else:
        jsonl(path, rows)
    return path


@pytest.mark.parametrize("name", ["v.jsonl", "v.json", "v.csv", "v.parquet"])
def test_votes_are_read_however_they_were_saved(tmp_path, name) -> None:
    rows = [
        vote(),
        vote(winner="model_b", turn=2),
        vote(winner="tie", judge="author_0"),
        vote(winner="tie (bothbad)", model_a="alpaca", model_b="phi"),
    ]
    log = read(saved(tmp_path / name, rows))
    assert log.log_format.name == "mt-bench-votes"
    assert log.rejects == []
    assert {(j.a, j.b, j.order) for j in log.judgments} == {("alpaca", "phi", None)}
    assert verdicts(log.judgments) == ["b", "a", "tie", "neither"]
    assert [j.item for j in log.judgments] == ["81", "81 turn 2", "81", "81"]
    assert [j.judge for j in log.judgments] == ["expert_3", "expert_3", "author_0", "expert_3"]
    assert "nothing can be said about order" in log.notes[0]


def test_an_inconsistent_tie_is_no_tie(tmp_path: Path) -> None:
    rows = [vote(judge=["gpt-4", "pair-v2"], winner="tie (inconsistent)"), vote()]
    log = read(jsonl(tmp_path / "v.jsonl", rows))
    assert log.judgments[0].outcome.kind is OutcomeKind.CONFLICTING
    assert (log.judgments[0].judge, log.judgments[0].strategy) == ("gpt-4", "pair-v2")
    assert "never as a tie" in log.notes[1]


def test_people_who_differ_contradict_each_other_and_not_themselves(tmp_path: Path) -> None:
    rows = [
        vote(judge=f"expert_{i}", winner=w) for i, w in enumerate(["model_a", "model_b", "tie"])
    ]
    judgments = read(jsonl(tmp_path / "v.jsonl", rows)).judgments
    assert len({(j.item, j.a, j.b) for j in judgments}) == 1
    assert len({j.judge for j in judgments}) == 3
    assert {j.repetition for j in judgments} == {0}


def test_every_row_is_accounted_for(tmp_path: Path) -> None:
    rows = [
        vote(),
        "{",
        {"question_id": 1},
        vote(winner="model_c"),
        vote(winner=None),
        vote(model_b="phi"),
        vote(turn=None, question_id=None),
        vote(judge={"n": 1}),
        vote(turn=None, judge="expert_1"),
    ]
    log = read(jsonl(tmp_path / "v.jsonl", rows))
    assert sum(reasons(log.rejects).values()) == 7
    assert len(reasons(log.rejects)) == 5
    assert [j.line for j in log.judgments] == [1, 9]
    log = read(saved(tmp_path / "v.json", [vote(), ["x"]]))  # type: ignore[list-item]
    assert reasons(log.rejects) == {"the row is no object": 1}


def test_an_empty_array_has_no_format(tmp_path: Path) -> None:
    (tmp_path / "v.json").write_text("[]")
    assert format_of(tmp_path / "v.json") is None


@pytest.mark.reference
def test_the_real_votes_are_read_whole() -> None:
    require("frames")
    log = read(stored("judging_the_judges_sksoumik", "data/raw/mt_bench/human.parquet"))
    assert log.log_format.name == "mt-bench-votes"
    assert (len(log.judgments), log.rejects) == (3355, [])
    won = Counter("tie" if name == "tie" else "won" for name in verdicts(log.judgments))
    assert won == {"won": 1293 + 1282, "tie": 780}
    assert len({j.judge for j in log.judgments}) == 65
    assert {j.order for j in log.judgments} == {None}
    keys = Counter((j.judge, j.item, j.a, j.b) for j in log.judgments)
    assert Counter(keys.values()) == {1: 3353, 2: 1}
