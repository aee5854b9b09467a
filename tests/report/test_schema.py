"""The keys of the report are a promise: each is here, on the page, and where it was."""

from __future__ import annotations

import json
from pathlib import Path

import counterbalance
from counterbalance.dispositions.disposition import Disposition
from counterbalance.parsing.outcome import OutcomeKind
from counterbalance.protocol.protocol import MEASURES, TESTS
from counterbalance.report.as_json import report_value
from studies import run, write_study

PAGE = Path(counterbalance.__file__).parents[2] / "docs" / "reference" / "report.md"


def shape(value):
    """Replace every value by its type, so that only keys and kinds are compared."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value).__name__


def a_report(tmp_path):
    more = '[[labellings]]\nfirst = "B"\nsecond = "A"\n[analysis]\nfamily = ["primacy_recency"]\n'
    run(write_study(tmp_path, 12, judge="slot_rate = 0.5", more=more))
    return report_value(counterbalance.read_report(tmp_path / "protocol.record.sqlite"))


def test_the_shape_is_as_it_was(tmp_path, snapshot):
    value = a_report(tmp_path)
    # The protocol has its own schema; texts of sentences may change.
    value["protocol"] = value["warnings"] = None
    assert json.dumps(shape(value), indent=1) == snapshot


def test_every_name_is_there(tmp_path):
    (group, _) = a_report(tmp_path)["groups"]
    assert set(group["measures"]) == set(MEASURES)
    assert set(group["tests"]) == set(TESTS)
    assert set(group["dispositions"]) == {d.value for d in Disposition}
    assert set(group["outcomes"]) == {o.value for o in OutcomeKind}


def test_every_key_is_on_the_page(tmp_path):
    value = a_report(tmp_path)
    page = PAGE.read_text("utf-8")
    measure = next(iter(value["groups"][0]["measures"].values()))
    for part in (value, value["source"], value["reconciliation"], value["groups"][0], measure):
        for key in part:
            assert f"`{key}`" in page, key
