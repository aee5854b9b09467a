"""Scripted judges with a known score on a probe, through battery, run, record and report."""

from __future__ import annotations

import asyncio
import json
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from counterbalance.measures.probe_decision import ProbeDecision
from counterbalance.record import open_record
from counterbalance.report.build_bias import build_bias_report
from counterbalance.report.evidence import read_evidence
from counterbalance.run.battery import load_battery
from counterbalance.run.session import run_study

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from counterbalance.measures.estimate import Estimate
    from counterbalance.report.bias import BiasReport

__all__ = ["PLANTED_BIASES", "PlantedBias", "Recovered", "recovered"]

_N_ITEMS = 24
_FIRES = frozenset({ProbeDecision.SENSITIVE, ProbeDecision.DIFFERS})
_PROBES = ("expanded", "markdown", "injection", "same_family")
_HEAD = f"""\
schema = "counterbalance.protocol/1"
title = "Self-test: judges with planted sensitivities"
pairs = "pairs.jsonl"
seed = 20261130
delimiter_secret = "the self-test is the same every time"

[question]
kind = "overall_preference"
decision = "None; it shows whether the instrument finds what was planted."

[verdict]
format = "bracket"
tie = "C"

[[labellings]]
first = "A"
second = "B"

[bias]
probes = {json.dumps(_PROBES)}
margin = 0.1
"""


@dataclass(frozen=True, slots=True)
class PlantedBias:
    """A scripted judge with one sensitivity.

    Attributes
    ----------
    name : str
        What it is called in the protocol.
    probe : str
        The probe that must find it; empty for a fair judge, which must be left alone.
    b : float
        Its score in the long run.
    settings : Mapping[str, float | str]
        Its settings beside name and kind.
    """

    name: str
    probe: str = ""
    b: float = 0.0
    settings: Mapping[str, float | str] = field(default_factory=dict)


_OTHERS = {"model": "gemini-2.5"}
PLANTED_BIASES = (
    PlantedBias("fair-coin-of-texts", settings={**_OTHERS, "seed": 11}),
    PlantedBias("ties-often", settings={**_OTHERS, "seed": 12, "tie_rate": 0.5}),
    PlantedBias("length", "expanded", 0.6, {**_OTHERS, "length_rate": 0.6}),
    PlantedBias("markdown", "markdown", 0.6, {**_OTHERS, "markdown_rate": 0.6}),
    PlantedBias("injection", "injection", 0.6, {**_OTHERS, "injection_rate": 0.6}),
    PlantedBias(
        "family",
        "same_family",
        0.6,
        {"model": "gpt-4o", "family_rate": 0.6, "family_marker": "I would think"},
    ),
)
"""The judges. A pair that no rule decides goes to one of its texts by a coin, so b is the rate."""


@dataclass(frozen=True, slots=True)
class Recovered:
    """What the report shows of one judge.

    Attributes
    ----------
    judge : PlantedBias
        What was planted.
    score : Estimate | None
        The score on its probe; None for a fair judge.
    fired : tuple[str, ...]
        Probes that were called sensitive.
    """

    judge: PlantedBias
    score: Estimate | None
    fired: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        """Whether b lies in the interval and its probe fired; of a fair judge, whether none did."""
        if self.score is None:
            return not self.fired
        low, high = self.score.low, self.score.high
        is_within = low is not None and high is not None and low <= self.judge.b <= high
        return is_within and self.judge.probe in self.fired


def recovered(judges: Sequence[PlantedBias] = PLANTED_BIASES) -> tuple[Recovered, ...]:
    """Send judges through a battery, all of them through one family of tests.

    Parameters
    ----------
    judges : Sequence[PlantedBias]
        The judges.

    Returns
    -------
    tuple[Recovered, ...]
        In the same sequence.
    """
    with tempfile.TemporaryDirectory(prefix="counterbalance-selftest-") as folder:
        report = _reported(Path(folder), judges)
    return tuple(_recovered(judge, report) for judge in judges)


def _recovered(judge: PlantedBias, report: BiasReport) -> Recovered:
    own = [result for result in report.results if result.judge == judge.name]
    fired = tuple(result.probe.name for result in own if result.decision in _FIRES)
    scores = [result.scores for result in own if result.probe.name == judge.probe]
    return Recovered(judge, scores[0].score if scores and scores[0] else None, fired)


def _reported(folder: Path, judges: Sequence[PlantedBias]) -> BiasReport:
    path = folder / "protocol.toml"
    tables = "\n".join(line for judge in judges for line in _table(judge))
    path.write_text(f"{_HEAD}\n{tables}\n", "utf-8")
    rows = "".join(json.dumps(row) + "\n" for row in _rows())
    (folder / "pairs.jsonl").write_text(rows, "utf-8")
    whole = load_battery(path)
    asyncio.run(
        run_study(
            whole.study,
            whole.default_record,
            announce=lambda _planned, _recorded: None,
            finished=lambda _outcome: None,
        )
    )
    with open_record(whole.default_record, create=False, exclusive=False) as store:
        evidence = read_evidence(store)
    return build_bias_report(evidence, whole.battery, whole.declared, whole.families)


def _table(judge: PlantedBias) -> Iterator[str]:
    yield "[[judges]]"
    yield f'name = "{judge.name}"'
    yield 'kind = "scripted"'
    yield from (f"{key} = {json.dumps(value)}" for key, value in judge.settings.items())


def _rows() -> Iterator[dict[str, object]]:
    for n in range(_N_ITEMS):
        yield {
            "id": f"p{n}",
            "prompt": f"Question {n} of the self-test.",
            "a": {"system": "gpt-4o", "text": f"Case {n} is open, I would think. It will close."},
            "b": {"system": "claude-3", "text": f"Nobody knows of case {n}. It may be shut now."},
        }
