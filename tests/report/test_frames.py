"""Frames and tables of a report: the numbers of its JSON, each with all that travels with it."""

from __future__ import annotations

import csv
import io
import subprocess
import sys

import pytest

from counterbalance.record import open_record
from counterbalance.report.as_json import report_value
from counterbalance.report.cases import case_values, flat_case
from counterbalance.report.csv_rows import write_rows_csv
from counterbalance.report.evidence import read_evidence
from counterbalance.report.frames import COLUMN_TYPES, frame_of, write_rows_parquet
from counterbalance.report.measure_row import MEASURE_COLUMNS
from counterbalance.report.reading import read_report
from counterbalance.run.session import Confirm
from extras import require
from report.sample_reports import HELD_OUT
from studies import row, run, write_study

JUDGE = "slot_rate = 0.5\nrefusal_rate = 0.1\nunparsed_rate = 0.1\ntie_rate = 0.1"
MARGINS = "[analysis]\nmargins = {bias_position = 0.2}\n"
HOSTILE = ("=1+1", "+1", "-1", "@a", "\t=1", "\r=1", "\n=1", "＝1+1", "＋1", "－1", "＠a")


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    rows = [row(n, cluster=f"c{n // 2}") for n in range(12)]
    protocol = write_study(folder, rows=rows, judge=JUDGE, more=MARGINS + HELD_OUT)
    run(protocol)
    run(protocol, task=Confirm())
    return folder / "protocol.record.sqlite"


@pytest.fixture(scope="module")
def report(record):
    return read_report(record)


@pytest.fixture(scope="module")
def cases(record):
    with open_record(record, create=False, exclusive=False) as store:
        return [flat_case(case) for case in case_values(read_evidence(store))]


def test_the_frame_has_a_row_for_each_group_and_measure_of_the_json(report):
    require("frames")
    frame = report.to_frame()
    assert tuple(frame.columns) == MEASURE_COLUMNS
    value = report_value(report)
    parts = [(False, value), (True, value["confirmation"])]
    told = [
        (held_out, group["labelling"], name, measure)
        for held_out, part in parts
        for group in part["groups"]
        for name, measure in group["measures"].items()
    ]
    rows = frame.to_dicts()
    assert len(rows) == len(told)
    for found, (held_out, labelling, name, measure) in zip(rows, told, strict=True):
        assert (found["held_out"], found["labelling"], found["measure"]) == (
            held_out, labelling, name,
        )  # fmt: skip
        assert {key: found[key] for key in measure} == measure
    assert {found["held_out"] for found in rows} == {False, True}
    assert any(found["undefined"] and found["value"] is None for found in rows)
    assert any(found["margin"] == 0.2 and found["against_margin"] for found in rows)


def test_a_frame_has_the_same_types_whatever_the_rows_hold(report):
    require("frames")
    full, none = report.to_frame(), frame_of([], MEASURE_COLUMNS)
    assert full.schema == none.schema
    blank = frame_of([dict.fromkeys(MEASURE_COLUMNS)])
    assert blank.schema == full.schema
    assert blank.height == 1


def test_every_value_that_is_no_text_has_a_declared_type(report, cases):
    nested = {"reasons", "judge_settings", "quotes", "strategy_results"}
    prefixes = ("forward_", "reversed_", "unknown_order_", "a_", "b_")
    for each in [*report.measure_rows(), *cases]:
        for name, value in each.items():
            if value is None or isinstance(value, str) or name in nested:
                continue
            bare = [name, *(name.removeprefix(p) for p in prefixes if name.startswith(p))]
            declared = next((COLUMN_TYPES[n] for n in bare if n in COLUMN_TYPES), None)
            number = declared is float and isinstance(value, int) and not isinstance(value, bool)
            assert declared is not None, (name, value)
            assert isinstance(value, declared) or number, name


def test_parquet_holds_what_the_csv_holds(tmp_path, cases):
    require("frames")
    import polars as pl  # noqa: PLC0415

    with (tmp_path / "c.parquet").open("wb") as file:
        assert write_rows_parquet(iter(cases), file) == len(cases)
    frame = pl.read_parquet(tmp_path / "c.parquet")
    text = io.StringIO(newline="")
    assert write_rows_csv(cases, text) == len(cases)
    text.seek(0)
    lines = list(csv.DictReader(text))
    assert frame.columns == list(lines[0])
    for found, line, case in zip(frame.to_dicts(), lines, cases, strict=True):
        assert found["pair"] == line["pair"]
        assert found["forward_reply"] == case["forward_reply"]
        assert found["consequence"] == float(line["consequence"])
        assert found["forward_attempts"] == int(line["forward_attempts"])
        assert found["forward_verdicts"] == case["forward_verdicts"]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_is_a_formula_in_a_spreadsheet_and_parquet_holds_it_as_it_is(text):
    require("frames")
    file = io.StringIO(newline="")
    write_rows_csv([{"measure": text, "value": -1.5}], file)
    file.seek(0)
    (line,) = csv.DictReader(file)
    assert line == {"measure": f"'{text}", "value": "-1.5"}
    assert frame_of([{"measure": text}])["measure"].to_list() == [text]


def test_half_characters_are_escaped():
    require("frames")
    rows = [{"judge": "a\ud800b", "cautions": ["\udfff"], "reasons": {"\ud800": 1}}]
    assert frame_of(rows).to_dicts() == [
        {"judge": "a\\ud800b", "cautions": ["\\udfff"], "reasons": '{"\\ud800": 1}'}
    ]


def test_without_polars_the_command_that_installs_it_is_named():
    code = (
        "import sys; sys.modules['polars'] = None\n"
        "from counterbalance.report.frames import frame_of\n"
        "from counterbalance.errors import MissingExtraError\n"
        "try: frame_of([])\n"
        "except MissingExtraError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "python -m pip install 'counterbalance[frames]'" in done.stdout
