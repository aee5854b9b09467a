"""The retry rule over attempts: what is still to be asked, which attempt counts, what lies beyond.

A run asks by it and a report counts by it, so that the two cannot disagree. The attempts of a
presentation are read in order: those at the declared limit, those at the raised one where the
presentation or its partner was cut, and those beyond the rule, which count for nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from counterbalance.parsing.outcome import FailureKind, Outcome, OutcomeKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from counterbalance.presentations.presentation import Presentation, PresentationKey
    from counterbalance.protocol.protocol import Protocol

__all__ = ["NOT_SERVED", "RetryRule", "Standing", "calls_that_count"]

NOT_SERVED = frozenset({FailureKind.LOST, FailureKind.AUTH, FailureKind.QUOTA})
"""Failures in which nobody is known to have looked at the question: they use up no attempt."""


def calls_that_count(outcomes: Sequence[Outcome]) -> int:
    """Return how many calls were served, with a reply or a failure: lost ones do not count."""
    return sum(1 for outcome in outcomes if outcome.failure not in NOT_SERVED)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one presentation stands under the retry rule.

    Attributes
    ----------
    begin : int
        Attempts before those at the limit that counts.
    end : int
        Attempts up to and with the last one inside the rule; any further one lies beyond it.
    is_due : bool
        Whether it must be asked (again) now.
    is_waiting : bool
        Whether it will be asked again at the raised limit, once its partner has been asked.
    is_raised : bool
        Whether only attempts at the raised limit count.
    is_settled : bool
        Whether neither it nor its partner needs another call.
    """

    begin: int = 0
    end: int = 0
    is_due: bool = False
    is_waiting: bool = False
    is_raised: bool = False
    is_settled: bool = False


_NOT_ASKED = Standing(is_due=True)
_ASKED_ONCE = Standing(0, 1, is_settled=True)


class _Course(NamedTuple):
    """A row of attempts at one limit: where it ends, and how."""

    end: int
    n_served: int
    is_settled: bool
    is_cut: bool = False


class RetryRule:
    """The retry rule of a protocol over its presentations.

    Parameters
    ----------
    protocol : Protocol
        Declares the rule.
    presentations : Iterable[Presentation]
        Every planned presentation; repeats do no harm.
    """

    def __init__(self, protocol: Protocol, presentations: Iterable[Presentation]) -> None:
        # Loads the settings of every judge, which the audit of a log has no use for.
        from counterbalance.protocol.raising import raised_limit  # noqa: PLC0415

        self._named = frozenset(map(OutcomeKind, protocol.retry.outcomes))
        self._most = protocol.retry.max_attempts
        limits = {judge.name: raised_limit(judge, protocol.retry) for judge in protocol.judges}
        self._limits = {name: limit for name, limit in limits.items() if limit is not None}
        self._partners = _partners(p for p in presentations if p.judge in self._limits)

    def standing(
        self, presentation: Presentation, outcomes: Callable[[PresentationKey], Sequence[Outcome]]
    ) -> Standing:
        """Return where a presentation stands.

        Parameters
        ----------
        presentation : Presentation
            One of the planned ones.
        outcomes : Callable[[PresentationKey], Sequence[Outcome]]
            Gives the outcomes of the finished attempts at a presentation, in order.

        Returns
        -------
        Standing
            Which attempts count, and what is still to be asked.
        """
        own = outcomes(presentation.key)
        can_raise = presentation.judge in self._limits
        partner = self.partner(presentation) if can_raise else None
        others = () if partner is None else outcomes(partner.key)
        if not own and not others:
            return _NOT_ASKED
        if self._is_once(own) and (partner is None or self._is_once(others)):
            return _ASKED_ONCE
        first = self._course(own, 0, self._most, ends_when_cut=can_raise)
        other = self._course(others, 0, self._most, ends_when_cut=True) if partner else first
        is_settled = first.is_settled and other.is_settled
        if not (first.is_cut or other.is_cut):
            return Standing(0, first.end, is_due=not first.is_settled, is_settled=is_settled)
        if not is_settled:
            return Standing(0, first.end, is_due=not first.is_settled, is_waiting=first.is_settled)
        again = self._course(own, first.end, self._left(first))
        after = self._course(others, other.end, self._left(other)) if partner else again
        return Standing(
            begin=first.end,
            end=again.end,
            is_due=not again.is_settled,
            is_raised=True,
            is_settled=again.is_settled and after.is_settled,
        )

    def partner(self, presentation: Presentation) -> Presentation | None:
        """Return the other order of a presentation, where its judge has a limit to raise."""
        return self._partners.get(presentation.key)

    def limit(self, judge: str) -> int | None:
        """Return the limit that a judge is asked with after a reply was cut, if there is one."""
        return self._limits.get(judge)

    def names(self, outcome: Outcome) -> bool:
        """Say whether the rule names an outcome; it never names a verdict."""
        return outcome.kind in self._named

    def _is_once(self, outcomes: Sequence[Outcome]) -> bool:
        """Say whether one attempt was all that it took, as for nearly every presentation."""
        return (
            len(outcomes) == 1
            and outcomes[0].kind not in self._named
            and outcomes[0].failure not in NOT_SERVED
        )

    def _left(self, course: _Course) -> int:
        """Return the attempts that are left for the raised limit: one at least."""
        return max(1, self._most - course.n_served)

    def _course(
        self, outcomes: Sequence[Outcome], begin: int, most: int, *, ends_when_cut: bool = False
    ) -> _Course:
        """Follow the attempts from one on, until the rule asks for no other one at their limit."""
        n = 0
        for i in range(begin, len(outcomes)):
            outcome = outcomes[i]
            if outcome.failure in NOT_SERVED:
                continue
            n += 1
            if outcome.kind not in self._named or n == most:
                return _Course(i + 1, n, is_settled=True)
            if ends_when_cut and outcome.kind is OutcomeKind.TRUNCATED:
                return _Course(i + 1, n, is_settled=True, is_cut=True)
        return _Course(len(outcomes), n, is_settled=False)


def _partners(presentations: Iterable[Presentation]) -> dict[PresentationKey, Presentation]:
    """Map each presentation to the one that differs from it in the order only."""
    together: dict[tuple[object, ...], dict[PresentationKey, Presentation]] = {}
    for shown in presentations:
        same = (
            shown.pair_id,
            shown.labelling,
            shown.judge_digest,
            shown.judge,
            shown.repetition,
            shown.prompt,
        )
        together.setdefault(same, {})[shown.key] = shown
    return {
        key: other
        for couple in together.values()
        for key in couple
        for other in couple.values()
        if other.key != key
    }
