"""No output takes the place of a file that this program did not write; its own are written anew."""

from __future__ import annotations

import pytest

import extras
from commands import command_here, is_one_clear_line
from counterbalance.cli.ours import may_replace
from foreign_logs import fastchat_row, jsonl
from probes.planted import EXCHANGED, write_battery
from report.gate.studies_with_gates import ORDER, judged

RECORD, LOG, BATTERY = "RECORD", "LOG", "BATTERY"
OUTPUTS = [
    *((("report", RECORD), option, name) for option, name in (
        ("--html", "r.html"), ("--markdown", "r.md"), ("--measures", "m.csv"),
        ("--measures", "m.parquet"), ("--csv", "c.csv"), ("--parquet", "c.parquet"),
        ("--jsonl", "c.jsonl"),
    )),
    *((("gate", RECORD), option, name) for option, name in (
        ("--html", "g.html"), ("--junit", "g.xml"), ("--sarif", "g.json"),
    )),
    *((("audit", LOG), option, name) for option, name in (
        ("--html", "a.html"), ("--markdown", "a.md"), ("--measures", "a.csv"),
    )),
    (("compare", RECORD, "--strategies"), "--html", "s.html"),
    (("compare", "--log", LOG), "--html", "l.html"),
    (("drift", RECORD, RECORD), "--html", "d.html"),
    (("bias", BATTERY, "--quiet"), "--html", "b.html"),
    (("tables", "--case", "llmbar"), "--html", "t.html"),
    (("lab",), "--html", "lab.html"),
]  # fmt: skip
FOREIGN = "My own notes on counterbalance, of which there is no copy.\n"


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    rows = [
        fastchat_row(n, "model_1", ("model_1", "model_2")[n % 2], judge=[f"judge {j}", "prompt"])
        for n in range(12)
        for j in range(2)
    ]
    battery = write_battery(folder / "battery", ["identical", "labels"], n=4, more=EXCHANGED)
    return {
        RECORD: judged(folder / "study", ORDER, 12, judge="slot_rate = 0.3\n"),
        LOG: jsonl(folder / "log.jsonl", rows),
        BATTERY: battery,
    }


def ran(words, inputs, option, target):
    return command_here(*(inputs.get(word, word) for word in words), option, target)


@pytest.mark.parametrize(("words", "option", "name"), OUTPUTS)
def test_a_file_of_somebody_else_stays(words, option, name, inputs, tmp_path):
    if name.endswith(".parquet"):
        extras.require("frames")
    target = tmp_path / name
    target.write_text(FOREIGN, "utf-8")
    ended = ran(words, inputs, option, target)
    assert (ended.code, is_one_clear_line(ended)) == (2, True), ended.err
    assert "not overwritten" in ended.err
    assert target.read_text("utf-8") == FOREIGN
    assert list(tmp_path.iterdir()) == [target]
    target.unlink()
    for _ in range(2):
        ended = ran(words, inputs, option, target)
        assert ended.code in {0, 1, 3}, ended.err
    assert may_replace(target)


def test_a_gate_appends_to_anybodys_summary_but_not_to_evidence(inputs, tmp_path):
    summary, record = tmp_path / "summary.md", inputs[RECORD]
    summary.write_text(FOREIGN, "utf-8")
    assert ran(("gate", RECORD), inputs, "--summary", summary).code in {1, 3}
    assert summary.read_text("utf-8").startswith(FOREIGN)
    for kept in (record, record.parent / "pairs.jsonl", record.parent / "protocol.toml"):
        before = kept.read_bytes()
        ended = ran(("gate", RECORD), inputs, "--summary", kept)
        assert (ended.code, is_one_clear_line(ended)) == (2, True)
        assert kept.read_bytes() == before


@pytest.mark.parametrize("kind", ["pairs.jsonl", "protocol.record.sqlite", "protocol.toml"])
@pytest.mark.parametrize(
    ("words", "option"), [(("lab",), "--html"), (("audit", LOG), "--markdown")]
)
def test_a_study_is_no_output_of_verbs_that_know_nothing_of_it(words, option, kind, inputs):
    target = inputs[RECORD].parent / kind
    before = target.read_bytes()
    ended = ran(words, inputs, option, target)
    assert (ended.code, is_one_clear_line(ended)) == (2, True)
    assert target.read_bytes() == before


def test_what_is_empty_or_absent_may_be_written(tmp_path):
    (tmp_path / "empty").touch()
    assert may_replace(tmp_path / "empty")
    assert may_replace(tmp_path / "absent")
    (tmp_path / "README.md").write_text("# Notes\n\ncounterbalance report\n", "utf-8")
    assert not may_replace(tmp_path / "README.md")
    (tmp_path / "other.parquet").write_bytes(b"PAR1" + b"x" * 100 + b"PAR1")
    assert not may_replace(tmp_path / "other.parquet")
