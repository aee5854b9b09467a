"""The pace of one judge, on a clock that the test winds."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from counterbalance.run.limits import Limiter


class Clock:
    def __init__(self) -> None:
        self.time = 1000.0
        self.goes_on = True

    def __call__(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> bool:
        self.time += seconds
        return self.goes_on


def limiter(clock: Clock, requests: int | None = None, tokens: int | None = None) -> Limiter:
    return Limiter(requests, tokens, clock=clock, sleep=clock.sleep)


def begun(clock: Clock, limit: Limiter, sizes: list[float]) -> list[float]:
    """When each of several calls, one after the other, may begin."""

    async def all_of_them() -> list[float]:
        times = []
        for size in sizes:
            assert await limit.admitted(size)
            times.append(clock.time)
        return times

    return asyncio.run(all_of_them())


@example(3, 10, [1, 2, 9, 1])  # the request pace holds back what the token pace let go
@given(
    st.integers(1, 600),
    st.integers(10, 100_000),
    st.lists(st.floats(1, 5_000), min_size=2, max_size=40),
)
def test_no_minute_holds_more_than_the_limits(requests, tokens, sizes):
    clock = Clock()
    times = begun(clock, limiter(clock, requests, tokens), sizes)
    for i, start in enumerate(times):
        inside = [k for k in range(i, len(times)) if times[k] < start + 60 - 1e-6]
        assert len(inside) <= requests
        # A call that is larger than a whole minute's worth takes the minute alone.
        assert sum(min(sizes[k], tokens) for k in inside[:-1]) <= tokens + 1e-6


def test_without_limits_nobody_waits():
    clock = Clock()
    assert begun(clock, limiter(clock), [1e9] * 5) == [1000.0] * 5


def test_usage_corrects_the_estimate():
    clock = Clock()
    limit = limiter(clock, tokens=600)
    begun(clock, limit, [10])
    limit.settle(10, 100)
    assert begun(clock, limit, [10]) == [1010.0]
    limit.settle(10, 5)
    limit.settle(10, None)
    assert begun(clock, limit, [10]) == [pytest.approx(1010.5)]


def test_a_pause_holds_everybody_and_keeps_the_pace_after_it():
    clock = Clock()
    limit = limiter(clock, requests=60)
    begun(clock, limit, [1, 1, 1])
    limit.pause(30)
    limit.pause(5)
    assert begun(clock, limit, [1, 1]) == [1032.0, 1033.0]


def test_a_pause_that_begins_while_someone_waits_holds_them_too():
    clock = Clock()
    limit = limiter(clock, requests=60)

    async def sleep(seconds: float) -> bool:
        clock.time += seconds
        if clock.time == 1001.0:
            limit.pause(10)
        return True

    limit._sleep = sleep
    assert begun(clock, limit, [1, 1]) == [1000.0, 1011.0]


def test_a_clock_that_goes_backwards_opens_and_blocks_nothing():
    clock = Clock()
    limit = limiter(clock, requests=60)
    begun(clock, limit, [1, 1])
    clock.time -= 500
    before = clock.time
    assert 1.0 <= begun(clock, limit, [1])[0] - before <= 2.0


def test_who_waits_when_the_run_ends_is_sent_home():
    clock = Clock()
    limit = limiter(clock, requests=1)
    begun(clock, limit, [1])
    clock.goes_on = False
    assert not asyncio.run(limit.admitted(1))
    limit.pause(1)
    assert not asyncio.run(limit.admitted(1))


def test_a_call_admitted_before_a_pause_waits_for_its_end():
    clock = Clock()
    limit = limiter(clock)
    before = clock.time
    assert asyncio.run(limit.resumed())
    assert clock.time == before
    limit.pause(5)
    assert asyncio.run(limit.resumed())
    assert clock.time == before + 5
    limit.pause(5)
    clock.goes_on = False
    assert not asyncio.run(limit.resumed())
