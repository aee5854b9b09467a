"""DeepEval runs: ratings by metric; arena runs are joined by their case and show no order."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from foreign_logs import NASTY, reasons, verdicts
from joined_logs import read_all

if TYPE_CHECKING:
    from pathlib import Path


def metric(name: object = "Tone [GEval]", score: object = 0.7, **changes: Any) -> dict[str, Any]:
    return {
        "name": name, "score": score, "threshold": 0.5, "success": True, "reason": NASTY,
        "evaluationModel": "gpt-4o", **changes,
    }  # fmt: skip


def case(name: object, *metrics: object, order: object = 0) -> dict[str, Any]:
    return {"name": name, "input": "q", "order": order, "metricsData": list(metrics)}


def run(path: Path, *cases: object, identifier: object = None) -> Path:
    value = {"testCases": list(cases), "metricsScores": [], "testPassed": 0}
    if identifier is not None:
        value["identifier"] = identifier
    path.write_text(json.dumps(value), "utf-8")
    return path


def arena(score: object, **changes: Any) -> dict[str, Any]:
    return metric("Better [Arena GEval]", score, **changes)


def test_metrics_are_ratings(tmp_path: Path) -> None:
    path = run(
        tmp_path / ".latest_run_full.json",
        case("case 1", metric(), metric("Facts", None, error="ValueError: x")),
        case("case 2", metric(score=None), metric(score=True), metric(score="1")),
        case(None, metric(), order=None),
        case("case 3"),
        case("case 4", metric(name=None), 7),
        "no case",
        identifier="run of today",
    )
    log = read_all(path)
    assert log.log_format.name == "deepeval"
    assert [(r.item, r.strategy, r.value, r.reason) for r in log.ratings] == [
        ("case 1", "Tone [GEval]", 0.7, ""),
        ("case 1", "Facts", None, "the metric failed"),
        ("case 2", "Tone [GEval]", None, "the metric gave no score"),
        ("case 2", "Tone [GEval]", None, "the metric gave no score"),
        ("case 2", "Tone [GEval]", None, "the metric gave no score"),
    ]
    assert {(r.judge, r.system) for r in log.ratings} == {("gpt-4o", "run of today")}
    assert reasons(log.rejects) == {
        "the test case has no name": 1,
        "no metric was measured on the test case": 1,
        "the metric has no name": 2,
        "the test case is no object": 1,
    }


def test_arena_runs_are_joined_by_case(tmp_path: Path) -> None:
    scores = [(1, 0), (0, 1), (0, 0), (1, 1)]
    one = [case(f"case {i}", arena(a), order=i) for i, (a, _) in enumerate(scores)]
    other = [case(f"case {i}", arena(b), order=i) for i, (_, b) in enumerate(scores)]
    broken = arena(None, error="bad JSON")
    log = read_all(
        run(tmp_path / "zephyr.json", *one, case("case 9", broken, order=9), identifier="zephyr"),
        run(
            tmp_path / "alpaca.json",
            *reversed(other),
            case("case 9", broken, order=9),
            case("case 10", arena(1), order=10),
            identifier="alpaca",
        ),
    )
    found = dict(zip([row.item for row in log.judgments], verdicts(log.judgments), strict=True))
    assert found == {"0: case 0": "b", "1: case 1": "a", "9: case 9": "failed"}
    assert {row.order for row in log.judgments} == {None}
    assert reasons(log.rejects) == {
        "not exactly one contestant won": 2,
        "an arena of other than two named contestants is no pair": 1,
    }
    assert "nothing can be said about order" in log.notes[0]


def test_an_experiment_holds_the_runs_of_all_contestants(tmp_path: Path) -> None:
    runs = [
        {"identifier": name, "testCases": [case("c", arena(score))], "metricsScores": []}
        for name, score in (("m2", 1), ("m1", 0))
    ]
    path = tmp_path / "experiment.json"
    path.write_text(json.dumps({"name": "x", "testRuns": [*runs, "broken"]}, indent=1))
    assert verdicts(read_all(path).judgments) == ["b"]


def test_contestants_without_a_name_are_no_pair(tmp_path: Path) -> None:
    paths = [run(tmp_path / f"{i}.json", case("c", arena(i))) for i in (0, 1)]
    assert reasons(read_all(*paths).rejects) == {
        "an arena of other than two named contestants is no pair": 1
    }
