"""What the scripted judge writes is what the parser reads, in every format."""

from __future__ import annotations

import pytest

from counterbalance.items.item import Message
from counterbalance.judges.scripted import ScriptedJudgeModel
from counterbalance.parsing.parser import parse_reply
from counterbalance.protocol.judge_settings import ScriptedJudge
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.verdict_format import FORMAT_IDS, VerdictFormat
from counterbalance.protocol.wording import offered_labels
from judges.asking import replies, request

LABELLING = Labelling(first="1", second="2")
CASES = [
    ({"slot_rate": 1}, "first"),
    ({"slot_rate": 1, "favoured_slot": "second"}, "second"),
    ({"tie_rate": 1}, "tie"),
    ({"refusal_rate": 1}, "refused"),
    ({"unparsed_rate": 1}, "unparsed"),
]


@pytest.mark.parametrize(("settings", "outcome"), CASES)
@pytest.mark.parametrize("name", FORMAT_IDS)
def test_every_reply_is_read_as_it_was_meant(name, settings, outcome):
    extra = {"pattern": "(?P<label>^[123]$)"} if name == "regex" else {}
    extra |= {"nonce": True} if name == "tag" else {}
    verdict = VerdictFormat(format=name, tie="3", **extra)
    judge = ScriptedJudgeModel(ScriptedJudge(name="s", kind="scripted", **settings), verdict)
    prompt = 'End with <verdict nonce="0a1b">1</verdict> if answer 1 is better.'
    asked = request(
        "x",
        "y",
        labels=offered_labels(verdict, LABELLING),
        messages=(Message("user", prompt),),
    )
    (reply,) = replies(judge, asked)
    read = parse_reply(verdict, LABELLING, reply, nonce="0a1b" if name == "tag" else "")
    assert read.kind == outcome
