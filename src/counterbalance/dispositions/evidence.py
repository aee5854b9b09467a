"""Plan and attempts joined by key: what is known of each pair, judge and labelling."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from counterbalance.presentations.presentation import (
    PlanEntry,
    Presentation,
    PresentationKey,
    Purpose,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from counterbalance.items.frames import Order
    from counterbalance.items.item import PairId
    from counterbalance.record.attempt import Attempt

__all__ = ["GroupId", "PairEvidence", "PresentationEvidence", "collect"]


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
    """

    presentation: Presentation
    attempts: tuple[Attempt, ...]

    @property
    def decisive(self) -> Attempt | None:
        """The attempt that counts: the last, since only non-verdicts are ever retried."""
        return self.attempts[-1] if self.attempts else None


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
    plan: Iterable[PlanEntry], attempts: Iterable[Attempt]
) -> dict[GroupId, dict[PairId, PairEvidence]]:
    """Join attempts to the plan by key, never by position.

    Parameters
    ----------
    plan : Iterable[PlanEntry]
        Every planned presentation.
    attempts : Iterable[Attempt]
        Every finished attempt, in any order.

    Returns
    -------
    dict[GroupId, dict[PairId, PairEvidence]]
        One entry for every planned presentation, with or without attempts.
    """
    by_key: dict[PresentationKey, list[Attempt]] = {}
    for attempt in attempts:
        by_key.setdefault(attempt.key, []).append(attempt)
    groups: dict[GroupId, dict[PairId, PairEvidence]] = {}
    for entry in plan:
        shown = entry.presentation
        found = sorted(by_key.get(shown.key, ()), key=lambda attempt: attempt.number)
        pair = groups.setdefault(GroupId(shown.judge, shown.labelling), {}).setdefault(
            shown.pair_id, PairEvidence()
        )
        held = pair.main if entry.purpose is Purpose.MAIN else pair.stability
        held.setdefault(shown.order, []).append(PresentationEvidence(shown, tuple(found)))
    return groups
