"""Planned presentations against recorded calls: nothing vanishes, and nothing is counted twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["BeyondRule", "Reconciliation", "reconciliation_value"]


@dataclass(frozen=True, slots=True)
class BeyondRule:
    """What was asked beyond the retry rule that was fixed before the first call.

    Attributes
    ----------
    presentations : int
        Presentations asked beyond it.
    calls : int
        Calls for them.
    with_verdict : int
        Presentations whose last call then gave a verdict.
    """

    presentations: int = 0
    calls: int = 0
    with_verdict: int = 0


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """Planned presentations against recorded ones.

    Attributes
    ----------
    planned : int
        Presentations of the order plan.
    with_verdict : int
        Those whose attempt that counts is a verdict.
    without_verdict : Mapping[str, int]
        Those whose attempt that counts is none, by outcome.
    not_run : int
        Those without an attempt, or without one at the raised limit where that counts.
    attempts : int
        Calls recorded, retries and lost ones included.
    retries : int
        Calls beyond the first of a presentation, lost ones not counted.
    lost : int
        Calls that never came back.
    under_way : int
        Calls that were started and have not come back yet: a run goes on, or was killed.
    unplanned : int
        Calls for presentations that no plan holds; always 0 in a sound record.
    raised : int
        Presentations that count at the raised limit, because an order of their pair was cut.
    beyond_rule : BeyondRule
        What was asked beyond the retry rule.
    """

    planned: int
    with_verdict: int
    without_verdict: Mapping[str, int]
    not_run: int
    attempts: int
    retries: int
    lost: int
    under_way: int = 0
    unplanned: int = 0
    raised: int = 0
    beyond_rule: BeyondRule = BeyondRule()

    @property
    def adds_up(self) -> bool:
        """Whether the parts, counted from the evidence, are the whole, counted from the plan."""
        parts = self.with_verdict + sum(self.without_verdict.values()) + self.not_run
        return parts == self.planned and not self.unplanned


def reconciliation_value(run: Reconciliation) -> dict[str, Any]:
    """Return the counts as a JSON value."""
    return {
        "planned": run.planned,
        "with_verdict": run.with_verdict,
        "without_verdict": dict(run.without_verdict),
        "not_run": run.not_run,
        "attempts": run.attempts,
        "retries": run.retries,
        "lost": run.lost,
        "under_way": run.under_way,
        "unplanned": run.unplanned,
        "raised": run.raised,
        "beyond_retry_rule": {
            "presentations": run.beyond_rule.presentations,
            "calls": run.beyond_rule.calls,
            "with_verdict": run.beyond_rule.with_verdict,
        },
        "adds_up": run.adds_up,
    }
