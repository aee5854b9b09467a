"""What one reply says, in slot terms: a verdict, or one typed reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from counterbalance.items.frames import Slot

__all__ = ["VERDICT_OUTCOMES", "FailureKind", "Outcome", "OutcomeKind"]


class OutcomeKind(StrEnum):
    """The classes that every reply falls into, exactly one each."""

    FIRST = "first"
    """The answer shown first wins."""
    SECOND = "second"
    """The answer shown second wins."""
    TIE = "tie"
    """An explicit tie."""
    NEITHER = "neither"
    """Both answers are unacceptable."""
    INSUFFICIENT = "insufficient"
    """The evidence does not allow a verdict."""
    CONFLICTING = "conflicting"
    """Two different final verdicts."""
    OFF_SCALE = "off_scale"
    """A label that was not offered."""
    UNPARSED = "unparsed"
    """No verdict in the declared format."""
    EMPTY = "empty"
    """Nothing but white space."""
    TRUNCATED = "truncated"
    """Cut at the length limit, or reasoning that was never closed."""
    REFUSED = "refused"
    """The judge or a content filter declined."""
    TOO_LONG = "too_long"
    """The request would not fit; nothing was sent and nothing cut."""
    FAILED = "failed"
    """No reply came back; the kind says why."""


VERDICT_OUTCOMES = frozenset(
    {
        OutcomeKind.FIRST,
        OutcomeKind.SECOND,
        OutcomeKind.TIE,
        OutcomeKind.NEITHER,
        OutcomeKind.INSUFFICIENT,
    }
)
"""Outcomes that are verdicts; no retry rule may name one."""


class FailureKind(StrEnum):
    """Why a call brought no reply."""

    TIMEOUT = "timeout"
    RATE_LIMITED = "rate_limited"
    SERVER = "server"
    NETWORK = "network"
    AUTH = "auth"
    QUOTA = "quota"
    BAD_REQUEST = "bad_request"
    CANCELLED = "cancelled"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One reading of one reply.

    Attributes
    ----------
    kind : OutcomeKind
        The class.
    rule : str
        Name of the rule that decided, such as ``bracket/1:last``.
    strength : Literal["much", "slightly"] | None
        Strength of a win, where the scale has one.
    failure : FailureKind | None
        Kind of a failed call; None unless ``kind`` is FAILED.
    span : tuple[int, int] | None
        Start and end of the deciding text in the reply as received; None when no text decided.
    label : str
        The label as read, after normalisation; empty when none was.
    fallback : str
        Id of the format that was fallen back to; empty when the declared one was read.
    repairs : tuple[str, ...]
        Tolerated faults of the reply, such as ``control_characters``.
    fields : tuple[tuple[str, tuple[Slot, ...]], ...]
        Declared extra fields that were readable: name and the slots that break the requirement.
    label_mass : float | None
        Total probability of all offered labels, where log-probabilities were given.
    log_odds_first : float | None
        Natural log-odds of the first slot's label against the second's, where both were given.
    """

    kind: OutcomeKind
    rule: str
    strength: Literal["much", "slightly"] | None = None
    failure: FailureKind | None = None
    span: tuple[int, int] | None = None
    label: str = ""
    fallback: str = ""
    repairs: tuple[str, ...] = ()
    fields: tuple[tuple[str, tuple[Slot, ...]], ...] = ()
    label_mass: float | None = None
    log_odds_first: float | None = None

    @property
    def is_verdict(self) -> bool:
        """Whether the outcome is a verdict."""
        return self.kind in VERDICT_OUTCOMES
