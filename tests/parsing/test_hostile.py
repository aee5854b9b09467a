"""Replies written to exhaust a reader: every one is read, in time that grows with its length.

No test measures seconds: a quadratic reader would not end at these sizes at all.
"""

from __future__ import annotations

import pytest

from counterbalance.parsing.parser import parse_reply
from counterbalance.presentations.reply import Reply
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.verdict_format import FORMAT_IDS, VerdictFormat

N = 1_000_000
LABELS = Labelling(first="A", second="B")
TEXTS = {
    "open brackets": "[" * N,
    "brackets": "[[A]]" * (N // 5),
    "wordy brackets": "".join(f"[[a b {i}]]" for i in range(N // 12)),
    "nested objects": '{"a":' * (N // 5),
    "nested lists": '{"a":' + "[" * N,
    "closed nested lists": '{"a":' + "[" * (N // 2) + "]" * (N // 2) + "}",
    "a list": '{"a":[' + "1," * (N // 2),
    "objects": '{"a":1}' * (N // 7),
    "open strings": '{"a' * (N // 3),
    "escaped quotes": '{"\\"' * (N // 4),
    "backslashes": '{"' + "\\" * N,
    "open thoughts": "<think>" * (N // 7),
    "closed thoughts": "<think></think>" * (N // 15),
    "open tags": "<verdict>" * (N // 9),
    "boxes": "\\boxed{" * (N // 7),
    "results": "[RESULT] " * (N // 9),
    "grades": "grade: a b\n" * (N // 11),
    "fences": '```{"winner":"x y"}' * (N // 19),
    "ticks": "`" * N,
    "spaces": "x" + " " * N + "x",
    "lines": "\n" * N,
    "digits": "1" * N,
    "numbers": "is 1.1." * (N // 7),
    "combining marks": "e" + "\u0301\u0327" * (N // 4),
    "full width": "Ａ" * (N // 3),
    "ligatures": "\ufdfa" * (N // 30),
    "invisible": "\u200b" * (N // 3),
    "a tenth of Unicode": "".join(map(chr, range(0, 0x110000, 10))),
}


@pytest.mark.parametrize("name", TEXTS)
def test_every_format_ends(name):
    text = TEXTS[name]
    for format_id in FORMAT_IDS:
        pattern = r"(?i)grade:\s*(?P<label>\w+)" if format_id == "regex" else None
        verdict = VerdictFormat(format=format_id, pattern=pattern, position="only")
        outcome = parse_reply(verdict, LABELS, Reply(text), echoes=("[[A]] x", "grade: a b"))
        if outcome.span is not None:
            assert 0 <= outcome.span[0] < outcome.span[1] <= len(text)


def test_a_pattern_that_looks_to_the_end_again_and_again_is_stopped():
    verdict = VerdictFormat(format="regex", pattern=r"(?P<label>[\s\S]*[0-9]|x)")
    outcome = parse_reply(verdict, LABELS, Reply("x" * 100_000))
    assert outcome.rule == "regex/1:unreadable"


def test_a_verdict_behind_megabytes_is_found():
    text = "[" * N + " word " * N + "[[B]]"
    outcome = parse_reply(VerdictFormat(format="bracket"), LABELS, Reply(text))
    assert (outcome.kind.value, outcome.span) == ("second", (len(text) - 5, len(text)))


def test_an_object_behind_a_deep_one_is_not_guessed_from_its_inside():
    text = '{"a":' * 1000 + '{"winner":"A"}' + "}" * 1000
    outcome = parse_reply(VerdictFormat(format="json"), LABELS, Reply(text))
    assert not outcome.is_verdict
