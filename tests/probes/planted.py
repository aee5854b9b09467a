"""A probe battery over scripted judges, with sources enough for intervals and tests."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from counterbalance.record import open_record
from counterbalance.report.build_bias import build_bias_report
from counterbalance.report.evidence import read_evidence
from counterbalance.run.battery import load_battery
from counterbalance.run.session import run_study
from studies import PROTOCOL

if TYPE_CHECKING:
    from pathlib import Path

    from counterbalance.report.bias import BiasReport, ProbeResult
    from counterbalance.run.execution import RunSummary

EXCHANGED = '[[labellings]]\nfirst = "B"\nsecond = "A"\n'


def source(n: int, **more: object) -> dict[str, object]:
    return {
        "id": f"p{n}",
        "prompt": f"What about case {n}?",
        "category": ("facts", "tone")[n % 2],
        "a": {"system": "gpt-4o", "text": f"Case {n} is open. It will be closed soon. Ask again."},
        "b": {"system": "claude-3", "text": f"Nobody knows of case {n}. It may be shut."},
        **more,
    }


def write_battery(
    folder: Path,
    probes: list[str],
    *,
    judge: str = "",
    bias: str = "",
    n: int = 24,
    rows: list[dict[str, object]] | None = None,
    more: str = "",
    rubric: str = "",
) -> Path:
    """Write a protocol with a table [bias] and its pairs; return the protocol's path."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(row) for row in (rows or [source(i) for i in range(n)])]
    (folder / "pairs.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    table = f"[bias]\nprobes = {json.dumps(probes)}\n{bias}\n"
    text = PROTOCOL.format(judge=judge, more=f"{more}\n{rubric}\n{table}")
    path = folder / "protocol.toml"
    path.write_text(text.replace('baseline = "old"\n', ""), "utf-8")
    return path


def run_battery(protocol: Path, **more: object) -> RunSummary:
    """Judge a battery in its own record."""
    whole = load_battery(protocol)
    return asyncio.run(
        run_study(
            whole.study,
            whole.default_record,
            announce=lambda *_: None,
            finished=lambda _: None,
            **more,
        )
    )


def bias_of(protocol: Path) -> BiasReport:
    """Score the record of a battery that was run."""
    whole = load_battery(protocol)
    with open_record(whole.default_record, create=False, exclusive=False) as store:
        assert store.verify() == []
        evidence = read_evidence(store)
    return build_bias_report(evidence, whole.battery, whole.declared, whole.families)


def result(report: BiasReport, probe: str, judge: str = "script") -> ProbeResult:
    return next(r for r in report.results if (r.judge, r.probe.name) == (judge, probe))
