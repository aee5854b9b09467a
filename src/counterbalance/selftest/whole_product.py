"""One study of all planted judges: protocol, run, record and report, as a user would make them."""

from __future__ import annotations

import asyncio
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from counterbalance.record import open_record
from counterbalance.report.build import build_report
from counterbalance.report.evidence import read_evidence
from counterbalance.run.session import run_study
from counterbalance.run.study import load_study
from counterbalance.selftest.naming import names_of
from counterbalance.selftest.planted import PLANTED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.report.report import Report
    from counterbalance.selftest.planted import Name, PlantedJudge

__all__ = ["Recognised", "recognised", "study_of"]

_N_PAIRS = 120
_HEAD = """\
schema = "counterbalance.protocol/1"
title = "Self-test: judges with planted biases"
pairs = "pairs.jsonl"
seed = 20261130
baseline = "old"
delimiter_secret = "the self-test is the same every time"

[question]
kind = "overall_preference"
decision = "None; it shows whether the instrument finds what was planted."

[verdict]
format = "bracket"
tie = "C"

[[labellings]]
first = "1"
second = "2"

[[labellings]]
first = "2"
second = "1"

[repetitions.subset]
pairs = 60
per_order = 3

[analysis]
measures = ["bias_position", "tie_rate", "repeat_disagreement", "order_excess_disagreement"]
margins = { bias_position = 0.2, order_excess_disagreement = 0.1 }
"""


@dataclass(frozen=True, slots=True)
class Recognised:
    """What the report called one judge.

    Attributes
    ----------
    judge : PlantedJudge
        What was planted.
    called : frozenset[Name]
        What the report shows.
    adds_up : bool
        Whether its dispositions are as many as the pairs planned, under every labelling.
    """

    judge: PlantedJudge
    called: frozenset[Name]
    adds_up: bool

    @property
    def is_right(self) -> bool:
        """Whether it was called what was planted, nothing else, and nothing was lost."""
        return self.called == self.judge.names and self.adds_up


def recognised(judges: Sequence[PlantedJudge] = PLANTED) -> tuple[Recognised, ...]:
    """Send judges through the whole product and return what each was called.

    Parameters
    ----------
    judges : Sequence[PlantedJudge]
        The judges.

    Returns
    -------
    tuple[Recognised, ...]
        In the same sequence.
    """
    with tempfile.TemporaryDirectory(prefix="counterbalance-selftest-") as folder:
        report = _reported(study_of(Path(folder), judges))
    return tuple(
        Recognised(judge, names_of(report, judge.name), _adds_up(report, judge.name))
        for judge in judges
    )


def study_of(folder: Path, judges: Sequence[PlantedJudge]) -> Path:
    """Write the self-test's protocol and pairs into a folder; return the protocol's path."""
    tables = "\n".join(line for judge in judges for line in _table(judge))
    protocol = folder / "protocol.toml"
    protocol.write_text(f"{_HEAD}\n{tables}\n", "utf-8")
    lines = (json.dumps(pair) + "\n" for pair in _pairs())
    (folder / "pairs.jsonl").write_text("".join(lines), "utf-8")
    return protocol


def _table(judge: PlantedJudge) -> Iterator[str]:
    yield "[[judges]]"
    yield f'name = "{judge.name}"'
    yield 'kind = "scripted"'
    yield from (f"{key} = {json.dumps(value)}" for key, value in judge.settings.items())


def _pairs() -> Iterator[dict[str, object]]:
    for n in range(_N_PAIRS):
        yield {
            "id": f"p{n}",
            "prompt": f"Question {n} of the self-test.",
            "a": {"system": "old", "text": f"The answer {n} that the old system gave."},
            "b": {"system": "new", "text": f"What the new system answered to {n}."},
            "reference": "ab"[n % 2],
        }


def _reported(protocol: Path) -> Report:
    study = load_study(protocol)
    asyncio.run(
        run_study(
            study,
            study.default_record,
            announce=lambda _planned, _recorded: None,
            finished=lambda _outcome: None,
        )
    )
    with open_record(study.default_record, create=False, exclusive=False) as store:
        return build_report(read_evidence(store))


def _adds_up(report: Report, judge: str) -> bool:
    groups = [group for group in report.groups if group.judge == judge]
    return report.reconciliation.adds_up and all(
        sum(group.dispositions.values()) == group.counts.pairs == _N_PAIRS for group in groups
    )
