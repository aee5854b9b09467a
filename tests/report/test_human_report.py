"""A blind review in every rendering: counts only while it is open, all of it once it is closed."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from commands import command_here as command
from counterbalance.measures.review_cases import review_frame
from counterbalance.record import open_record
from counterbalance.report.evidence import read_evidence
from report.reviewed_study import close_review, reviewed_record


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    return reviewed_record(tmp_path_factory.mktemp("human"))


def test_nothing_is_told_before_the_close_and_everything_after(record, tmp_path):
    page = tmp_path / "page.html"
    text = command("report", record, "--html", page).out
    value = json.loads(command("report", record, "--json").out)["review"]
    assert value["closed_at"] is None
    assert {"judges", "reviewed", "agreement_of_reviewers"}.isdisjoint(value)
    assert set(value["reviewers"][0]) == {"name", "tasks", "answered"}
    for shown in (text, page.read_text("utf-8")):
        assert "is shown once the review is closed" in shown
        assert "most reviewers" not in shown

    close_review(record)
    check_text(command("report", record, "--html", page).out)
    check_page(page.read_text("utf-8"))
    check_numbers(record, json.loads(command("report", record, "--json").out))


def check_text(text):
    assert "against most reviewers" in text
    assert "same verdict as most reviewers" in text
    assert "\x1b" not in text


def check_page(page):
    assert "Blind review by people" in page
    assert "Corrected win rate" in page
    assert "<b>bob</b>" not in page
    assert "&lt;b&gt;bob&lt;/b&gt;" in page


def check_numbers(record, value):
    review, group = value["review"], value["groups"][0]
    with open_record(str(record), create=False, exclusive=False) as store:
        frame = review_frame(read_evidence(store).groups)
        stored = store.reviews.all()[0]
    n_cases = len(frame.selected) + min(12, len(frame.stable))
    assert review["cases"] == n_cases == len(review["reviewed"])
    assert review["by_reason"]["audit"] == n_cases - len(frame.selected)
    ann, _ = review["reviewers"]
    assert (ann["answered"], ann["withdrawn"], ann["flagged"]) == (ann["tasks"], 0, 1)
    assert (ann["repeated"], ann["same"], ann["chose"]) == (4, 4, ann["tasks"])
    # Whoever chooses a candidate in balanced slots chooses the first slot in half of the cases.
    assert abs(2 * ann["chose_first"] - ann["chose"]) <= 5
    agreed = sum(len(set(case["answers"].values())) == 1 for case in review["reviewed"])
    (pair,) = review["agreement_of_reviewers"]["pairs"]
    assert (pair["n_agree"], pair["n"]) == (agreed, n_cases)
    (judge,) = review["judges"]
    said = Counter()
    for counts in judge["by_disposition"].values():
        said.update(counts)
    assert said == Counter(case["majority"] for case in review["reviewed"])
    assert sum(said.values()) == n_cases
    drawn = [c for c in stored.cases if c.reasons[0]["reason"] == "audit"]
    sample = judge["sample_of_stable_pairs"]["judge_human_agreement"]
    assert sample["denominator"] <= len(drawn)
    assert judge["win_rate_a_corrected"]["denominator"] == len(frame.selected) + len(frame.stable)
    assert judge["win_rate_a_corrected"]["value"] < group["measures"]["win_rate_a"]["value"]
    comments = [c for case in review["reviewed"] for c in case["comments"].values()]
    assert comments == ["=1+1 <script>\x1b[31m"] * 2
    flagged = [case["flagged_by"] for case in review["reviewed"] if case["flagged_by"]]
    assert flagged == [["ann"]]


def test_a_review_is_of_its_revision(record):
    with open_record(str(record), create=False, exclusive=False) as store:
        assert read_evidence(store).review.review.revision == 1
