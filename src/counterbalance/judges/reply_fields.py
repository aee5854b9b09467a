"""Fields that the replies of several APIs share: read as they came, or not at all."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json

from counterbalance.errors import JudgeError, one_line
from counterbalance.presentations.reply import Usage

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["alternatives_of", "count_of", "json_value", "objects_of", "text_of", "usage_of"]

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
        return from_json(content)
    except ValueError:
        # What the quick one does not take: half of a surrogate pair, UTF-16.
        with suppress(ValueError, RecursionError):
            return json.loads(content)
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


def text_of(value: object) -> str:
    """Return a text as it came, empty for anything else."""
    return value if isinstance(value, str) else ""


def objects_of(value: object, what: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of a list.

    Parameters
    ----------
    value : object
        What came.
    what : str
        What it is, for the message.

    Yields
    ------
    dict[str, Any]
        Each entry.

    Raises
    ------
    JudgeError
        With kind ``server`` when it is no list of objects.
    """
    if not isinstance(value, list):
        raise JudgeError(kind="server", problem=f"the reply's {what} is no list: {one_line(value)}")
    for entry in value:
        if not isinstance(entry, dict):
            problem = f"the reply's {what} holds something else than objects: {one_line(entry)}"
            raise JudgeError(kind="server", problem=problem)
        yield entry


def alternatives_of(
    tokens: object, text: str, *, chances: str = "logprob"
) -> tuple[tuple[str, float], ...]:
    """Return the alternatives of the only visible token; none where it is not the whole text.

    Parameters
    ----------
    tokens : object
        One entry for each token, with ``token`` and ``top_logprobs``; or anything else.
    text : str
        The whole text of the reply.
    chances : str
        What an alternative's log-probability is called.

    Returns
    -------
    tuple[tuple[str, float], ...]
        Token and natural log-probability, most probable first.
    """
    first = tokens[0] if isinstance(tokens, list) and tokens else None
    if not isinstance(first, dict) or not isinstance(listed := first.get("top_logprobs"), list):
        return ()
    is_more = isinstance(tokens, list) and len(tokens) > 1
    if is_more and text_of(first.get("token")).strip() != text.strip():
        return ()
    found = [
        (entry["token"], float(entry[chances]))
        for entry in listed
        if isinstance(entry, dict)
        and isinstance(entry.get("token"), str)
        and isinstance(entry.get(chances), int | float)
        and not math.isnan(entry[chances])
    ]
    return tuple(sorted(found, key=lambda entry: -entry[1]))


def count_of(value: object) -> int | None:
    """Return a number of tokens, None for what is none."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value < _MOST_TOKENS else None


def usage_of(prompt: int | None, completion: int | None) -> Usage | None:
    """Return measured usage, None unless both of its parts are known."""
    if prompt is None or completion is None:
        return None
    return Usage(prompt, completion, is_measured=True)
