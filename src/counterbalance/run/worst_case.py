"""The most that a judge can be asked: every call retried as often as the rule allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.presentations.reply import Usage

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from counterbalance.protocol.protocol import Retry

__all__ = ["WorstCase", "total", "worst_case"]


@dataclass(frozen=True, slots=True)
class WorstCase:
    """Upper bounds for one judge; each is reached, though not by the same course of events.

    Attributes
    ----------
    calls : int
        Calls.
    prompt_tokens : int
        Estimate for their prompts.
    completion_tokens : int
        Upper estimate for their replies.
    """

    calls: int
    prompt_tokens: int
    completion_tokens: int

    @property
    def usage(self) -> Usage:
        """Both kinds of tokens, as prices take them."""
        return Usage(self.prompt_tokens, self.completion_tokens, is_measured=False)


def worst_case(
    retry: Retry,
    raised: int | None,
    *,
    alone: Sequence[int],
    coupled: Sequence[int],
    per_reply: int,
) -> WorstCase:
    """Return the most that a judge can be asked, lost calls and those beyond the rule apart.

    A presentation is asked ``max_attempts`` times at most. An order whose partner was cut is asked
    once more at the raised limit even where it had used them all.

    Parameters
    ----------
    retry : Retry
        The retry rule.
    raised : int | None
        Limit that a cut reply is asked again with; None where the judge has none to raise.
    alone : Sequence[int]
        Prompt tokens of each presentation that stays alone.
    coupled : Sequence[int]
        Prompt tokens of each couple of orders that would be raised together, one prompt of the two.
    per_reply : int
        Tokens of a reply at the declared limit.

    Returns
    -------
    WorstCase
        The bounds.

    Examples
    --------
    >>> from counterbalance.protocol.protocol import Retry
    >>> rule = Retry(outcomes=("truncated",), max_attempts=2, raise_max_tokens_to=400)
    >>> worst_case(rule, 400, alone=[], coupled=[50], per_reply=100)
    WorstCase(calls=5, prompt_tokens=250, completion_tokens=1100)
    """
    most = retry.max_attempts
    limit = per_reply if raised is None else raised
    cut = per_reply + (most - 1) * limit
    partner = max(cut, most * per_reply + limit)
    return WorstCase(
        calls=most * len(alone) + (2 * most + 1) * len(coupled),
        prompt_tokens=most * sum(alone) + (2 * most + 1) * sum(coupled),
        completion_tokens=cut * len(alone) + (cut + partner) * len(coupled),
    )


def total(cases: Iterable[WorstCase]) -> WorstCase:
    """Return the bounds of several prompts together, which one judge is asked under."""
    found = list(cases)
    return WorstCase(
        calls=sum(case.calls for case in found),
        prompt_tokens=sum(case.prompt_tokens for case in found),
        completion_tokens=sum(case.completion_tokens for case in found),
    )
