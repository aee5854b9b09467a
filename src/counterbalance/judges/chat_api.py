"""The OpenAI chat API. The body of a completion to a raw reply: what came in goes on unread.

A body that is no single reply is a failure of the server; an empty or refused reply is a reply.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from counterbalance.errors import JudgeError, one_line
from counterbalance.judges.api import Api, bearer
from counterbalance.judges.reply_fields import alternatives_of, count_of, text_of, usage_of
from counterbalance.presentations.reply import Reply, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from counterbalance.items.item import Message

__all__ = ["CHAT"]


def _body(model: str, messages: Sequence[Message], asked: Mapping[str, Any]) -> dict[str, Any]:
    prompt = [{"role": m.role, "content": m.content} for m in messages]
    body: dict[str, Any] = {"model": model, "messages": prompt, **asked}
    if "top_logprobs" in asked:
        body["logprobs"] = True
    return body


def _reply_of(value: dict[str, Any], sent: dict[str, Any]) -> Reply:
    choice = _choice(value)
    message = choice.get("message")
    if not isinstance(message, dict):
        raise JudgeError(kind="server", problem="the reply has no message")
    text, thought = _content(message.get("content"))
    reasoning = text_of(message.get("reasoning_content")) or text_of(message.get("reasoning"))
    logprobs = choice.get("logprobs")
    tokens = logprobs.get("content") if isinstance(logprobs, dict) else None
    return Reply(
        text=text,
        finish=text_of(choice.get("finish_reason")),
        reasoning=reasoning or thought,
        refusal=text_of(message.get("refusal")),
        token_logprobs=alternatives_of(tokens, text),
        usage=_usage(value.get("usage")),
        model=text_of(value.get("model")),
        fingerprint=text_of(value.get("system_fingerprint")),
        sent=sent,
    )


def _choice(value: dict[str, Any]) -> dict[str, Any]:
    choices = value.get("choices")
    if not isinstance(choices, list) or not choices:
        raise JudgeError(kind="server", problem="the reply has no choices")
    first = choices[0]
    if not isinstance(first, dict):
        raise JudgeError(kind="server", problem="the reply's choice is no object")
    if len(choices) > 1 and any(_said(choice) != _said(first) for choice in choices[1:]):
        problem = f"{len(choices)} different choices came back where one was asked for"
        raise JudgeError(kind="server", problem=problem)
    if first.get("error"):
        problem = f"the choice is an error: {one_line(first['error'], 300)}"
        raise JudgeError(kind="server", problem=problem)
    return first


def _said(choice: object) -> object:
    return choice.get("message") if isinstance(choice, dict) else choice


def _content(content: object) -> tuple[str, str]:
    """Return text and thoughts of a message: a text, nothing, or a list of parts."""
    if content is None:
        return "", ""
    if isinstance(content, str):
        return content, ""
    if not isinstance(content, list):
        raise JudgeError(
            kind="server", problem=f"the content is neither text nor parts: {one_line(content)}"
        )
    texts, thoughts = [], []
    for part in content:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            texts.append(part["text"])
        elif isinstance(part, dict) and part.get("type") in {"thinking", "reasoning"}:
            thoughts.append(json.dumps(part.get("thinking", part.get("content", "")))[:10_000])
    return "".join(texts), "\n".join(thoughts)


def _usage(value: object) -> Usage | None:
    if not isinstance(value, dict):
        return None
    return usage_of(count_of(value.get("prompt_tokens")), count_of(value.get("completion_tokens")))


def _schema(schema: dict[str, Any]) -> dict[str, Any]:
    named = {"name": "verdict", "schema": schema, "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": named}}


CHAT = Api(
    name="chat",
    home="https://api.openai.com/v1",
    path=lambda _: "/chat/completions",
    headers=bearer,
    body=_body,
    reply_of=_reply_of,
    schema=_schema,
    spellings={"top_logprobs": ("logprobs",)},
)
"""The API."""
