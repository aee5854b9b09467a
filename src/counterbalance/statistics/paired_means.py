"""How far two conditions differ in the mean on the same units, clusters or none.

Two numbers of each unit and its cluster come in. Outcomes that are only 0 or 1 belong to
:mod:`counterbalance.statistics.paired_difference`, whose interval for independent units is better
there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import (
    cluster_codes,
    float_vector,
    length_problem,
    valid_bounds,
    valid_share,
)
from counterbalance.statistics.clustered import FEW_CLUSTERS, cluster_mean
from counterbalance.statistics.p_values import t_p_value
from counterbalance.statistics.reasons import FEW_DISCORDANT, Caution, Undefined

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from counterbalance.statistics.arguments import Floats
    from counterbalance.statistics.clustered import ClusterEstimate

__all__ = ["PairedMeanDifference", "paired_mean_difference"]


@dataclass(frozen=True, slots=True)
class PairedMeanDifference:
    """A difference of two means on the same units, its interval and its test.

    Attributes
    ----------
    n_gained : int
        Units with the larger value under the first condition.
    n_lost : int
        Units with the larger value under the second condition.
    n_common : int
        All units: the denominator of the difference.
    n_clusters : int
        Clusters that the units come in.
    first_mean : float | None
        Mean under the first condition.
    second_mean : float | None
        Mean under the second condition.
    estimate : float | None
        First mean less the second.
    se : float | None
        Cluster-robust standard error; None where it cannot be estimated.
    degrees_of_freedom : float | None
        Of the t distribution.
    low : float | None
        Lower limit.
    high : float | None
        Upper limit.
    confidence_level : float
        Nominal coverage.
    bounds : tuple[float, float]
        Least and greatest value of one unit, as handed in.
    method : str
        ``cluster_robust_t`` or ``no_spread_bound``; ``none`` without interval.
    p_value : float | None
        Two-sided probability in (0, 1].
    cautions : tuple[Caution, ...]
        What the interval leans on; empty when nothing is to be said.
    undefined : Undefined | None
        Why there is no estimate; None when there is one.
    interval_undefined : Undefined | None
        Why there is no interval; None when there is one.
    p_undefined : Undefined | None
        Why there is no p-value; None when there is one.
    """

    n_gained: int
    n_lost: int
    n_common: int
    n_clusters: int
    first_mean: float | None
    second_mean: float | None
    estimate: float | None
    se: float | None
    degrees_of_freedom: float | None
    low: float | None
    high: float | None
    confidence_level: float
    bounds: tuple[float, float]
    method: str
    p_value: float | None
    cautions: tuple[Caution, ...]
    undefined: Undefined | None
    interval_undefined: Undefined | None
    p_undefined: Undefined | None


def paired_mean_difference(
    first: ArrayLike,
    second: ArrayLike,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None,
    confidence_level: float = 0.95,
    *,
    bounds: tuple[float, float],
) -> PairedMeanDifference:
    r"""Compare the means of two conditions on the same units, clusters or none.

    Parameters
    ----------
    first : ArrayLike
        One number for each unit under the first condition.
    second : ArrayLike
        One for each unit under the second condition; same units, same sequence.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit; None when every unit is a cluster of its own.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.
    bounds : tuple[float, float]
        Least and greatest value that a unit can have under a condition.

    Returns
    -------
    PairedMeanDifference
        Counts, both means, difference, limits and p-value.

    Raises
    ------
    StatisticsError
        If a number is not finite or out of bounds, lengths differ, or the level is not in (0, 1).

    Notes
    -----
    The mean of the differences, with its cluster-robust error and t limits
    (:func:`~counterbalance.statistics.cluster_mean`); the p-value is that of the same t.

    **Unit of analysis**: the unit, once under each condition; the sampling unit is the cluster.
    **Denominator**: all units that both conditions were tried on.
    **Undefined** without units; interval and p-value also with fewer than 10 clusters; the p-value
    also when no unit differs, or when all clusters have the same difference.
    **Assumes**: independent clusters; anything within them.

    References
    ----------
    .. [1] A. C. Cameron, D. L. Miller, "A practitioner's guide to cluster-robust inference",
       Journal of Human Resources 50 (2015) 317-372. doi:10.3368/jhr.50.2.317

    Examples
    --------
    >>> first, second = [1, 0.5, 0, 1, 0.5, 0] * 2, [0.5, 0, 0, 1, 0.5, 0.5] * 2
    >>> found = paired_mean_difference(first, second, None, bounds=(0, 1))
    >>> found.n_gained, found.n_lost, found.n_common, round(found.estimate, 4)
    (4, 2, 12, 0.0833)
    >>> round(found.low, 4), round(found.high, 4), round(found.p_value, 4)
    (-0.1447, 0.3113, 0.4382)
    """
    left, right = float_vector("first", first), float_vector("second", second)
    if problem := length_problem("second", right.size, left.size):
        raise StatisticsError(problem)
    level = valid_share("confidence_level", confidence_level)
    limits = _valid_range(left, right, bounds)
    codes = cluster_codes(clusters, left.size)
    differences = left - right
    span = limits[1] - limits[0]
    mean = cluster_mean(differences, codes, level, bounds=(-span, span))
    reason = _refusal(mean)
    p_value = None if reason else t_p_value(mean.estimate, mean.se, mean.degrees_of_freedom)
    n_different = int(np.count_nonzero(differences))
    nothing_differs = left.size and not n_different
    no_p_value = Undefined.NO_DISCORDANT if nothing_differs else Undefined.NO_VARIATION
    return PairedMeanDifference(
        n_gained=int((differences > 0).sum()),
        n_lost=int((differences < 0).sum()),
        n_common=left.size,
        n_clusters=mean.n_clusters,
        first_mean=float(left.mean()) if left.size else None,
        second_mean=float(right.mean()) if left.size else None,
        estimate=mean.estimate,
        se=mean.se,
        degrees_of_freedom=mean.degrees_of_freedom,
        low=None if reason else mean.low,
        high=None if reason else mean.high,
        confidence_level=level,
        bounds=limits,
        method="none" if reason else mean.method,
        p_value=p_value,
        cautions=() if reason else (*mean.cautions, *_few(n_different)),
        undefined=mean.undefined,
        interval_undefined=reason or mean.interval_undefined,
        p_undefined=None if p_value is not None else reason or no_p_value,
    )


def _few(n_different: int) -> tuple[Caution, ...]:
    """Return the caution of a t that rests on hardly any unit."""
    return (Caution.FEW_DISCORDANT,) if 0 < n_different < FEW_DISCORDANT else ()


def _valid_range(left: Floats, right: Floats, bounds: tuple[float, float]) -> tuple[float, float]:
    """Return the bounds as plain floats; refuse values that lie outside."""
    limits = valid_bounds(bounds)
    if limits is None:
        message = "bounds is None; give the least and the greatest value of a unit"
        raise StatisticsError(message)
    for name, values in (("first", left), ("second", right)):
        outside = (values < limits[0]) | (values > limits[1])
        if outside.any():
            where = int(np.flatnonzero(outside)[0])
            message = f"{name}[{where}] is {values[where]}, outside the bounds {limits}"
            raise StatisticsError(message)
    return limits


def _refusal(mean: ClusterEstimate) -> Undefined | None:
    """Return why there can be neither interval nor p-value, None when there may be."""
    if mean.undefined is not None:
        return mean.undefined
    if mean.n_clusters == 1:
        return Undefined.ONE_CLUSTER
    return Undefined.TOO_FEW_CLUSTERS if mean.n_clusters < FEW_CLUSTERS else None
