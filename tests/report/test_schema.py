"""The keys of the report are a promise: each is here, on the page, and where it was."""

from __future__ import annotations

import json
from pathlib import Path

import counterbalance
from counterbalance.dispositions.disposition import Disposition
from counterbalance.measures.exploratory import EXPLORATORY_MEASURES, EXPLORATORY_TESTS
from counterbalance.parsing.outcome import OutcomeKind
from counterbalance.protocol.protocol import MEASURES, TESTS
from counterbalance.report.as_json import report_value
from counterbalance.run.session import Confirm, Revise
from studies import row, run, write_study

# Of three systems or more, or one order, there is a model of strengths besides.
SECOND_OPINIONS = {name for name in EXPLORATORY_MEASURES if not name.startswith("davidson")}
SECOND_TESTS = {name for name in EXPLORATORY_TESTS if not name.startswith("davidson")}
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
    assert set(group["measures"]) == {*MEASURES, *SECOND_OPINIONS}
    assert set(group["tests"]) == {*TESTS, *SECOND_TESTS}
    assert set(group["dispositions"]) == {d.value for d in Disposition}
    assert set(group["outcomes"]) == {o.value for o in OutcomeKind}


def a_confirmed_revision(tmp_path):
    """Two revisions, and the held-out pairs opened under the second."""
    rows = [row(n, cluster=f"c{n // 2}") for n in range(12)]
    held_out = "[held_out]\nshare = 0.34\nseed = 11\n"
    protocol = write_study(tmp_path, rows=rows, more=held_out)
    run(protocol)
    write_study(tmp_path, rows=rows, more=held_out + "[repetitions]\nper_order = 3\n")
    run(protocol, task=Revise("more repetitions"))
    run(protocol, task=Confirm())
    return report_value(counterbalance.read_report(tmp_path / "protocol.record.sqlite"))


def test_revisions_and_confirmation_are_as_they_were(tmp_path, snapshot):
    value = a_confirmed_revision(tmp_path)
    confirmation = value["confirmation"]
    assert set(confirmation["groups"][0]) == set(value["groups"][0])
    assert set(confirmation["groups"][0]["measures"]) == {*MEASURES, *SECOND_OPINIONS}
    assert set(confirmation["strategies"][0]) == set(value["strategies"][0])
    parts = {name: value[name] for name in ("revision", "confirmation")}
    for name in ("groups", "strategies", "warnings"):
        parts["confirmation"][name] = None
    assert json.dumps(shape(parts), indent=1) == snapshot
    page = PAGE.read_text("utf-8")
    earlier, opening = value["revision"]["earlier"][0], value["revision"]["openings"][0]
    for part in (value["revision"], earlier, opening, confirmation):
        for key in part:
            assert f"`{key}`" in page, key


def test_every_key_is_on_the_page(tmp_path):
    value = a_report(tmp_path)
    page = PAGE.read_text("utf-8")
    measure = next(iter(value["groups"][0]["measures"].values()))
    for part in (value, value["source"], value["reconciliation"], value["groups"][0], measure):
        for key in part:
            assert f"`{key}`" in page, key
