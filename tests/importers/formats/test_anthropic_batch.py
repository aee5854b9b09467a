"""Anthropic batches: results by type, blocks of content, and requests with ``params``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from foreign_logs import jsonl, reasons, verdicts
from joined_logs import read_all

if TYPE_CHECKING:
    from pathlib import Path

ASK = "Which is better? {} or {}? Say [[A]] or [[B]]."


def request(custom_id: str, first: str, second: str) -> dict[str, Any]:
    messages = [{"role": "user", "content": [{"type": "text", "text": ASK.format(first, second)}]}]
    params = {"model": "claude-haiku-4-5", "max_tokens": 64, "messages": messages}
    return {"custom_id": custom_id, "params": params}


def succeeded(custom_id: str, text: str, stop: str = "end_turn") -> dict[str, Any]:
    content = [{"type": "thinking", "thinking": "[[B]]"}, {"type": "text", "text": text}]
    message = {"model": "claude-haiku-4-5", "content": content, "stop_reason": stop}
    return {"custom_id": custom_id, "result": {"type": "succeeded", "message": message}}


def ended(custom_id: str, kind: object, error: object = None) -> dict[str, Any]:
    return {"custom_id": custom_id, "result": {"type": kind, "error": error}}


def error_of(kind: str, message: str = "m") -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message}}


def read_results(folder: Path, results: list[Any]) -> list[Any]:
    asked = [request("p|forward|haiku|0|h", "x", "y"), request("p|reversed|haiku|0|h", "y", "x")]
    log = read_all(jsonl(folder / "in.jsonl", asked), jsonl(folder / "out.jsonl", results))
    assert log.log_format.name == "anthropic-batch"
    return log.judgments


def test_both_orders_are_joined_and_thoughts_are_no_verdict(tmp_path: Path) -> None:
    rows = read_results(
        tmp_path,
        [
            succeeded("p|reversed|haiku|0|h", "So [[A]]"),
            succeeded("p|forward|haiku|0|h", "So [[A]]"),
        ],
    )
    assert verdicts(rows) == ["b", "a"]
    assert rows[0].setting == rows[1].setting != ""
    assert rows[0].reply == "So [[A]]"


@pytest.mark.parametrize(
    ("row", "kind", "failure"),
    [
        (ended("", "expired"), "failed", "timeout"),
        (ended("", "canceled"), "failed", "cancelled"),
        (ended("", "errored", error_of("overloaded_error")), "failed", "server"),
        (ended("", "errored", error_of("rate_limit_error")), "failed", "rate_limited"),
        (ended("", "errored", error_of("invalid_request_error")), "failed", "bad_request"),
        (ended("", "errored", error_of("invalid_request_error", "prompt is too long: 3 > 2")),
         "too_long", None),
        (ended("", "errored", error_of("authentication_error")), "failed", "auth"),
        (ended("", "errored"), "failed", "lost"),
        (ended("", ["x"]), "failed", "lost"),
        (ended("", "succeeded"), "failed", "lost"),
        (succeeded("", "", "refusal"), "refused", None),
        (succeeded("", "so", "max_tokens"), "truncated", None),
        (succeeded("", ""), "empty", None),
    ],
)  # fmt: skip
def test_no_failure_is_ever_a_verdict(tmp_path: Path, row, kind, failure) -> None:
    results = [{**row, "custom_id": "p|forward|haiku|0|h"}]
    (forward, backward) = read_results(tmp_path, results)
    assert (forward.outcome.kind, forward.outcome.failure) == (kind, failure)
    assert backward.outcome.failure == "lost"


def test_broken_rows_are_rejects(tmp_path: Path) -> None:
    rows = [succeeded("p|forward|j|0|h", "[[A]]"), {"custom_id": "x", "result": 3}, "nope"]
    asked = [request("p|forward|j|0|h", "x", "y")]
    log = read_all(jsonl(tmp_path / "in.jsonl", asked), jsonl(tmp_path / "out.jsonl", rows))
    assert reasons(log.rejects) == {
        "the row is neither a request nor a result": 1,
        "the line is not JSON": 1,
    }
