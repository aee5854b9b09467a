"""Plan and attempts joined by key: what is known of each pair, judge and labelling."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from counterbalance.dispositions.retry_rule import RetryRule, Standing
from counterbalance.presentations.presentation import (
    PlanEntry,
    Presentation,
    PresentationKey,
    Purpose,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from counterbalance.items.frames import Order
    from counterbalance.items.item import PairId
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.record.attempt import Attempt

__all__ = ["GroupId", "PairEvidence", "PresentationEvidence", "collect", "collected"]


@dataclass(frozen=True, slots=True, order=True)
class GroupId:
    """What dispositions are formed within: one judge under one slot-to-label map.

    Attributes
    ----------
    judge : str
        Name of the judge.
    labelling : str
        Name of the labelling.
    """

    judge: str
    labelling: str


@dataclass(frozen=True, slots=True)
class PresentationEvidence:
    """One planned presentation and every attempt at it.

    Attributes
    ----------
    presentation : Presentation
        What was planned.
    attempts : tuple[Attempt, ...]
        In order of their numbers; empty when it was not run.
    standing : Standing | None
        Which of them the retry rule counts; None when all are inside the rule.
    counts_beyond : bool
        Whether attempts beyond the rule count as well, which makes everything exploratory.
    """

    presentation: Presentation
    attempts: tuple[Attempt, ...]
    standing: Standing | None = None
    counts_beyond: bool = False

    @property
    def decisive(self) -> Attempt | None:
        """The attempt that counts: the last one inside the retry rule, at the limit that counts.

        The last is no choice between verdicts: only what is none is ever asked again, or both
        orders together at a raised limit.
        """
        begin = 0 if self.standing is None else self.standing.begin
        inside = self.attempts[begin:] if self.counts_beyond else self.attempts[begin : self._end]
        return inside[-1] if inside else None

    @property
    def beyond(self) -> tuple[Attempt, ...]:
        """Attempts beyond the retry rule that was fixed before the first call."""
        return self.attempts[self._end :]

    @property
    def is_raised(self) -> bool:
        """Whether only attempts at the raised limit count."""
        return self.standing is not None and self.standing.is_raised

    @property
    def _end(self) -> int:
        return len(self.attempts) if self.standing is None else self.standing.end


@dataclass(slots=True)
class PairEvidence:
    """What one group holds about one pair.

    Attributes
    ----------
    main : dict[Order, list[PresentationEvidence]]
        Presentations that enter the disposition, by order, in order of repetition.
    stability : dict[Order, list[PresentationEvidence]]
        Presentations of the repetition subset.
    """

    main: dict[Order, list[PresentationEvidence]] = field(default_factory=dict)
    stability: dict[Order, list[PresentationEvidence]] = field(default_factory=dict)


def collect(
    plan: Sequence[PlanEntry],
    attempts: Iterable[Attempt],
    protocol: Protocol,
    *,
    counts_beyond: bool = False,
) -> dict[GroupId, dict[PairId, PairEvidence]]:
    """Join attempts to the plan by key, never by position.

    Parameters
    ----------
    plan : Sequence[PlanEntry]
        Every planned presentation.
    attempts : Iterable[Attempt]
        Every finished attempt, in any order.
    protocol : Protocol
        Holds the retry rule, which says what counts.
    counts_beyond : bool
        Whether attempts beyond the rule count as well.

    Returns
    -------
    dict[GroupId, dict[PairId, PairEvidence]]
        One entry for every planned presentation, with or without attempts.
    """
    groups: dict[GroupId, dict[PairId, PairEvidence]] = {}
    for entry, found in collected(plan, attempts, protocol, counts_beyond=counts_beyond):
        if entry.purpose is Purpose.STRATEGY:
            continue
        shown = entry.presentation
        pair = groups.setdefault(GroupId(shown.judge, shown.labelling), {}).setdefault(
            shown.pair_id, PairEvidence()
        )
        held = pair.main if entry.purpose is Purpose.MAIN else pair.stability
        held.setdefault(shown.order, []).append(found)
    return groups


def collected(
    plan: Sequence[PlanEntry],
    attempts: Iterable[Attempt],
    protocol: Protocol,
    *,
    counts_beyond: bool = False,
) -> Iterator[tuple[PlanEntry, PresentationEvidence]]:
    """Yield every planned presentation with its attempts, joined by key and never by position.

    Parameters
    ----------
    plan : Sequence[PlanEntry]
        Every planned presentation.
    attempts : Iterable[Attempt]
        Every finished attempt, in any order.
    protocol : Protocol
        Holds the retry rule, which says what counts.
    counts_beyond : bool
        Whether attempts beyond the rule count as well.

    Yields
    ------
    tuple[PlanEntry, PresentationEvidence]
        In the order of the plan.
    """
    by_key: dict[PresentationKey, list[Attempt]] = {}
    for attempt in attempts:
        by_key.setdefault(attempt.key, []).append(attempt)
    for made in by_key.values():
        made.sort(key=lambda attempt: attempt.number)
    rule = RetryRule(protocol, (entry.presentation for entry in plan))
    for entry in plan:
        shown = entry.presentation
        standing = rule.standing(shown, lambda key: [a.outcome for a in by_key.get(key, ())])
        found = tuple(by_key.get(shown.key, ()))
        yield entry, PresentationEvidence(shown, found, standing, counts_beyond)
