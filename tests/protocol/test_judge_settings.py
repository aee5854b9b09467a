import pytest
from pydantic import ValidationError

from counterbalance.protocol.judge_settings import (
    LocalJudge,
    ReplayJudge,
    ScriptedJudge,
    judge_digest,
)

LOCAL = {"name": "small", "kind": "local"}
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
        (ReplayJudge(**REPLAY), {"record": "s.sqlite", "judge": "other"}),
        (
            ScriptedJudge(**SCRIPTED),
            {
                name: 0.5
                for name in ScriptedJudge.model_fields
                if name.endswith("_rate") or name == "noise"
            }
            | {"seed": 2, "favoured_slot": "second", "favoured_label": "2", "quality_marker": "x"},
        ),
    ],
)
def test_every_setting_but_the_name_is_part_of_the_digest(settings, changes):
    assert set(changes) | {"name", "kind"} == set(type(settings).model_fields)
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
