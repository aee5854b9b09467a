"""The Anthropic messages API: content blocks to one raw reply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.judges.api import Api
from counterbalance.judges.reply_fields import count_of, objects_of, text_of, usage_of
from counterbalance.presentations.reply import Reply, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from counterbalance.items.item import Message

__all__ = ["MESSAGES"]

_VERSION = "2023-06-01"
_INPUTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def _headers(key: str) -> dict[str, str]:
    version = {"anthropic-version": _VERSION}
    return {**version, "x-api-key": key} if key else version


def _body(model: str, messages: Sequence[Message], asked: Mapping[str, Any]) -> dict[str, Any]:
    system = "\n\n".join(m.content for m in messages if m.role == "system")
    prompt = [{"role": m.role, "content": m.content} for m in messages if m.role != "system"]
    body: dict[str, Any] = {"model": model, "messages": prompt, **asked}
    return body | ({"system": system} if system else {})


def _reply_of(value: dict[str, Any], sent: dict[str, Any]) -> Reply:
    blocks = list(objects_of(value.get("content"), "content"))
    details = value.get("stop_details")
    explained = text_of(details.get("explanation")) if isinstance(details, dict) else ""
    return Reply(
        text="".join(text_of(b.get("text")) for b in blocks if b.get("type") == "text"),
        finish=text_of(value.get("stop_reason")),
        reasoning="\n".join(
            text_of(b.get("thinking")) for b in blocks if b.get("type") == "thinking"
        ),
        refusal=explained if value.get("stop_reason") == "refusal" else "",
        usage=_usage(value.get("usage")),
        model=text_of(value.get("model")),
        sent=sent,
    )


def _usage(value: object) -> Usage | None:
    """Return the usage; what the cache took in or gave belongs to the prompt."""
    if not isinstance(value, dict):
        return None
    prompt = [count_of(value.get(name)) for name in _INPUTS]
    first = prompt[0]
    whole = None if first is None else first + sum(n or 0 for n in prompt[1:])
    return usage_of(whole, count_of(value.get("output_tokens")))


def _schema(schema: dict[str, Any]) -> dict[str, Any]:
    return {"output_config": {"format": {"type": "json_schema", "schema": schema}}}


MESSAGES = Api(
    name="messages",
    home="https://api.anthropic.com/v1",
    path=lambda _: "/messages",
    headers=_headers,
    body=_body,
    reply_of=_reply_of,
    schema=_schema,
)
"""The API."""
