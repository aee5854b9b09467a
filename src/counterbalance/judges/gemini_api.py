"""The Gemini API (generateContent): one candidate's parts to one raw reply."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from counterbalance.errors import JudgeError
from counterbalance.judges.api import Api
from counterbalance.judges.reply_fields import (
    alternatives_of,
    count_of,
    objects_of,
    text_of,
    usage_of,
)
from counterbalance.presentations.reply import Reply, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from counterbalance.items.item import Message

__all__ = ["GEMINI"]

_CONFIG = "generationConfig"
_NAMES = {
    "temperature": "temperature",
    "max_tokens": "maxOutputTokens",
    "seed": "seed",
    "top_logprobs": "logprobs",
}
_ROLES = {"assistant": "model"}


def _path(model: str) -> str:
    named = model if "/" in model else f"models/{model}"
    return f"/{quote(named, safe='/-._~@')}:generateContent"


def _headers(key: str) -> dict[str, str]:
    return {"x-goog-api-key": key} if key else {}


def _body(_: str, messages: Sequence[Message], asked: Mapping[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = {
        "contents": [
            {"role": _ROLES.get(m.role, m.role), "parts": [{"text": m.content}]}
            for m in messages
            if m.role != "system"
        ]
    }
    system = [{"text": m.content} for m in messages if m.role == "system"]
    if system:
        body["systemInstruction"] = {"parts": system}
    config = {_NAMES[name]: value for name, value in asked.items() if name in _NAMES}
    if "top_logprobs" in asked:
        config["responseLogprobs"] = True
    further = {name: value for name, value in asked.items() if name not in _NAMES}
    declared = further.pop(_CONFIG, {})
    return body | further | {_CONFIG: {**declared, **config}}


def _reply_of(value: dict[str, Any], sent: dict[str, Any]) -> Reply:
    blocked = value.get("promptFeedback")
    reason = text_of(blocked.get("blockReason")) if isinstance(blocked, dict) else ""
    if reason and not value.get("candidates"):
        said = Reply(text="", finish=reason, refusal=f"the prompt was blocked ({reason})")
    else:
        said = _said_by(_candidate(value))
    usage, model = _usage(value.get("usageMetadata")), text_of(value.get("modelVersion"))
    return replace(said, usage=usage, model=model, sent=sent)


def _said_by(candidate: dict[str, Any]) -> Reply:
    content = candidate.get("content")
    # A candidate that was stopped before its first word has no parts, or no content at all.
    parts = content.get("parts", []) if isinstance(content, dict) else []
    spoken: list[str] = []
    thoughts: list[str] = []
    for part in objects_of(parts, "parts"):
        (thoughts if part.get("thought") is True else spoken).append(text_of(part.get("text")))
    text = "".join(spoken)
    return Reply(
        text=text,
        finish=text_of(candidate.get("finishReason")),
        reasoning="".join(thoughts),
        token_logprobs=_alternatives(candidate.get("logprobsResult"), text),
    )


def _candidate(value: dict[str, Any]) -> dict[str, Any]:
    candidates = list(objects_of(value.get("candidates", []), "candidates"))
    if not candidates:
        raise JudgeError(kind="server", problem="the reply has no candidates")
    if any(c.get("content") != candidates[0].get("content") for c in candidates[1:]):
        problem = f"{len(candidates)} different candidates came back where one was asked for"
        raise JudgeError(kind="server", problem=problem)
    return candidates[0]


def _alternatives(result: object, text: str) -> tuple[tuple[str, float], ...]:
    if not isinstance(result, dict):
        return ()
    chosen, top = result.get("chosenCandidates"), result.get("topCandidates")
    if not isinstance(chosen, list) or not isinstance(top, list) or len(chosen) != len(top):
        return ()
    tokens = [
        {
            "token": said.get("token") if isinstance(said, dict) else None,
            "top_logprobs": listed.get("candidates") if isinstance(listed, dict) else None,
        }
        for said, listed in zip(chosen, top, strict=True)
    ]
    return alternatives_of(tokens, text, chances="logProbability")


def _usage(value: object) -> Usage | None:
    """Return the usage; thoughts are counted apart and belong to the reply."""
    if not isinstance(value, dict):
        return None
    said, thought = (
        count_of(value.get(name)) for name in ("candidatesTokenCount", "thoughtsTokenCount")
    )
    whole = None if said is None and thought is None else (said or 0) + (thought or 0)
    return usage_of(count_of(value.get("promptTokenCount")), whole)


def _schema(schema: dict[str, Any]) -> dict[str, Any]:
    held = {"responseMimeType": "application/json", "responseJsonSchema": schema}
    return {_CONFIG: held}


GEMINI = Api(
    name="gemini",
    home="https://generativelanguage.googleapis.com/v1beta",
    path=_path,
    headers=_headers,
    body=_body,
    reply_of=_reply_of,
    schema=_schema,
    spellings={
        "max_tokens": ("maxOutputTokens", "max_output_tokens"),
        "top_logprobs": ("logprobs", "responseLogprobs", "response_logprobs"),
    },
)
"""The API."""
