"""Batch files of OpenAI and Anthropic: a request as one entry, and the result that comes back.

The custom_id of a request is its presentation's key and the number of the attempt, in characters
that both providers allow: whatever order results come back in, each finds its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from counterbalance.errors import InputError, JudgeError, one_line
from counterbalance.judges.endpoint_errors import failure_of, said_in, status_inside
from counterbalance.presentations.presentation import PresentationKey
from counterbalance.presentations.reply import Reply

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from counterbalance.judges.api import Api

__all__ = [
    "BATCH_LIMITS",
    "BatchLimits",
    "custom_id",
    "entry_of",
    "kind_undone",
    "place_of_id",
    "result_of",
    "status_of_codes",
]

_ID = re.compile(r"b2-([0-9a-f]{40})-([1-9][0-9]{0,5})\Z")
_FINE = range(200, 300)
_UNDONE = {
    **dict.fromkeys(("expired", "batch_expired", "request_timeout"), "timeout"),
    **dict.fromkeys(("canceled", "cancelled", "batch_cancelled", "batch_canceled"), "cancelled"),
}
_STATUS = {
    "invalid_request_error": 400, "authentication_error": 401, "billing_error": 402,
    "permission_error": 403, "not_found_error": 404, "timeout_error": 408,
    "request_too_large": 413, "rate_limit_error": 429, "api_error": 500, "overloaded_error": 529,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """How much one batch file may hold.

    Attributes
    ----------
    requests : int
        Most requests.
    size_bytes : int
        Largest size.
    """

    requests: int
    size_bytes: int


_OPENAI = BatchLimits(requests=50_000, size_bytes=200 * 1000**2)
BATCH_LIMITS: Mapping[str, BatchLimits] = {
    "chat": _OPENAI,
    "responses": _OPENAI,
    "messages": BatchLimits(requests=100_000, size_bytes=256 * 1000**2),
}
"""By API; an API that is not named has no batch files here."""


def custom_id(key: PresentationKey, number: int) -> str:
    """Return the id that an attempt at a presentation has in a batch.

    Parameters
    ----------
    key : PresentationKey
        The presentation.
    number : int
        Number of the attempt, from 1.

    Returns
    -------
    str
        Letters, digits and hyphens, 64 at most.

    Examples
    --------
    >>> custom_id(PresentationKey("b2:" + "0f" * 20), 1)
    'b2-0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f-1'
    """
    return f"{key.replace(':', '-')}-{number}"


def place_of_id(text: str) -> tuple[PresentationKey, int] | None:
    """Return the presentation and the number of the attempt that an id stands for.

    Parameters
    ----------
    text : str
        An id.

    Returns
    -------
    tuple[PresentationKey, int] | None
        None when it is no id of ours.
    """
    match = _ID.match(text)
    return None if match is None else (PresentationKey(f"b2:{match[1]}"), int(match[2]))


def entry_of(api: Api, key: PresentationKey, number: int, body: dict[str, Any]) -> dict[str, Any]:
    """Return one request of a batch.

    Parameters
    ----------
    api : Api
        What the provider speaks.
    key : PresentationKey
        The presentation.
    number : int
        Number of the attempt.
    body : dict[str, Any]
        Body of the request.

    Returns
    -------
    dict[str, Any]
        A line of OpenAI's files, or an entry of Anthropic's ``requests``.
    """
    named: dict[str, Any] = {"custom_id": custom_id(key, number)}
    if api.name == "messages":
        return {**named, "params": body}
    return {**named, "method": "POST", "url": f"/v1{api.path('')}", "body": body}


def result_of(api: Api, value: Mapping[str, Any], sent: dict[str, Any]) -> Reply | JudgeError:
    """Return what a result says: a reply, or why there is none.

    Parameters
    ----------
    api : Api
        What the provider speaks.
    value : Mapping[str, Any]
        The result.
    sent : dict[str, Any]
        Parameters that were sent, for the record.

    Returns
    -------
    Reply | JudgeError
        Never a failure that would stop a run or make it wait: the batch is over.

    Raises
    ------
    InputError
        If it is no result of this provider.
    """
    answered, failed = _anthropic(value) if api.name == "messages" else _openai(value)
    try:
        if answered is not None:
            return _reply(api, answered, sent)
    except JudgeError as error:
        failed = error
    if failed is None:
        return _declined(sent)
    return JudgeError(failed.kind, failed.problem, retry_after=0.0)


def _reply(api: Api, value: dict[str, Any], sent: dict[str, Any]) -> Reply:
    if not value.get("error"):
        return api.reply_of(value, sent)
    said = said_in(value["error"])
    failure = failure_of(status_inside(said, value), said, None)
    if failure is not None:
        raise failure
    return _declined(sent)


def _declined(sent: dict[str, Any]) -> Reply:
    return Reply(text="", finish="content_filter", sent=sent)


Told = tuple[dict[str, Any] | None, JudgeError | None]
"""Body of an answer; or the failure, None where a content filter declined."""


def _openai(value: Mapping[str, Any]) -> Told:
    response, error = value.get("response"), value.get("error")
    if isinstance(response, dict):
        status, body = response.get("status_code"), response.get("body")
        if status in _FINE and isinstance(body, dict):
            return body, None
        said = said_in(error or body)
        return None, failure_of(status if isinstance(status, int) else 500, said, None)
    if not isinstance(error, dict):
        msg = "it has neither response nor error, so it is no result of an OpenAI batch"
        raise InputError(msg)
    return None, _undone(str(error.get("code", "")), one_line(error.get("message", ""), 300))


def _anthropic(value: Mapping[str, Any]) -> Told:
    result = value.get("result")
    kind = result.get("type") if isinstance(result, dict) else None
    if not isinstance(result, dict) or not isinstance(kind, str):
        msg = "it has no result with a type, so it is no result of an Anthropic batch"
        raise InputError(msg)
    if kind == "succeeded" and isinstance(result.get("message"), dict):
        return result["message"], None
    if kind == "errored":
        error = result.get("error")
        said = said_in(error)
        return None, failure_of(status_of_codes(said.codes), said, None)
    return None, _undone(kind, "")


def status_of_codes(codes: Iterable[str]) -> int:
    """Return the status that Anthropic's error has outside of a batch, 500 when it is not known."""
    return next((_STATUS[code] for code in sorted(codes) if code in _STATUS), 500)


def kind_undone(codes: Iterable[str]) -> str | None:
    """Return the kind of failure of a request that the provider did not come to, None for others.

    Parameters
    ----------
    codes : Iterable[str]
        What its result says.

    Returns
    -------
    str | None
        ``timeout`` where the batch's time was over, ``cancelled`` where somebody ended it.
    """
    return next((_UNDONE[code] for code in sorted(codes) if code in _UNDONE), None)


def _undone(code: str, words: str) -> JudgeError:
    kind = kind_undone({code}) or "server"
    return JudgeError(kind, f"the batch says {one_line(code, 60) or 'error'} {words}".strip())
