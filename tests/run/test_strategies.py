"""Strategies through a whole run: what is shared, what is asked on call, what a kill leaves."""

from __future__ import annotations

import json
import multiprocessing
import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from commands import command_here, invoke, is_one_clear_line
from counterbalance.protocol.strategies.catalogue import CATALOGUE
from counterbalance.record import open_record
from counterbalance.report.build import build_report
from counterbalance.report.evidence import read_evidence
from counterbalance.run.forecast import forecast
from counterbalance.run.study import load_study
from studies import attempts_of, run, write_study

if TYPE_CHECKING:
    from pathlib import Path

    from counterbalance.report.report import Report

JUDGES = """
[prompt]
hides = ["reference_answer"]

[[judges]]
name = "other"
kind = "scripted"
seed = 2
tie_rate = 0.2

[[judges]]
name = "noisy"
kind = "scripted"
seed = 3
noise = 0.3

[[judges]]
name = "strong"
kind = "scripted"
seed = 4
"""
HEAD = 'on_call = ["strong"]\nstrategies = '
ALL = (
    '["B0", "S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "calibrated_scores",'
    ' "multiple_evidence", { id = "escalation", stronger = "strong" }]'
)


def study(folder: Path, strategies: str = ALL, n_pairs: int = 6) -> Path:
    path = write_study(folder, n_pairs, judge="slot_rate = 0.5", more=JUDGES)
    text = path.read_text("utf-8").replace("[question]", f"{HEAD}{strategies}\n\n[question]", 1)
    path.write_text(text, "utf-8")
    rows = (folder / "pairs.jsonl").read_text("utf-8").splitlines()
    known = [json.loads(row) | {"reference_answer": "What is known."} for row in rows]
    (folder / "pairs.jsonl").write_text("".join(json.dumps(x) + "\n" for x in known), "utf-8")
    return path


def report_of(path: Path) -> Report:
    with open_record(load_study(path).default_record, create=False, exclusive=False) as store:
        return build_report(read_evidence(store))


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    path = study(tmp_path_factory.mktemp("whole"))
    assert run(path).outstanding == 0
    return path


def test_one_protocol_runs_all_nine_and_the_further_ones(whole):
    report = report_of(whole)
    rows = {(s.strategy, s.judge) for s in report.strategies}
    panel = "script + other + noisy"
    assert {("S3", panel), ("S7", panel)} <= rows
    assert {name for name, judge in rows if judge == "noisy"} >= {
        "B0", "S1", "S2", "S4", "S5", "S6", "S8", "calibrated_scores", "multiple_evidence",
        "escalation",
    }  # fmt: skip
    for s in report.strategies:
        assert sum(s.results.values()) == 6
        assert s.results["none"] == 0


def test_what_is_planned_adds_up(whole):
    run_of = report_of(whole).reconciliation
    assert run_of.adds_up
    assert run_of.not_run == 0
    assert run_of.attempts == run_of.planned == run_of.with_verdict


def test_the_same_presentation_is_asked_once_for_all(whole):
    keys = [attempt.key for attempt in attempts_of(load_study(whole).default_record)]
    assert len(keys) == len(set(keys))
    plan = forecast(load_study(whole), "0" * 32)
    by_row = {(s.strategy, s.judge): s for s in plan.strategies}
    assert by_row["B0", "script"].shared == by_row["B0", "script"].calls == 6
    assert by_row["S1", "script"].shared == by_row["S1", "script"].calls == 12
    assert by_row["S4", "script"].shared == 0
    assert by_row["escalation", "script"].most_on_call == 12


def test_swapping_gains_exactly_what_ties_on_disagreement_gain(whole):
    report = report_of(whole)
    assert set(report.swap_identities) == {"script", "other", "noisy"}
    rows = {(s.strategy, s.judge): s for s in report.strategies}
    for judge, found in report.swap_identities.items():
        assert found.holds
        assert found.agree + found.disagree == found.pairs == 6
        assert found.one_call_right == rows["B0", judge].agreement.numerator
        assert found.both_right == rows["S1", judge].agreement.numerator
        assert found.disagree == rows["S1", judge].from_disagreement
    assert any(found.disagree for found in report.swap_identities.values())


def test_the_judge_on_call_is_asked_where_the_first_disagrees_and_nowhere_else(whole):
    report = report_of(whole)
    rows = {s.judge: s for s in report.strategies if s.strategy == "escalation"}
    dispositions = {group.judge: group.dispositions for group in report.groups}
    assert "strong" not in dispositions
    for judge, row in rows.items():
        first, on_call = row.voters
        assert on_call.is_on_call
        assert row.escalated == on_call.pairs == first.dispositions.get("order_disagreement", 0)
        assert row.split == row.self_disagreeing == row.escalated, judge
    assert 0 < sum(row.escalated for row in rows.values()) < 18


def test_scores_that_follow_the_orders_tie_by_the_rule(whole):
    rows = {s.judge: s for s in report_of(whole).strategies if s.strategy == "calibrated_scores"}
    row = rows["script"]
    assert row.from_disagreement == row.results["tie"] == row.self_disagreeing > 0


def test_a_rerun_asks_nothing(whole):
    assert run(whole).calls == 0


KILLED = {
    "S1": '["S1"]',
    "S2": '["S2"]',
    "S3": '["S3"]',
    "S7": '["S7"]',
    "escalation": '[{ id = "escalation", stronger = "strong" }]',
    # Those whose voters differ in nothing but the prompt, and the one that is sampled.
    "others": '["B0", "S4", "S5", "S6", "S8", "calibrated_scores", "multiple_evidence"]',
}
STOPPED = KILLED | {
    name: f'["{name}"]'
    for name in (
        "B0", "S4", "S5", "S6", "S8", "calibrated_orders", "calibrated_labels",
        "calibrated_scores", "multiple_evidence",
    )
}  # fmt: skip


def test_every_strategy_that_has_calls_is_stopped_and_gone_on_with():
    assert set(STOPPED) - {"others"} == set(CATALOGUE)


@pytest.mark.parametrize("strategies", STOPPED.values(), ids=STOPPED)
def test_a_stopped_run_goes_on_inside_any_strategy(tmp_path, strategies):
    straight, broken = study(tmp_path / "a", strategies, 4), study(tmp_path / "b", strategies, 4)
    run(straight)
    keys = [a.key for a in attempts_of(load_study(straight).default_record)]
    for n_calls in (1, 5, len(keys) // 3):
        limited(broken, n_calls)
    limited(broken, None)
    assert sorted(a.key for a in attempts_of(load_study(broken).default_record)) == sorted(keys)
    assert report_of(broken).strategies == report_of(straight).strategies


def limited(path: Path, max_calls: int | None) -> None:
    """Run on for so many calls: a budget is no part of the protocol and may change."""
    text = path.read_text("utf-8").partition("\n[budget]")[0]
    done = 0
    if load_study(path).default_record.exists():
        done = len(attempts_of(load_study(path).default_record))
    if max_calls is not None:
        text += f"\n[budget]\nmax_calls = {done + max_calls}\n"
    path.write_text(text, "utf-8")
    summary = run(path)
    assert bool(summary.stopped) == (max_calls is not None)


@pytest.fixture(scope="module")
def processes():
    """Start processes from one that has everything imported: real ones, at little cost."""
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["commands", "counterbalance.cli.run"])
    return processes


@pytest.mark.parametrize("strategies", KILLED.values(), ids=KILLED)
def test_a_killed_run_ends_as_one_that_was_not(tmp_path, processes, strategies):
    straight, killed = study(tmp_path / "a", strategies, 8), study(tmp_path / "b", strategies, 8)
    run(straight)
    record = load_study(killed).default_record
    whole = {a.key: a.outcome for a in attempts_of(load_study(straight).default_record)}
    n_kept = 0
    for n_calls in (len(whole) // 4, len(whole) // 2, len(whole) - 3):
        words = ("run", str(killed), "--quiet")
        process = processes.Process(target=invoke, args=words)
        process.start()
        while process.is_alive() and recorded(record) < n_calls:
            time.sleep(0.001)
        process.kill()
        process.join()
        assert recorded(record) >= n_kept
        n_kept = recorded(record)
    run(killed)
    kept = {a.key: a.outcome for a in attempts_of(record) if a.reply is not None}
    assert kept == whole
    assert report_of(killed).strategies == report_of(straight).strategies


def recorded(record: Path) -> int:
    """Count the attempts on disk, while another process may be writing."""
    if not record.exists():
        return 0
    with closing(sqlite3.connect(f"file:{record}?mode=ro", uri=True)) as connection:
        try:
            return int(connection.execute("SELECT count(*) FROM attempts").fetchone()[0])
        except sqlite3.OperationalError:  # no tables yet
            return 0


def test_a_reference_that_pairs_lack_is_said_before_anything_is_asked(tmp_path):
    path = study(tmp_path, '["B0", "S6"]', 3)
    rows = [json.loads(row) for row in (tmp_path / "pairs.jsonl").read_text("utf-8").splitlines()]
    del rows[1]["reference_answer"]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    ended = command_here("run", path)
    assert (ended.code, is_one_clear_line(ended)) == (2, True)
    assert "1 of the 3 pairs have none (p1" in ended.err
    assert not (tmp_path / "protocol.record.sqlite").exists()


def test_a_panel_of_one_family_is_warned_of(tmp_path):
    path = study(tmp_path, '["B0", "S3"]', 2)
    text = path.read_text("utf-8")
    for name, model in (("other", "openrouter/openai/gpt-4o"), ("noisy", "gpt-4.1-mini")):
        text = text.replace(f'name = "{name}"\n', f'name = "{name}"\nmodel = "{model}"\n')
    path.write_text(text, "utf-8")
    planned = command_here("plan", path)
    assert planned.code == 0, planned.err
    said = " ".join((planned.out + planned.err).split())
    assert "S3" in said
    assert "of one family" in said
    assert "other" in said
