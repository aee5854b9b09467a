"""FastChat ratings: one score for one answer, and -1 is no score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from counterbalance.importers.log_format import Holds
from foreign_logs import NASTY, format_of, jsonl, read, reasons

if TYPE_CHECKING:
    from pathlib import Path


def row(**changes: Any) -> dict[str, Any]:
    return {
        "question_id": 81,
        "model": "phi",
        "judge": ["gpt-4", "single-v1"],
        "user_prompt": NASTY,
        "judgment": "Rating: [[7]]",
        "score": 7,
        "turn": 1,
        "tstamp": 1.0,
        **changes,
    }


def test_a_row_is_a_rating(tmp_path: Path) -> None:
    path = tmp_path / "mt_bench" / "model_judgment" / "gpt-4_single.jsonl"
    log = read(jsonl(path, [row(), row(turn=2, score=2.5)]))
    assert (log.log_format.name, log.log_format.holds) == ("fastchat-single", Holds.RATINGS)
    assert log.judgments == []
    first, second = log.ratings
    assert (first.item, first.system, first.judge, first.strategy, first.subset, first.value) == (
        ("81", "phi", "gpt-4", "single-v1", "mt_bench", 7.0)
    )
    assert (second.item, second.value) == ("81 turn 2", 2.5)
    assert len(log.notes) == 1


@pytest.mark.parametrize(
    ("reply", "reason"), [("$ERROR$", "failed"), ("", "empty"), ("Good.", "unparsed")]
)
def test_minus_one_is_no_score(tmp_path, reply, reason) -> None:
    (rating,) = read(jsonl(tmp_path / "g_single.jsonl", [row(score=-1, judgment=reply)])).ratings
    assert rating.value is None
    assert rating.reason == reason


def test_every_row_is_accounted_for(tmp_path: Path) -> None:
    rows = [
        row(),
        "{",
        {"question_id": 81},
        row(score=None),
        row(score="7"),
        row(score=True),
        row(score=10**400),
        row(judge=None),
        row(model=["phi"]),
        row(question_id={}),
        row(judgment=["text"], score=3),
        '{"question_id": 1, "model": "m", "judge": "j", "judgment": "", "score": NaN}',
    ]
    log = read(jsonl(tmp_path / "g_single.jsonl", rows))
    assert reasons(log.rejects) == {
        "the line is not JSON": 1,
        "the row lacks a key": 1,
        "the score is no number": 5,
        "judge is neither a name nor a list of names": 1,
        "question, turn and model cannot be told": 2,
    }
    assert [rating.value for rating in log.ratings] == [7, 3]


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.gz"])
def test_it_is_known_by_its_rows(tmp_path, name) -> None:
    path = jsonl(tmp_path / name, [row()], "\r\n", b"\xef\xbb\xbf")
    assert format_of(path) == "fastchat-single"
