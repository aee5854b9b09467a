"""How many presentations of one judge are worked on, and how long a commit may wait for them."""

from __future__ import annotations

import pytest

from counterbalance.presentations.reply import Usage
from counterbalance.protocol.judge_settings import HttpJudge, LocalJudge
from counterbalance.run.lane import Lane


def lane(**changes) -> Lane:
    settings = {"name": "far", "kind": "http", "base_url": "http://127.0.0.1:1/v1", "model": "m"}
    return of(HttpJudge(**settings, **changes))


def of(settings) -> Lane:
    async def sleep(_: float) -> bool:
        return True

    return Lane(settings, clock=lambda: 0.0, sleep=sleep)


@pytest.mark.parametrize(("concurrency", "workers"), [(1, 2), (5, 10), (64, 128)])
def test_as_many_as_may_be_under_way_are_made_ready_ahead(concurrency, workers):
    assert lane(concurrency=concurrency).workers == workers


@pytest.mark.parametrize("limit", [{"requests_per_minute": 60}, {"tokens_per_minute": 6000}])
def test_nothing_is_begun_ahead_where_the_pace_is_limited(limit):
    paced = lane(concurrency=8, **limit)
    paced.heard(Usage(10, 1, is_measured=True), 11.0, 2.0)
    assert (paced.workers, paced.patience) == (8, 0.0)


def test_the_embedded_model_takes_one_at_a_time_and_waits_for_no_other():
    local = of(LocalJudge(name="near", kind="local"))
    local.heard(None, 10.0, 2.0)
    assert (local.workers, local.patience) == (1, 0.0)


def test_patience_follows_the_endpoint_and_is_bounded():
    far = lane()
    assert far.patience == 0.0
    far.heard(None, 10.0, 0.01)
    assert far.patience == pytest.approx(0.002)
    far.heard(None, 10.0, 60.0)
    assert far.patience == 0.05
