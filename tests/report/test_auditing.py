"""A log's report from Python is the one that ``audit`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import counterbalance
from commands import command_here
from counterbalance.errors import InputError, UsageError
from counterbalance.report.as_json import report_json
from foreign_logs import fastchat_row, jsonl

if TYPE_CHECKING:
    from pathlib import Path

MAP = """
[columns]
item = "question_id"
a = "model_1"
b = "model_2"
[[games]]
order = "forward"
verdict = "g1_winner"
[[games]]
order = "reversed"
verdict = "g2_winner"
[verdict]
a = ["model_1"]
b = ["model_2"]
tie = ["tie"]
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    rows = [
        fastchat_row(1, "model_1", "model_2"),
        fastchat_row(2, "model_1", "model_1"),
        fastchat_row(3, "tie", "model_2"),
    ]
    return jsonl(tmp_path / "gpt-4_pair.jsonl", rows)


def test_python_and_the_command_line_see_the_same(log: Path) -> None:
    report = counterbalance.audit_log(log)
    assert isinstance(report, counterbalance.Report)
    assert report_json(report) + "\n" == command_here("audit", log, "--json").out


def test_arguments_are_the_options(log: Path) -> None:
    report = counterbalance.audit_log(
        log, log_format="fastchat-pair", by="judge", cluster="item", level=0.9, n_cases=1,
        rereads=False,
    )  # fmt: skip
    words = ["--format", "fastchat-pair", "--by", "judge", "--cluster", "item", "--level", "0.9"]
    shown = command_here("audit", log, *words, "--cases", "1", "--no-reread", "--json")
    assert report_json(report) + "\n" == shown.out


def test_a_mapping_may_be_named(log: Path, tmp_path: Path) -> None:
    mapping = tmp_path / "map.toml"
    mapping.write_text(MAP, encoding="utf-8")
    report = counterbalance.audit_log(log, mapping=mapping)
    shown = command_here("audit", log, "--map", mapping, "--json")
    assert report_json(report) + "\n" == shown.out


def test_what_cannot_be_is_said(log: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no path was given"):
        counterbalance.audit_log()
    with pytest.raises(UsageError, match="by juge: groups are split by judge, strategy, subset"):
        counterbalance.audit_log(log, by=["juge"])
    with pytest.raises(UsageError, match="read in one way"):
        counterbalance.audit_log(log, log_format="fastchat-pair", mapping="judgekit")
    with pytest.raises(InputError, match="no such file"):
        counterbalance.audit_log(tmp_path / "none.jsonl")
