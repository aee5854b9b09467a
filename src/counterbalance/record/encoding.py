"""Attempts to rows and back, with nothing lost: any text, any log-probability.

Texts that came from outside go to ``texts`` as UTF-8 bytes in which a lone surrogate keeps three
bytes of its own, so NUL and broken text survive. The rest of a reply and of an outcome is JSON:
`counterbalance.record.reading_columns`.
"""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any, NamedTuple

from counterbalance.errors import RecordError, one_line
from counterbalance.items.hashing import canonical_json
from counterbalance.items.item import Message
from counterbalance.presentations.presentation import PresentationKey
from counterbalance.presentations.reply import Usage
from counterbalance.record.attempt import Attempt
from counterbalance.record.json_columns import is_unicode
from counterbalance.record.reading_columns import (
    outcome_column,
    outcome_from_columns,
    reply_column,
    reply_from_columns,
)

__all__ = [
    "PROMPT_TAG",
    "TEXT_TAG",
    "AttemptRow",
    "TextRow",
    "attempt_digest",
    "attempt_from_row",
    "attempt_row",
    "check_call",
    "checked_count",
    "finite_amount",
    "kept_text",
    "prompt_from_bytes",
    "prompt_row",
    "text_digest",
    "text_from_bytes",
    "text_row",
]

TEXT_TAG = "text/1"
PROMPT_TAG = "prompt/1"

_ATTEMPT_TAG = "attempt/1"
_DIGEST_BYTES = 20
_LARGEST_INTEGER = 2**63 - 1
_BODIES = slice(7, 11)

TextRow = tuple[str, str, bytes]
"""Digest, tag and content, as in ``texts``."""


class AttemptRow(NamedTuple):
    """An attempt as it is stored.

    Attributes
    ----------
    values : tuple[Any, ...]
        As `counterbalance.record.schema.ATTEMPT_COLUMNS`, the digest last.
    texts : tuple[TextRow, ...]
        The texts that the values name by digest.
    """

    values: tuple[Any, ...]
    texts: tuple[TextRow, ...]


def text_digest(content: bytes, tag: str = TEXT_TAG) -> str:
    """Return the tagged hash of bytes, which for a canonical JSON text is its `tagged_hash`."""
    hashed = hashlib.blake2b(tag.encode() + b"\0" + content, digest_size=_DIGEST_BYTES)
    return "b2:" + hashed.hexdigest()


def text_row(text: str) -> TextRow:
    """Return the row of a text."""
    content = text.encode("utf-8", "surrogatepass")
    return text_digest(content), TEXT_TAG, content


def text_from_bytes(content: bytes | None) -> str:
    """Return the text of a row's content; the empty text has no row."""
    return "" if content is None else content.decode("utf-8", "surrogatepass")


def prompt_row(prompt: tuple[Message, ...]) -> TextRow:
    """Return the row of a rendered prompt; its digest is the prompt's own."""
    messages = [[m.role, m.content] for m in prompt]
    content = canonical_json(messages).encode("utf-8", "surrogatepass")
    return text_digest(content, PROMPT_TAG), PROMPT_TAG, content


def prompt_from_bytes(content: bytes) -> tuple[Message, ...]:
    """Return the messages of a prompt's row."""
    messages = json.loads(content.decode("utf-8", "surrogatepass"))
    return tuple(Message(role, text) for role, text in messages)


def check_call(key: str, number: int, started_at: str) -> None:
    """Refuse what no row can hold, before it waits for the writer.

    Parameters
    ----------
    key : str
        Key of the presentation.
    number : int
        Number of the call.
    started_at : str
        When it started.

    Raises
    ------
    RecordError
        If the number is out of range or a text is no Unicode text.
    """
    if not 1 <= number <= _LARGEST_INTEGER or not is_unicode(key + started_at):
        msg = f"presentation {one_line(key)}: no call can have number {number} and this key or time"
        raise RecordError(msg)


def attempt_row(attempt: Attempt) -> AttemptRow:
    """Return an attempt as it is stored.

    Parameters
    ----------
    attempt : Attempt
        The attempt.

    Returns
    -------
    AttemptRow
        Values and texts.

    Raises
    ------
    RecordError
        If a value cannot be stored, such as a parameter that is no JSON.
    """
    check_call(attempt.key, attempt.number, attempt.started_at)
    reply = attempt.reply
    usage = None if reply is None else reply.usage
    texts: list[TextRow] = []
    try:
        values = (
            attempt.started_at,
            finite_amount(attempt.seconds),
            attempt.outcome.kind.value,
            None if attempt.outcome.failure is None else attempt.outcome.failure.value,
            outcome_column(attempt.outcome),
            attempt.parser,
            None if reply is None else reply_column(reply),
            None if reply is None else kept_text(reply.text, texts),
            None if reply is None else kept_text(reply.reasoning, texts),
            None if reply is None else kept_text(reply.refusal, texts),
            kept_text(attempt.problem, texts),
            None if usage is None else checked_count(usage.prompt_tokens),
            None if usage is None else checked_count(usage.completion_tokens),
            None if usage is None else int(usage.is_measured),
            finite_amount(attempt.cost_usd),
        )
        digest = attempt_digest(attempt.key, attempt.number, values)
    except (ValueError, TypeError, RecursionError) as error:
        msg = (
            f"presentation {attempt.key}: attempt {attempt.number} cannot be recorded:"
            f" {one_line(error, 200)}"
        )
        raise RecordError(msg) from None
    return AttemptRow((*values, digest), tuple(texts))


def attempt_digest(key: str, number: int, values: tuple[Any, ...]) -> str:
    """Return the tagged hash of an attempt: its key, number and values, joined by NUL.

    Parameters
    ----------
    key : str
        Key of the presentation.
    number : int
        Number of the call.
    values : tuple[Any, ...]
        As in `AttemptRow`, without the digest; an absent one counts as empty.

    Returns
    -------
    str
        The digest.
    """
    shown = ["" if value is None else str(value) for value in values]
    return text_digest("\0".join([key, str(number), *shown]).encode(), _ATTEMPT_TAG)


def attempt_from_row(
    key: str, number: int, values: tuple[Any, ...], bodies: tuple[bytes | None, ...]
) -> Attempt:
    """Return the attempt of a row.

    Parameters
    ----------
    key : str
        Key of the presentation.
    number : int
        Number of the call.
    values : tuple[Any, ...]
        As in `AttemptRow`.
    bodies : tuple[bytes | None, ...]
        Contents of the texts that the values name: reply, reasoning, refusal, problem.

    Returns
    -------
    Attempt
        Equal to the one that was stored.
    """
    started_at, seconds, kind, failure, reading, parser, answer = values[: _BODIES.start]
    prompt_tokens, completion_tokens, is_measured, cost_usd = values[_BODIES.stop : -1]
    text, reasoning, refusal, problem = map(text_from_bytes, bodies)
    usage = None
    if is_measured is not None:
        usage = Usage(prompt_tokens, completion_tokens, bool(is_measured))
    return Attempt(
        key=PresentationKey(key),
        number=number,
        started_at=started_at,
        seconds=seconds,
        outcome=outcome_from_columns(kind, failure, reading),
        reply=None
        if answer is None
        else reply_from_columns((text, reasoning, refusal), usage, answer),
        parser=parser,
        problem=problem,
        cost_usd=cost_usd,
    )


def kept_text(text: str, texts: list[TextRow]) -> str | None:
    """Return the digest of a text and add its row; None for the empty text, which has none."""
    if not text:
        return None
    row = text_row(text)
    texts.append(row)
    return row[0]


def finite_amount(amount: float | None) -> float | None:
    """Return an amount as a column holds it; a ValueError refuses what is not finite."""
    if amount is None:
        return None
    if not math.isfinite(amount):
        msg = f"{amount} is no finite number"
        raise ValueError(msg)
    return float(amount) + 0.0  # a negative zero would come back as zero and not fit the digest


def checked_count(tokens: int) -> int:
    """Return a number of tokens as a column holds it; a ValueError refuses one out of range."""
    if not -_LARGEST_INTEGER <= tokens <= _LARGEST_INTEGER:
        msg = f"{tokens} tokens are out of range"
        raise ValueError(msg)
    return int(tokens)
