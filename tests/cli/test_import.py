"""``import`` and ``report`` of its record say what ``audit`` says, to the last letter."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

import pytest

import counterbalance
from cli.test_audit import ROWS, row, written
from commands import Ended, command, is_one_clear_line
from counterbalance.errors import RecordMismatchError, UsageError
from counterbalance.record import open_record
from counterbalance.report.as_json import report_json
from counterbalance.report.evidence import read_evidence
from extras import reference_folder
from studies import run, write_study

if TYPE_CHECKING:
    from pathlib import Path

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


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Every disposition, duplicates, a contradiction, another strategy and two broken rows."""
    rows = [
        *ROWS,
        row(81, "model_1", "model_1"),
        row(82, "model_1", "model_1"),
        row(88, "tie", "tie", judge=["gpt-4", "pair-math-v1"]),
        row(89, "model_1", "model_2", g1_judgment="So: [[C]]", model_2="=x\x1b[31m\u202e é"),
        {"question_id": 1},
    ]
    path = written(tmp_path / "gpt-4_pair.jsonl", rows)
    path.write_text(path.read_text() + "{broken\n")
    return path


def imported(log: Path, record: object) -> Ended:
    ended = command("import", log, "--record", record)
    assert ended.code == 0, ended.err
    return ended


def said(*words: object) -> str:
    ended = command(*words)
    assert ended.code == 0, ended.err
    return ended.out


VIEWS = [
    [],
    ["--by", "judge,strategy,subset", "--cases", 1],
    ["--by", "none", "--cluster", "item", "--level", 0.9],
    ["--baseline", "alpaca", "--no-reread"],
]


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: " ".join(map(str, view)))
def test_the_report_of_a_record_is_the_audit_of_its_files(
    tmp_path: Path, log: Path, view: list[object]
) -> None:
    record = tmp_path / "r.sqlite"
    imported(log, record)
    for shape in (["--json"], ["--full"], []):
        assert said("report", record, *view, *shape) == said("audit", log, *view, *shape)
    pages = tmp_path / "report.html", tmp_path / "audit.html"
    said("report", record, *view, "--html", pages[0])
    said("audit", log, *view, "--html", pages[1])
    assert pages[0].read_text("utf-8") == pages[1].read_text("utf-8")


def test_a_database_an_export_and_a_copy_say_the_same(
    tmp_path: Path, log: Path, postgres: Any
) -> None:
    place, export = postgres.place(), tmp_path / "export.jsonl"
    copy = tmp_path / "copy.sqlite"
    imported(log, place)
    said("record", "export", place, export)
    said("record", "migrate", export, copy)
    audit = said("audit", log, "--json")
    for record in (place, export, copy):
        assert said("report", record, "--json") == audit
        assert said("record", "verify", record) == f"{record}: every hash fits its content\n"
    assert "nothing was appended" in imported(log, copy).out


def test_python_sees_the_same(tmp_path: Path, log: Path) -> None:
    record = tmp_path / "r.sqlite"
    imported(log, record)
    report = counterbalance.read_report(record)
    assert report_json(report) + "\n" == said("report", record, "--json")
    with pytest.raises(UsageError, match="every number of an imported log is exploratory"):
        counterbalance.read_report(record, exploratory=True)
    with (
        open_record(record, create=False, exclusive=False) as store,
        pytest.raises(RecordMismatchError, match="holds an imported log"),
    ):
        read_evidence(store)


def test_the_files_may_be_gone(tmp_path: Path, log: Path) -> None:
    record = tmp_path / "r.sqlite"
    audit = said("audit", log, "--json")
    imported(log, record)
    log.unlink()
    assert said("report", record, "--json") == audit


def test_it_says_what_was_recorded(tmp_path: Path, log: Path) -> None:
    record = tmp_path / "r.sqlite"
    (tmp_path / "notes.txt").write_text("hello")
    first, again = (command("import", tmp_path, "--record", record, cwd=tmp_path) for _ in "12")
    assert (first.code, again.code) == (0, 0), first.err + again.err
    assert (
        "22 judgments, 0 ratings, 2 rejects, of 9 pairs, from 1 file of fastchat-pair" in first.out
    )
    assert "not read: 1 other file" in first.out
    assert f"next: counterbalance report {record}" in first.out
    assert "nothing was appended" in again.out
    value = json.loads(said("import", log, "--record", record, "--json"))
    assert (value["is_new"], value["counts"]["judgments"]) == (False, 22)


def test_ratings_are_kept(tmp_path: Path) -> None:
    rows = [RATED, RATED | {"model": "alpaca", "score": -1}]
    log, record = written(tmp_path / "gpt-4_single.jsonl", rows), tmp_path / "r.sqlite"
    imported(log, record)
    audit = said("audit", log, "--json")
    assert json.loads(audit)["ratings"]
    assert said("report", record, "--json") == audit


def test_every_pair_is_a_case_with_its_replies(tmp_path: Path, log: Path) -> None:
    record = tmp_path / "r.sqlite"
    imported(log, record)
    table, lines = tmp_path / "cases.csv", tmp_path / "cases.jsonl"
    ended = command("report", record, "--csv", table, "--jsonl", lines)
    assert ended.err.splitlines() == [f"{table}: 9 cases", f"{lines}: 9 cases"]
    cases = [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
    by_item = {case["item"]: case for case in cases}
    flipped = by_item["84"]
    assert (flipped["disposition"], flipped["detail"]) == ("order_disagreement", "primacy")
    assert flipped["cells"] == {"forward": "a", "reversed": "b"}
    assert [game["line"] for game in flipped["judgments"]] == [4, 4]
    assert {game["reply"] for game in flipped["judgments"]} == {"So: [[A]]"}
    assert all("[User Question]" in game["prompt"] for game in flipped["judgments"])
    assert [game["line"] for game in by_item["81"]["judgments"]] == [1, 1, 8, 8]
    assert by_item["82"]["reasons"] == {"contradictory": 2}
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [r["item"] for r in rows] == [case["item"] for case in cases]
    assert "'=x\x1b[31m\u202e é" in {r["a_name"] for r in rows}
    assert not any(cell.startswith(("=", "+", "@")) for r in rows for cell in r.values())


def test_a_record_is_not_written_over_by_its_cases(tmp_path: Path, log: Path) -> None:
    record = tmp_path / "r.sqlite"
    imported(log, record)
    before = record.read_bytes()
    ended = command("report", record, "--csv", record)
    assert ended.code == 2
    assert is_one_clear_line(ended)
    assert record.read_bytes() == before


@pytest.mark.parametrize("words", [[], ["--revise", "why"], ["--confirm"], ["--retry-failed"]])
def test_a_run_does_not_go_on_in_an_import(tmp_path: Path, log: Path, words: list[str]) -> None:
    record = tmp_path / "r.sqlite"
    imported(log, record)
    ended = command("run", write_study(tmp_path / "study"), "--record", record, *words)
    assert ended.code == 2
    assert is_one_clear_line(ended)
    assert "holds an imported log, which has no protocol to go on with" in ended.err
    assert said("record", "verify", record)


def test_a_judge_is_not_replayed_from_an_import(tmp_path: Path, log: Path) -> None:
    folder = tmp_path / "study"
    protocol = write_study(folder)
    replay = 'kind = "replay"\nrecord = "r.sqlite"\njudge = "gpt-4"'
    protocol.write_text(protocol.read_text("utf-8").replace('kind = "scripted"', replay), "utf-8")
    imported(log, folder / "r.sqlite")
    ended = command("run", protocol, "--record", tmp_path / "new.sqlite")
    assert ended.code == 2
    assert is_one_clear_line(ended)
    assert "a replayed judge answers from the record of a run" in ended.err
    assert not (tmp_path / "new.sqlite").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--by", "none"], "--by: is for an imported log"),
        (["--no-reread"], "--no-reread: is for an imported log"),
        (["--cases", "3"], "--cases: is for an imported log"),
    ],
)
def test_a_run_is_reported_as_its_protocol_says(
    tmp_path: Path, words: list[str], message: str
) -> None:
    record = tmp_path / "study.sqlite"
    run(write_study(tmp_path), record)
    ended = command("report", record, *words)
    assert ended.code == 2
    assert is_one_clear_line(ended)
    assert message in ended.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["{log}"], "name one of --record RECORD, --map-help [FILE] and --formats"),
        (["--record", "{new}"], "name the files of the log"),
        (["{log}", "--record", "{new}", "--formats"], "name one of --record RECORD"),
        (["--formats", "--json"], "--json: is for import with --record RECORD"),
        (["{log}", "--record", "{new}", "--format", "x"], 'there is no log format "x"'),
        (["{log}", "--record", "{new}", "--format", "x", "--map", "y"], "--format and --map"),
        (["{folder}/none", "--record", "{new}"], "there is no such file or folder"),
        (["{log}", "--record", "{folder}"], "is a folder; name a file in it"),
        (["{log}", "--record", "{study}"], "holds a study, not an imported log"),
    ],
)
def test_wrong_words_get_one_line_and_leave_nothing(
    tmp_path: Path, log: Path, words: list[str], message: str
) -> None:
    study, new = tmp_path / "study.sqlite", tmp_path / "new.sqlite"
    if "{study}" in words:
        run(write_study(tmp_path), study)
    names = {"log": log, "new": new, "folder": tmp_path, "study": study}
    ended = command("import", *(word.format(**names) for word in words))
    assert ended.code == 2
    assert is_one_clear_line(ended), ended
    assert message in ended.err
    assert not new.exists()


def test_exploratory_is_for_runs(tmp_path: Path, log: Path) -> None:
    record = tmp_path / "r.sqlite"
    imported(log, record)
    ended = command("report", record, "--exploratory")
    assert (ended.code, ended.out) == (2, "")
    assert "every number of an imported log is exploratory" in ended.err


REAL = {
    "alpaca-eval": "alpaca_eval/results/gpt4_1106_preview",
    "arena-hard": "arena_hard_greek/data/arena-hard-v0.1/model_judgment",
    "faireval-review": "faireval",
    "fastchat-pair": "fastchat_fork_pair_log/fastchat/llm_judge/data/mt_bench/model_judgment",
    "judgebench": "judgebench",
    "mt-bench-votes": "judging_the_judges_sksoumik",
    "llmbar": "llmbar/Dataset/LLMBar/Natural/evaluators",
    "position-bias-analyzer": "position_bias_analyzer/judgment_data/data_DevBench_repetition",
}
"""A real log of every format that there is one of."""


@pytest.mark.reference
@pytest.mark.parametrize("name", REAL)
def test_real_logs_say_the_same_from_a_record(tmp_path: Path, name: str) -> None:
    source, record = reference_folder() / REAL[name], tmp_path / "r.sqlite"
    assert f" of {name} (" in imported(source, record).out
    audit = said("audit", source, "--json", "--cases", 30)
    assert json.loads(audit)["source"]["format"] == name
    assert said("report", record, "--json", "--cases", 30) == audit
    assert said("report", record, "--full") == said("audit", source, "--full")
    assert command("record", "verify", record).code == 0
