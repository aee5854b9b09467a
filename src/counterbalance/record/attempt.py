"""One call for a presentation, whatever happened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterbalance.parsing.outcome import Outcome
    from counterbalance.presentations.presentation import PresentationKey
    from counterbalance.presentations.reply import Reply

__all__ = ["Attempt", "StartedCall"]


@dataclass(frozen=True, slots=True)
class StartedCall:
    """A call that was recorded before it was sent.

    Attributes
    ----------
    key : PresentationKey
        What is asked.
    number : int
        Counted from 1 for each presentation.
    started_at : str
        ISO 8601 time, UTC.
    """

    key: PresentationKey
    number: int
    started_at: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """A call and what came of it.

    Attributes
    ----------
    key : PresentationKey
        What was asked.
    number : int
        Counted from 1 for each presentation.
    started_at : str
        ISO 8601 time, UTC.
    seconds : float | None
        Time until the reply or the failure; None for a lost call, and for one in a batch.
    outcome : Outcome
        How the reply was read, or why there is none.
    reply : Reply | None
        The raw reply; None when none came.
    parser : str
        Id of the verdict format that read the reply.
    problem : str
        What a failed call said, without secrets; empty for a reply.
    cost_usd : float | None
        Price by the protocol's table; None when unpriced.
    """

    key: PresentationKey
    number: int
    started_at: str
    seconds: float | None
    outcome: Outcome
    reply: Reply | None
    parser: str
    problem: str = ""
    cost_usd: float | None = None
