"""What nobody planned is corrected apart from what was, and called exploratory."""

from __future__ import annotations

import pytest

from counterbalance.report.as_json import report_value
from counterbalance.report.family import exploratory_family
from counterbalance.report.reading import read_report
from counterbalance.report.text import render_text
from studies import run, write_study

MORE = '[[labellings]]\nfirst = "B"\nsecond = "A"\n'
PLANNED = '[analysis]\nfamily = ["primacy_recency"]\n'


def report_of(folder, more, judge="slot_rate = 0.4\ntie_rate = 0.2\n"):
    protocol = write_study(folder, 30, judge=judge, more=more)
    run(protocol)
    return read_report(folder / "protocol.record.sqlite")


@pytest.mark.parametrize("planned", ["", PLANNED])
def test_planned_tests_are_in_no_exploratory_family(planned, tmp_path):
    report = report_of(tmp_path, MORE + planned)
    family = exploratory_family(report)
    names = {step.name.partition(" [")[0] for step in family.steps}
    assert ("primacy_recency" in names) == (planned == "")
    assert {"stuart_maxwell", "bhapkar"} <= names
    assert family.is_exploratory
    # Every threshold of the step-up procedure is its rank's share of the error rate.
    for step in family.steps:
        assert step.threshold == pytest.approx(0.05 * step.rank / family.family_size)
    assert report_value(report)["exploratory_tests"]["method"] == "benjamini_hochberg"
    title = f"Exploratory tests, corrected together by Benjamini-Hochberg over {len(family.steps)}"
    assert title in render_text(report, detail="full")
    assert title not in render_text(report, detail="groups")


def test_a_judge_without_any_disagreement_leaves_nothing_to_correct(tmp_path):
    report = report_of(tmp_path, "", judge="")
    assert exploratory_family(report) is None
    assert report_value(report)["exploratory_tests"] is None
