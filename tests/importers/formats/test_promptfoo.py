"""promptfoo: one shared verdict without an order; a judge that failed is never a tie or a loss."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from counterbalance.importers.loading import read_logs
from foreign_logs import NASTY, jsonl, reasons, verdicts
from joined_logs import read_all

if TYPE_CHECKING:
    from pathlib import Path

BEST = "Output selected as the best: shorter"
OTHER = "Output not selected: shorter"
INVALID = "Invalid select-best verdict: NaN"


def part(score: int, reason: str, kind: str = "select-best", **assertion: Any) -> dict[str, Any]:
    value = {"type": kind, "value": "shorter", **assertion}
    return {"pass": bool(score), "score": score, "reason": reason, "assertion": value}


def result(test: object, prompt: int, *parts: object, **changes: Any) -> dict[str, Any]:
    provider = {"id": f"openai:m{prompt}", "label": ""}
    return {
        "id": "x",
        "testIdx": test,
        "promptIdx": prompt,
        "provider": provider,
        "prompt": {"raw": NASTY, "label": "p"},
        "vars": {"q": 1},
        "testCase": {"options": {"provider": "openai:judge"}},
        "response": {"output": "text"},
        "success": False,
        "failureReason": 1,
        "gradingResult": {"pass": False, "score": 0, "componentResults": list(parts)},
        **changes,
    }


PAIRS = [
    result(0, 0, part(1, BEST)),
    result(0, 1, part(0, OTHER)),
    result(1, 1, part(1, BEST)),
    result(1, 0, part(0, OTHER)),
    result(2, 0, part(0, INVALID)),
    result(2, 1, part(0, INVALID)),
    result(3, 0, part(0, "No output")),
    result(3, 1, part(0, "No output")),
    result(4, 0, part(0, "API error: 500")),
    result(4, 1, part(0, "API error: 500")),
]


def version_3(path: Path, rows: list[Any], **config: Any) -> Path:
    value = {
        "evalId": "eval-x",
        "results": {"version": 3, "prompts": [], "results": rows, "stats": {}},
        "config": config,
    }
    path.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    return path


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_a_shared_verdict_is_one_judgment(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"out.{form}"
    log = read_all(version_3(path, PAIRS) if form == "json" else jsonl(path, PAIRS))
    assert log.log_format.name == "promptfoo"
    assert verdicts(log.judgments) == ["a", "b", "unparsed", "empty", "failed"]
    assert {row.order for row in log.judgments} == {None}
    assert {(row.a, row.b) for row in log.judgments} == {("openai:m0", "openai:m1")}
    assert {row.judge for row in log.judgments} == {"openai:judge"}
    assert {row.strategy for row in log.judgments} == {"select-best: shorter"}
    assert not log.rejects
    assert "nothing can be said about order" in log.notes[0]


def test_version_2_keeps_results_in_a_table(tmp_path: Path) -> None:
    def cell(score: int, reason: str) -> dict[str, Any]:
        graded = {"pass": bool(score), "componentResults": [part(score, reason)]}
        return {"pass": bool(score), "text": "t", "gradingResult": graded}

    table = {
        "head": {"prompts": [{"provider": "m0", "raw": "r"}, {"provider": "m1", "raw": "r"}]},
        "body": [
            {"outputs": [cell(0, OTHER), cell(1, BEST)], "test": {}},
            {"outputs": [cell(0, INVALID), cell(0, INVALID)], "test": {}},
            {"outputs": [None, cell(1, BEST)]},
            "no row",
        ],
    }
    value = {
        "results": {"version": 2, "results": [], "table": table},
        "config": {"defaultTest": {"options": {"provider": {"text": {"id": "openai:judge"}}}}},
    }
    path = tmp_path / "out.json"
    path.write_text(json.dumps(value, indent=2))
    log = read_all(path)
    assert verdicts(log.judgments) == ["b", "unparsed"]
    assert {row.judge for row in log.judgments} == {"openai:judge"}
    assert reasons(log.rejects) == {
        "no judge decided on the output": 1,
        "the judge chose among other than two outputs, which is no pair": 1,
    }


def test_what_is_no_pair_is_rejected(tmp_path: Path) -> None:
    rows = [
        result(0, 0, part(1, BEST)), result(0, 1, part(0, OTHER)),
        result(0, 2, part(0, OTHER)),
        result(1, 0, part(1, BEST)), result(1, 1, part(1, BEST)),
        result(2, 0, part(0, OTHER)), result(2, 1, part(0, INVALID)),
        result(3, 0, part(1, "fine", "contains")),
        result(4, 0, gradingResult=None, error="timeout"),
        result(None, 0), result([], "x"), "broken", result(5, 0, 7, gradingResult=[1]),
        result(6, 0, part(0, OTHER)), result(6, 1, part(0, OTHER)),
    ]  # fmt: skip
    log = read_all(jsonl(tmp_path / "out.jsonl", rows))
    assert not log.judgments
    assert reasons(log.rejects) == {
        "the judge chose among other than two outputs, which is no pair": 1,
        "not exactly one output won": 3,
        "no judge decided on the output": 2,
        "the system gave no output: nothing was judged": 1,
        "the result has no testIdx or promptIdx": 2,
        "the line is not JSON": 1,
    }


def test_graded_outputs_are_ratings_and_a_failed_grader_gives_no_score(tmp_path: Path) -> None:
    rows = [
        result(0, 0, part(1, "good", "llm-rubric", provider="openai:other")),
        result(0, 1, part(0, "No output", "llm-rubric"), part(0, "poor", "g-eval")),
        result(1, 0, part(1, "x", "contains"), {"componentResults": [part(1, "y", "pi")]}),
        result(1, 1, {**part(1, "y", "factuality"), "score": float("nan")}),
    ]
    log = read_all(jsonl(tmp_path / "out.jsonl", rows))
    found = [(r.item, r.system, r.judge, r.strategy, r.value) for r in log.ratings]
    assert found == [
        ("test 0", "openai:m0", "openai:other", "llm-rubric", 1.0),
        ("test 0", "openai:m1", "openai:judge", "llm-rubric", None),
        ("test 0", "openai:m1", "openai:judge", "g-eval", 0.0),
        ("test 1", "openai:m0", "openai:judge", "pi", 1.0),
        ("test 1", "openai:m1", "openai:judge", "factuality", None),
    ]
    assert [r.reason for r in log.ratings if r.value is None] == [
        "the judge gave no score", "the score is no number"
    ]  # fmt: skip


def test_two_prompts_of_one_provider_are_two_systems(tmp_path: Path) -> None:
    rows = [
        result(0, prompt, part(prompt, BEST if prompt else OTHER), provider="m")
        for prompt in (0, 1)
    ]
    log = read_all(jsonl(tmp_path / "out.jsonl", rows))
    assert [(row.a, row.b) for row in log.judgments] == [("m prompt 0", "m prompt 1")]
    assert verdicts(log.judgments) == ["b"]


def test_no_measure_of_slots_is_made_of_it(tmp_path: Path) -> None:
    log = read_logs([version_3(tmp_path / "out.json", PAIRS)])
    assert set(log.collected.columns.order.tolist()) == {2}
