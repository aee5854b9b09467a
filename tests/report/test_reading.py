from __future__ import annotations

import subprocess
import sys

import pytest

import counterbalance
from counterbalance.errors import RecordError
from counterbalance.report.as_json import report_json
from studies import run, write_study


def test_python_and_the_command_line_see_the_same(tmp_path):
    from commands import command  # noqa: PLC0415

    run(write_study(tmp_path))
    record = tmp_path / "protocol.record.sqlite"
    report = counterbalance.read_report(record)
    assert isinstance(report, counterbalance.Report)
    assert report_json(report) + "\n" == command("report", record, "--json").out
    assert report.groups[0].measure("position_consistency").denominator == 6


def test_a_missing_record_is_said(tmp_path):
    with pytest.raises(RecordError, match="no such record"):
        counterbalance.read_report(tmp_path / "none.sqlite")


def test_the_package_itself_is_light():
    code = "import counterbalance, sys; print({'numpy', 'pydantic', 'sqlite3'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        counterbalance.nothing  # noqa: B018
