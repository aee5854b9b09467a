"""A plugin for pytest: hold saved records to their gate in a test suite; nothing is ever judged.

It comes with the package (entry point ``pytest11``). A test marked
``@pytest.mark.counterbalance("study.record.sqlite")`` gets the result of the gate as the fixture
``counterbalance_gate``, and the report as ``counterbalance_report``; `--counterbalance-record`
names the record for tests whose mark names none.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from counterbalance.report.gate.result import GateResult
    from counterbalance.report.report import Report

__all__ = ["Gate", "counterbalance_gate", "counterbalance_report"]

_MARK = "counterbalance"


@dataclass(frozen=True)
class Gate:
    """The gate of a saved record.

    Attributes
    ----------
    result : GateResult
        Every check, as ``counterbalance gate --json`` prints it.
    """

    result: GateResult

    @property
    def passed(self) -> bool:
        """Whether every rule passed; an open one has not."""
        return self.result.passed

    @property
    def text(self) -> str:
        """What ``counterbalance gate`` prints."""
        from counterbalance.report.gate.text import gate_lines  # noqa: PLC0415 (heavy)

        return "\n".join(gate_lines(self.result))

    def check(self) -> None:
        """Fail the test with the whole result unless the gate passes."""
        __tracebackhide__ = True
        if not self.passed:
            pytest.fail(self.text, pytrace=False)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option and the ini key that name a record."""
    group = parser.getgroup("counterbalance")
    group.addoption(
        "--counterbalance-record",
        metavar="RECORD",
        help="Record for tests marked counterbalance that name none.",
    )
    parser.addini("counterbalance_record", "The same in a configuration file.", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line(
        "markers", "counterbalance(record): hold a saved record to the gate of its protocol"
    )


@pytest.fixture
def counterbalance_gate(request: pytest.FixtureRequest) -> Gate:
    """Return the gate of the record that the mark, the option or the ini key names."""
    from counterbalance.record import open_record  # noqa: PLC0415 (heavy)
    from counterbalance.report.evidence import read_evidence  # noqa: PLC0415
    from counterbalance.report.gate.evaluating import evaluate_gate  # noqa: PLC0415

    with open_record(_record(request), create=False, exclusive=False) as store:
        return Gate(evaluate_gate(read_evidence(store), store.verify()))


@pytest.fixture
def counterbalance_report(request: pytest.FixtureRequest) -> Report:
    """Return the report of the record that the mark, the option or the ini key names."""
    from counterbalance.report.reading import read_report  # noqa: PLC0415 (heavy)

    return read_report(_record(request))


def _record(request: pytest.FixtureRequest) -> Path:
    mark = request.node.get_closest_marker(_MARK)
    named = mark.args[0] if mark is not None and mark.args else None
    config = request.config
    named = named or config.getoption("--counterbalance-record")
    named = named or config.getini("counterbalance_record")
    if not named:
        pytest.fail(
            "no record is named: write @pytest.mark.counterbalance('study.record.sqlite'), or give"
            " --counterbalance-record or the ini key counterbalance_record",
            pytrace=False,
        )
    # A mark stands in a file of the project, so its path is from the project's root.
    return config.rootpath / named if mark is not None and mark.args else Path(named)
