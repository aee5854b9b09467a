"""What is to be asked, and asked again: under the retry rule, and beyond it where one insists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.dispositions.retry_rule import NOT_SERVED, RetryRule, Standing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from counterbalance.parsing.outcome import Outcome
    from counterbalance.presentations.presentation import Presentation, PresentationKey

__all__ = ["Retrying"]


class Retrying:
    """The retry rule over what is recorded so far.

    Parameters
    ----------
    rule : RetryRule
        The rule.
    outcomes : Mapping[PresentationKey, Sequence[Outcome]]
        Outcomes of the finished attempts, in order; looked at anew with every question.
    """

    def __init__(
        self, rule: RetryRule, outcomes: Mapping[PresentationKey, Sequence[Outcome]]
    ) -> None:
        self._rule = rule
        self._outcomes = outcomes

    def standing(self, presentation: Presentation) -> Standing:
        """Return where a presentation stands under the rule."""
        return self._rule.standing(presentation, self._made)

    def limit(self, presentation: Presentation) -> int | None:
        """Return the raised limit that the next call is made with; None for the declared one."""
        limit = self._rule.limit(presentation.judge)
        return limit if limit is not None and self.standing(presentation).is_raised else None

    def due(self, work: Sequence[Presentation]) -> list[Presentation]:
        """Return the presentations that must be asked, or asked again, now."""
        return [p for p in work if self.standing(p).is_due]

    def open(self, work: Sequence[Presentation]) -> list[Presentation]:
        """Return what is due, and what may become due because its partner is asked."""
        return [p for p in work if not self.standing(p).is_settled]

    def n_outstanding(self, work: Sequence[Presentation]) -> int:
        """Count the presentations that need a call, now or once their partner was asked."""
        found = (self.standing(p) for p in work)
        return sum(standing.is_due or standing.is_waiting for standing in found)

    def used_up(self, work: Sequence[Presentation]) -> list[Presentation]:
        """Return the presentations that only a call beyond the rule could bring a verdict.

        Parameters
        ----------
        work : Sequence[Presentation]
            Every planned presentation, in the order of work.

        Returns
        -------
        list[Presentation]
            Those whose last outcome the rule names, and whose attempts are used up.
        """
        return [p for p in work if self._is_used_up(p)]

    def left_behind(self, presentation: Presentation) -> Presentation | None:
        """Return the partner that must follow to the raised limit now that this one is at it.

        To be asked by the order that got there by itself: that is the one that was settled last.
        It goes on at the raised limit and takes the other one along, which had found nothing to
        do, so that nothing is asked twice.

        Parameters
        ----------
        presentation : Presentation
            What was just asked.

        Returns
        -------
        Presentation | None
            The partner, or None when there is nothing to ask of it.
        """
        partner = self._rule.partner(presentation)
        if partner is None or not self.standing(presentation).is_raised:
            return None
        return partner if self.standing(partner).is_due else None

    def _made(self, key: PresentationKey) -> Sequence[Outcome]:
        return self._outcomes.get(key, ())

    def _is_used_up(self, presentation: Presentation) -> bool:
        standing = self.standing(presentation)
        counted = self._made(presentation.key)[standing.begin :]
        served = [outcome for outcome in counted if outcome.failure not in NOT_SERVED]
        return standing.is_settled and bool(served) and self._rule.names(served[-1])
