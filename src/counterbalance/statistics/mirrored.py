"""Two effects from units that met a treatment in the first place and in the second.

Scores come in, positive where the treatment was preferred; half the sum of both places is the
effect of the treatment, half their difference the effect of the place. The latter cannot be told
from an interaction of the two: that takes units with the same treatment in both places.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scipy.special import stdtrit

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import float_vector, length_problem
from counterbalance.statistics.clustered import cluster_mean
from counterbalance.statistics.reasons import Undefined

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from counterbalance.statistics.clustered import ClusterEstimate

__all__ = [
    "ApartEffects",
    "Contrast",
    "MirroredEffects",
    "mirrored_effects",
    "mirrored_effects_apart",
]


@dataclass(frozen=True, slots=True)
class MirroredEffects:
    """Effects of treatment and place, from units that met both places.

    Attributes
    ----------
    n_units : int
        Units that met the treatment in both places.
    treatment : ClusterEstimate
        Half the sum: positive when the treatment is preferred.
    place : ClusterEstimate
        Half the difference: positive when the treatment does better in the first place.
    """

    n_units: int
    treatment: ClusterEstimate
    place: ClusterEstimate


@dataclass(frozen=True, slots=True)
class Contrast:
    """A combination of two independent means and its interval.

    Attributes
    ----------
    estimate : float | None
        Half the sum, or half the difference; None when a mean is missing.
    se : float | None
        Standard error; None when either mean has none.
    degrees_of_freedom : float | None
        Of the t quantile, by Welch and Satterthwaite.
    low : float | None
        Lower limit; None when there is no interval.
    high : float | None
        Upper limit; None when there is no interval.
    undefined : Undefined | None
        Why there is no estimate; None when there is one.
    interval_undefined : Undefined | None
        Why there is no interval; None when there is one.
    """

    estimate: float | None
    se: float | None
    degrees_of_freedom: float | None
    low: float | None
    high: float | None
    undefined: Undefined | None
    interval_undefined: Undefined | None


@dataclass(frozen=True, slots=True)
class ApartEffects:
    """Effects of treatment and place, from other units in each place.

    Attributes
    ----------
    first : ClusterEstimate
        Mean score where the treatment was in the first place.
    second : ClusterEstimate
        Mean score where it was in the second.
    treatment : Contrast
        Half the sum: positive when the treatment is preferred.
    place : Contrast
        Half the difference: positive when the treatment does better in the first place.
    """

    first: ClusterEstimate
    second: ClusterEstimate
    treatment: Contrast
    place: Contrast


def mirrored_effects(
    first: ArrayLike,
    second: ArrayLike,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None,
    confidence_level: float = 0.95,
    *,
    bounds: tuple[float, float] | None = None,
) -> MirroredEffects:
    r"""Separate treatment from place, from units that met the treatment in both places.

    Parameters
    ----------
    first : ArrayLike
        Score of each unit with the treatment in the first place.
    second : ArrayLike
        Score with it in the second place; same units, same sequence.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit; None when every unit is a cluster of its own.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.
    bounds : tuple[float, float] | None
        Least and greatest effect possible; limits are cut there. None: limits are left alone.

    Returns
    -------
    MirroredEffects
        Both effects with their cluster-robust intervals.

    Raises
    ------
    StatisticsError
        If a score is not finite, lengths differ, the level is not in (0, 1), or an effect is out of
        bounds.

    Notes
    -----
    With scores :math:`x_{i1}, x_{i2}` the effects are the means of :math:`(x_{i1} + x_{i2})/2` and
    :math:`(x_{i1} - x_{i2})/2`. Each error comes from the values of the units, so what a unit
    brings to both places cancels in the second. The first is the effect of the treatment averaged
    over places, whether or not the two interact.

    **Unit of analysis**: the unit, scored in both places; the sampling unit is the cluster.
    **Denominator**: the number of units.
    **Undefined** without units; intervals as in :func:`~counterbalance.statistics.cluster_mean`.
    **Assumes**: independent clusters; anything within them.

    References
    ----------
    .. [1] M. Hills, P. Armitage, "The two-period cross-over clinical trial", British Journal of
       Clinical Pharmacology 8 (1979) 7-20. doi:10.1111/j.1365-2125.1979.tb05903.x

    Examples
    --------
    >>> effects = mirrored_effects([1, 1, 1, 0], [1, -1, 0, 0], None)
    >>> effects.treatment.estimate, effects.place.estimate
    (0.375, 0.375)
    """
    left, right = float_vector("first", first), float_vector("second", second)
    if problem := length_problem("second", right.size, left.size):
        raise StatisticsError(problem)
    treatment, place = (
        cluster_mean(half, clusters, confidence_level, bounds=bounds)
        for half in ((left + right) / 2, (left - right) / 2)
    )
    return MirroredEffects(left.size, treatment, place)


def mirrored_effects_apart(
    first: ArrayLike,
    second: ArrayLike,
    first_clusters: Sequence[Hashable] | NDArray[np.generic] | None,
    second_clusters: Sequence[Hashable] | NDArray[np.generic] | None,
    confidence_level: float = 0.95,
) -> ApartEffects:
    r"""Separate treatment from place, from other units in each place.

    Parameters
    ----------
    first : ArrayLike
        Score of each unit that met the treatment in the first place.
    second : ArrayLike
        Score of each unit that met it in the second place; other units, of any number.
    first_clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit in `first`; None when every unit is a cluster of its own.
    second_clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The same for `second`; none of these clusters may be among the first.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    ApartEffects
        Both means, and both effects with their intervals.

    Raises
    ------
    StatisticsError
        If a score is not finite, lengths differ, or the level is not in (0, 1).

    Notes
    -----
    With independent means :math:`m_1, m_2`, their variances :math:`v_j` and degrees of freedom
    :math:`\nu_j` (:func:`~counterbalance.statistics.cluster_mean`) the effects are
    :math:`(m_1 \pm m_2)/2`, both with the standard error :math:`\sqrt{v_1 + v_2}/2` on
    :math:`(v_1 + v_2)^2 / (v_1^2/\nu_1 + v_2^2/\nu_2)` degrees of freedom. Where units could be
    paired, :func:`mirrored_effects` has the shorter interval for the place.

    **Unit of analysis**: the unit, scored in one place; the sampling unit is the cluster.
    **Denominator**: the number of units in each place, each for its own mean.
    **Undefined** when a place has no unit; intervals also when a mean has no standard error.
    **Assumes**: independent clusters, assigned to places at random.

    References
    ----------
    .. [1] B. L. Welch, "The generalization of 'Student's' problem when several different population
       variances are involved", Biometrika 34 (1947) 28-35. doi:10.1093/biomet/34.1-2.28

    Examples
    --------
    >>> effects = mirrored_effects_apart([1, 1, 0, 1], [1, -1, 0, 0], None, None)
    >>> effects.treatment.estimate, effects.place.estimate, round(effects.place.se, 4)
    (0.375, 0.375, 0.2394)
    """
    one = cluster_mean(first, first_clusters, confidence_level)
    two = cluster_mean(second, second_clusters, confidence_level)
    return ApartEffects(one, two, _contrast(one, two, 1), _contrast(one, two, -1))


def _contrast(one: ClusterEstimate, two: ClusterEstimate, sign: int) -> Contrast:
    """Return half the sum or half the difference of two independent means."""
    if one.estimate is None or two.estimate is None:
        reason = one.undefined or two.undefined
        return Contrast(None, None, None, None, None, reason, reason)
    estimate = (one.estimate + sign * two.estimate) / 2
    parts = [
        (mean.se**2, mean.degrees_of_freedom)
        for mean in (one, two)
        if mean.se is not None and mean.degrees_of_freedom is not None
    ]
    if len(parts) < len((one, two)):
        reason = one.interval_undefined or two.interval_undefined or Undefined.NO_VARIATION
        return Contrast(estimate, None, None, None, None, None, reason)
    total = sum(variance for variance, _ in parts)
    degrees = total**2 / sum(variance**2 / freedom for variance, freedom in parts)
    se = math.sqrt(total) / 2
    half = float(stdtrit(degrees, 0.5 + one.confidence_level / 2)) * se
    return Contrast(estimate, se, degrees, estimate - half, estimate + half, None, None)
