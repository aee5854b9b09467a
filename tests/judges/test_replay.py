from __future__ import annotations

import pytest

from counterbalance.errors import JudgeError
from counterbalance.judges.replay import ReplayModel
from counterbalance.presentations.reply import Reply
from judges.asking import replies, request

RECORDED = {"k": [Reply("first"), Reply("second")]}


def test_each_attempt_gets_its_own_reply():
    got = replies(ReplayModel(RECORDED), request(key="k"), request(key="k", attempt=2))
    assert [reply.text for reply in got] == ["first", "second"]


@pytest.mark.parametrize(
    ("key", "attempt", "problem"),
    [
        ("other", 1, "the replayed record holds no answer to this presentation$"),
        ("k", 3, "no answer to this presentation beyond attempt 2$"),
        ("k", 0, "beyond attempt 2"),
    ],
)
def test_a_reply_that_was_not_recorded_is_no_answer(key, attempt, problem):
    with pytest.raises(JudgeError, match=problem) as caught:
        replies(ReplayModel(RECORDED), request(key=key, attempt=attempt))
    assert caught.value.kind == "bad_request"


def test_what_is_handed_in_is_copied():
    handed = {"k": [Reply("first")]}
    model = ReplayModel(handed)
    handed["k"].clear()
    assert replies(model, request(key="k"))[0].text == "first"


def test_a_recorded_failure_fails_again():
    model = ReplayModel({"k": [JudgeError("timeout", "after 60 s"), Reply("1")]})
    for _ in range(2):
        with pytest.raises(JudgeError, match="after 60 s") as caught:
            replies(model, request(key="k"))
        assert caught.value.kind == "timeout"
    assert replies(model, request(key="k", attempt=2))[0].text == "1"
