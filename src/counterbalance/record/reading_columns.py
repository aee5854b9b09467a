"""What a reply says and how it was read, as the JSON columns of ``attempts``, and back."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from counterbalance.items.frames import Slot
from counterbalance.parsing.outcome import FailureKind, Outcome, OutcomeKind
from counterbalance.presentations.reply import Reply, Usage
from counterbalance.record.json_columns import json_column, json_from_column

__all__ = ["outcome_column", "outcome_from_columns", "reply_column", "reply_from_columns"]


def outcome_column(outcome: Outcome) -> str:
    """Return column ``reading`` of an outcome: all but its kind and failure."""
    # Most rows of a log share a few dozen outcomes. Floats are left out: 0.0 and -0.0 are equal.
    if outcome.label_mass is None and outcome.log_odds_first is None:
        return _known_column(outcome)
    return _column(outcome)


@lru_cache(maxsize=1024)
def _known_column(outcome: Outcome) -> str:
    return _column(outcome)


def _column(outcome: Outcome) -> str:
    return json_column(
        {
            "rule": outcome.rule,
            "strength": outcome.strength,
            "span": outcome.span,
            "label": outcome.label,
            "fallback": outcome.fallback,
            "repairs": outcome.repairs,
            "fields": outcome.fields,
            "label_mass": _real(outcome.label_mass),
            "log_odds_first": _real(outcome.log_odds_first),
        }
    )


def outcome_from_columns(kind: str, failure: str | None, column: str) -> Outcome:
    """Return the outcome of a row of ``attempts`` from three of its columns.

    Parameters
    ----------
    kind : str
        Column ``outcome``.
    failure : str | None
        Column ``failure``.
    column : str
        Column ``reading``.

    Returns
    -------
    Outcome
        Equal to the one that was stored.
    """
    reading = json_from_column(column)
    span = reading["span"]
    return Outcome(
        kind=OutcomeKind(kind),
        rule=reading["rule"],
        strength=reading["strength"],
        failure=None if failure is None else FailureKind(failure),
        span=None if span is None else (span[0], span[1]),
        label=reading["label"],
        fallback=reading["fallback"],
        repairs=tuple(reading["repairs"]),
        fields=tuple((name, tuple(map(Slot, slots))) for name, slots in reading["fields"]),
        label_mass=_number(reading["label_mass"]),
        log_odds_first=_number(reading["log_odds_first"]),
    )


def reply_column(reply: Reply) -> str:
    """Return column ``reply`` of a reply: all but its texts and tokens."""
    if not reply.sent and not reply.token_logprobs:
        return _plain_answer(reply.finish, reply.model, reply.fingerprint)
    logprobs = [(token, _real(value)) for token, value in reply.token_logprobs]
    return _answer_column(reply.finish, reply.model, reply.fingerprint, reply.sent, logprobs)


@lru_cache(maxsize=1024)
def _plain_answer(finish: str, model: str, fingerprint: str) -> str:
    return _answer_column(finish, model, fingerprint, {}, [])


def _answer_column(
    finish: str,
    model: str,
    fingerprint: str,
    sent: dict[str, Any],
    logprobs: list[tuple[str, float | str | None]],
) -> str:
    return json_column(
        {
            "finish": finish,
            "model": model,
            "fingerprint": fingerprint,
            "sent": sent,
            "token_logprobs": logprobs,
        }
    )


def reply_from_columns(texts: tuple[str, str, str], usage: Usage | None, column: str) -> Reply:
    """Return a reply.

    Parameters
    ----------
    texts : tuple[str, str, str]
        Text, reasoning and refusal.
    usage : Usage | None
        Tokens used.
    column : str
        Column ``reply``.

    Returns
    -------
    Reply
        Equal to the one that was stored.
    """
    text, reasoning, refusal = texts
    answer = json_from_column(column)
    return Reply(
        text=text,
        finish=answer["finish"],
        reasoning=reasoning,
        refusal=refusal,
        token_logprobs=tuple((token, float(value)) for token, value in answer["token_logprobs"]),
        usage=usage,
        model=answer["model"],
        fingerprint=answer["fingerprint"],
        sent=answer["sent"],
    )


def _real(value: float | None) -> float | str | None:
    """Return a JSON value of any float: engines do report a log-probability of minus infinity."""
    return value if value is None or math.isfinite(value) else str(value)


def _number(value: float | str | None) -> float | None:
    return None if value is None else float(value)
