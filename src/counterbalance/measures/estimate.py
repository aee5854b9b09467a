"""One number with everything that must travel with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from counterbalance.statistics.chance_corrected import PanelAgreement
    from counterbalance.statistics.clustered import ClusterEstimate

__all__ = ["Estimate", "clustered", "undefined"]

Unit = Literal["pair", "pair and order"]
Counted = Literal["pairs", "verdicts", "pairs and orders"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measure of one group.

    Attributes
    ----------
    name : str
        Name of the measure, as in the glossary.
    value : float | None
        None when it is undefined.
    numerator : float | None
        What was counted; None where the measure is no ratio.
    denominator : float
        Out of how many.
    low : float | None
        Lower limit of the interval.
    high : float | None
        Upper limit of the interval.
    level : float
        Nominal coverage of the interval.
    method : str
        How the interval was made; ``none`` without one.
    unit : Unit
        Unit of analysis: what is taken as one observation within its cluster.
    positive_means : str
        What a larger value says.
    undefined : str | None
        Why there is no value, in a sentence; None when there is one.
    n_clusters : int | None
        Clusters that the interval is computed over.
    cautions : tuple[str, ...]
        What the interval leans on, in sentences.
    counted : Counted
        What numerator and denominator count.
    """

    name: str
    value: float | None
    numerator: float | None
    denominator: float
    low: float | None
    high: float | None
    level: float
    method: str
    unit: Unit
    positive_means: str
    undefined: str | None = None
    n_clusters: int | None = None
    cautions: tuple[str, ...] = ()
    counted: Counted = "pairs"


def clustered(
    name: str,
    result: ClusterEstimate,
    unit: Unit,
    positive_means: str,
    counted: Counted = "pairs",
) -> Estimate:
    """Turn a clustered statistic into a measure.

    Parameters
    ----------
    name : str
        Name of the measure.
    result : ClusterEstimate
        The statistic with its numerator and denominator.
    unit : Unit
        Unit of analysis.
    positive_means : str
        What a larger value says.
    counted : Counted
        What numerator and denominator count.

    Returns
    -------
    Estimate
        With the statistic's own reasons where it is undefined.
    """
    cautions = [caution.sentence for caution in result.cautions]
    if result.estimate is not None and result.interval_undefined is not None:
        cautions.append(f"No interval: {result.interval_undefined.sentence}")
    return Estimate(
        name=name,
        value=result.estimate,
        numerator=result.numerator,
        denominator=result.denominator,
        low=result.low,
        high=result.high,
        level=result.confidence_level,
        method=result.method,
        unit=unit,
        positive_means=positive_means,
        undefined=None if result.undefined is None else result.undefined.sentence,
        n_clusters=result.n_clusters,
        cautions=tuple(cautions),
        counted=counted,
    )


def beyond_chance(name: str, alpha: PanelAgreement, positive_means: str) -> Estimate:
    """Turn Krippendorff's alpha over pairs into a measure.

    Parameters
    ----------
    name : str
        Name of the measure.
    alpha : PanelAgreement
        The statistic; its interval is over clusters.
    positive_means : str
        What a larger value says.

    Returns
    -------
    Estimate
        At most 1; numerator None, denominator the pairs with two verdicts or more.
    """
    return Estimate(
        name=name,
        value=alpha.value,
        numerator=None,
        denominator=alpha.n_compared,
        low=alpha.low,
        high=alpha.high,
        level=alpha.confidence_level,
        method="none" if alpha.low is None else "linearised_over_clusters",
        unit="pair",
        positive_means=positive_means,
        undefined=None if alpha.undefined is None else alpha.undefined.sentence,
        n_clusters=alpha.n_clusters,
    )


def undefined(name: str, unit: Unit, positive_means: str, reason: str, level: float) -> Estimate:
    """Return a measure that has no value, with the reason in a sentence."""
    return Estimate(
        name=name,
        value=None,
        numerator=None,
        denominator=0,
        low=None,
        high=None,
        level=level,
        method="none",
        unit=unit,
        positive_means=positive_means,
        undefined=reason,
    )
