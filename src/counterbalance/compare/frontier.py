"""What is worth its price: the ways of judging that no other beats in both cost and agreement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FrontierPoint", "Priced", "frontier"]


@dataclass(frozen=True, slots=True)
class Priced:
    """One way of judging with its cost and its agreement.

    Attributes
    ----------
    name : str
        What it is called.
    cost : float
        Cost of a pair: dollars, or calls where nothing is priced.
    agreement : float
        Agreement with the references, from 0 to 1.
    """

    name: str
    cost: float
    agreement: float


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """One way of judging, and what beats it.

    Attributes
    ----------
    point : Priced
        The way of judging.
    beaten_by : str
        The cheapest other one that costs no more and agrees no less, and differs in one of them;
        empty for a point of the frontier.
    """

    point: Priced
    beaten_by: str

    @property
    def is_on_frontier(self) -> bool:
        """Whether none beats it."""
        return not self.beaten_by


def frontier(points: Sequence[Priced]) -> tuple[FrontierPoint, ...]:
    """Find the ways of judging that none beats in both cost and agreement.

    Agreements are estimates: a point that is beaten by less than its interval may well be on the
    frontier of what one cannot see.

    Parameters
    ----------
    points : Sequence[Priced]
        All of them.

    Returns
    -------
    tuple[FrontierPoint, ...]
        By cost, then by agreement, the better first.

    Examples
    --------
    >>> cheap, dear, bad = Priced("B0", 1, 0.7), Priced("S1", 2, 0.75), Priced("S2", 3, 0.72)
    >>> [(p.point.name, p.beaten_by) for p in frontier([bad, dear, cheap])]
    [('B0', ''), ('S1', ''), ('S2', 'S1')]
    """
    ordered = sorted(points, key=lambda point: (point.cost, -point.agreement, point.name))
    return tuple(FrontierPoint(point, _beaten_by(point, ordered)) for point in ordered)


def _beaten_by(point: Priced, others: Sequence[Priced]) -> str:
    for other in others:
        is_no_worse = other.cost <= point.cost and other.agreement >= point.agreement
        differs = (other.cost, other.agreement) != (point.cost, point.agreement)
        if is_no_worse and differs:
            return other.name
    return ""
