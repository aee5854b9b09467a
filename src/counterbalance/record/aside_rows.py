"""Replies that are no verdicts to rows and back, and the hashes that keep them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from counterbalance.errors import RecordError, one_line
from counterbalance.parsing.outcome import FailureKind
from counterbalance.presentations.reply import Usage
from counterbalance.record.aside import AsideCall, AsideKind, AsideReply, AskedAside
from counterbalance.record.aside_tables import REPLY_COLUMNS
from counterbalance.record.encoding import (
    TextRow,
    checked_count,
    finite_amount,
    kept_text,
    text_digest,
    text_from_bytes,
)
from counterbalance.record.reading_columns import reply_column, reply_from_columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.record.connection import Connection

__all__ = ["ReplyRow", "reply_digest", "reply_row", "stored_asides"]

_ASIDES = "SELECT number, key, kind, subject, model FROM asides ORDER BY number"
_CALLS = f"""SELECT aside_calls.aside, aside_calls.number, aside_calls.started_at,
    {", ".join(f"aside_replies.{column}" for column in REPLY_COLUMNS)},
    reply.content, reasoning.content, refusal.content, problem.content
    FROM aside_calls
    LEFT JOIN aside_replies ON aside_replies.call = aside_calls.id
    LEFT JOIN texts AS reply ON reply.digest = aside_replies.reply_text
    LEFT JOIN texts AS reasoning ON reasoning.digest = aside_replies.reasoning_text
    LEFT JOIN texts AS refusal ON refusal.digest = aside_replies.refusal_text
    LEFT JOIN texts AS problem ON problem.digest = aside_replies.problem_text
    ORDER BY aside_calls.aside, aside_calls.number"""  # noqa: S608 (names of our own columns)
_CALL_COLUMNS = 3
_BODIES = _CALL_COLUMNS + len(REPLY_COLUMNS)


class ReplyRow(NamedTuple):
    """A reply as it is stored.

    Attributes
    ----------
    values : tuple[Any, ...]
        As `REPLY_COLUMNS`, the digest last.
    texts : tuple[TextRow, ...]
        The texts that the values name by digest.
    """

    values: tuple[Any, ...]
    texts: tuple[TextRow, ...]


def reply_row(key: str, number: int, said: AsideReply) -> ReplyRow:
    """Return what came of a call as it is stored.

    Parameters
    ----------
    key : str
        Key of the request.
    number : int
        Number of the call.
    said : AsideReply
        What came of it.

    Returns
    -------
    ReplyRow
        Values and texts.

    Raises
    ------
    RecordError
        If a value cannot be stored.
    """
    reply = said.reply
    usage = None if reply is None else reply.usage
    texts: list[TextRow] = []
    try:
        values = (
            said.started_at,
            finite_amount(said.seconds),
            None if said.failure is None else said.failure.value,
            None if reply is None else reply_column(reply),
            None if reply is None else kept_text(reply.text, texts),
            None if reply is None else kept_text(reply.reasoning, texts),
            None if reply is None else kept_text(reply.refusal, texts),
            kept_text(said.problem, texts),
            None if usage is None else checked_count(usage.prompt_tokens),
            None if usage is None else checked_count(usage.completion_tokens),
            None if usage is None else int(usage.is_measured),
            finite_amount(said.cost_usd),
        )
        digest = reply_digest(key, number, values)
    except (ValueError, TypeError, RecursionError) as error:
        msg = f"aside {key}: call {number} cannot be recorded: {one_line(error, 200)}"
        raise RecordError(msg) from None
    return ReplyRow((*values, digest), tuple(texts))


def reply_digest(key: str, number: int, values: tuple[Any, ...]) -> str:
    """Return the tagged hash of a reply: key and number of its call, and values, joined by NUL.

    Parameters
    ----------
    key : str
        Key of the request.
    number : int
        Number of the call.
    values : tuple[Any, ...]
        As `REPLY_COLUMNS`, without the digest; an absent one counts as empty.

    Returns
    -------
    str
        The digest.
    """
    shown = ["" if value is None else str(value) for value in values]
    return text_digest("\0".join([key, str(number), *shown]).encode(), "aside-reply/1")


def stored_asides(connection: Connection) -> Iterator[AskedAside]:
    """Yield every request with its calls, in the order they were planned."""
    calls: dict[int, list[AsideCall]] = {}
    for row in connection.execute(_CALLS):
        aside, number, started_at = row[:_CALL_COLUMNS]
        values = row[_CALL_COLUMNS:_BODIES]
        reply = None if values[-1] is None else _reply(values, row[_BODIES:])
        calls.setdefault(aside, []).append(AsideCall(number, started_at, reply))
    for number, key, kind, subject, model in connection.execute(_ASIDES):
        yield AskedAside(key, AsideKind(kind), subject, model, tuple(calls.get(number, ())))


def _reply(values: tuple[Any, ...], bodies: tuple[bytes | None, ...]) -> AsideReply:
    started_at, seconds, failure, answer = values[:4]
    prompt_tokens, completion_tokens, is_measured, cost_usd = values[8:12]
    text, reasoning, refusal, problem = map(text_from_bytes, bodies)
    usage = None
    if is_measured is not None:
        usage = Usage(prompt_tokens, completion_tokens, bool(is_measured))
    texts = (text, reasoning, refusal)
    return AsideReply(
        started_at=started_at,
        seconds=seconds,
        failure=None if failure is None else FailureKind(failure),
        reply=None if answer is None else reply_from_columns(texts, usage, answer),
        problem=problem,
        cost_usd=cost_usd,
    )
