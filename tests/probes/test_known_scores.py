"""Scripted judges with a known score on every probe are recovered; a fair one fires nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from counterbalance.measures.probe_decision import ProbeDecision
from counterbalance.protocol.bias_section import PROBE_NAMES
from probes.planted import EXCHANGED, bias_of, result, run_battery, source, write_battery

if TYPE_CHECKING:
    from pathlib import Path

RUBRIC = '[prompt]\nrubric = "The right one is better."\n'
INVERTED = 'inverted_rubric = "The wrong one is better."'
PARAPHRASED = 'paraphrased_rubric = "Prefer what is right."'
N = 40
PLANTED = {
    "slot": ("slot_rate = 0.6", {"identical": 0.6, "position": 0.6, "same_format": 0.6}),
    "label": ('label_rate = 0.6\nfavoured_label = "A"', {"labels": 0.6}),
    "length": (
        "length_rate = 0.6",
        {"expanded": 0.6, "truncated": 0.6, "whitespace": 0.6, "unsupported": 0.6},
    ),
    "markdown": ("markdown_rate = 0.6", {"markdown": 0.6, "headings": 0.6, "plain": 0.6}),
    "injection": ("injection_rate = 0.6", {"injection": 0.6}),
    "family": (
        'family_rate = 0.6\nfamily_marker = "I would think"\nmodel = "gpt-4o"',
        {"same_family": 0.6},
    ),
    # It reads texts and no criterion: its winner stays whatever the criterion says.
    "content": ("", {"criterion_inverted": -1.0, "rubric_paraphrase": 1.0}),
    "ties": ("tie_rate = 0.4", {"neither": -0.6}),
}
"""Settings of each judge, and the score that each of its probes has in the long run."""


def rows_for(probes: object) -> list[dict[str, object]]:
    requirement = {"id": "no", "rule": "absent", "value": ["a"], "text": "No letter a."}
    rows = []
    for n in range(N):
        text = f"Case {n} is open, I would think. It will be closed soon. Ask again."
        if "plain" in probes:
            text = f"- Case **{n}** is open.\n- It will be closed soon."
        more = {"requirements": [requirement]} if "neither" in probes else {}
        rows.append(source(n, a={"system": "gpt-4o", "text": text}, **more))
    return rows


def battery(folder: Path, probes: list[str], judge: str) -> Path:
    rubrics = "\n".join(
        line
        for name, line in (("criterion_inverted", INVERTED), ("rubric_paraphrase", PARAPHRASED))
        if name in probes
    )
    path = write_battery(
        folder, probes, judge=judge, rows=rows_for(probes), bias=rubrics, rubric=RUBRIC,
        more=EXCHANGED if "labels" in probes else "",
    )  # fmt: skip
    path.write_text(path.read_text("utf-8").replace('tie = "C"', 'tie = "C"\nneither = "D"'))
    run_battery(path)
    return path


def test_every_probe_has_a_judge_of_a_known_score() -> None:
    assert {probe for _, scores in PLANTED.values() for probe in scores} == set(PROBE_NAMES)


@pytest.mark.parametrize("name", PLANTED)
def test_a_known_score_is_recovered_and_fires(name: str, tmp_path: Path) -> None:
    judge, scores = PLANTED[name]
    for place, probes in enumerate(
        [["plain"], [p for p in scores if p != "plain"]] if "plain" in scores else [list(scores)]
    ):
        report = bias_of(battery(tmp_path / str(place), probes, judge))
        for probe in probes:
            found = result(report, probe)
            score = found.scores.score
            assert score.low <= scores[probe] <= score.high, (probe, score)
            assert found.is_rejected, probe
            expected = (
                {ProbeDecision.AS_EXPECTED}
                if probe in {"truncated", "rubric_paraphrase"}
                else {ProbeDecision.SENSITIVE}
            )
            assert {found.decision} == expected, probe


def test_a_fair_judge_fires_nothing(tmp_path: Path) -> None:
    # A coin between two texts reads no criterion and knows no third verdict, which others plant.
    apart = {"neither", "plain", "criterion_inverted", "rubric_paraphrase"}
    probes = [name for name in PROBE_NAMES if name not in apart]
    report = bias_of(battery(tmp_path, probes, 'seed = 11\nmodel = "gpt-4o"'))
    plain = bias_of(battery(tmp_path / "plain", ["plain"], "seed = 11"))
    for found in (*report.results, *plain.results):
        assert found.scores is not None, found.probe.name
        assert found.is_rejected is not True, found.probe.name
    assert all(cell.is_rejected is not True for cell in report.cross.cells)
