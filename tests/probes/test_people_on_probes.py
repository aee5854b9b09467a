"""Probe pairs in the blind review: what people are asked, and what their answers do to `bias`."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

from commands import command_here
from counterbalance.items.frames import Order, Side, Slot
from counterbalance.measures.review_cases import review_frame
from counterbalance.presentations.order import side_in
from counterbalance.protocol.loading import protocol_from_canonical
from counterbalance.record import open_record
from counterbalance.report.bias_text import bias_text
from counterbalance.report.evidence import read_evidence
from counterbalance.review.opening import PROGRAM, Sizes, decided_review, join_reviewers, opened
from counterbalance.review.session import ReviewSession
from counterbalance.review.tasks import rubric_of, task_prompt
from counterbalance.run.battery import load_battery
from counterbalance.run.clock import now, stopwatch
from probes.planted import EXCHANGED, bias_of, result, run_battery, source, write_battery

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from counterbalance.items.item import Pair

RUBRIC = '[prompt]\nrubric = "The right one is better."\n'
KINDS = (
    ("criterion_inverted", "inverted_rubric", "The wrong one is better."),
    ("rubric_paraphrase", "paraphrased_rubric", "Prefer what is right."),
)


def review(path: Path, choose: Callable[[Pair], Side | None], *, closes: bool = True) -> None:
    """Have one person answer every case of a battery's record."""
    record = load_battery(path).default_record
    with open_record(record, create=False, exclusive=True) as store:
        header = store.header()
        protocol = protocol_from_canonical(header.protocol, header.pairs_file)
        frame = review_frame(read_evidence(store).groups)
        case_review = opened(
            store, decided_review(frame, Sizes(len(frame.stable), 0, 7), header, now())
        )
        people = join_reviewers(store, case_review, protocol, ("ann",), now())
        pairs = {pair.id: pair for pair in store.pairs()}
        session = ReviewSession(store, case_review, people, protocol, now, stopwatch)
        asyncio.run(_answer_all(session, pairs, choose))
        if closes:
            store.reviews.close(case_review, now(), PROGRAM)


async def _answer_all(
    session: ReviewSession, pairs: dict[str, Pair], choose: Callable[[Pair], Side | None]
) -> None:
    desk = session.desks["ann"]
    while (showing := await session.current("ann")) is not None:
        wanted = choose(pairs[showing.task.pair_id])
        key = "3"
        if wanted is not None:
            key = "1" if side_in(Slot.FIRST, showing.task.order) is wanted else "2"
        await session.answer("ann", desk.ticket(showing), key, {})


@pytest.mark.parametrize(("probe", "key", "rubric"), KINDS)
def test_people_see_the_criterion_that_the_judge_was_given(
    tmp_path: Path, probe: str, key: str, rubric: str
) -> None:
    path = write_battery(tmp_path, [probe], n=1, rubric=RUBRIC, bias=f'{key} = "{rubric}"')
    protocol, pairs = (whole := load_battery(path).study).protocol, whole.pairs.pairs
    for pair in pairs:
        shown = task_prompt(pair, Order.FORWARD, protocol)[0].content
        is_exchanged = pair.id.endswith("~exchanged")
        assert (rubric in shown) == is_exchanged
        assert ("The right one is better." in shown) != is_exchanged


def test_the_page_of_a_case_shows_its_own_criterion(tmp_path: Path) -> None:
    probe, key, rubric = KINDS[0]
    path = write_battery(tmp_path, [probe], n=4, rubric=RUBRIC, bias=f'{key} = "{rubric}"')
    run_battery(path)
    pages: dict[str, str] = {}
    review(path, lambda _: Side.A, closes=False)
    record = load_battery(path).default_record
    with open_record(record, create=False, exclusive=False) as store:
        header = store.header()
        protocol = protocol_from_canonical(header.protocol, header.pairs_file)
        (case_review,) = store.reviews.all()
        (person,) = store.reviews.reviewers(case_review)
        asked = {pair.id: pair for pair in store.pairs()}
        for task in person.tasks:
            content = store.prompt(task.prompt_digest)[0].content
            pages[task.pair_id] = content
            assert content == task_prompt(asked[task.pair_id], task.order, protocol)[0].content
            assert content.endswith(rubric_of(asked[task.pair_id], protocol))
    assert any(rubric in content for content in pages.values())


def test_a_style_that_people_share_is_no_error_and_one_that_they_do_not_is(tmp_path: Path) -> None:
    alike = write_battery(tmp_path / "alike", ["markdown"], judge="markdown_rate = 1.0")
    run_battery(alike)
    before = bias_of(alike)
    assert result(before, "markdown").people is None
    assert any("only where people do not share it" in w for w in before.warnings)
    review(alike, lambda _: Side.A)
    shared = bias_of(alike)
    people = result(shared, "markdown").people
    assert people is not None
    assert (people.people.value, people.excess.value) == (1, 0)
    assert not people.is_told_apart
    assert not any("only where people do not share it" in w for w in shared.warnings)
    assert "not told from theirs" in bias_text(shared)
    other = write_battery(tmp_path / "other", ["markdown"], judge="markdown_rate = 1.0")
    run_battery(other)
    review(other, lambda pair: Side.A if int(pair.item.id[-1], 36) % 3 == 0 else None)
    apart = result(bias_of(other), "markdown").people
    assert apart is not None
    assert apart.excess.low is not None
    assert apart.excess.low > 0
    assert apart.is_told_apart
    assert "a shift that people do not share" in bias_text(bias_of(other))
    value = json.loads(command_here("bias", other, "--quiet", "--json").out)
    assert value["probes"][0]["people"]["excess"]["low"] == apart.excess.low


def test_an_open_review_tells_nothing(tmp_path: Path) -> None:
    path = write_battery(tmp_path, ["markdown"], judge="markdown_rate = 1.0", n=4)
    run_battery(path)
    review(path, lambda _: Side.A, closes=False)
    assert result(bias_of(path), "markdown").people is None


def test_self_preference_is_held_against_the_people_of_the_review(tmp_path: Path) -> None:
    rows = [
        source(i, a={"system": "gpt-4o", "text": f"Case {i} is open, I would think."})
        for i in range(24)
    ]
    judge = 'family_rate = 1.0\nfamily_marker = "I would think"\nmodel = "gpt-4o"'
    path = write_battery(tmp_path, ["same_family"], judge=judge, rows=rows)
    run_battery(path)
    review(path, lambda _: None)
    contrast = result(bias_of(path), "same_family").self_preference
    assert contrast is not None
    assert contrast.against == "the people of the review"
    assert contrast.excess.value == 1


def test_a_labelling_that_a_probe_was_not_shown_under_selects_no_case(tmp_path: Path) -> None:
    path = write_battery(tmp_path, ["expanded"], judge="length_rate = 1.0", n=6, more=EXCHANGED)
    run_battery(path)
    with open_record(load_battery(path).default_record, create=False, exclusive=False) as store:
        frame = review_frame(read_evidence(store).groups)
    assert len(frame.stable) == 6
    assert not frame.selected
