"""What a call came to when the source took no verdict from its reply."""

from __future__ import annotations

from counterbalance.importers.judgment import source_outcome
from counterbalance.parsing.outcome import FailureKind, Outcome, OutcomeKind

__all__ = ["NO_REPLY", "unread"]

_API_ERROR = "$ERROR$"
NO_REPLY = source_outcome(OutcomeKind.FAILED, None, FailureKind.LOST)
"""Outcome of a call that brought no reply, for a reason that the log does not tell."""


def unread(reply: str | None) -> Outcome:
    """Return the outcome of a call whose reply gave the source no verdict.

    Parameters
    ----------
    reply : str | None
        The reply; None when the log keeps none.

    Returns
    -------
    Outcome
        FAILED for the mark that FastChat and its heirs write when every call failed, EMPTY for a
        blank reply, else UNPARSED.

    Examples
    --------
    >>> unread("$ERROR$").kind.value, unread(" ").kind.value, unread("Both are fine.").kind.value
    ('failed', 'empty', 'unparsed')
    """
    if reply is None:
        return source_outcome(OutcomeKind.UNPARSED)
    stripped = reply.strip()
    if not stripped:
        return source_outcome(OutcomeKind.EMPTY)
    return NO_REPLY if stripped == _API_ERROR else source_outcome(OutcomeKind.UNPARSED)
