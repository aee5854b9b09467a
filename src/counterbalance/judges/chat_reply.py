"""The body of a chat completion to a raw reply: what came in goes on unread, faults are named.

A body that is no single reply is a failure of the server; an empty or refused reply is a reply.
"""

from __future__ import annotations

import json
import math
from typing import Any

from counterbalance.errors import JudgeError, one_line
from counterbalance.presentations.reply import Reply, Usage

__all__ = ["json_value", "reply_of"]

_MOST_TOKENS = 2**53


def json_value(content: bytes, content_type: str) -> Any:  # noqa: ANN401 (any JSON value)
    """Return the JSON value of a body.

    Parameters
    ----------
    content : bytes
        The whole body.
    content_type : str
        What the server called it, for the message.

    Returns
    -------
    Any
        The value.

    Raises
    ------
    JudgeError
        With kind ``server`` when the body is no JSON.
    """
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        pass
    start = content[:200].decode("utf-8", "replace").strip()
    if not start:
        problem = "the body of the reply is empty"
    elif start.startswith("<"):
        problem = f"HTML or XML instead of JSON: {one_line(start)}; does base_url end in /v1?"
    elif start.startswith("data:"):
        problem = "the endpoint streams its reply although that was not asked for"
    else:
        named = one_line(content_type) or "no content type"
        problem = f"the body of the reply is no JSON ({named}): {one_line(start)}"
    raise JudgeError(kind="server", problem=problem)


def reply_of(value: dict[str, Any], sent: dict[str, Any]) -> Reply:
    """Return the raw reply that a chat completion holds.

    Parameters
    ----------
    value : dict[str, Any]
        The body as JSON.
    sent : dict[str, Any]
        Parameters that were sent, for the record.

    Returns
    -------
    Reply
        Text, reasoning and refusal as received.

    Raises
    ------
    JudgeError
        With kind ``server`` when there is not exactly one reply in it.
    """
    choice = _choice(value)
    message = choice.get("message")
    if not isinstance(message, dict):
        raise JudgeError(kind="server", problem="the reply has no message")
    text, thought = _content(message.get("content"))
    reasoning = _text(message.get("reasoning_content")) or _text(message.get("reasoning"))
    return Reply(
        text=text,
        finish=_text(choice.get("finish_reason")),
        reasoning=reasoning or thought,
        refusal=_text(message.get("refusal")),
        token_logprobs=_alternatives(choice.get("logprobs"), text),
        usage=_usage(value.get("usage")),
        model=_text(value.get("model")),
        fingerprint=_text(value.get("system_fingerprint")),
        sent=sent,
    )


def _choice(value: dict[str, Any]) -> dict[str, Any]:
    choices = value.get("choices")
    if not isinstance(choices, list) or not choices:
        raise JudgeError(kind="server", problem="the reply has no choices")
    first = choices[0]
    if not isinstance(first, dict):
        raise JudgeError(kind="server", problem="the reply's choice is no object")
    if any(_said(choice) != _said(first) for choice in choices[1:]):
        problem = f"{len(choices)} different choices came back where one was asked for"
        raise JudgeError(kind="server", problem=problem)
    if first.get("error"):
        problem = f"the choice is an error: {one_line(first['error'], 300)}"
        raise JudgeError(kind="server", problem=problem)
    return first


def _said(choice: object) -> object:
    return choice.get("message") if isinstance(choice, dict) else choice


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


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


def _alternatives(logprobs: object, text: str) -> tuple[tuple[str, float], ...]:
    """Return the alternatives of the only visible token; none where it is not the whole text."""
    tokens = logprobs.get("content") if isinstance(logprobs, dict) else None
    first = tokens[0] if isinstance(tokens, list) and tokens else None
    if not isinstance(first, dict) or not isinstance(listed := first.get("top_logprobs"), list):
        return ()
    if _text(first.get("token")).strip() != text.strip() and len(tokens or ()) > 1:
        return ()
    found = [
        (entry["token"], float(entry["logprob"]))
        for entry in listed
        if isinstance(entry, dict)
        and isinstance(entry.get("token"), str)
        and isinstance(entry.get("logprob"), int | float)
        and not math.isnan(entry["logprob"])
    ]
    return tuple(sorted(found, key=lambda entry: -entry[1]))


def _usage(value: object) -> Usage | None:
    if not isinstance(value, dict):
        return None
    counts = [value.get(name) for name in ("prompt_tokens", "completion_tokens")]
    prompt, completion = (
        n if isinstance(n, int) and not isinstance(n, bool) and 0 <= n < _MOST_TOKENS else None
        for n in counts
    )
    if prompt is None or completion is None:
        return None
    return Usage(prompt, completion, is_measured=True)
