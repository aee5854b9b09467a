"""Two ways to ask an endpoint how likely a text is, token by token; the reply is what it listed.

The prompt is two messages: what stands before the text, and the text. A reply's text is a JSON list
of the prompt's tokens with their log-probabilities, unread: `parsing` finds the text among them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from counterbalance.errors import JudgeError, one_line
from counterbalance.items.hashing import canonical_json
from counterbalance.judges.api import Api, bearer
from counterbalance.judges.reply_fields import count_of, text_of, usage_of
from counterbalance.presentations.reply import Reply

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from counterbalance.items.item import Message

__all__ = ["LIKELIHOOD_APIS"]

_NONE = "the endpoint gave back no log-probabilities of the prompt"


def _echo_body(model: str, messages: Sequence[Message], asked: Mapping[str, Any]) -> dict[str, Any]:
    before, text = (message.content for message in messages)
    return {"model": model, "prompt": before + text, **asked, **_ECHO}


def _chat_body(model: str, messages: Sequence[Message], asked: Mapping[str, Any]) -> dict[str, Any]:
    shown = [{"role": m.role, "content": m.content} for m in messages]
    return {"model": model, "messages": shown, **asked, **_PROMPT_LOGPROBS}


_ECHO = {"echo": True, "logprobs": 1, "max_tokens": 1, "temperature": 0}
# The text is left open at its end, so that its last token is its own.
_PROMPT_LOGPROBS = {
    "prompt_logprobs": 0,
    "max_tokens": 1,
    "temperature": 0,
    "add_generation_prompt": False,
    "continue_final_message": True,
}


def _echoed(value: dict[str, Any], sent: dict[str, Any]) -> Reply:
    listed = _choice(value).get("logprobs")
    listed = listed if isinstance(listed, dict) else {}
    tokens, logprobs = listed.get("tokens"), listed.get("token_logprobs")
    if not isinstance(tokens, list) or not isinstance(logprobs, list):
        raise JudgeError(kind="server", problem=_NONE)
    if len(tokens) != len(logprobs):
        problem = f"{len(tokens)} tokens came with {len(logprobs)} log-probabilities"
        raise JudgeError(kind="server", problem=problem)
    found = [[text_of(t), _logprob(p)] for t, p in zip(tokens, logprobs, strict=True)]
    # What was generated behind the prompt is none of it.
    n_prompt = count_of(_usage(value).get("prompt_tokens"))
    return _reply(value, found[: len(found) - 1 if n_prompt is None else n_prompt], sent | _ECHO)


def _listed(value: dict[str, Any], sent: dict[str, Any]) -> Reply:
    listed = value.get("prompt_logprobs", _choice(value).get("prompt_logprobs"))
    if not isinstance(listed, list):
        raise JudgeError(kind="server", problem=_NONE)
    found: list[list[Any]] = []
    for entry in listed:
        # The first token of a prompt has nothing before it; each other lists itself first.
        own = next(iter(entry.values()), None) if isinstance(entry, dict) else None
        if isinstance(own, dict):
            found.append([text_of(own.get("decoded_token")), _logprob(own.get("logprob"))])
        else:
            found.append(["", None])
    return _reply(value, found, sent | _PROMPT_LOGPROBS)


def _choice(value: dict[str, Any]) -> dict[str, Any]:
    choices = value.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict):
        raise JudgeError(kind="server", problem="the reply has no choices")
    return first


def _usage(value: dict[str, Any]) -> dict[str, Any]:
    usage = value.get("usage")
    return usage if isinstance(usage, dict) else {}


def _logprob(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        problem = f"{one_line(repr(value))} stands where a log-probability should"
        raise JudgeError(kind="server", problem=problem)
    return float(value)


def _reply(value: dict[str, Any], found: list[list[Any]], sent: dict[str, Any]) -> Reply:
    usage = _usage(value)
    return Reply(
        text=canonical_json(found),
        finish="stop",
        usage=usage_of(
            count_of(usage.get("prompt_tokens")), count_of(usage.get("completion_tokens"))
        ),
        model=text_of(value.get("model")),
        fingerprint=text_of(value.get("system_fingerprint")),
        sent=sent,
    )


LIKELIHOOD_APIS = {
    "echo": Api(
        name="chat",
        home="https://api.openai.com/v1",
        path=lambda _: "/completions",
        headers=bearer,
        body=_echo_body,
        reply_of=_echoed,
        schema=lambda _: {},
    ),
    "prompt_logprobs": Api(
        name="chat",
        home="https://api.openai.com/v1",
        path=lambda _: "/chat/completions",
        headers=bearer,
        body=_chat_body,
        reply_of=_listed,
        schema=lambda _: {},
    ),
}
"""The ways, by name in the protocol."""
