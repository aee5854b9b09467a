"""Bootstrap intervals for ratios, and differences of ratios, of units that come in clusters.

Sums of each unit, its cluster and a NumPy generator come in; limits read from resamples of whole
clusters go out. The seed is the caller's to choose and to write down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import cluster_codes, float_vector, length_problem
from counterbalance.statistics.clustered import denominator_problem
from counterbalance.statistics.reasons import Undefined
from counterbalance.statistics.resampled_limits import ResampledLimits, ResamplePlan
from counterbalance.statistics.resampling import ClusterSums

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from counterbalance.statistics.arguments import Floats
    from counterbalance.statistics.reasons import Caution
    from counterbalance.statistics.resampled_limits import BootstrapMethod
    from counterbalance.statistics.resampling import SmoothStatistic

__all__ = ["ClusterBootstrap", "bootstrap_ratio", "bootstrap_ratio_difference"]


@dataclass(frozen=True, slots=True)
class ClusterBootstrap:
    """An estimate with limits from resamples of whole clusters.

    Attributes
    ----------
    estimate : float | None
        The statistic of all units; None when it has no value.
    se : float | None
        Linearised cluster-robust standard error; None when it was not computed.
    low : float | None
        Lower limit; None when there is no interval.
    high : float | None
        Upper limit; None when there is no interval.
    confidence_level : float
        Nominal coverage.
    bounds : tuple[float, float] | None
        Range that is possible; limits are cut there.
    method : str
        ``studentised`` or ``percentile``.
    n_units : int
        Units that count.
    n_clusters : int
        Clusters that hold such a unit.
    n_distinct : int
        Clusters that differ in what they add to the statistic.
    n_replicates : int
        Resamples asked for.
    n_without_value : int | None
        Resamples in which the statistic had no value; None when none was drawn.
    cautions : tuple[Caution, ...]
        What the interval leans on; empty when nothing is to be said.
    undefined : Undefined | None
        Why there is no estimate; None when there is one.
    interval_undefined : Undefined | None
        Why there is no interval; None when there is one.
    """

    estimate: float | None
    se: float | None
    low: float | None
    high: float | None
    confidence_level: float
    bounds: tuple[float, float] | None
    method: str
    n_units: int
    n_clusters: int
    n_distinct: int
    n_replicates: int
    n_without_value: int | None
    cautions: tuple[Caution, ...]
    undefined: Undefined | None
    interval_undefined: Undefined | None


def bootstrap_ratio(
    numerators: ArrayLike,
    denominators: ArrayLike,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None,
    generator: np.random.Generator,
    confidence_level: float = 0.95,
    *,
    method: BootstrapMethod = "studentised",
    n_replicates: int = 10_000,
    bounds: tuple[float, float] | None = None,
) -> ClusterBootstrap:
    r"""Divide one total by another, with limits from resamples of whole clusters.

    Parameters
    ----------
    numerators : ArrayLike
        One finite number for each unit; 0 where the denominator is 0.
    denominators : ArrayLike
        One number from 0 up for each unit; 0 for a unit that does not count, 1 for a mean.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit; None when every unit is a cluster of its own.
    generator : np.random.Generator
        Source of the resamples.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.
    method : BootstrapMethod
        ``studentised``, or ``percentile`` for 50 clusters and more.
    n_replicates : int
        Resamples to draw.
    bounds : tuple[float, float] | None
        Least and greatest ratio possible; limits are cut there. None: limits are left alone.

    Returns
    -------
    ClusterBootstrap
        Ratio, standard error, limits and what they rest on.

    Raises
    ------
    StatisticsError
        If numbers are not finite, a denominator is negative, a unit has a numerator without a
        denominator, lengths differ, the level is not in (0, 1), or the plan cannot be carried out.

    Notes
    -----
    :math:`G` clusters are drawn with replacement from the :math:`G` at hand, as often as asked.
    With the ratio :math:`r` and its linearised standard error :math:`s`, and :math:`r^*, s^*` of
    the resamples, studentised limits are :math:`r - s\, t^*_{1-\alpha/2}` and
    :math:`r - s\, t^*_{\alpha/2}` with the quantiles of :math:`t^* = (r^* - r)/s^*`; percentile
    limits are the quantiles of :math:`r^*`. A resample without a value, or without spread of its
    own, counts against both limits and is never left out.

    Only totals are resampled: equal clusters are drawn together by one multinomial, which has the
    same distribution at a cost that does not grow with the number of clusters.

    **Unit of analysis**: the unit; the sampling unit is the cluster.
    **Denominator**: the sum of `denominators`.
    **Undefined** when that sum is 0; the interval also below 10 clusters, when clusters do not
    differ, or when too many resamples have no value and no bounds are known.
    **Assumes**: independent clusters; anything within them.

    References
    ----------
    .. [1] A. C. Davison, D. V. Hinkley, "Bootstrap Methods and their Application", Cambridge
       University Press (1997), chapters 2, 3 and 5. doi:10.1017/CBO9780511802843
    .. [2] C. A. Field, A. H. Welsh, "Bootstrapping clustered data", Journal of the Royal
       Statistical Society B 69 (2007) 369-390. doi:10.1111/j.1467-9868.2007.00593.x

    Examples
    --------
    >>> generator = np.random.default_rng(1)
    >>> ratio = bootstrap_ratio([1, 0, 2, 1] * 5, [2, 1, 2, 1] * 5, None, generator)
    >>> round(ratio.estimate, 4), ratio.n_clusters, ratio.n_distinct
    (0.6667, 20, 4)
    >>> ratio.low < ratio.estimate < ratio.high
    True
    >>> str(bootstrap_ratio([1, 0], [1, 1], None, generator).interval_undefined)
    'too_few_clusters'
    """
    top, bottom = _ratio_vectors("", (numerators, denominators))
    plan = ResamplePlan(generator, n_replicates, method, confidence_level, bounds)
    sums = cluster_sums(np.column_stack([top, bottom]), clusters, counts=bottom > 0)
    reason = Undefined.ZERO_DENOMINATOR if top.size else Undefined.NO_OBSERVATIONS
    undefined = None if bottom.any() else reason
    return bootstrapped(plan, sums, _Ratio(), int(np.count_nonzero(bottom)), undefined)


def bootstrap_ratio_difference(
    first: tuple[ArrayLike, ArrayLike],
    second: tuple[ArrayLike, ArrayLike],
    clusters: Sequence[Hashable] | NDArray[np.generic] | None,
    generator: np.random.Generator,
    confidence_level: float = 0.95,
    *,
    method: BootstrapMethod = "studentised",
    n_replicates: int = 10_000,
    bounds: tuple[float, float] | None = None,
) -> ClusterBootstrap:
    r"""Subtract one ratio of totals from another of the same clusters, with resampled limits.

    Parameters
    ----------
    first : tuple[ArrayLike, ArrayLike]
        Numerators and denominators of the ratio that is subtracted from, one of each by unit.
    second : tuple[ArrayLike, ArrayLike]
        Numerators and denominators of the ratio that is subtracted; same units, same sequence.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit; None when every unit is a cluster of its own.
    generator : np.random.Generator
        Source of the resamples.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.
    method : BootstrapMethod
        ``studentised``, or ``percentile`` for 50 clusters and more.
    n_replicates : int
        Resamples to draw.
    bounds : tuple[float, float] | None
        Least and greatest difference possible; limits are cut there. None: limits are left alone.

    Returns
    -------
    ClusterBootstrap
        Difference, standard error, limits and what they rest on.

    Raises
    ------
    StatisticsError
        As :func:`bootstrap_ratio`, and if the two ratios have different numbers of units.

    Notes
    -----
    The estimate is :math:`\sum x_1 / \sum z_1 - \sum x_2 / \sum z_2`. A cluster is drawn with all
    it holds, so what both ratios share cancels; resampling is as in :func:`bootstrap_ratio`.

    **Unit of analysis**: the unit; the sampling unit is the cluster.
    **Denominator**: both sums of denominators, each for its own ratio.
    **Undefined** when either is 0; the interval as in :func:`bootstrap_ratio`.
    **Assumes**: independent clusters; anything within them.

    References
    ----------
    .. [1] A. C. Davison, D. V. Hinkley, "Bootstrap Methods and their Application", Cambridge
       University Press (1997), chapters 2, 3 and 5. doi:10.1017/CBO9780511802843

    Examples
    --------
    >>> first, second = ([1, 1, 0, 1] * 5, [1] * 20), ([1, 0, 0, 0] * 5, [1, 1, 0, 0] * 5)
    >>> generator = np.random.default_rng(1)
    >>> bootstrap_ratio_difference(first, second, None, generator).estimate
    0.25
    """
    left, right = _ratio_vectors("first ", first), _ratio_vectors("second ", second)
    if problem := length_problem("second", right[0].size, left[0].size):
        raise StatisticsError(problem)
    plan = ResamplePlan(generator, n_replicates, method, confidence_level, bounds)
    counts = (left[1] > 0) | (right[1] > 0)
    sums = cluster_sums(np.column_stack([*left, *right]), clusters, counts=counts)
    reason = Undefined.ZERO_DENOMINATOR if counts.size else Undefined.NO_OBSERVATIONS
    undefined = None if left[1].any() and right[1].any() else reason
    return bootstrapped(plan, sums, _Difference(), int(np.count_nonzero(counts)), undefined)


def cluster_sums(
    rows: Floats,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None,
    *,
    counts: NDArray[np.bool_],
) -> ClusterSums:
    """Add rows up within clusters that hold a unit that counts, and gather equal ones."""
    codes = cluster_codes(clusters, rows.shape[0])[counts]
    _, places = np.unique(codes, return_inverse=True)
    n_clusters = int(places.max(initial=-1)) + 1
    columns = [
        np.bincount(places, weights=column, minlength=n_clusters) for column in rows[counts].T
    ]
    return ClusterSums.of(np.column_stack(columns))


def bootstrapped(
    plan: ResamplePlan,
    sums: ClusterSums,
    statistic: SmoothStatistic,
    n_units: int,
    undefined: Undefined | None,
) -> ClusterBootstrap:
    """Return the estimate of all clusters with the limits that the plan finds."""
    if undefined:
        limits, estimate = ResampledLimits(undefined=undefined), None
    else:
        limits = plan.limits(sums, statistic)
        estimate = float(statistic.values((sums.times @ sums.rows)[np.newaxis, :])[0])
    return ClusterBootstrap(
        estimate=estimate,
        se=limits.se,
        low=limits.low,
        high=limits.high,
        confidence_level=plan.level,
        bounds=plan.bounds,
        method=plan.method,
        n_units=n_units,
        n_clusters=sums.n_clusters,
        n_distinct=sums.rows.shape[0],
        n_replicates=plan.n_replicates,
        n_without_value=limits.n_without_value,
        cautions=limits.cautions,
        undefined=undefined,
        interval_undefined=limits.undefined,
    )


class _Ratio:
    """The first total over the second."""

    def values(self, totals: Floats) -> Floats:
        """Return one ratio for each row of totals; NaN over 0."""
        ratios: Floats = np.where(totals[:, 1] > 0, totals[:, 0] / totals[:, 1], np.nan)
        return ratios

    def gradients(self, totals: Floats) -> Floats:
        """Return the slopes of the ratio."""
        over = 1 / totals[:, 1]
        return np.column_stack([over, -totals[:, 0] * over**2])


class _Difference:
    """The ratio of the first two totals less the ratio of the last two."""

    def values(self, totals: Floats) -> Floats:
        """Return one difference for each row of totals; NaN where either is over 0."""
        ratio = _Ratio()
        difference: Floats = ratio.values(totals[:, :2]) - ratio.values(totals[:, 2:])
        return difference

    def gradients(self, totals: Floats) -> Floats:
        """Return the slopes of the difference."""
        ratio = _Ratio()
        return np.column_stack([ratio.gradients(totals[:, :2]), -ratio.gradients(totals[:, 2:])])


def _ratio_vectors(which: str, ratio: tuple[ArrayLike, ArrayLike]) -> tuple[Floats, Floats]:
    """Return numerators and denominators as arrays; refuse what is no ratio."""
    top, bottom = (
        float_vector(f"{which}numerators", ratio[0]),
        float_vector(f"{which}denominators", ratio[1]),
    )
    if problem := denominator_problem(top, bottom):
        raise StatisticsError(problem)
    return top, bottom
