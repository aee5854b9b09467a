"""The published schema of reports holds for every kind of report, and knows every key."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import jsonschema
import pytest

import counterbalance
from counterbalance.report.report import SCHEMA
from report.reviewed_study import close_review, reviewed_record
from report.sample_reports import KINDS, of_ratings, report_of

PAGE = Path(counterbalance.__file__).parents[2] / "docs" / "reference" / "report.schema.json"
PUBLISHED = json.loads(PAGE.read_text("utf-8"))


def closed(schema):
    """Return the schema without room for keys that it does not name."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: closed(part) for key, part in schema.items()}
    if schema.get("type") == "object" or "object" in schema.get("type", ()):
        found.setdefault("additionalProperties", "properties" not in schema)
    return found


STRICT = jsonschema.Draft202012Validator(closed(PUBLISHED))


def problems(value):
    return [
        f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
        for error in STRICT.iter_errors(value)
    ]


def test_it_is_a_schema_of_this_version():
    jsonschema.Draft202012Validator.check_schema(PUBLISHED)
    assert PUBLISHED["$id"] == PUBLISHED["properties"]["schema"]["const"] == SCHEMA


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_report_is_in_it_with_every_key(tmp_path, kind):
    assert problems(KINDS[kind](tmp_path / "study")) == []


def test_a_review_is_in_it_open_and_closed(tmp_path):
    record = reviewed_record(tmp_path)
    assert problems(report_of("report", record)) == []
    close_review(record)
    value = report_of("report", record)
    assert value["review"]["reviewed"]
    assert problems(value) == []


@pytest.mark.parametrize(
    ("spoil", "where"),
    [
        (lambda value: value.pop("groups"), "groups"),
        (lambda value: value.update(schema="counterbalance.report/2"), "schema"),
        (lambda value: value["reconciliation"].update(planned=-1), "reconciliation/planned"),
        (lambda value: value.update(unheard_of=1), "unheard_of"),
    ],
)
def test_what_is_no_report_is_refused(tmp_path, spoil, where):
    value = of_ratings(tmp_path / "log")
    spoiled = copy.deepcopy(value)
    spoil(spoiled)
    assert problems(value) == []
    assert any(where in problem for problem in problems(spoiled))


def test_an_undefined_measure_has_a_reason_and_a_defined_one_has_none(tmp_path):
    value = KINDS["of_battles"](tmp_path / "log")
    measures = value["groups"][0]["measures"]
    absent = next(measure for measure in measures.values() if measure["value"] is None)
    absent["undefined"] = None
    assert len(problems(value)) == 1
