"""MLflow assessments, as ``search_traces`` gives them: rows of traces, or of assessments.

A feedback on a trace whose metadata hold ``pair_id`` and ``order`` is a verdict in display order;
any other feedback is a rating. Expectations are what should have been, and no judgments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic_core import from_json

from counterbalance.importers.container_rows import container_rows
from counterbalance.importers.fields import found, identifier, number
from counterbalance.importers.judgment import (
    Judgment,
    Rating,
    Reject,
    rejected,
    source_outcome,
)
from counterbalance.importers.log_format import Container, LogFormat, Shape
from counterbalance.importers.pair_metadata import PairFacts, pair_facts, slot_outcome
from counterbalance.parsing.outcome import FailureKind, OutcomeKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes, Sample

__all__ = ["FORMAT"]

_COLUMNS = frozenset(
    {
        "trace_id", "request_id", "assessments", "info", "assessment_id", "name", "assessment_name",
        "source", "feedback", "expectation", "value", "rationale", "metadata", "error", "tags",
        "trace_metadata",
    }
)  # fmt: skip
_UNNAMED = "unnamed"
_FAILED = source_outcome(OutcomeKind.FAILED, failure=FailureKind.LOST)
_UNPARSED = source_outcome(OutcomeKind.UNPARSED)
_ANSWERS = {"yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0, "pass": 1.0, "fail": 0.0}
_NOT_COMPARED = (
    "MLflow: assessments do not show how the judge was asked in the two orders of a pair."
)


def _read(file: LogFile, notes: Notes) -> Iterator[Row]:
    for line, row in container_rows(file, _COLUMNS):
        if isinstance(row, Reject):
            yield row
        elif "assessments" in row or "info" in row:
            yield from _trace(line, row, notes)
        else:
            yield _assessment(line, row, _trace_id(row), {}, notes)


def _trace(line: int, row: dict[str, Any], notes: Notes) -> Iterator[Row]:
    info = _value(row.get("info"))
    about = row | info if isinstance(info, dict) else row
    listed = _value(about.get("assessments"))
    if not isinstance(listed, list) or not listed:
        yield Reject(line, "the trace has no assessments", found(about.get("trace_id")))
        return
    tags = _dict(about.get("tags")) | _dict(about.get("trace_metadata"))
    for assessment in listed:
        if isinstance(assessment, dict):
            yield _assessment(line, assessment, _trace_id(about), tags, notes)
        else:
            yield Reject(line, "the assessment is no object", found(assessment))


def _assessment(
    line: int, row: dict[str, Any], trace: str, tags: dict[str, Any], notes: Notes
) -> Row:
    if row.get("expectation") and not row.get("feedback"):
        return Reject(line, "an expectation is no judgment", found(row.get("name")))
    name = identifier(row.get("name")) or identifier(row.get("assessment_name"))
    trace = _trace_id(row) or trace
    if name is None or not trace:
        return Reject(line, "the assessment has no name or trace", found(name, trace))
    facts = pair_facts(line, tags | _dict(row.get("metadata")))
    if isinstance(facts, Reject):
        return facts
    feedback = _dict(row.get("feedback"))
    value = feedback["value"] if "value" in feedback else row.get("value")
    error = row.get("error") or feedback.get("error")
    if facts is None:
        return _rating(line, row, (trace, name), value, error)
    notes.add(_NOT_COMPARED)
    return _judgment(line, row, facts, name, value, error)


def _rating(
    line: int, row: dict[str, Any], named: tuple[str, str], value: object, error: object
) -> Rating:
    score = float(value) if isinstance(value, bool) else number(value)
    if score is None and isinstance(value, str):
        score = _ANSWERS.get(value.strip().lower())
    why = "the judge failed" if error else "the value is no number and not yes or no"
    return Rating(
        line=line,
        item=named[0],
        system=_UNNAMED,
        judge=_judge(row),
        value=score,
        strategy=named[1],
        reason="" if score is not None else why,
        reply=str(row.get("rationale") or ""),
    )


def _judgment(
    line: int, row: dict[str, Any], facts: PairFacts, name: str, value: object, error: object
) -> Row:
    outcome = _FAILED if error else slot_outcome(value)
    call = Judgment(
        line=line,
        item=facts.pair,
        a=facts.a,
        b=facts.b,
        order=facts.order,
        outcome=_UNPARSED if outcome is None else outcome,
        judge=_judge(row),
        strategy=name,
        subset=facts.subset,
        cluster=facts.cluster,
        category=facts.category,
        system_a=facts.a if facts.has_systems else "",
        system_b=facts.b if facts.has_systems else "",
        reply=str(row.get("rationale") or ""),
    )
    if outcome is None and value is not None and value != "":
        reason = "the value is no verdict in display order (A, B, tie ...)"
        return rejected(call, reason, found(value))
    return call


def _judge(row: dict[str, Any]) -> str:
    """Return who judged; a person is one judge among people, whatever the name."""
    source = _dict(row.get("source"))
    kind = identifier(source.get("source_type")) or "source unknown"
    return identifier(source.get("source_id")) or kind


def _trace_id(row: dict[str, Any]) -> str:
    return identifier(row.get("trace_id")) or identifier(row.get("request_id")) or ""


def _value(value: object) -> object:
    """Return what a cell of a table holds as JSON; anything else as it is."""
    if isinstance(value, str) and value[:1] in {"[", "{"}:
        try:
            return from_json(value)
        except ValueError:
            return None
    return value


def _dict(value: object) -> dict[str, Any]:
    inner = _value(value)
    return inner if isinstance(inner, dict) else {}


def _is_trace(sample: Sample) -> bool:
    """Say whether the row is a trace with a list of assessments, in itself or in ``info``."""
    if sample.container in {Container.TABLE, Container.PARQUET}:
        return "assessments" in sample.keys
    first = sample.first if isinstance(sample.first, dict) else {}
    about = _dict(first.get("info")) or first
    return isinstance(_value(about.get("assessments")), list)


_TABLES = (Container.JSON_LINES, Container.JSON_ARRAY, Container.TABLE, Container.PARQUET)
FORMAT = LogFormat(
    name="mlflow-assessments",
    title="MLflow assessments (an export of search_traces)",
    shapes=tuple(
        shape
        for container in _TABLES
        for shape in (
            Shape(container, frozenset({"trace_id", "assessments"}), _is_trace),
            Shape(container, frozenset({"request_id", "assessments"}), _is_trace),
            Shape(container, frozenset({"info"}), _is_trace),
            Shape(container, frozenset({"trace_id", "source", "feedback"})),
            Shape(container, frozenset({"trace_id", "source", "assessment_name"})),
        )
    ),
    read=_read,
    advice="Feedback is a rating, unless metadata hold pair_id and order.",
)
