"""A blind review in every rendering: counts only while it is open, all of it once it is closed."""

from __future__ import annotations

import asyncio
import json
from collections import Counter

import pytest

from commands import command_here as command
from counterbalance.items.frames import Slot
from counterbalance.measures.review_cases import review_frame
from counterbalance.presentations.order import side_in
from counterbalance.protocol.loading import protocol_from_canonical
from counterbalance.record import open_record
from counterbalance.report.evidence import read_evidence
from counterbalance.review.opening import PROGRAM, Sizes, decided_review, join_reviewers, opened
from counterbalance.review.session import ReviewSession
from counterbalance.run.clock import now, stopwatch
from studies import row, run, write_study

NAMES = ("ann", "<b>bob</b>")
JUDGE = "slot_rate = 0.3\ntie_rate = 0.1\nrefusal_rate = 0.1"


def answer_of(name: str, n: int) -> str:
    """Ann always prefers b, bob does so but for every fourth answer."""
    return "b" if name == NAMES[0] or n % 4 else "tie"


async def answered(store, review, people, protocol) -> None:
    session = ReviewSession(store, review, people, protocol, now, stopwatch)
    for name in NAMES:
        desk, n = session.desks[name], 0
        while (showing := await session.current(name)) is not None:
            first = side_in(Slot.FIRST, showing.task.order).value
            wanted = answer_of(name, n)
            key = "3" if wanted == "tie" else "1" if wanted == first else "2"
            ticket = desk.ticket(showing)
            if n == 1 and name == NAMES[0]:
                await session.flag(name, ticket)
            await session.answer(name, ticket, key, {})
            if n == 0:
                await session.evidence(name, ticket, ["source", "style"], "=1+1 <script>\x1b[31m")
            n += 1


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    folder = tmp_path_factory.mktemp("human")
    rows = [row(n, reference=None, category="facts") for n in range(40)]
    run(write_study(folder, rows=rows, judge=JUDGE))
    place = folder / "protocol.record.sqlite"
    with open_record(str(place), create=False, exclusive=True) as store:
        header = store.header()
        protocol = protocol_from_canonical(header.protocol, header.pairs_file)
        frame = review_frame(read_evidence(store).groups)
        review = opened(store, decided_review(frame, Sizes(12, 4, 7), header, now()))
        people = join_reviewers(store, review, protocol, NAMES, now())
        asyncio.run(answered(store, review, people, protocol))
    return place


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

    with open_record(str(record), create=False, exclusive=True) as store:
        (review,) = store.reviews.all()
        store.reviews.close(review, now(), PROGRAM)
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
