"""Requests for judges that users write themselves, and their replies, as JSON values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from counterbalance.errors import JudgeError, one_line
from counterbalance.judges.reply_fields import count_of, usage_of
from counterbalance.presentations.reply import Reply, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from counterbalance.judges.judge import Request

__all__ = ["REQUEST_SCHEMA", "given_reply", "request_value"]

REQUEST_SCHEMA = "counterbalance.request/1"
"""Names the shape of a request."""

_TEXTS = ("text", "finish", "reasoning", "refusal", "model", "fingerprint")
_FIELDS = frozenset({*_TEXTS, "usage", "token_logprobs"})
_A_COUPLE = 2


def request_value(
    request: Request, temperature: float | None, max_tokens: int | None
) -> dict[str, Any]:
    """Return a request as a JSON value; it names no system and no candidate.

    Parameters
    ----------
    request : Request
        What is asked.
    temperature : float | None
        The judge's own, where this call has no other.
    max_tokens : int | None
        The judge's own, where this call has no other.

    Returns
    -------
    dict[str, Any]
        As ``docs/reference/judges.md`` describes it.
    """
    return {
        "schema": REQUEST_SCHEMA,
        "key": request.key,
        "messages": [{"role": m.role, "content": m.content} for m in request.messages],
        "first": {"label": request.first.label, "text": request.first.text},
        "second": {"label": request.second.label, "text": request.second.text},
        "labels": list(request.labels),
        "temperature": temperature if request.temperature is None else request.temperature,
        "max_tokens": max_tokens if request.max_tokens is None else request.max_tokens,
        "seed": request.seed,
        "attempt": request.attempt,
    }


def given_reply(value: Any, sent: dict[str, Any]) -> Reply:  # noqa: ANN401 (any JSON value)
    """Return a reply that is given as a JSON value.

    Parameters
    ----------
    value : Any
        An object with ``text`` and perhaps more, or with ``error``.
    sent : dict[str, Any]
        What was asked for, for the record.

    Returns
    -------
    Reply
        The same.

    Raises
    ------
    JudgeError
        With kind ``server`` when it is no reply; with its own kind when it is an error.
    """
    if not isinstance(value, dict):
        raise JudgeError(kind="server", problem=f"the reply is no object: {one_line(value)}")
    if "error" in value:
        failure = _named_failure(value["error"])
        raise failure
    texts = {name: value.get(name, "") for name in _TEXTS}
    if problem := _misshapen(value, texts):
        raise JudgeError(kind="server", problem=problem)
    return Reply(
        **texts,
        usage=_usage(value.get("usage")),
        token_logprobs=_logprobs(value.get("token_logprobs", [])),
        sent=sent,
    )


def _misshapen(value: dict[str, Any], texts: dict[str, Any]) -> str:
    """Return what makes an object no reply, empty when it is one."""
    if unknown := sorted(set(value) - _FIELDS):
        listed = ", ".join(sorted(_FIELDS))
        return f"the reply has {one_line(repr(unknown[0]))}; it may have {listed}, or error"
    for name, text in texts.items():
        if not isinstance(text, str):
            return f"the reply's {name} is no text: {one_line(text)}"
    return "" if "text" in value or texts["refusal"] else "the reply has no text"


def _named_failure(error: object) -> JudgeError:
    """Return the failure that a judge states: words alone, or an object with a kind."""
    stated: Mapping[str, object] = error if isinstance(error, dict) else {"problem": error}
    wait = stated.get("retry_after")
    is_wait = isinstance(wait, int | float) and not isinstance(wait, bool) and wait >= 0
    kind = stated.get("kind", "server")
    return JudgeError(
        kind if isinstance(kind, str) else "server",
        one_line(stated.get("problem", "the judge states an error without a problem"), 300),
        retry_after=float(wait) if is_wait and isinstance(wait, int | float) else None,
        ends_run=kind in {"auth", "quota"},
    )


def _usage(value: object) -> Usage | None:
    if value is None:
        return None
    counts = value if isinstance(value, dict) else {}
    usage = usage_of(
        count_of(counts.get("prompt_tokens")), count_of(counts.get("completion_tokens"))
    )
    if usage is None:
        problem = f"usage must have prompt_tokens and completion_tokens: {one_line(value)}"
        raise JudgeError(kind="server", problem=problem)
    return usage


def _logprobs(value: object) -> tuple[tuple[str, float], ...]:
    entries = value if isinstance(value, list) else [value]
    found = [_chance(entry) for entry in entries]
    return tuple(sorted(found, key=lambda couple: -couple[1]))


def _chance(entry: object) -> tuple[str, float]:
    if isinstance(entry, list) and len(entry) == _A_COUPLE and isinstance(entry[0], str):
        chance = entry[1]
        is_number = isinstance(chance, int | float) and not isinstance(chance, bool)
        if is_number and math.isfinite(chance) and chance <= 0:
            return entry[0], float(chance)
    problem = "token_logprobs must be a list of [token, natural log-probability of 0 or less]"
    raise JudgeError(kind="server", problem=f"{problem}: {one_line(entry)}")
