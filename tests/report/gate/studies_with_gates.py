"""Small records under declared rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.record import open_record
from counterbalance.report.evidence import read_evidence
from counterbalance.report.gate.evaluating import evaluate_gate
from studies import run, write_study

if TYPE_CHECKING:
    from pathlib import Path

    from counterbalance.report.gate.result import GateResult

ORDER = """
[[gate]]
name = "order"
measure = "order_disagreement"
at_most = 0.10
confidence = 0.95
"""
MISSING = """
[[gate]]
name = "missing"
measure = "incomplete"
at_most = 0.02
observed = true
"""


def judged(folder: Path, rules: str, n: int = 60, judge: str = "", **more) -> Path:
    """Judge a study under these rules; return its record."""
    protocol = write_study(folder, n, judge=judge, more=rules, **more)
    run(protocol)
    return folder / "protocol.record.sqlite"


def gate_of(record: Path) -> GateResult:
    with open_record(record, create=False, exclusive=False) as store:
        return evaluate_gate(read_evidence(store), store.verify())
