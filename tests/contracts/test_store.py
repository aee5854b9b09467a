"""One suite over every store: what `record.store.Store` promises.

A further store is one more parameter of `engine`.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Protocol

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from counterbalance.errors import RecordBusyError, RecordError, RecordIntegrityError
from counterbalance.items.frames import Order
from counterbalance.items.item import Message
from counterbalance.presentations.reply import Reply
from counterbalance.record import open_record
from counterbalance.record.attempt import Attempt, StartedCall
from record.attempts import ATTEMPTS, JSON, UNICODE
from record.studies import (
    HEADER,
    STARTED_AT,
    awaited,
    candidate,
    entry,
    failure,
    pair,
    prompt,
    prompt_of,
    study,
    verdict,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from counterbalance.presentations.presentation import PlanEntry
    from counterbalance.record.store import Store


class Opened(Protocol):
    def __call__(self, *, create: bool = True, exclusive: bool = True) -> Store: ...


class Engine:
    """Opens records; each fresh one has a place of its own."""

    def __init__(self, fresh_place: Callable[[], str]) -> None:
        self._fresh_place = fresh_place

    def fresh(self) -> Opened:
        place = self._fresh_place()

        def opened(*, create: bool = True, exclusive: bool = True) -> Store:
            return open_record(place, create=create, exclusive=exclusive)

        return opened


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Engine:
    if request.param == "postgres":
        return Engine(request.getfixturevalue("postgres").place)
    numbers = count(1)
    return Engine(lambda: str(tmp_path / f"record {next(numbers)}.sqlite"))


@pytest.fixture
def opened(engine: Engine) -> Opened:
    return engine.fresh()


async def call(store: Store, planned: PlanEntry, attempt: Attempt) -> None:
    pairs = list(store.pairs())
    await store.start(attempt.key, attempt.number, STARTED_AT, prompt_of(planned, pairs))
    await store.append(attempt)


def test_nothing_is_there_before_the_beginning(opened: Opened) -> None:
    with opened() as store:
        assert store.header() is None
        assert list(store.pairs()) == list(store.plan()) == list(store.attempts()) == []
        assert list(store.unfinished()) == store.verify() == []


def test_header_pairs_and_plan_come_back_as_written(opened: Opened) -> None:
    pairs, plan = study(5)
    with opened() as store:
        store.begin(HEADER, pairs, iter(plan))
    with opened(create=False, exclusive=False) as store:
        assert store.header() == HEADER
        assert list(store.pairs()) == pairs
        assert [p.digest for p in store.pairs()] == [p.digest for p in pairs]
        assert list(store.plan()) == plan
        assert store.pair(pairs[3].id) == pairs[3]
        assert store.verify() == []


def test_probes_and_their_criteria_come_back_as_links_to_their_pairs(opened: Opened) -> None:
    pairs, _ = study(4)
    pairs[1] = replace(pairs[1], probe="expanded")
    pairs[2] = replace(pairs[2], probe="criterion_inverted")
    pairs[2] = replace(pairs[2], item=replace(pairs[2].item, rubric="The worse one wins."))
    with opened() as store:
        store.begin(HEADER, pairs, ())
    with opened(create=False, exclusive=False) as store:
        assert list(store.pairs()) == pairs
        assert [p.probe for p in store.pairs()] == ["", "expanded", "criterion_inverted", ""]
        assert store.pair(pairs[2].id).item.rubric == "The worse one wins."
        assert store.verify() == []


def test_a_record_is_begun_once(opened: Opened) -> None:
    pairs, plan = study()
    with opened() as store:
        store.begin(HEADER, pairs, plan)
        with pytest.raises(RecordError, match="begun before"):
            store.begin(replace(HEADER, program="another"), pairs, plan)
        assert store.header() == HEADER
        assert list(store.plan()) == plan


def test_a_beginning_that_fails_leaves_nothing(opened: Opened) -> None:
    pairs, plan = study()

    def broken():
        yield from plan
        msg = "no more"
        raise LookupError(msg)

    with opened() as store:
        with pytest.raises(LookupError):
            store.begin(HEADER, pairs, broken())
        assert store.header() is None
        assert list(store.pairs()) == []
        store.begin(HEADER, pairs, plan)
        assert store.verify() == []


def test_a_plan_may_only_show_recorded_pairs(opened: Opened) -> None:
    pairs, plan = study(2)
    edited = pair(1, a="Another text.")
    with opened() as store:
        with pytest.raises(RecordIntegrityError, match="not recorded"):
            store.begin(HEADER, pairs[:1], plan)
        with pytest.raises(RecordIntegrityError, match="not recorded"):
            store.begin(HEADER, pairs, [entry(edited, Order.FORWARD)])
        assert store.header() is None


def test_ids_must_be_free(opened: Opened) -> None:
    one, other = pair(0), pair(1)
    double = replace(other, a=replace(candidate("Six."), id=one.a.id))
    with opened() as store:
        with pytest.raises(RecordIntegrityError, match="two pairs"):
            store.begin(HEADER, [one, replace(other, id=one.id)], [])
        with pytest.raises(RecordIntegrityError, match="two different candidates"):
            store.begin(HEADER, [one, double], [])


def test_a_text_that_no_hash_can_take_is_refused(opened: Opened) -> None:
    with opened() as store, pytest.raises(RecordError, match="no Unicode text"):
        store.begin(replace(HEADER, protocol_text="\ud800"), [], [])


@awaited
async def test_attempts_come_back_in_plan_order(opened: Opened) -> None:
    pairs, plan = study()
    made = [verdict(plan[3]), failure(plan[0]), verdict(plan[6]), verdict(plan[0], 2)]
    with opened() as store:
        store.begin(HEADER, pairs, plan)
        for attempt in made:
            planned = next(e for e in plan if e.presentation.key == attempt.key)
            await call(store, planned, attempt)
        expected = [made[1], made[3], made[0], made[2]]
        assert list(store.attempts()) == expected
    with opened(create=False, exclusive=False) as store:
        assert list(store.attempts()) == expected
        assert store.verify() == []


@awaited
async def test_prompts_are_kept(opened: Opened) -> None:
    pairs, plan = study()
    with opened() as store:
        store.begin(HEADER, pairs, plan)
        digest = plan[0].presentation.prompt_digest
        with pytest.raises(RecordError, match="no recorded call"):
            store.prompt(digest)
        await call(store, plan[0], verdict(plan[0]))
        assert store.prompt(digest) == prompt(pairs[0], plan[0].presentation.order)


@awaited
async def test_a_repeat_appends_nothing(opened: Opened) -> None:
    pairs, plan = study()
    with opened() as store:
        store.begin(HEADER, pairs, plan)
        for _ in range(2):
            await call(store, plan[0], verdict(plan[0]))
        await asyncio.gather(*(store.append(verdict(plan[0])) for _ in range(9)))
        assert list(store.attempts()) == [verdict(plan[0])]


@awaited
async def test_recorded_attempts_never_change(opened: Opened) -> None:
    pairs, plan = study()
    with opened() as store:
        store.begin(HEADER, pairs, plan)
        await call(store, plan[0], verdict(plan[0]))
        with pytest.raises(RecordIntegrityError, match="another content"):
            await store.append(verdict(plan[0], text="The answer is 2"))
        with pytest.raises(RecordIntegrityError, match="recorded as started"):
            await store.start(
                plan[0].presentation.key, 1, "2027-01-01T00:00:00Z", prompt_of(plan[0], pairs)
            )
        assert list(store.attempts()) == [verdict(plan[0])]


@awaited
async def test_one_refusal_leaves_the_others_of_its_commit_alone(opened: Opened) -> None:
    pairs, plan = study()
    with opened() as store:
        store.begin(HEADER, pairs, plan)
        prompts = [prompt_of(planned, pairs) for planned in plan]
        keys = [planned.presentation.key for planned in plan]
        starts = [store.start(keys[i], 1, STARTED_AT, prompts[i]) for i in range(4)]
        strange = entry(pair(9), Order.FORWARD).presentation.key
        answers = await asyncio.gather(
            *starts,
            store.start(strange, 1, STARTED_AT, prompts[0]),
            store.start(keys[4], 1, STARTED_AT, (Message("user", "another prompt"),)),
            store.append(verdict(plan[5])),
            store.start(keys[5], 0, STARTED_AT, prompts[5]),
            return_exceptions=True,
        )
        assert answers[:4] == [None] * 4
        assert all(isinstance(answer, RecordError) for answer in answers[4:])
        assert "not in the recorded plan" in str(answers[4])
        assert "prompt is planned as" in str(answers[5])
        assert "no started call" in str(answers[6])
        assert [c.key for c in store.unfinished()] == keys[:4]
        assert store.verify() == []


@awaited
async def test_calls_without_an_attempt_are_unfinished(opened: Opened) -> None:
    pairs, plan = study()
    with opened() as store:
        store.begin(HEADER, pairs, plan)
        await call(store, plan[2], verdict(plan[2]))
        for planned in (plan[4], plan[1]):
            key = planned.presentation.key
            await store.start(key, 1, STARTED_AT, prompt_of(planned, pairs))
    with opened(create=False) as store:
        lost = [StartedCall(plan[i].presentation.key, 1, STARTED_AT) for i in (1, 4)]
        assert list(store.unfinished()) == lost
        await store.append(failure(plan[1]))
        assert list(store.unfinished()) == lost[1:]


@awaited
async def test_reading_goes_on_while_a_run_writes(opened: Opened) -> None:
    pairs, plan = study()
    with opened() as store:
        store.begin(HEADER, pairs, plan)
        with opened(create=False, exclusive=False) as other:
            assert list(other.attempts()) == []
            await call(store, plan[0], verdict(plan[0]))
            seen = other.attempts()
            assert next(seen) == verdict(plan[0])
            await call(store, plan[1], verdict(plan[1]))
            assert len(list(other.attempts())) == 2


@awaited
async def test_a_reader_writes_nothing(opened: Opened) -> None:
    pairs, plan = study()
    with opened() as store:
        store.begin(HEADER, pairs, plan)
    with opened(create=False, exclusive=False) as store:
        with pytest.raises(RecordError, match="reading only"):
            store.begin(HEADER, pairs, plan)
        with pytest.raises(RecordError, match="reading only"):
            await call(store, plan[0], verdict(plan[0]))


def test_two_runs_exclude_each_other(opened: Opened) -> None:
    with opened() as store:
        with pytest.raises(RecordBusyError, match="in use by another run"):
            opened()
        assert store.header() is None
    with opened(create=False) as store:
        assert store.header() is None


def test_absent_things_are_named(opened: Opened) -> None:
    with pytest.raises(RecordError, match="no such record"):
        opened(create=False, exclusive=False)
    with pytest.raises(RecordError, match="no such record"):
        opened(create=False)
    with opened() as store, pytest.raises(RecordError, match="no pair has the id"):
        store.pair("x\n")  # type: ignore[arg-type]


@awaited
async def test_nothing_is_written_after_the_end(opened: Opened) -> None:
    pairs, plan = study()
    with opened() as store:
        store.begin(HEADER, pairs, plan)
        prompts = prompt_of(plan[0], pairs)
    with pytest.raises(RecordError, match="closed"):
        await store.start(plan[0].presentation.key, 1, STARTED_AT, prompts)
    with pytest.raises(RecordError, match=r"[Cc]losed"):
        list(store.attempts())


@awaited
async def test_what_waits_at_the_end_is_written(opened: Opened) -> None:
    pairs, plan = study()
    with opened() as store:
        store.begin(HEADER, pairs, plan)
        key, shown = plan[0].presentation.key, prompt_of(plan[0], pairs)
        waiting = asyncio.ensure_future(store.start(key, 1, STARTED_AT, shown))
        await asyncio.sleep(0)
    await waiting
    with opened(create=False, exclusive=False) as store:
        assert [c.key for c in store.unfinished()] == [key]


@awaited
async def test_cancelled_callers_hold_nothing_up(opened: Opened) -> None:
    pairs, plan = study()
    with opened() as store:
        store.begin(HEADER, pairs, plan)
        for planned in plan[:6]:
            key, shown = planned.presentation.key, prompt_of(planned, pairs)
            task = asyncio.ensure_future(store.start(key, 1, STARTED_AT, shown))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        await call(store, plan[6], verdict(plan[6]))
        assert store.verify() == []


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(attempt=ATTEMPTS)
def test_every_field_comes_back_whatever_it_holds(engine: Engine, attempt: Attempt) -> None:
    pairs, plan = study()
    with engine.fresh()() as store:
        store.begin(HEADER, pairs, plan)

        async def twice() -> None:
            await call(store, plan[0], attempt)
            await store.append(attempt)

        asyncio.run(twice())
        assert list(store.attempts()) == [attempt]
        assert store.verify() == []


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(texts=st.lists(UNICODE, min_size=6, max_size=6), requirement=JSON)
def test_pairs_come_back_whatever_they_hold(
    engine: Engine, texts: list[str], requirement: object
) -> None:
    made = pair(1)
    try:
        item = replace(
            made.item,
            context=texts[0],
            category=texts[1],
            messages=(Message("user", texts[2]), Message("user", "")),
            requirements=(replace(made.item.requirements[0], value=requirement),),
        )
        a = candidate(texts[3], item.id, system=texts[4])
        made = replace(made, id=texts[5], item=item, a=a)
        assert made.digest
    except UnicodeEncodeError:
        return
    with engine.fresh()() as store:
        store.begin(HEADER, [made], [entry(made, Order.FORWARD)])
        assert list(store.pairs()) == [made]
        assert store.verify() == []


@pytest.mark.parametrize(
    "change",
    [
        {"seconds": float("nan")},
        {"cost_usd": float("inf")},
        {"started_at": "\ud800"},
        {"number": 2**63},
    ],
)
@awaited
async def test_an_attempt_that_cannot_be_stored_is_refused(opened: Opened, change: dict) -> None:
    pairs, plan = study()
    with opened() as store:
        store.begin(HEADER, pairs, plan)
        with pytest.raises(RecordError):
            await store.append(replace(verdict(plan[0]), **change))
        odd = replace(verdict(plan[0]), reply=Reply("", sent={"x": object()}))
        with pytest.raises(RecordError):
            await store.append(odd)
        await call(store, plan[0], verdict(plan[0]))
        assert store.verify() == []
