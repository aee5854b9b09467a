"""A small valid protocol and its variations, as text and as value."""

from __future__ import annotations

from typing import Any

from counterbalance.protocol.protocol import Protocol

SMALL = """\
schema = "counterbalance.protocol/1"
title = "A small study"
pairs = "pairs.jsonl"
seed = 7

[question]
kind = "overall_preference"
decision = "Which version to ship."

[[judges]]
name = "rule"
kind = "scripted"

[verdict]
format = "choice"

[[labellings]]
first = "1"
second = "2"
"""


def protocol_value(**changes: Any) -> dict[str, Any]:
    """Return the small protocol as a value, with some of its keys replaced."""
    value = {
        "schema": "counterbalance.protocol/1",
        "title": "A small study",
        "pairs": "pairs.jsonl",
        "seed": 7,
        "delimiter_secret": "a secret",
        "question": {"kind": "overall_preference", "decision": "Which version to ship."},
        "judges": [{"name": "rule", "kind": "scripted"}],
        "verdict": {"format": "choice"},
        "labellings": [{"first": "1", "second": "2"}],
    }
    return {**value, **changes}


def protocol(**changes: Any) -> Protocol:
    return Protocol.model_validate(protocol_value(**changes))
