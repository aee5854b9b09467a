"""What kind of judge it is: whether it prefers a slot, and whether the order moves its verdicts.

The two are not the same: a judge may prefer no slot and still change its mind with the order, and
one that changes its mind no more than it does by itself needs repetitions, not the other order.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from counterbalance.statistics.margins import MarginPlace, decide_margin

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from counterbalance.measures.estimate import Estimate

__all__ = ["SLOT_MEASURES", "Quadrant", "QuadrantCell", "quadrant"]

SLOT_MEASURES = ("bias_position", "preference_fairness", "preference_fairness_shi")
"""Measures of a slot preference: the first of them that has a margin is taken."""
_EXCESS = "order_excess_disagreement"


class QuadrantCell(StrEnum):
    """Where a judge stands."""

    NEUTRAL_STABLE = "neutral_stable"
    """No slot is preferred by as much as matters, and the order adds as little to the noise."""
    NEUTRAL_SENSITIVE = "neutral_sensitive"
    """No slot is preferred, and the order moves verdicts beyond the noise, either way alike."""
    BIASED_STABLE = "biased_stable"
    """A slot is preferred, and yet the order adds little to the noise: rare."""
    BIASED_SENSITIVE = "biased_sensitive"
    """A slot is preferred and the order moves verdicts: one order alone misleads."""
    UNDETERMINED = "undetermined"
    """An interval lies across its margin, or there is none: these pairs cannot tell."""


@dataclass(frozen=True, slots=True)
class Quadrant:
    """A judge between two pairs of margins.

    Attributes
    ----------
    cell : QuadrantCell
        Where it stands.
    slot_measure : str
        Measure of the slot preference.
    slot_margin : float
        Smallest preference that matters, either way.
    slot_place : MarginPlace
        Where its interval lies.
    excess_margin : float
        Smallest excess disagreement that matters.
    excess_place : MarginPlace
        Where the interval of ``order_excess_disagreement`` lies.
    """

    cell: QuadrantCell
    slot_measure: str
    slot_margin: float
    slot_place: MarginPlace
    excess_margin: float
    excess_place: MarginPlace


_CELLS = {
    (MarginPlace.INSIDE, MarginPlace.INSIDE): QuadrantCell.NEUTRAL_STABLE,
    (MarginPlace.INSIDE, MarginPlace.OUTSIDE): QuadrantCell.NEUTRAL_SENSITIVE,
    (MarginPlace.OUTSIDE, MarginPlace.INSIDE): QuadrantCell.BIASED_STABLE,
    (MarginPlace.OUTSIDE, MarginPlace.OUTSIDE): QuadrantCell.BIASED_SENSITIVE,
}


def quadrant(measures: Iterable[Estimate], margins: Mapping[str, float]) -> Quadrant | None:
    """Say whether a judge prefers a slot, and whether the order moves it beyond its noise.

    Parameters
    ----------
    measures : Iterable[Estimate]
        The group's measures.
    margins : Mapping[str, float]
        Declared margins by measure.

    Returns
    -------
    Quadrant | None
        None unless the protocol declares a margin for a slot preference and one for the excess.

    Notes
    -----
    The preference is held against its margin on both sides, the excess on one: disagreement below
    that of repetitions is noise.

    **Unit of analysis**: the pair; intervals over clusters.
    **Denominator**: that of either measure.
    **Undefined** never: without an interval it is *undetermined*.

    References
    ----------
    .. [1] L. Shi et al., "Judging the Judges: A Systematic Study of Position Bias in
       LLM-as-a-Judge", IJCNLP-AACL 2025 (preference and consistency as two qualities); the cells
       are this product's.
    """
    slot = next((name for name in SLOT_MEASURES if name in margins), None)
    if slot is None or _EXCESS not in margins:
        return None
    found = {estimate.name: estimate for estimate in measures}
    slot_place = _place(found[slot], -margins[slot], margins[slot])
    excess_place = _place(found[_EXCESS], None, margins[_EXCESS])
    cell = _CELLS.get((slot_place, excess_place), QuadrantCell.UNDETERMINED)
    return Quadrant(cell, slot, margins[slot], slot_place, margins[_EXCESS], excess_place)


def _place(estimate: Estimate, lower: float | None, upper: float) -> MarginPlace:
    return decide_margin(estimate.value, estimate.low, estimate.high, lower, upper).decision
