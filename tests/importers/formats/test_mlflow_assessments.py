"""MLflow assessments: traces or assessments, in any table; verdicts where metadata name a pair."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from extras import require
from foreign_logs import NASTY, jsonl, reasons, verdicts
from joined_logs import read_all

if TYPE_CHECKING:
    from pathlib import Path


def assessment(value: object, name: object = "quality", **changes: Any) -> dict[str, Any]:
    return {
        "assessment_id": "a-1",
        "trace_id": "tr-1",
        "name": name,
        "source": {"source_type": "LLM_JUDGE", "source_id": "gpt-4o"},
        "expectation": None,
        "feedback": {"value": value},
        "rationale": NASTY,
        "metadata": None,
        "error": None,
        **changes,
    }


def pair(order: str, value: object, **changes: Any) -> dict[str, Any]:
    about = {"pair_id": "p", "order": order, "a": "zephyr", "b": "alpaca"}
    return assessment(value, "better", **{"metadata": about, **changes})


TRACES = [
    {"trace_id": "tr-1", "assessments": [pair("forward", "A"), assessment(4)], "tags": {}},
    {"trace_id": "tr-2", "assessments": [pair("reversed", "B")], "tags": {}},
    {"trace_id": "tr-3", "assessments": [assessment("yes"), assessment("no")], "tags": {}},
]


def as_table(rows: list[dict[str, Any]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows({k: v if isinstance(v, str) else json.dumps(v) for k, v in r.items()}
                     for r in rows)  # fmt: skip
    return text.getvalue()


def written(folder: Path, form: str) -> Path:
    path = folder / f"traces.{form}"
    if form == "parquet":
        require("frames")
        import polars as pl  # noqa: PLC0415 (an extra)

        cells = [{k: v if isinstance(v, str) else json.dumps(v) for k, v in row.items()}
                 for row in TRACES]  # fmt: skip
        pl.DataFrame(cells).write_parquet(path)
        return path
    text = {
        "json": json.dumps(TRACES),
        "jsonl": "".join(json.dumps(row) + "\n" for row in TRACES),
        "csv": as_table(TRACES),
    }
    path.write_text(text[form], "utf-8")
    return path


@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "parquet"])
def test_traces_are_read_in_any_table(tmp_path: Path, form: str) -> None:
    log = read_all(written(tmp_path, form))
    assert log.log_format.name == "mlflow-assessments"
    assert verdicts(log.judgments) == ["b", "b"]
    assert [row.order for row in log.judgments] == ["reversed", "forward"]
    assert [(r.item, r.value) for r in log.ratings] == [("tr-1", 4.0), ("tr-1", 1.0), ("tr-1", 0.0)]
    assert {row.judge for row in [*log.judgments, *log.ratings]} == {"gpt-4o"}
    assert not log.rejects


def test_traces_as_objects_keep_them_in_info(tmp_path: Path) -> None:
    rows = [{"info": {"trace_id": "tr-9", "assessments": [assessment(3, trace_id="")]}, "data": 1}]
    log = read_all(jsonl(tmp_path / "x.jsonl", rows))
    assert [(r.item, r.value) for r in log.ratings] == [("tr-9", 3.0)]


def test_every_assessment_is_a_verdict_a_rating_or_a_reject(tmp_path: Path) -> None:
    person = {"source_type": "HUMAN", "source_id": "ann@example.org"}
    rows = [
        assessment(value=True), assessment("fair"), assessment(None, error={"error_code": "x"}),
        assessment(5, source=person), assessment(5, source=None), assessment({"k": 1}),
        assessment(None, expectation={"value": 1}, feedback=None),
        assessment(1, name=None), assessment(1, trace_id=None, request_id=None),
        pair("forward", None), pair("forward", "A", error={"error_code": "x"}),
        pair("forward", "great"), pair("up", "A"), pair("forward", ["A"]), "broken",
    ]  # fmt: skip
    log = read_all(jsonl(tmp_path / "x.jsonl", rows))
    assert [r.value for r in log.ratings] == [1.0, None, None, 5.0, 5.0, None]
    assert [r.judge for r in log.ratings][3:5] == ["ann@example.org", "source unknown"]
    assert [r.reason for r in log.ratings][1:3] == [
        "the value is no number and not yes or no", "the judge failed"
    ]  # fmt: skip
    assert verdicts(log.judgments) == ["unparsed", "failed"]
    assert reasons(log.rejects) == {
        "an expectation is no judgment": 1,
        "the assessment has no name or trace": 2,
        "the value is no verdict in display order (A, B, tie ...)": 2,
        "order is neither forward nor reversed": 1,
        "the line is not JSON": 1,
    }


def test_traces_without_assessments_are_rejected(tmp_path: Path) -> None:
    rows = [TRACES[0], {"trace_id": "x", "assessments": []}, {"trace_id": "y", "assessments": "["},
            {"trace_id": "z", "assessments": [3]}]  # fmt: skip
    log = read_all(jsonl(tmp_path / "x.jsonl", rows))
    assert reasons(log.rejects) == {
        "the trace has no assessments": 2, "the assessment is no object": 1,
    }  # fmt: skip
