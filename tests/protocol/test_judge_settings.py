import pytest
from pydantic import ValidationError

from counterbalance.protocol.judge_settings import (
    OPERATIONAL,
    CallableJudge,
    CommandJudge,
    HttpJudge,
    LocalJudge,
    ReplayJudge,
    ScriptedJudge,
    judge_digest,
)
from protocol.examples import protocol

LOCAL = {"name": "small", "kind": "local"}
HTTP = {"name": "far", "kind": "http", "model": "m"}
SCRIPTED = {"name": "rule", "kind": "scripted"}
REPLAY = {"name": "again", "kind": "replay", "record": "r.sqlite", "judge": "small"}


def test_the_digest_of_a_configuration_is_a_contract():
    assert judge_digest(ReplayJudge(**REPLAY)) == "b2:840ed2920363c00dcd270295b19c4a4ace4091bd"


@pytest.mark.parametrize(
    ("settings", "changes"),
    [
        (
            LocalJudge(**LOCAL),
            {
                "temperature": 1.0,
                "constrained": False,
                "max_tokens": 9,
                "context_tokens": 512,
                "prompt_cache": True,
            },
        ),
        (
            HttpJudge(**HTTP),
            {
                "api": "responses",
                "base_url": "http://127.0.0.1:1/v1",
                "model": "n",
                "temperature": 0.0,
                "max_tokens": 9,
                "top_logprobs": 5,
                "send_seed": False,
                "parameters": {"top_p": 0.5},
                "droppable": ("seed",),
            },
        ),
        (ReplayJudge(**REPLAY), {"record": "s.sqlite", "judge": "other"}),
        (
            CommandJudge(name="c", kind="command", command=("judge",)),
            {"command": ("judge", "-x"), "temperature": 0.0, "max_tokens": 9, "version": "2"},
        ),
        (
            CallableJudge(name="f", kind="callable", version="1"),
            {"temperature": 0.0, "max_tokens": 9, "version": "2"},
        ),
        (
            ScriptedJudge(**SCRIPTED),
            {
                name: 0.5
                for name in ScriptedJudge.model_fields
                if name.endswith("_rate") or name == "noise"
            }
            | {"seed": 2, "favoured_slot": "second", "favoured_label": "2", "quality_marker": "x"}
            | {"family_marker": "y", "model": "m"}
            | {"reasoning_words": 5, "max_tokens": 9},
        ),
    ],
)
def test_every_setting_but_the_name_is_part_of_the_digest(settings, changes):
    fields = set(type(settings).model_fields)
    assert set(changes) | {"name", "kind"} == fields - OPERATIONAL
    digests = {judge_digest(settings.model_copy(update={k: v})) for k, v in changes.items()}
    assert len(digests | {judge_digest(settings)}) == len(changes) + 1
    assert judge_digest(settings.model_copy(update={"name": "other"})) == judge_digest(settings)


def test_a_temperature_of_the_subset_counts_as_the_judges_own():
    cold, warm = (LocalJudge(**LOCAL, temperature=t) for t in (0, 1))
    assert judge_digest(cold, 1.0) == judge_digest(warm) == judge_digest(warm, 1.0)
    assert judge_digest(cold, None) == judge_digest(cold)


def test_a_quality_bias_needs_words_to_go_by():
    with pytest.raises(ValidationError, match="a judge sees texts, not candidates"):
        ScriptedJudge(**SCRIPTED, quality_rate=0.5)


def test_a_reply_must_leave_room_for_the_request():
    with pytest.raises(ValidationError, match="leaves no room"):
        LocalJudge(**LOCAL, constrained=False, context_tokens=512)
    # A constrained reply is as long as its label.
    assert LocalJudge(**LOCAL, context_tokens=512)


def test_what_only_sets_the_pace_is_part_of_no_digest():
    one = HttpJudge(**HTTP)
    other = HttpJudge(
        **HTTP,
        api_key_env="OTHER_KEY",
        timeout_seconds=5,
        concurrency=64,
        requests_per_minute=10,
        tokens_per_minute=1000,
        max_consecutive_failures=3,
    )
    assert all(getattr(one, name) != getattr(other, name) for name in OPERATIONAL)
    assert judge_digest(one) == judge_digest(other)
    first, second = (protocol(judges=[judge.model_dump()]) for judge in (one, other))
    assert first.digest == second.digest
    assert not OPERATIONAL & set(first.canonical["judges"][0])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"api_key_env": "sk-live-1234"}, "must be the NAME"),
        ({"base_url": "http://u:secret@h/v1"}, "user or password"),
        ({"base_url": "h/v1"}, "must begin with http"),
        ({"base_url": "http://h:99999/v1"}, "no address"),
        ({"base_url": "http://h/v1?key=secret"}, "without a query"),
        ({"base_url": "http://h/v1/chat/completions"}, "must end before"),
        ({"parameters": {"temperature": 1}}, "set the judge's own temperature"),
        ({"parameters": {"n": 2}}, "one whole reply"),
        ({"parameters": {"api_key": "secret"}}, "looks like a key"),
        ({"droppable": ("top_p",)}, "which is not sent; this judge sends seed"),
    ],
)
def test_what_an_http_judge_may_not_say_is_refused_without_repeating_a_secret(changes, words):
    with pytest.raises(ValidationError) as caught:
        HttpJudge(**{**HTTP, **changes})
    said = caught.value.errors()[0]["msg"]
    assert words in said
    assert "secret" not in said
    assert "1234" not in said
