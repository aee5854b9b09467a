"""What a server of each API says, in that API's own fields: whole replies, refusals and errors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fault_server import completion, error, response, verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from fault_server import Answer, Seen

MODEL = "judge-2026-11-30"


@dataclass(frozen=True)
class Speaker:
    """One API as a server speaks it.

    ``body`` makes the body of a whole reply; ``settings`` are lines of the judge's table that come
    before all others; ``faults`` are answers of the API's own, with the outcome of each.
    """

    name: str
    path: str
    body: Callable[..., dict[str, Any]]
    settings: str = ""
    key_name: str = "OPENAI_API_KEY"
    faults: dict[str, tuple[Answer, str]] = field(default_factory=dict)

    def scripted(self, _: int, seen: Seen) -> Answer:
        """Answer with a verdict that depends on the prompt only."""
        return [response(body=self.body(verdict(seen)))]

    def at(self, position: int, steps: Answer) -> Callable[[int, Seen], Answer]:
        """Return a plan that fails at one position and answers everywhere else."""
        return lambda number, seen: steps if number == position else self.scripted(number, seen)


def output(text: str | None, **changes: Any) -> dict[str, Any]:
    """Return the body of a response of OpenAI's responses API, thought before the message."""
    content = [] if text is None else [{"type": "output_text", "text": text, "annotations": []}]
    message = {"type": "message", "role": "assistant", "status": "completed", "content": content}
    thought = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "I compare."}]}
    return {
        "id": "resp_1",
        "object": "response",
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "model": MODEL,
        "output": [thought, message],
        "usage": {
            "input_tokens": 100,
            "output_tokens": 9,
            "output_tokens_details": {"reasoning_tokens": 4},
            "total_tokens": 109,
        },
        **changes,
    }


def message(text: str | None, **changes: Any) -> dict[str, Any]:
    """Return the body of a message of Anthropic's API, thought before the text."""
    spoken = [] if text is None else [{"type": "text", "text": text}]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": [{"type": "thinking", "thinking": "I compare.", "signature": "x"}, *spoken],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": 60,
            "cache_creation_input_tokens": 30,
            "cache_read_input_tokens": 10,
            "output_tokens": 9,
        },
        **changes,
    }


def generated(text: str | None, **changes: Any) -> dict[str, Any]:
    """Return the body that Gemini generates; changes go to the candidate or top of it."""
    spoken = [] if text is None else [{"text": text}]
    candidate = {
        "content": {"role": "model", "parts": [{"text": "I compare.", "thought": True}, *spoken]},
        "finishReason": "STOP",
        "index": 0,
        **changes.pop("candidate", {}),
    }
    return {
        "candidates": [candidate],
        "usageMetadata": {
            "promptTokenCount": 100,
            "candidatesTokenCount": 5,
            "thoughtsTokenCount": 4,
            "totalTokenCount": 109,
        },
        "modelVersion": MODEL,
        "responseId": "r1",
        **changes,
    }


def anthropic_error(status: int, kind: str, words: str = "no", **headers: str) -> bytes:
    """Return an error in Anthropic's shape."""
    value = {"type": "error", "error": {"type": kind, "message": words}, "request_id": "req_1"}
    return response(status, value, headers=headers)


def google_error(status: int, kind: str, words: str = "no", details: tuple = ()) -> bytes:
    """Return an error in Google's shape; details are named by their type."""
    listed = [{"@type": f"type.googleapis.com/google.rpc.{k}", **v} for k, v in details]
    value = {"code": status, "message": words, "status": kind, "details": listed}
    return response(status, {"error": value})


def of_the_day(name: str) -> bytes:
    """Return what Google says when a limit is reached: by the minute, or by the day."""
    quota = {"violations": [{"quotaId": name, "quotaValue": "50"}]}
    details = (("QuotaFailure", quota), ("RetryInfo", {"retryDelay": "0.01s"}))
    return google_error(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota", details)


_TWO = generated("[[A]]")
_TWO["candidates"] = [*_TWO["candidates"], *generated("[[B]]")["candidates"]]

CHAT = Speaker("chat", "/v1/chat/completions", completion)
RESPONSES = Speaker(
    "responses",
    "/v1/responses",
    output,
    'api = "responses"',
    faults={
        "overloaded": ([error(503, "overloaded")], "failed:server"),
        "failed status": (
            [response(body=output(None, status="failed",
                                  error={"code": "server_error", "message": "broken"}))],
            "failed:server",
        ),
        "limited inside 200": (
            [response(body=output(None, status="failed",
                                  error={"code": "rate_limit_exceeded", "message": "slow"}))],
            "failed:rate_limited",
        ),
        "still queued": ([response(body=output(None, status="queued"))], "failed:server"),
        "no output": ([response(body=output(None, output=None))], "failed:server"),
        "odd output": ([response(body=output(None, output=["x"]))], "failed:server"),
        "cut": (
            [response(body=output(None, status="incomplete",
                                  incomplete_details={"reason": "max_output_tokens"}))],
            "truncated",
        ),
        "filtered": (
            [response(body=output("[[", status="incomplete",
                                  incomplete_details={"reason": "content_filter"}))],
            "refused",
        ),
        "flagged": ([error(400, "flagged", "invalid_prompt")], "refused"),
        "refusal part": (
            [response(body=output(None, output=[
                {"type": "message", "content": [{"type": "refusal", "refusal": "I cannot."}]}]))],
            "refused",
        ),
        "no message": ([response(body=output(None, output=[]))], "empty"),
    },
)  # fmt: skip
MESSAGES = Speaker(
    "messages",
    "/v1/messages",
    message,
    'api = "messages"\nmax_tokens = 64',
    "ANTHROPIC_API_KEY",
    faults={
        "429": ([anthropic_error(429, "rate_limit_error", **{"retry-after": "0"})],
                "failed:rate_limited"),
        "529": ([anthropic_error(529, "overloaded_error")], "failed:server"),
        "500": ([anthropic_error(500, "api_error")], "failed:server"),
        "504": ([anthropic_error(504, "timeout_error")], "failed:server"),
        "400": ([anthropic_error(400, "invalid_request_error")], "failed:bad_request"),
        "413": ([anthropic_error(413, "request_too_large")], "too_long"),
        "prompt too long": (
            [anthropic_error(400, "invalid_request_error",
                             "prompt is too long: 210000 tokens > 200000 maximum")],
            "too_long",
        ),
        "error inside 200": ([response(200, {"type": "error",
                                             "error": {"type": "api_error", "message": "x"}})],
                             "failed:server"),
        "no content": ([response(body=message(None, content=None))], "failed:server"),
        "cut": ([response(body=message(None, stop_reason="max_tokens"))], "truncated"),
        "full": ([response(body=message(None, stop_reason="model_context_window_exceeded"))],
                 "truncated"),
        "refusal": (
            [response(body=message(None, stop_reason="refusal",
                                   stop_details={"type": "refusal", "explanation": "no"}))],
            "refused",
        ),
        "bare refusal": ([response(body=message("[[A]]", stop_reason="refusal"))], "refused"),
        "no text": ([response(body=message(None))], "empty"),
    },
)  # fmt: skip
GEMINI = Speaker(
    "gemini",
    "/v1/models/m:generateContent",
    generated,
    'api = "gemini"',
    "GEMINI_API_KEY",
    faults={
        "429 of the minute": ([of_the_day("GenerateRequestsPerMinutePerProject")],
                              "failed:rate_limited"),
        "503": ([google_error(503, "UNAVAILABLE", "The model is overloaded")], "failed:server"),
        "504": ([google_error(504, "DEADLINE_EXCEEDED")], "failed:server"),
        "400": ([google_error(400, "INVALID_ARGUMENT")], "failed:bad_request"),
        "too long": (
            [google_error(400, "INVALID_ARGUMENT", "The input token count (2000000) exceeds the"
                          " maximum number of tokens allowed (1048576).")],
            "too_long",
        ),
        "blocked prompt": (
            [response(body={"promptFeedback": {"blockReason": "OTHER"}, "modelVersion": MODEL})],
            "refused",
        ),
        "nothing": ([response(body={"usageMetadata": {}})], "failed:server"),
        "two candidates": ([response(body=_TWO)], "failed:server"),
        "odd parts": ([response(body=generated(None, candidate={"content": {"parts": "x"}}))],
                      "failed:server"),
        **{
            reason.lower(): (
                [response(body=generated(None, candidate={"finishReason": reason,
                                                          "content": None}))],
                outcome,
            )
            for reason, outcome in (
                ("MAX_TOKENS", "truncated"), ("SAFETY", "refused"), ("BLOCKLIST", "refused"),
                ("PROHIBITED_CONTENT", "refused"), ("SPII", "refused"), ("RECITATION", "refused"),
                ("OTHER", "empty"), ("LANGUAGE", "empty"),
            )
        },
    },
)  # fmt: skip

SPEAKERS = {speaker.name: speaker for speaker in (CHAT, RESPONSES, MESSAGES, GEMINI)}
OTHERS = {name: speaker for name, speaker in SPEAKERS.items() if name != "chat"}
