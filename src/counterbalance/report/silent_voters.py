"""Voters of a strategy that never gave a verdict: what the strategy then rests on is less."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from counterbalance.errors import one_line
from counterbalance.report.layout import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.dispositions.combining import VoterEvidence
    from counterbalance.dispositions.evidence import PresentationEvidence
    from counterbalance.report.evidence import Evidence

__all__ = ["silent_voters"]


def silent_voters(evidence: Evidence) -> Iterator[str]:
    """Yield a sentence for each voter that was asked and gave no verdict, while others did.

    A majority goes on without it as long as it has a quorum, so that nothing else would tell that a
    temperature is refused or a member of a panel is out of service.

    Parameters
    ----------
    evidence : Evidence
        What the record holds.

    Yields
    ------
    str
        With what came instead, and why by the last call.
    """
    for found in evidence.strategies:
        asked = {voter: _asked(said) for voter, said in found.voters.items()}
        if not any(_has_verdict(each) for shown in asked.values() for each in shown):
            continue
        for voter, shown in asked.items():
            if shown and not any(map(_has_verdict, shown)):
                yield (
                    f"Strategy {found.row.strategy.id} of {one_line(found.row.judge, 80)}: voter"
                    f" {one_line(voter.name, 80)!r} gave no verdict at all"
                    f" ({plural(len(shown), 'presentation')}: {_instead(shown)}). The results rest"
                    " on the other votes alone."
                )


def _asked(said: Sequence[VoterEvidence]) -> list[PresentationEvidence]:
    return [
        shown
        for each in said
        for held in each.evidence.main.values()
        for shown in held
        if shown.attempts
    ]


def _has_verdict(shown: PresentationEvidence) -> bool:
    return shown.decisive is not None and shown.decisive.outcome.is_verdict


def _instead(shown: Sequence[PresentationEvidence]) -> str:
    made = [each.decisive for each in shown if each.decisive is not None]
    kinds = Counter(
        ":".join(filter(None, (attempt.outcome.kind.value, attempt.outcome.failure)))
        for attempt in made
    )
    listed = ", ".join(f"{kind} {n}" for kind, n in sorted(kinds.items()))
    problem = next((attempt.problem for attempt in reversed(made) if attempt.problem), "")
    return f"{listed}; {one_line(problem, 160)}" if problem else listed
