"""Files that ``report`` and ``audit`` write beside what they print."""

from __future__ import annotations

import csv
import json

import pytest

from commands import command_here
from extras import require
from foreign_logs import fastchat_row, jsonl
from studies import run, write_study


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    run(write_study(folder, 6, judge="slot_rate = 0.5"))
    return folder / "protocol.record.sqlite"


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    rows = [fastchat_row(n, "model_1", ("model_1", "model_2")[n % 2]) for n in range(81, 89)]
    return jsonl(tmp_path_factory.mktemp("log") / "gpt-4_pair.jsonl", rows)


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_record_is_written_in_every_form(record, tmp_path):
    require("frames")
    import polars as pl  # noqa: PLC0415

    names = {name: tmp_path / name for name in ("c.csv", "c.parquet", "c.jsonl", "s.md", "m.csv")}
    ended = command_here(
        "report", record, "--csv", names["c.csv"], "--parquet", names["c.parquet"],
        "--jsonl", names["c.jsonl"], "--markdown", names["s.md"], "--measures", names["m.csv"],
    )  # fmt: skip
    assert ended.code == 0, ended.err
    assert ended.out.startswith("counterbalance report: ")
    assert [line.partition(": ")[0] for line in ended.err.splitlines()] == [
        str(names[name]) for name in ("c.csv", "c.jsonl", "c.parquet", "s.md", "m.csv")
    ]
    frame = pl.read_parquet(names["c.parquet"])
    lines = [json.loads(line) for line in names["c.jsonl"].read_text("utf-8").splitlines()]
    for column in ("pair", "disposition"):
        found = [case[column] for case in lines]
        assert found == frame[column].to_list() == [x[column] for x in table(names["c.csv"])]
    assert names["s.md"].read_text("utf-8").startswith("# counterbalance report: ")


def test_a_log_and_its_record_have_the_same_measures_and_summary(log, tmp_path):
    require("frames")
    import polars as pl  # noqa: PLC0415

    record = tmp_path / "log.sqlite"
    assert command_here("import", log, "--record", record).code == 0
    of_log, of_record = tmp_path / "a.parquet", tmp_path / "b.csv"
    told = command_here("audit", log, "--measures", of_log, "--markdown", "-")
    again = command_here("report", record, "--measures", of_record, "--markdown", "-")
    assert told.code == again.code == 0, told.err + again.err
    assert told.out == again.out
    frame = pl.read_parquet(of_log)
    assert frame["measure"].to_list() == [line["measure"] for line in table(of_record)]
    assert set(frame["exploratory"]) == {True}
    cases = tmp_path / "cases.parquet"
    assert command_here("report", record, "--parquet", cases).code == 0
    found = pl.read_parquet(cases)
    assert found.height == 8
    assert found["forward_lines"].dtype == pl.List(pl.String)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--json", "--markdown", "-"], "--json and --markdown -: one of them is printed"),
        (["--measures", "m.xlsx"], "ends in .csv or .parquet"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_read(record, log, words, message):
    for verb, given in (("report", record), ("audit", log)):
        ended = command_here(verb, given, *words)
        assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
        assert message in ended.err


def test_no_export_replaces_a_log_or_shares_a_file(record, log, tmp_path):
    before = log.read_bytes()
    out = tmp_path / "x.csv"
    for words in (
        ("audit", log, "--markdown", log),
        ("report", record, "--measures", out, "--markdown", out),
        ("report", record, "--parquet", record.parent / "pairs.jsonl"),
    ):
        ended = command_here(*words)
        assert (ended.code, ended.out) == (2, "")
        assert "is not overwritten" in ended.err
    assert log.read_bytes() == before
    assert not out.exists()


def test_a_comparison_with_what_was_printed_leaves_no_room_for_markdown(log, tmp_path):
    printed = tmp_path / "printed.csv"
    printed.write_text("x\n", "utf-8")
    ended = command_here("audit", log, "--against", printed, "--markdown", "-")
    assert ended.code == 2
    assert "--against and --markdown -" in ended.err
