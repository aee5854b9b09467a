"""Reports of every kind as JSON values, together with all the keys that a report can have."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from commands import command_here
from compared_logs import battle_rows, planted_annotations, written
from counterbalance.run.session import Confirm, Revise
from foreign_logs import fastchat_row, jsonl
from studies import row, run, write_study

if TYPE_CHECKING:
    from pathlib import Path

EVERYTHING = """
[[labellings]]
first = "B"
second = "A"

[repetitions.subset]
pairs = 6
per_order = 3

[analysis]
measures = ["position_consistency", "order_excess_disagreement"]
family = ["primacy_recency"]
margins = {bias_position = 0.2, order_excess_disagreement = 0.1}

[length_control]
unit = "characters"
"""
RATED = {
    "question_id": 81,
    "model": "phi",
    "judge": ["gpt-4", "single-v1"],
    "user_prompt": "p",
    "judgment": "Rating: [[7]]",
    "score": 7,
    "turn": 1,
    "tstamp": 1.0,
}
HELD_OUT = "[held_out]\nshare = 0.34\nseed = 11\n"


def report_of(*words: object) -> dict[str, Any]:
    """Return what a verb prints as JSON."""
    ended = command_here(*words, "--json")
    assert ended.code in {0, 3}, ended.err
    value: dict[str, Any] = json.loads(ended.out)
    return value


def of_a_run(folder: Path) -> dict[str, Any]:
    """Everything that one protocol can ask for."""
    needs = [{"id": "short", "rule": "absent", "value": "longer", "mandatory": True}]
    rows = [row(n, requirements=needs) for n in range(12)]
    judge = "slot_rate = 0.5\nrefusal_rate = 0.1\nunparsed_rate = 0.1\ntie_rate = 0.1"
    run(write_study(folder, rows=rows, judge=judge, more=EVERYTHING))
    return report_of("report", folder / "protocol.record.sqlite", "--style")


def of_opened_pairs(folder: Path) -> dict[str, Any]:
    """Two revisions, and the held-out pairs opened under the second."""
    rows = [row(n, cluster=f"c{n // 2}") for n in range(12)]
    protocol = write_study(folder, rows=rows, more=HELD_OUT)
    run(protocol)
    write_study(folder, rows=rows, more=HELD_OUT + "[repetitions]\nper_order = 3\n")
    run(protocol, task=Revise("more repetitions"))
    run(protocol, task=Confirm())
    return report_of("report", folder / "protocol.record.sqlite")


def of_a_log(folder: Path) -> dict[str, Any]:
    """A log with a reject, another file and replies that read otherwise than the log says."""
    rows: list[Any] = [fastchat_row(n, "model_1", "model_1") for n in range(81, 90)]
    rows += [fastchat_row(90, "tie", "model_1"), fastchat_row(91, "error", "model_2"), {"x": 1}]
    rows += [fastchat_row(92, "model_1", "model_2", g1_judgment="So: [[B]]")]
    folder.mkdir()
    jsonl(folder / "gpt-4_pair.jsonl", rows)
    (folder / "notes.txt").write_text("hello", "utf-8")
    return report_of("audit", folder, "--full")


def of_lengths_in_a_log(folder: Path) -> dict[str, Any]:
    """A log whose source has a rule of its own for lengths."""
    rows, _ = planted_annotations(60, {"ada": -1.0, "bob": 0.0})
    folder.mkdir()
    return report_of("audit", written(folder / "a.json", rows), "--length", "characters")


def of_battles(folder: Path) -> dict[str, Any]:
    """A log of many systems, whose features are held equal."""
    rows = battle_rows(120, {"ada": 0.5, "bob": 0.0, "cyd": -0.5}, effect=1.0)
    folder.mkdir()
    return report_of("audit", written(folder / "b.json", rows), "--style", "--length", "tokens")


def of_ratings(folder: Path) -> dict[str, Any]:
    """Scores of single answers, one of which is none."""
    folder.mkdir()
    rows = [RATED, RATED | {"model": "alpaca", "score": -1}]
    return report_of("audit", jsonl(folder / "gpt-4_single.jsonl", rows))


KINDS = {
    made.__name__: made
    for made in (of_a_run, of_opened_pairs, of_a_log, of_ratings, of_lengths_in_a_log, of_battles)
}
