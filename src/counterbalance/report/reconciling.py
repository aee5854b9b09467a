"""Presentations of a record, counted from its plan and from its calls."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from counterbalance.parsing.outcome import FailureKind
from counterbalance.report.reconciliation import BeyondRule, Reconciliation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.record.attempt import Attempt
    from counterbalance.report.evidence import Evidence

__all__ = ["reconciliation_of"]


def reconciliation_of(evidence: Evidence) -> Reconciliation:
    """Count planned and recorded presentations.

    Parameters
    ----------
    evidence : Evidence
        What the record holds, from `read_evidence`.

    Returns
    -------
    Reconciliation
        Over unique presentations; one that serves two purposes was planned and asked once.
    """
    planned = {
        shown.presentation.key: shown
        for pairs in evidence.groups.values()
        for judged in pairs
        for held in (judged.evidence.main, judged.evidence.stability)
        for presentations in held.values()
        for shown in presentations
    }
    for strategy in (*evidence.strategies, *evidence.on_probes):
        planned |= {shown.presentation.key: shown for shown in strategy.presentations()}
    unique = planned.values()
    last = [shown.decisive.outcome for shown in unique if shown.decisive is not None]
    without = Counter(
        f"failed:{o.failure}" if o.failure else o.kind.value for o in last if not o.is_verdict
    )
    made = sum(len(shown.attempts) for shown in unique)
    lost = [_lost(shown.attempts) for shown in unique]
    asked = sum(len(shown.attempts) > n for shown, n in zip(unique, lost, strict=True))
    return Reconciliation(
        planned=evidence.n_planned,
        with_verdict=sum(o.is_verdict for o in last),
        without_verdict=dict(sorted(without.items())),
        not_run=len(unique) - len(last),
        attempts=made,
        retries=made - sum(lost) - asked,
        lost=sum(lost),
        under_way=evidence.n_under_way,
        unplanned=evidence.n_unplanned,
        raised=sum(shown.is_raised for shown in unique),
        beyond_rule=_beyond([shown.beyond for shown in unique if shown.beyond]),
    )


def _beyond(found: Sequence[Sequence[Attempt]]) -> BeyondRule:
    return BeyondRule(
        presentations=len(found),
        calls=sum(map(len, found)),
        with_verdict=sum(attempts[-1].outcome.is_verdict for attempts in found),
    )


def _lost(attempts: Sequence[Attempt]) -> int:
    return sum(1 for attempt in attempts if attempt.outcome.failure is FailureKind.LOST)
