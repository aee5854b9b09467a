"""What a worker handed in last is told of once, after it is on disk, and never when it is not."""

from __future__ import annotations

import asyncio

import pytest

from counterbalance.errors import RecordError
from counterbalance.run.execution import lost_attempt
from counterbalance.run.handed_in import HandedIn
from record.studies import awaited

ONE, TWO = (lost_attempt("b2:key", number, "2026-11-30T00:00:00.000+00:00") for number in (1, 2))


@awaited
async def test_an_attempt_is_told_of_once_and_only_when_it_is_on_disk() -> None:
    told: list[object] = []
    latest = HandedIn(told.append)
    assert not await latest.on_disk()
    written = asyncio.get_running_loop().create_future()
    latest.hand_in(ONE, written)
    waiting = asyncio.ensure_future(latest.on_disk())
    await asyncio.sleep(0)
    assert (told, waiting.done()) == ([], False)
    written.set_result(None)
    assert await waiting
    assert not await latest.on_disk()
    assert told == [ONE]


@awaited
async def test_an_attempt_that_is_refused_is_told_of_to_nobody() -> None:
    told: list[object] = []
    latest = HandedIn(told.append)
    refused, written = (asyncio.get_running_loop().create_future() for _ in range(2))
    refused.set_exception(RecordError("r: the disk is full"))
    written.set_result(None)
    latest.hand_in(ONE, refused)
    with pytest.raises(RecordError, match="full"):
        await latest.on_disk()
    latest.hand_in(TWO, written)
    assert await latest.on_disk()
    assert told == [TWO]
