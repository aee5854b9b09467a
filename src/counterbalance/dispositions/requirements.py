"""Which candidates meet the item's requirements, and whether a stable winner is an accepted one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.items.frames import Order, Side
from counterbalance.items.requirements import Requirement, is_fulfilled
from counterbalance.presentations.order import side_in

if TYPE_CHECKING:
    from counterbalance.dispositions.disposition import PairDisposition
    from counterbalance.dispositions.evidence import PairEvidence
    from counterbalance.items.item import Pair

__all__ = ["RequirementResult", "accepted_winner", "requirement_results"]


@dataclass(frozen=True, slots=True)
class RequirementResult:
    """One requirement judged for one candidate, apart from any preference.

    Attributes
    ----------
    requirement : Requirement
        What was asked.
    side : Side
        Which candidate.
    is_met : bool | None
        None when only the judge could tell and it did not in every planned order, or its orders
        disagree.
    """

    requirement: Requirement
    side: Side
    is_met: bool | None


def requirement_results(pair: Pair, evidence: PairEvidence | None) -> tuple[RequirementResult, ...]:
    """Judge every requirement of the item for both candidates.

    Parameters
    ----------
    pair : Pair
        The pair.
    evidence : PairEvidence | None
        The judge's replies, for requirements that a verdict field answers.

    Returns
    -------
    tuple[RequirementResult, ...]
        Candidate a, then b, for each requirement.
    """
    return tuple(
        RequirementResult(requirement, side, _is_met(requirement, pair, side, evidence))
        for requirement in pair.item.requirements
        for side in Side
    )


def accepted_winner(result: PairDisposition, results: tuple[RequirementResult, ...]) -> Side | None:
    """Return the stable winner if it meets every mandatory requirement.

    Parameters
    ----------
    result : PairDisposition
        The pair's disposition, which a breach never rewrites.
    results : tuple[RequirementResult, ...]
        From `requirement_results`.

    Returns
    -------
    Side | None
        None without a stable winner, and when a mandatory requirement is broken or unknown.
    """
    winner = result.winner
    binding = [r for r in results if r.side is winner and r.requirement.mandatory]
    return winner if all(r.is_met for r in binding) else None


def _is_met(
    requirement: Requirement, pair: Pair, side: Side, evidence: PairEvidence | None
) -> bool | None:
    by_rule = is_fulfilled(requirement, side, pair.candidate(side).text)
    if by_rule is not None or evidence is None:
        return by_rule
    by_order = [_broken_sides(str(requirement.value), order, evidence) for order in evidence.main]
    said = {side not in broken for found in by_order for broken in found}
    return said.pop() if len(said) == 1 and all(by_order) else None


def _broken_sides(field: str, order: Order, evidence: PairEvidence) -> list[set[Side]]:
    found = []
    for shown in evidence.main.get(order, ()):
        attempt = shown.decisive
        for name, slots in attempt.outcome.fields if attempt else ():
            if name == field:
                found.append({side_in(slot, order) for slot in slots})
    return found
