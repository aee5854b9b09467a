"""How the cases are read."""

from __future__ import annotations

import pytest

from counterbalance.parsing.parser import parse_reply
from counterbalance.presentations.reply import Reply
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.verdict_format import VerdictFormat


def _read(text, labels=None, finish="stop", **declared):
    declared.setdefault("format", "bracket")
    echoes = declared.pop("echoes", ())
    nonce = declared.pop("secret", "")
    labels = labels or Labelling(first="A", second="B")
    reply = Reply(text, finish=finish)
    return parse_reply(VerdictFormat(**declared), labels, reply, echoes=echoes, nonce=nonce)


@pytest.fixture(scope="session")
def read():
    """Read a text: slots A and B, format bracket unless declared otherwise."""
    return _read
