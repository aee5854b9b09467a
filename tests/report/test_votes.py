"""Votes without a recorded order: counts, systems and agreement, and no table about slots."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import counterbalance
from counterbalance.importers.loading import read_logs
from counterbalance.report.as_json import report_value
from counterbalance.report.log_report import build_log_report
from counterbalance.report.text import render_text
from foreign_logs import jsonl

if TYPE_CHECKING:
    from pathlib import Path

    from counterbalance.report.report import Report


def vote(question: int, judge: str, winner: str, a: str = "m1", b: str = "m2") -> dict[str, Any]:
    named = {"model_a": a, "model_b": b, "winner": winner, "judge": judge}
    return {"question_id": question, "turn": 1, "conversation_a": [], "conversation_b": [], **named}


ROWS = [
    # All three say the same; two of three; nobody with anybody; alone; contradicting herself.
    *[vote(1, name, "model_a") for name in ("ann", "bob", "cy")],
    *[vote(2, "ann", "model_a"), vote(2, "bob", "model_b", "m2", "m1"), vote(2, "cy", "tie")],
    *[vote(3, "ann", "model_b"), vote(3, "bob", "tie")],
    vote(4, "ann", "tie (bothbad)", "m1", "m3"),
    *[vote(5, "bob", "model_a"), vote(5, "bob", "model_b"), vote(5, "ann", "model_a")],
]


def report_of(folder: Path, rows: list[dict[str, Any]], by: tuple[str, ...] = ("judge",)) -> Report:
    log = read_logs([jsonl(folder / "votes.jsonl", rows)], by=by)
    return build_log_report(log)


@pytest.mark.parametrize("by", [("judge", "strategy"), ()])
def test_one_vote_for_each_judge_and_pair(tmp_path: Path, by: tuple[str, ...]) -> None:
    report = report_of(tmp_path, ROWS, by)
    assert report.log is not None
    votes = report.log.votes
    assert votes is not None
    assert (votes.votes, votes.pairs, votes.shared_pairs, votes.contradicting) == (10, 5, 3, 1)
    assert votes.verdicts == {"winner": 7, "tie": 2, "neither": 1, "insufficient": 0}
    found = {s.system: (s.won, s.lost, s.tied, s.other) for s in votes.systems}
    assert found == {"m1": (6, 1, 2, 1), "m2": (1, 6, 2, 0), "m3": (0, 0, 0, 1)}
    assert [(v.voter, v.votes, v.tied, v.shared) for v in votes.voters] == [
        ("ann", 5, 0, 3),
        ("bob", 3, 1, 3),
        ("cy", 2, 1, 2),
    ]
    # Pair 1: 3 of 3 twos; pair 2: 1 of 3 (bob's m2 shown as a is m1 in the pair); pair 3: 0 of 1.
    assert votes.agreement.value == pytest.approx((1 + 1 / 3 + 0) / 3)
    assert votes.alpha.value is not None


def test_text_has_no_table_about_orders_and_says_why(tmp_path: Path) -> None:
    for rows in (ROWS, [vote(i, "ann", "model_a") for i in range(12)]):
        text = render_text(report_of(tmp_path, rows))
        for word in ("stable_a", "Groups side by side", "not_planned", "Stable means"):
            assert word not in text
        assert "Votes whose display order is not recorded" in text
        assert "nothing here speaks of" in text
    assert "No pair has votes of two judges" in text
    full = render_text(report_of(tmp_path, ROWS), detail="full")
    assert "not_planned" not in full


def test_json_has_the_same_numbers_and_null_without_votes(tmp_path: Path) -> None:
    value = report_value(report_of(tmp_path, ROWS))
    assert value["votes"]["votes"] == 10
    assert value["votes"]["agreement"]["denominator"] == 3
    json.dumps(value, allow_nan=False)
    rows = [{"id": 1, "a": "m1", "b": "m2", "won": "a", "swapped": s} for s in (False, True)]
    mapping = tmp_path / "map.toml"
    mapping.write_text(
        '[columns]\nitem = "id"\na = "a"\nb = "b"\norder = "swapped"\nverdict = "won"\n'
        '[order]\nforward = [false]\nreversed = [true]\n[verdict]\na = ["a"]\nb = ["b"]\n'
    )
    ordered = counterbalance.audit_log(jsonl(tmp_path / "o.jsonl", rows), mapping=str(mapping))
    assert report_value(ordered)["votes"] is None


def test_a_group_of_identical_answers_is_none_of_votes(tmp_path: Path) -> None:
    row = {
        "instruction": "say hi", "output_1": "hi", "output_2": "hi", "generator_1": "m1",
        "generator_2": "m2", "annotator": "judge", "preference": 1.5, "raw_completion": None,
    }  # fmt: skip
    path = tmp_path / "annotations.json"
    path.write_text(json.dumps([row]))
    report = build_log_report(read_logs([path]))
    (group,) = report.groups
    assert (group.dispositions["identical"], group.is_unordered) == (1, False)
    assert "identical" in render_text(report)
