"""A limit that a retry raises: what may be declared, and what stays as it was without it."""

import pytest
from pydantic import ValidationError

from counterbalance.protocol.judge_settings import (
    CallableJudge,
    CommandJudge,
    HttpJudge,
    LocalJudge,
    ReplayJudge,
    ScriptedJudge,
    judge_digest,
)
from counterbalance.protocol.loading import protocol_from_canonical
from counterbalance.protocol.raising import limits_of, raised_limit
from counterbalance.protocol.sections import Retry
from protocol.examples import protocol

RULE = {"outcomes": ["truncated"], "max_attempts": 2}
RAISED = RULE | {"raise_max_tokens_to": 500}
HTTP = {"name": "h", "kind": "http", "model": "m", "max_tokens": 100}
LOCAL = {"name": "l", "kind": "local", "constrained": False, "max_tokens": 100}
SCRIPTED = {"name": "s", "kind": "scripted", "max_tokens": 100}


@pytest.mark.parametrize(
    ("settings", "limits"),
    [
        (LocalJudge(**LOCAL), {"max_tokens": 100}),
        (LocalJudge(**LOCAL | {"constrained": True}), {}),
        (HttpJudge(**HTTP), {"max_tokens": 100}),
        (HttpJudge(**HTTP, api="messages"), {"max_tokens": 100}),
        (CommandJudge(name="c", kind="command", command=("j",), max_tokens=9), {"max_tokens": 9}),
        (CommandJudge(name="c", kind="command", command=("j",)), {}),
        (CallableJudge(name="f", kind="callable", version="1", max_tokens=9), {"max_tokens": 9}),
        (HttpJudge(**HTTP | {"max_tokens": None}), {}),
        (
            HttpJudge(**HTTP, parameters={"max_completion_tokens": 90, "top_p": 1}),
            {"max_tokens": 100, "max_completion_tokens": 90},
        ),
        (ScriptedJudge(**SCRIPTED), {"max_tokens": 100}),
        (ScriptedJudge(name="s", kind="scripted"), {}),
    ],
)
def test_a_judge_with_a_limit_has_it_raised(settings, limits):
    assert limits_of(settings) == limits
    assert raised_limit(settings, Retry(**RAISED)) == (500 if limits else None)
    assert raised_limit(settings, Retry(**RULE)) is None


def test_a_replayed_judge_takes_part():
    replay = ReplayJudge(name="r", kind="replay", record="x", judge="y")
    assert limits_of(replay) == {}
    assert raised_limit(replay, Retry(**RAISED)) == 500


@pytest.mark.parametrize(
    ("judges", "retry", "words"),
    [
        ([HTTP], {"outcomes": ["empty"]}, "name truncated in outcomes"),
        ([HTTP], {"raise_max_tokens_to": 100}, r"judges\[1\] has max_tokens 100 already"),
        ([SCRIPTED, HTTP | {"max_tokens": 600}], {}, r"judges\[2\] has max_tokens 600 already"),
        (
            [HTTP | {"parameters": {"max_completion_tokens": 500}}],
            {},
            r"max_completion_tokens 500 already; give more",
        ),
        ([HTTP | {"max_tokens": None}], {}, "needs a limit that can be raised; set it below 500"),
        ([LOCAL | {"context_tokens": 500}], {}, "leaves no room for the request; give less"),
        ([LOCAL | {"constrained": True}], {}, "no judge has a limit that could be raised"),
        ([HTTP], {"raise_max_tokens_to": 0}, "greater than 0"),
    ],
)
def test_a_raise_that_is_none_is_refused(judges, retry, words):
    with pytest.raises(ValidationError, match=words):
        protocol(judges=judges, retry=RAISED | retry)


def test_a_raise_is_part_of_the_hash():
    judges = [HTTP]
    digests = {
        protocol(judges=judges, retry=rule).digest
        for rule in (RULE, RAISED, RAISED | {"raise_max_tokens_to": 501})
    }
    assert len(digests) == 3


def test_protocols_without_it_keep_the_hash_that_records_were_begun_with():
    """Computed by the version before the key was there."""
    assert protocol().digest == "b2:85b4f01a894c5ef5ce0742453cb5bc2bf6717ee4"
    assert protocol(retry=RULE).digest == "b2:2df56a9945f0ec758155df4ee2f644f84eb551c8"
    settings = ScriptedJudge(name="a", kind="scripted")
    assert judge_digest(settings) == "b2:35223c3c27b83f11ea36a5a6de365371134ea14a"


def test_the_canonical_form_comes_back():
    declared = protocol(judges=[HTTP], retry=RAISED)
    read = protocol_from_canonical(declared.canonical, "pairs.jsonl")
    assert read.retry == declared.retry
    assert read.digest == declared.digest
