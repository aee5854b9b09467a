"""The plane of length and quality: longer texts that say no more, and texts that are whole."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from counterbalance.measures.probe_decision import margin_place
from counterbalance.statistics.margins import MarginPlace

if TYPE_CHECKING:
    from counterbalance.measures.estimate import Estimate

__all__ = ["LengthQuality", "LengthQualityRegion", "length_quality"]


class LengthQualityRegion(StrEnum):
    """Where a judge stands; named only where both intervals lie on one side of their margins."""

    VERBOSITY_WITH_QUALITY = "verbosity bias with quality recognition"
    """Prefers longer texts that say no more, and complete ones to cut ones."""
    QUALITY_SENSITIVE = "quality-sensitive"
    """Prefers complete texts to cut ones, and shorter ones to longer ones that say no more."""
    INDEPENDENT = "independent"
    """Prefers complete texts to cut ones; length that says nothing moves it within the margin."""
    INSENSITIVE = "insensitive"
    """Does not tell complete texts from cut ones, beyond the margin."""
    PREFERS_CUT = "prefers what is cut"
    """None of the four: prefers texts that break off."""
    UNDETERMINED = "undetermined"
    """An interval crosses its margin, or is missing."""


@dataclass(frozen=True, slots=True)
class LengthQuality:
    """A judge on the plane.

    Attributes
    ----------
    expanded : Estimate
        Score on longer texts that say no more.
    truncated : Estimate
        Score on complete texts against cut ones.
    margin : float
        Smallest score that matters, on both axes.
    region : LengthQualityRegion
        Where it stands.
    """

    expanded: Estimate
    truncated: Estimate
    margin: float
    region: LengthQualityRegion


def length_quality(expanded: Estimate, truncated: Estimate, margin: float) -> LengthQuality:
    """Say where a judge stands on the plane of length and quality.

    Parameters
    ----------
    expanded : Estimate
        Score of the probe ``expanded``.
    truncated : Estimate
        Score of the probe ``truncated``.
    margin : float
        Smallest score that matters.

    Returns
    -------
    LengthQuality
        With both scores.

    Notes
    -----
    **Unit of analysis**: that of the scores.
    **Denominator**: that of the scores.
    **Undefined** never: the region is undetermined where an interval crosses the margin.
    """
    return LengthQuality(expanded, truncated, margin, _region(expanded, truncated, margin))


def _region(expanded: Estimate, truncated: Estimate, margin: float) -> LengthQualityRegion:
    length, quality = margin_place(expanded, margin), margin_place(truncated, margin)
    if quality is MarginPlace.INSIDE:
        return LengthQualityRegion.INSENSITIVE
    if quality is MarginPlace.OUTSIDE and (truncated.value or 0) < 0:
        return LengthQualityRegion.PREFERS_CUT
    if MarginPlace.UNDETERMINED in {quality, length}:
        return LengthQualityRegion.UNDETERMINED
    is_longer = (expanded.value or 0) > 0
    beyond = (LengthQualityRegion.QUALITY_SENSITIVE, LengthQualityRegion.VERBOSITY_WITH_QUALITY)
    return LengthQualityRegion.INDEPENDENT if length is MarginPlace.INSIDE else beyond[is_longer]
