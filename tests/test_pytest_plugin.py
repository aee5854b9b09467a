"""The plugin in a pytest of its own, on real records."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points

import pytest

from report.gate.studies_with_gates import ORDER, judged

TESTS = """
import pytest

@pytest.mark.counterbalance("{record}")
def test_gate(counterbalance_gate):
    counterbalance_gate.check()

@pytest.mark.counterbalance("{record}")
def test_report(counterbalance_report):
    assert counterbalance_report.groups[0].measure("position_consistency").denominator == {n}
"""


def pytest_in(folder, *words):
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "counterbalance.pytest_plugin", "-q", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize(("slot_rate", "n", "passed"), [(0.0, 40, 2), (0.8, 40, 1), (0.0, 4, 1)])
def test_a_suite_passes_only_where_the_gate_does(slot_rate, n, passed, tmp_path):
    judged(tmp_path, ORDER, n, judge=f"slot_rate = {slot_rate}\n")
    text = TESTS.format(record="protocol.record.sqlite", n=n)
    (tmp_path / "test_saved.py").write_text(text, "utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\n", "utf-8")
    ended = pytest_in(tmp_path)
    assert f"{passed} passed" in ended.stdout
    assert ("Gate: " in ended.stdout) == (passed == 1)
    assert "Traceback" not in ended.stdout


def test_an_option_names_the_record_and_none_is_said(tmp_path):
    record = judged(tmp_path, ORDER, 40)
    text = "def test_gate(counterbalance_gate):\n    assert counterbalance_gate.passed\n"
    (tmp_path / "test_saved.py").write_text(text, "utf-8")
    assert "1 passed" in pytest_in(tmp_path, "--counterbalance-record", str(record)).stdout
    without = pytest_in(tmp_path)
    assert "no record is named" in without.stdout


def test_it_comes_with_the_package():
    assert "counterbalance" in {entry.name for entry in entry_points(group="pytest11")}
