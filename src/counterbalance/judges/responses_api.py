"""The OpenAI responses API: output items to one raw reply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.errors import JudgeError, one_line
from counterbalance.judges.api import Api, bearer
from counterbalance.judges.reply_fields import (
    alternatives_of,
    count_of,
    objects_of,
    text_of,
    usage_of,
)
from counterbalance.presentations.reply import Reply, Usage

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from counterbalance.items.item import Message

__all__ = ["RESPONSES"]

_LOGPROBS = "message.output_text.logprobs"
_FINAL = "final_answer"
_WHOLE = frozenset({"completed", "incomplete", ""})


def _body(model: str, messages: Sequence[Message], asked: Mapping[str, Any]) -> dict[str, Any]:
    prompt = [{"role": m.role, "content": m.content} for m in messages]
    # Nothing is left at the provider: a presentation is one fresh call that nobody comes back to.
    body: dict[str, Any] = {"model": model, "input": prompt, "store": False, **asked}
    if "max_tokens" in body:
        body["max_output_tokens"] = body.pop("max_tokens")
    if "top_logprobs" in asked:
        body["include"] = [_LOGPROBS]
    return body


def _reply_of(value: dict[str, Any], sent: dict[str, Any]) -> Reply:
    status = text_of(value.get("status"))
    if status not in _WHOLE:
        raise JudgeError(kind="server", problem=f"the response is {one_line(status)}, not complete")
    items = list(objects_of(value.get("output"), "output"))
    said = [item for item in items if item.get("type") == "message"]
    final = [item for item in said if item.get("phase") == _FINAL] or said
    parts = [part for item in final for part in _parts(item)]
    spoken = [part for part in parts if part.get("type") == "output_text"]
    text = "".join(text_of(part.get("text")) for part in spoken)
    details = value.get("incomplete_details")
    reason = text_of(details.get("reason")) if isinstance(details, dict) else ""
    return Reply(
        text=text,
        finish=reason or status,
        reasoning="\n".join(_thoughts(items, [item for item in said if item not in final])),
        refusal="".join(text_of(p.get("refusal")) for p in parts if p.get("type") == "refusal"),
        token_logprobs=alternatives_of(spoken[0].get("logprobs") if spoken else None, text),
        usage=_usage(value.get("usage")),
        model=text_of(value.get("model")),
        sent=sent,
    )


def _parts(item: dict[str, Any]) -> Iterator[dict[str, Any]]:
    return objects_of(item.get("content"), "content")


def _thoughts(items: list[dict[str, Any]], asides: list[dict[str, Any]]) -> Iterator[str]:
    """Yield what was said on the way: reasoning or its summary, and remarks before the answer."""
    for item in items:
        if item.get("type") == "reasoning":
            for part in [*(item.get("content") or ()), *(item.get("summary") or ())]:
                if isinstance(part, dict) and text_of(part.get("text")):
                    yield part["text"]
    for item in asides:
        yield from (text_of(part.get("text")) for part in _parts(item))


def _usage(value: object) -> Usage | None:
    if not isinstance(value, dict):
        return None
    return usage_of(count_of(value.get("input_tokens")), count_of(value.get("output_tokens")))


def _schema(schema: dict[str, Any]) -> dict[str, Any]:
    held = {"type": "json_schema", "name": "verdict", "schema": schema, "strict": True}
    return {"text": {"format": held}}


RESPONSES = Api(
    name="responses",
    home="https://api.openai.com/v1",
    path=lambda _: "/responses",
    headers=bearer,
    body=_body,
    reply_of=_reply_of,
    schema=_schema,
    spellings={"max_tokens": ("max_output_tokens",), "top_logprobs": ("include", _LOGPROBS)},
)
"""The API."""
