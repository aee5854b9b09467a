"""Places: as many as declared, in turn, and none is lost with who gave up waiting."""

from __future__ import annotations

import asyncio

import pytest

from counterbalance.run.places import Places
from record.studies import awaited


@awaited
async def test_no_more_are_inside_than_there_are_places_and_they_come_in_turn():
    places, inside, most, came = Places(2), 0, 0, []

    async def visit(number: int) -> None:
        nonlocal inside, most
        async with places:
            inside += 1
            most = max(most, inside)
            came.append(number)
            await asyncio.sleep(0)
            inside -= 1

    await asyncio.gather(*map(visit, range(9)))
    assert (most, came) == (2, list(range(9)))


@awaited
async def test_a_place_is_not_lost_with_who_was_cancelled_before_or_after_the_turn():
    places = Places(1)

    async def visit() -> str:
        async with places:
            return "was inside"

    async with places:
        gave_up, too_late, last = (asyncio.ensure_future(visit()) for _ in range(3))
        await asyncio.sleep(0)
        gave_up.cancel()
    # Its turn has come, but it has not run yet.
    too_late.cancel()
    assert await asyncio.wait_for(last, 5) == "was inside"
    async with asyncio.timeout(5), places:
        pass
    assert gave_up.cancelled()
    assert too_late.cancelled()


@awaited
async def test_a_place_is_given_back_by_who_fails() -> None:
    places = Places(1)

    async def fail() -> None:
        async with places:
            raise LookupError

    with pytest.raises(LookupError):
        await fail()
    async with asyncio.timeout(5), places:
        pass
