"""What an endpoint says when it gives no reply: status and body to one kind of failure."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from counterbalance.errors import JudgeError, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = [
    "Said",
    "failure_of",
    "rejected_parameters",
    "retry_after",
    "said_by",
    "said_in",
    "status_inside",
]

_QUOTA = frozenset(
    {
        "insufficient_quota", "quota_exceeded", "billing_hard_limit_reached", "billing_not_active",
        "insufficient_balance", "insufficient_credits", "insufficient_funds", "payment_required",
        "credit_balance_too_low", "billing_error", "spend_limit_reached",
    }
)  # fmt: skip
# Anthropic says 400 invalid_request_error; Gemini says 429, and names a limit of the day.
_QUOTA_WORDS = re.compile(
    r"credit balance is too low|reached your specified (?:\w+ )?usage limits", re.IGNORECASE
)
_OF_THE_DAY = "perday"
_AUTH = frozenset(
    {"api_key_invalid", "invalid_api_key", "authentication_error", "permission_error"}
)
_TOO_LONG = frozenset(
    {
        "context_length_exceeded", "exceed_context_size_error", "string_above_max_length",
        "request_too_large",
    }
)  # fmt: skip
_FILTER = frozenset(
    {
        "content_filter", "content_policy_violation", "responsibleaipolicyviolation",
        "flagged_input", "invalid_prompt",
    }
)  # fmt: skip
_NO_MODEL = frozenset({"model_not_found", "invalid_model", "not_found_error", "not_found"})
_TOO_LONG_WORDS = re.compile(
    r"context (?:length|size|window|limit)|too many tokens|prompt is too long|maximum.{0,20}tokens",
    re.IGNORECASE,
)
_REJECTED = frozenset(
    {"unsupported_parameter", "unsupported_value", "unknown_parameter", "extra_forbidden"}
)
_REJECTED_WORDS = re.compile(
    r"unsupported|not supported|does(?:n't| not) support|unknown|unrecogni[sz]ed|not permitted"
    r"|not allowed|extra inputs|only the default|unexpected|invalid param",
    re.IGNORECASE,
)
_UNPROCESSABLE = frozenset({400, 413, 422})
_CODES = ("code", "type", "status", "reason", "quotaId")
_DELAY = "retryDelay"
_TABLES = re.compile(r"^(?:body|generation_?config)\.", re.IGNORECASE)
_LONGEST_MESSAGE = 300
_LARGEST_STATUS = 599


@dataclass(frozen=True, slots=True)
class Said:
    """What an error body says, whatever its shape.

    Attributes
    ----------
    message : str
        Its words, on one line.
    codes : frozenset[str]
        Every code and type in it, lower case.
    parameters : frozenset[str]
        Names of the parameters that it complains of.
    wait : float | None
        Seconds that it asks to wait; None when it does not say.
    """

    message: str
    codes: frozenset[str]
    parameters: frozenset[str]
    wait: float | None = None


def said_by(content: bytes) -> Said:
    """Return what the body of an error says."""
    try:
        return said_in(json.loads(content))
    except (ValueError, RecursionError):
        text = content[:2000].decode("utf-8", "replace")
        words = " ".join(re.sub(r"<[^>]*>", " ", text).split())
        return Said(one_line(words, _LONGEST_MESSAGE), frozenset(), frozenset())


def said_in(value: Any) -> Said:  # noqa: ANN401 (any JSON value)
    """Return what an error that is a JSON value says."""
    found = list(_objects(value))
    texts = [text for node in found for text in _strings(node, ("message", "msg", "error"))]
    if not texts:
        texts = [value] if isinstance(value, str) else [json.dumps(value)]
    codes = {code.lower() for node in found for code in _strings(node, _CODES)}
    codes |= {"flagged_input" for node in found if "flagged_input" in node}
    parameters = {name for node in found for name in _strings(node, ("param", "field"))}
    for node in found:
        place = node.get("loc")
        if isinstance(place, list) and place:
            parameters.add(str(place[-1]))
    names = (_TABLES.sub("", name) for name in parameters)
    waits = [_seconds(text.removesuffix("s")) for n in found for text in _strings(n, (_DELAY,))]
    return Said(
        one_line(texts[0], _LONGEST_MESSAGE),
        frozenset(codes),
        frozenset(names),
        next((wait for wait in waits if wait is not None), None),
    )


def _objects(value: Any, depth: int = 7) -> Iterator[dict[str, Any]]:  # noqa: ANN401
    """Yield objects in a value, outer ones first."""
    if isinstance(value, dict):
        yield value
    inner: Iterable[Any] = value.values() if isinstance(value, dict) else value
    if depth and isinstance(value, dict | list):
        for node in inner:
            yield from _objects(node, depth - 1)


def _strings(node: dict[str, Any], keys: Iterable[str]) -> Iterator[str]:
    for key in keys:
        if isinstance(node.get(key), str) and node[key]:
            yield node[key]


def rejected_parameters(
    status: int, said: Said, sent: Iterable[str], spellings: Mapping[str, tuple[str, ...]]
) -> list[str]:
    """Return which of the parameters sent an error complains of.

    Parameters
    ----------
    status : int
        Status of the response.
    said : Said
        Its body.
    sent : Iterable[str]
        Names of the parameters.
    spellings : Mapping[str, tuple[str, ...]]
        What the endpoint calls some of them besides.

    Returns
    -------
    list[str]
        Empty when the error is about something else.
    """
    if status not in _UNPROCESSABLE or said.codes & _TOO_LONG:
        return []
    names = {name: {name, *spellings.get(name, ())} for name in sent}
    named = [name for name, spelt in names.items() if spelt & said.parameters]
    if named:
        return named
    if not said.codes & _REJECTED and not _REJECTED_WORDS.search(said.message):
        return []
    return [
        name
        for name, spelt in names.items()
        if re.search(rf"\b(?:{'|'.join(map(re.escape, spelt))})\b", said.message, re.IGNORECASE)
    ]


def failure_of(status: int, said: Said, wait: float | None) -> JudgeError | None:
    """Return the failure that a response means.

    Parameters
    ----------
    status : int
        Status of the response; below 400 for an error inside a body that was called fine.
    said : Said
        What its body says.
    wait : float | None
        Seconds that its headers ask to wait.

    Returns
    -------
    JudgeError | None
        None when a content filter declined: that is a refusal, and no failure.
    """
    if said.codes & _FILTER:
        return None
    kind = _kind(status, said)
    problem = f"{status} {said.message}".strip()
    ends_run = kind in {"auth", "quota"} or _is_no_model(status, said)
    asked = said.wait if wait is None else wait
    return JudgeError(kind, problem, retry_after=asked, ends_run=ends_run)


def _is_no_model(status: int, said: Said) -> bool:
    return status in {404, 405} or bool(said.codes & _NO_MODEL)


def _kind(status: int, said: Said) -> str:
    is_of_the_day = any(_OF_THE_DAY in code for code in said.codes)
    if said.codes & _QUOTA or is_of_the_day or _QUOTA_WORDS.search(said.message):
        return "quota"
    if said.codes & _AUTH:
        return "auth"
    is_long = said.codes & _TOO_LONG or _TOO_LONG_WORDS.search(said.message)
    if status in _UNPROCESSABLE and is_long and not said.parameters & {"max_tokens"}:
        return "too_long"
    named = {401: "auth", 402: "quota", 403: "auth", 408: "timeout", 429: "rate_limited"}
    if status in named:
        return named[status]
    return "bad_request" if 400 <= status < 500 else "server"  # noqa: PLR2004 (HTTP's own classes)


def status_inside(said: Said, value: Any) -> int:  # noqa: ANN401
    """Return the status that an error object inside a body names, 500 when it names none."""
    for node in _objects(value):
        code = node.get("code", node.get("status"))
        if isinstance(code, int) and 400 <= code <= _LARGEST_STATUS:  # noqa: PLR2004
            return code
    return 429 if said.codes & {"rate_limit_exceeded", "rate_limit_error"} else 500


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return how many seconds a response asks to wait, None when it does not say.

    A date is compared with the response's own date, so that no clock of this machine matters.

    Parameters
    ----------
    headers : Mapping[str, str]
        Headers of the response.

    Returns
    -------
    float | None
        0 or more.
    """
    milliseconds = _seconds(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    given = headers.get("Retry-After", "").strip()
    seconds = _seconds(given)
    if seconds is not None or not given:
        return seconds
    try:
        wait = parsedate_to_datetime(given) - parsedate_to_datetime(headers.get("Date", ""))
    except (ValueError, TypeError, OverflowError):
        return None
    return max(0.0, wait.total_seconds())


def _seconds(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return max(0.0, value) if math.isfinite(value) else None
