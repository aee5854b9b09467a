"""The demo, whole: the real model on the bundled pairs, once, and everything it writes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import counterbalance
from commands import command, is_one_clear_line
from extras import require
from studies import attempts_of

README = Path(counterbalance.__file__).parents[2] / "README.md"
BLOCK = re.compile(r"<!-- demo:.*?-->\n```text\n(.*?)```", re.DOTALL)

pytestmark = pytest.mark.local


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    require("local")
    folder = tmp_path_factory.mktemp("demo") / "out"
    ended = command("demo", folder)
    assert ended.code == 0, ended.err
    return folder, ended


def test_it_writes_record_report_and_cases(demo):
    folder, ended = demo
    written = {path.name for path in folder.iterdir()}
    assert written == {
        "protocol.toml", "pairs.jsonl", "record.sqlite", "report.txt", "report.json", "report.html",
        "cases.csv", "cases.jsonl",
    }  # fmt: skip
    for name in ("record.sqlite", "report.txt", "cases.csv"):
        assert name in ended.out
    assert "report.html: the report as a page" in ended.out.splitlines()[-1]
    assert len((folder / "cases.jsonl").read_text("utf-8").splitlines()) == 2 * 28
    assert "\x1b" not in ended.out + ended.err


def test_every_pair_has_one_disposition_under_each_labelling(demo):
    report = json.loads((demo[0] / "report.json").read_text("utf-8"))
    assert report["source"]["kind"] == "demo"
    assert report["reconciliation"]["adds_up"]
    assert report["reconciliation"]["not_run"] == 0
    assert [group["labelling"] for group in report["groups"]] == ["1/2", "2/1"]
    for group in report["groups"]:
        flat = dict(group["dispositions"])
        flat["order_disagreement"] = sum(flat["order_disagreement"].values())
        assert sum(flat.values()) == 28
        assert flat["identical"] == 1
        assert group["counts"]["presentations"] == 54


def test_the_embedded_judge_follows_the_label(demo):
    """Measured before it was built: the label 1 wins, whichever slot and answer has it."""
    (labels,) = json.loads((demo[0] / "report.json").read_text("utf-8"))["labels"]
    assert labels["by_label"]["1"] / sum(labels["by_label"].values()) > 0.95
    assert 0.4 < labels["by_slot"]["first"] / sum(labels["by_slot"].values()) < 0.6


def test_balanced_calibration_is_a_strategy_result_and_no_disposition(demo):
    report = json.loads((demo[0] / "report.json").read_text("utf-8"))
    (balanced,) = [s for s in report["strategies"] if s["strategy"] == "balanced_calibration"]
    assert balanced["labellings"] == ["1/2", "2/1"]
    assert sum(balanced["results"].values()) == 28
    assert balanced["results"]["none"] == 1  # the identical pair


def test_no_prompt_names_a_system_a_file_or_an_id(demo):
    from counterbalance.record import open_record  # noqa: PLC0415

    with open_record(demo[0] / "record.sqlite", create=False, exclusive=False) as store:
        for entry in store.plan():
            text = "\n".join(m.content for m in store.prompt(entry.presentation.prompt_digest))
            assert not re.search(r"retained|revision|pairs\.jsonl|b2:|smollm", text)
            assert entry.presentation.pair_id not in text


def test_each_reply_is_one_token_with_both_probabilities(demo):
    for attempt in attempts_of(demo[0] / "record.sqlite"):
        assert attempt.reply.text in {"1", "2"}
        assert attempt.reply.usage.completion_tokens == 1
        assert attempt.outcome.log_odds_first is not None
        assert 0 < attempt.outcome.label_mass <= 1


def test_a_second_run_asks_nothing_and_shows_the_same(demo):
    folder, first = demo
    before = [(folder / name).read_bytes() for name in ("report.txt", "report.html")]
    again = command("demo", folder)
    assert again.code == 0
    assert again.out == first.out
    assert "132 recorded already" in again.err
    assert [(folder / name).read_bytes() for name in ("report.txt", "report.html")] == before


def test_the_record_fits_its_hashes(demo):
    assert command("record", "verify", demo[0] / "record.sqlite").code == 0


def test_a_changed_demo_file_is_not_overwritten(tmp_path):
    (tmp_path / "pairs.jsonl").write_text("mine\n")
    ended = command("demo", tmp_path)
    assert ended.code == 2
    assert is_one_clear_line(ended)
    assert (tmp_path / "pairs.jsonl").read_text() == "mine\n"


def test_the_readme_shows_what_the_demo_prints(demo):
    """From the sum of presentations to the end of the table; times and hashes differ by run."""
    shown = BLOCK.search(README.read_text("utf-8"))[1]
    assert shown.strip() in demo[1].out
    assert "Side by side" in shown
