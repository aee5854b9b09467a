from __future__ import annotations

import io
import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import in_columns, judged, pair
from counterbalance.dispositions.disposition import Disposition
from counterbalance.measures.catalogue import group_measures
from counterbalance.record import open_record
from counterbalance.report.as_json import report_json, report_value
from counterbalance.report.build import build_report
from counterbalance.report.cases import case_values, write_cases_csv
from counterbalance.report.evidence import read_evidence
from counterbalance.report.layout import columns, display_width, p_value, percent, visible
from counterbalance.report.report import MarginReport
from counterbalance.report.sentences import group_sentence
from counterbalance.report.text import render_text
from counterbalance.run.study import load_study
from studies import row, run, write_study

MORE = """
[[labellings]]
first = "B"
second = "A"

[repetitions.subset]
pairs = 3
per_order = 3

[analysis]
measures = ["position_consistency", "kappa_orders"]
family = ["primacy_recency"]
"""


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    rows = [row(n) for n in range(11)] + [row(11, a="same", b="same")]
    judge = "slot_rate = 0.5\nrefusal_rate = 0.1\nunparsed_rate = 0.1\nnoise = 0.1\ntie_rate = 0.1"
    protocol = write_study(folder, rows=rows, judge=judge, more=MORE)
    run(protocol)
    return load_study(protocol).default_record


@pytest.fixture(scope="module")
def report(record):
    with open_record(record, create=False, exclusive=False) as store:
        return build_report(read_evidence(store))


def test_the_json_keeps_its_promise(report):
    value = json.loads(report_json(report))
    assert value["schema"] == "counterbalance.report/1"
    assert set(value) >= {"schema", "source", "groups", "rejects", "warnings"}
    assert set(value["source"]) >= {"kind", "format", "files", "protocol"}
    assert set(value["source"]["files"][0]) == {"name", "sha256", "rows", "rejected"}
    for group in value["groups"]:
        assert set(group) >= {
            "judge", "strategy", "subset", "counts", "systems", "dispositions",
            "incomplete_reasons", "outcomes", "transition", "measures",
        }  # fmt: skip
        assert set(group["counts"]) == {
            "items", "clusters", "pairs", "held_out", "excluded", "presentations", "attempts",
        }  # fmt: skip
        assert set(group["dispositions"]["order_disagreement"]) == {"primacy", "recency"}
        wanted = {"no_verdict", "not_run", "refused", "unstable"}
        assert set(group["transition"]["labels"]) >= wanted
        for measure in group["measures"].values():
            assert set(measure) >= {
                "value", "numerator", "denominator", "low", "high", "level", "method", "unit",
                "positive_means", "undefined",
            }  # fmt: skip


def test_dispositions_add_up_to_the_pairs_in_every_rendering(report):
    for group in report_value(report)["groups"]:
        flat = dict(group["dispositions"])
        flat["order_disagreement"] = sum(flat["order_disagreement"].values())
        cells = sum(map(sum, group["transition"]["cells"]))
        assert sum(flat.values()) == cells == group["counts"]["pairs"] == 12
    assert render_text(report).count("all pairs           12") == 2


def test_planned_presentations_are_reconciled_first(report):
    lines = render_text(report).splitlines()
    assert lines[4].startswith("Presentations: ")
    total, parts = lines[4].removeprefix("Presentations: ").split(" planned = ")
    assert int(total) == sum(int(part.split()[0]) for part in parts.split(" + "))


def test_what_was_not_planned_is_marked(report):
    marked = {
        line.split()[0]
        for line in render_text(report).splitlines()
        if line.startswith("    ") and line.split() and line.split()[0].endswith("*")
    }
    assert marked == {"position_consistency*", "kappa_orders*", "primacy_recency*"}
    measures = report_value(report)["groups"][0]["measures"]
    assert not measures["position_consistency"]["exploratory"]
    assert measures["bias_position"]["exploratory"]
    tests = report_value(report)["groups"][0]["tests"]
    assert (tests["primacy_recency"]["exploratory"], tests["first_slot"]["exploratory"]) == (
        False,
        True,
    )


def test_the_family_has_the_planned_size(report):
    assert report.family.family_size == 2
    assert "corrected together by Holm over 2" in render_text(report)


def test_every_measure_is_in_the_full_text(report):
    text = render_text(report, detail="full")
    for estimate in report.groups[0].measures:
        assert f"    {estimate.name}" in text


def test_the_full_text_has_the_same_lines_as_ever(report, snapshot):
    text = render_text(report, detail="full").replace(report.begun_at, "(time)")
    assert text == snapshot


def test_cases_hold_what_is_needed_to_check_them(record):
    with open_record(record, create=False, exclusive=False) as store:
        evidence = read_evidence(store)
    cases = list(case_values(evidence))
    assert len(cases) == 24
    identical = [case for case in cases if case["disposition"] == "identical"]
    assert [case["orders"] for case in identical] == [{}, {}]
    for case in cases:
        assert case["protocol"] == evidence.header.protocol_digest
        for order, shown in case["orders"].items():
            assert shown["shown_first"] == ("a" if order == "forward" else "b")
    file = io.StringIO(newline="")
    assert write_cases_csv(iter(cases), file) == 24


def test_cases_come_by_consequence(tmp_path):
    rows = [row(0), row(1, consequence="high"), row(2, consequence="medium")]
    protocol = write_study(tmp_path, rows=rows)
    run(protocol)
    with open_record(load_study(protocol).default_record, create=False, exclusive=False) as store:
        assert [c["pair"] for c in case_values(read_evidence(store))] == ["p1", "p2", "p0"]


@given(st.lists(st.lists(st.text(max_size=8), min_size=2, max_size=2), max_size=5))
def test_columns_are_as_wide_as_their_widest_cell(rows):
    shown = [[visible(cell) for cell in line] for line in rows]
    lines = columns(shown)
    assert len(lines) == len(rows)
    width = max((display_width(line[0]) for line in shown), default=0)
    for line, cells in zip(lines, shown, strict=True):
        assert line.startswith(("  " + cells[0]).rstrip())
        assert display_width(line) <= 2 + width + 2 + max(display_width(c[1]) for c in shown)


@given(st.text())
def test_foreign_text_is_one_harmless_line(text):
    shown = visible(text, 50)
    assert shown.isprintable()
    assert len(shown) <= 50


def test_numbers_in_words():
    assert (percent(None), percent(1 / 3), percent(math.inf)) == ("–", "33.3 %", "inf %")
    assert (p_value(None), p_value(0.5), p_value(1e-9)) == ("–", "p = 0.5000", "p < 0.0001")


def group_of(report, rows, **changes):
    pairs = [judged(pair(f"p{i}"), *words) for i, words in enumerate(rows)]
    found = [j.result for j in pairs]
    return replace(
        report.groups[0],
        dispositions={d.value: sum(r.disposition is d for r in found) for d in Disposition},
        details={d: sum(r.detail == d for r in found) for d in ("primacy", "recency")},
        measures=tuple(group_measures(in_columns(pairs), baseline=None)),
        **changes,
    )


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "No pair has a verdict in both orders"),
        ([("a", "b")] * 8, "each took the answer shown first both times"),
        ([("b", "a")] * 8, "Under this labelling the second slot is favoured"),
        ([("a", "b"), ("b", "a")], "1 took the answer shown first both times, 1 the one shown"),
        ([("a", "a")] * 8, "8 of 8 pairs with two verdicts kept"),
    ],
)
def test_a_group_is_told_in_words(report, rows, words):
    assert words in group_sentence(group_of(report, rows), has_several_labellings=True)


def test_one_labelling_cannot_tell_a_slot_from_its_label(report):
    said = group_sentence(group_of(report, [("a", "b")] * 8), has_several_labellings=False)
    assert "The first slot, or the label it always has, is favoured" in said


def test_every_declared_margin_is_spoken_of(report):
    margins = (MarginReport("preference_fairness", 0.2, "inside"),)
    group = group_of(report, [("a", "a")] * 8, margins=margins)
    said = group_sentence(group, has_several_labellings=True)
    assert "preference_fairness is too small to matter" in said


def test_a_record_whose_plan_lost_rows_does_not_add_up(tmp_path):
    """Planned is counted from the plan, recorded from the attempts; neither follows the other."""
    protocol = write_study(tmp_path)
    run(protocol)
    with open_record(load_study(protocol).default_record, create=False, exclusive=False) as store:
        whole = read_evidence(store)
        assert build_report(whole).reconciliation.adds_up

        class Missing:
            """The same store, with a plan that lost its first four rows."""

            def __getattr__(self, name):
                return getattr(store, name)

            def plan(self, *where, **which):
                return iter(list(store.plan(*where, **which))[4:])

        report = build_report(read_evidence(Missing()))
    assert not report.reconciliation.adds_up
    assert report.reconciliation.unplanned == 4
    assert any("do not add up" in warning for warning in report.warnings)
    assert "8 planned \u2260" in render_text(report)


def test_the_secret_behind_the_fences_is_not_shown(tmp_path):
    protocol = write_study(tmp_path)
    run(protocol)
    with open_record(load_study(protocol).default_record, create=False, exclusive=False) as store:
        evidence = read_evidence(store)
    shown = report_json(build_report(evidence)) + render_text(build_report(evidence), detail="full")
    assert evidence.protocol.delimiter_secret not in shown
    assert '"delimiter_secret": "b2:' in shown
