"""What a reviewer can answer, with the key that says it and the outcome that it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from counterbalance.parsing.outcome import Outcome, OutcomeKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from counterbalance.record.attempt import Attempt

__all__ = ["CHOICES", "EVIDENCE", "PARSER", "Choice", "answer_text", "answered_at", "outcome_of"]

PARSER = "review/1"
"""Id of the form that answers come in, where attempts of a model have a verdict format."""


class Choice(NamedTuple):
    """One answer.

    Attributes
    ----------
    key : str
        The key that gives it, and its value in the form.
    label : str
        What its button says.
    kind : OutcomeKind
        The outcome that it is.
    """

    key: str
    label: str
    kind: OutcomeKind


CHOICES = (
    Choice("1", "Response 1 is better", OutcomeKind.FIRST),
    Choice("2", "Response 2 is better", OutcomeKind.SECOND),
    Choice("3", "Equally good", OutcomeKind.TIE),
    Choice("4", "Neither is acceptable", OutcomeKind.NEITHER),
    Choice("0", "Cannot judge", OutcomeKind.INSUFFICIENT),
)
"""Every answer, in the order of the buttons."""

EVIDENCE = {
    "prompt": "The prompt or conversation",
    "source": "The source text",
    "known_answer": "The known good answer",
    "rubric": "The rubric or the requirements",
    "own_knowledge": "My own knowledge",
    "looked_up": "Something I looked up",
    "style": "Style, form or length",
}
"""What an answer can have relied on, by the name that is recorded."""

_KINDS = {choice.key: choice.kind for choice in CHOICES}


def outcome_of(key: str) -> Outcome | None:
    """Return the outcome of an answer, in slot terms.

    Parameters
    ----------
    key : str
        The key, as the form sent it.

    Returns
    -------
    Outcome | None
        None for a key that stands for no answer.

    Examples
    --------
    >>> outcome_of("3").kind
    <OutcomeKind.TIE: 'tie'>
    >>> outcome_of("7") is None
    True
    """
    kind = _KINDS.get(key)
    return None if kind is None else Outcome(kind=kind, rule=f"{PARSER}:choice", label=key)


def answer_text(choice: str, at: str, seen: Mapping[str, Any]) -> str:
    """Return an answer as it is recorded: which, when, and how its page was looked at."""
    return json.dumps({"choice": choice, "answered_at": at, "seen": dict(seen)})


def answered_at(attempt: Attempt) -> str:
    """Return when an answer was given; a case that is open in between is shown before it."""
    return "" if attempt.reply is None else str(json.loads(attempt.reply.text)["answered_at"])
