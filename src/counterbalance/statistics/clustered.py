"""Means and ratios of units that come in clusters, with intervals that know of the clusters.

One number for each unit and the cluster it belongs to come in; the pooled estimate with a
cluster-robust interval goes out. Fewer than two clusters give an estimate without an interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import stdtrit

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import (
    cluster_codes,
    float_vector,
    length_problem,
    valid_bounds,
    valid_share,
)
from counterbalance.statistics.reasons import Caution, Undefined

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from counterbalance.statistics.arguments import Counts, Floats

__all__ = ["ClusterEstimate", "cluster_mean", "cluster_ratio"]

FEW_CLUSTERS = 10
_FEW_DEGREES = 4.0
# Residuals this small against the cluster totals are rounding, not spread.
_ROUNDING = 1e-12
# Whole floats are exact up to here.
_LARGEST_EXACT = 2.0**53


@dataclass(frozen=True, slots=True)
class ClusterEstimate:
    """A pooled mean or ratio with its cluster-robust interval.

    Attributes
    ----------
    estimate : float | None
        Numerator / denominator; None when the denominator is 0.
    numerator : float
        Sum over all units.
    denominator : float
        Sum over all units; for a mean the number of units.
    n_units : int
        Units that count in the denominator.
    n_clusters : int
        Clusters that hold such a unit.
    se : float | None
        Cluster-robust standard error; None when it cannot be estimated.
    degrees_of_freedom : float | None
        Of the t quantile; `n_clusters` - 1 for equal clusters, fewer for unequal ones.
    low : float | None
        Lower limit; None when there is no interval.
    high : float | None
        Upper limit; None when there is no interval.
    confidence_level : float
        Nominal coverage.
    bounds : tuple[float, float] | None
        Range that the caller declared possible; limits are cut there.
    method : str
        ``cluster_robust_t``, ``no_spread_bound``, ``korn_graubard_mid_p`` or
        ``tango_effective``; ``none`` without interval.
    cautions : tuple[Caution, ...]
        What the interval leans on; empty when nothing is to be said.
    undefined : Undefined | None
        Why there is no estimate; None when there is one.
    interval_undefined : Undefined | None
        Why there is no interval; None when there is one.
    """

    estimate: float | None
    numerator: float
    denominator: float
    n_units: int
    n_clusters: int
    se: float | None
    degrees_of_freedom: float | None
    low: float | None
    high: float | None
    confidence_level: float
    bounds: tuple[float, float] | None
    method: str
    cautions: tuple[Caution, ...]
    undefined: Undefined | None
    interval_undefined: Undefined | None


def cluster_mean(
    values: ArrayLike,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None,
    confidence_level: float = 0.95,
    *,
    bounds: tuple[float, float] | None = None,
) -> ClusterEstimate:
    r"""Average one number per unit, with an interval for units that come in clusters.

    Parameters
    ----------
    values : ArrayLike
        One finite number for each unit.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit; None when every unit is a cluster of its own.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.
    bounds : tuple[float, float] | None
        Least and greatest value possible; limits are cut there. None: limits are left alone.

    Returns
    -------
    ClusterEstimate
        Mean, standard error, degrees of freedom, limits and cautions.

    Raises
    ------
    StatisticsError
        If values are not finite, lengths differ, the level is not in (0, 1), or a value is out of
        bounds.

    Notes
    -----
    The estimate is the sum of all values over their number, so each unit weighs the same. It is
    :func:`cluster_ratio` with denominators of 1, where the formulas are. When each unit is its own
    cluster, this is the ordinary t interval of a mean; when clusters are equal in size, it is the
    t interval of the cluster means.

    **Unit of analysis**: the unit; the sampling unit is the cluster.
    **Denominator**: the number of units.
    **Undefined** without units; the interval also with one cluster, or when all clusters have the
    same mean and no bounds are known.
    **Assumes**: independent clusters; anything within them. Below 10 clusters with a caution.

    References
    ----------
    .. [1] A. C. Cameron, D. L. Miller, "A practitioner's guide to cluster-robust inference",
       Journal of Human Resources 50 (2015) 317-372. doi:10.3368/jhr.50.2.317

    Examples
    --------
    >>> mean = cluster_mean([0, 1, 1, 1, 0, 0], ["p", "p", "q", "q", "r", "r"])
    >>> mean.estimate, mean.n_clusters, round(mean.se, 4), round(mean.degrees_of_freedom, 6)
    (0.5, 3, 0.2887, 2.0)
    >>> [str(caution) for caution in mean.cautions]
    ['few_clusters']
    """
    vector = float_vector("values", values)
    limits = valid_bounds(bounds)
    if limits is not None and ((vector < limits[0]) | (vector > limits[1])).any():
        message = f"a value lies outside the bounds {limits}; correct the bounds or the data"
        raise StatisticsError(message)
    return cluster_ratio(vector, np.ones_like(vector), clusters, confidence_level, bounds=limits)


def cluster_ratio(
    numerators: ArrayLike,
    denominators: ArrayLike,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None,
    confidence_level: float = 0.95,
    *,
    bounds: tuple[float, float] | None = None,
) -> ClusterEstimate:
    r"""Divide one total by another, with an interval for units that come in clusters.

    Parameters
    ----------
    numerators : ArrayLike
        One finite number for each unit; 0 where the denominator is 0.
    denominators : ArrayLike
        One number from 0 up for each unit; 0 for a unit that does not count.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit; None when every unit is a cluster of its own.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.
    bounds : tuple[float, float] | None
        Least and greatest ratio possible; limits are cut there. None: limits are left alone.

    Returns
    -------
    ClusterEstimate
        Ratio, standard error, degrees of freedom, limits and cautions.

    Raises
    ------
    StatisticsError
        If numbers are not finite, a denominator is negative, a unit has a numerator without a
        denominator, lengths differ, the level is not in (0, 1), or a cluster is out of bounds.

    Notes
    -----
    With totals :math:`x_g, z_g` of cluster :math:`g`, shares :math:`s_g = z_g / Z` and the ratio
    :math:`r = \sum x_g / Z`, the linearised variance with the correction of Bell and McCaffrey
    (CR2) is

    .. math:: V = \frac{1}{Z^2} \sum_g \frac{(x_g - r z_g)^2}{1 - s_g}

    and the limits are :math:`r \pm t_\nu \sqrt V` with Satterthwaite's degrees of freedom

    .. math:: 1/\nu = \sum_g s_g^2 + \sum_{g \ne h} w_g w_h, \quad w_g = s_g^2 / (1 - s_g).

    Equal clusters give the factor :math:`G/(G-1)` and :math:`\nu = G - 1`; unequal ones fewer, as
    they should.

    When all clusters have the same ratio :math:`c`, a width of 0 would claim certainty. If the
    chance that another cluster differs is :math:`\pi`, then no difference among :math:`G` gives
    :math:`\pi \le u = 1 - (\alpha/2)^{1/G}` (Clopper-Pearson), and the limits are
    :math:`c - u(c - \text{lowest})` and :math:`c + u(\text{highest} - c)`. At 0/n or n/n this is
    Clopper-Pearson with the clusters as trials. Lowest and highest are the bounds; whole
    successes out of whole trials have bounds 0 and 1 without being told.

    **Unit of analysis**: the unit; the sampling unit is the cluster.
    **Denominator**: the sum of `denominators`.
    **Undefined** when that sum is 0; the interval also with one cluster, or when all clusters have
    the same ratio and no bounds are known.
    **Assumes**: independent clusters; anything within them. Below 10 clusters with a caution.

    References
    ----------
    .. [1] R. M. Bell, D. F. McCaffrey, "Bias reduction in standard errors for linear regression
       with multi-stage samples", Survey Methodology 28 (2002) 169-181.
    .. [2] J. E. Pustejovsky, E. Tipton, "Small-sample methods for cluster-robust variance
       estimation and hypothesis testing in fixed effects models", Journal of Business & Economic
       Statistics 36 (2018) 672-683. doi:10.1080/07350015.2016.1247004

    Examples
    --------
    >>> ratio = cluster_ratio([1, 0, 2, 0], [2, 1, 2, 0], ["p", "p", "q", "r"], bounds=(0, 1))
    >>> ratio.estimate, ratio.n_units, ratio.n_clusters
    (0.6, 3, 2)
    >>> never = cluster_ratio([0] * 20, [1] * 20, None)
    >>> never.method, never.low, round(never.high, 4)
    ('no_spread_bound', 0.0, 0.1684)
    """
    top, bottom = float_vector("numerators", numerators), float_vector("denominators", denominators)
    if problem := denominator_problem(top, bottom):
        raise StatisticsError(problem)
    codes = cluster_codes(clusters, top.size)
    level, limits = valid_share("confidence_level", confidence_level), valid_bounds(bounds)
    totals = _ClusterTotals.of(top, bottom, codes)
    totals.refuse_outside(limits)
    reason = Undefined.ZERO_DENOMINATOR if top.size else Undefined.NO_OBSERVATIONS
    interval = totals.interval(level, limits) if totals.n_clusters else _no_interval(reason)
    return ClusterEstimate(
        estimate=totals.ratio if totals.n_clusters else None,
        numerator=total_of(top),
        denominator=total_of(bottom),
        n_units=int(np.count_nonzero(bottom)),
        n_clusters=totals.n_clusters,
        se=interval.se,
        degrees_of_freedom=interval.degrees_of_freedom,
        low=interval.low,
        high=interval.high,
        confidence_level=level,
        bounds=limits,
        method=interval.method,
        cautions=interval.cautions,
        undefined=None if totals.n_clusters else reason,
        interval_undefined=interval.undefined,
    )


@dataclass(frozen=True, slots=True)
class _Interval:
    """What the clusters say about the spread of the estimate."""

    method: str
    low: float | None = None
    high: float | None = None
    se: float | None = None
    degrees_of_freedom: float | None = None
    cautions: tuple[Caution, ...] = ()
    undefined: Undefined | None = None


def _no_interval(reason: Undefined) -> _Interval:
    """Return the interval that does not exist."""
    return _Interval(method="none", undefined=reason)


@dataclass(frozen=True, slots=True)
class _ClusterTotals:
    """Numerator and denominator of each cluster that counts."""

    tops: Floats
    bottoms: Floats
    is_proportion: bool

    @classmethod
    def of(cls, top: Floats, bottom: Floats, codes: Counts) -> _ClusterTotals:
        """Add the units up within their clusters; drop clusters without a denominator."""
        bottoms: Floats = np.bincount(codes, weights=bottom).astype(np.float64)
        tops: Floats = np.bincount(codes, weights=top).astype(np.float64)
        counts = bottoms > 0
        whole = bool(((top == np.floor(top)) & (bottom == np.floor(bottom))).all())
        is_proportion = whole and bool(((top >= 0) & (top <= bottom)).all())
        return cls(tops[counts], bottoms[counts], is_proportion)

    @property
    def n_clusters(self) -> int:
        """Clusters that hold a unit with a denominator."""
        return self.bottoms.size

    @property
    def ratio(self) -> float:
        """Pooled ratio; every unit of denominator weighs the same."""
        return total_of(self.tops) / total_of(self.bottoms)

    def refuse_outside(self, bounds: tuple[float, float] | None) -> None:
        """Raise if a cluster contradicts the range that was declared possible."""
        if bounds is None:
            return
        slack = _ROUNDING * max(1.0, abs(bounds[0]), abs(bounds[1])) * self.bottoms
        below = self.tops < bounds[0] * self.bottoms - slack
        above = self.tops > bounds[1] * self.bottoms + slack
        if (below | above).any():
            message = f"a cluster lies outside the bounds {bounds}; correct the bounds or the data"
            raise StatisticsError(message)

    def interval(self, level: float, bounds: tuple[float, float] | None) -> _Interval:
        """Return the interval of the pooled ratio, by the method that its clusters allow."""
        if self.n_clusters == 1:
            return _no_interval(Undefined.ONE_CLUSTER)
        ratio = self.ratio
        residuals = self.tops - ratio * self.bottoms
        size = float(np.max(np.abs(self.tops) + abs(ratio) * self.bottoms))
        if float(np.max(np.abs(residuals))) <= _ROUNDING * size:
            return self._no_spread(level, bounds)
        total = total_of(self.bottoms)
        shares = self.bottoms / total
        variance = float(np.sum(residuals**2 / (1 - shares))) / total**2
        degrees = _satterthwaite(shares)
        se = math.sqrt(variance)
        half = float(stdtrit(degrees, 0.5 + level / 2)) * se
        low, high, was_cut = cut_at_bounds(ratio - half, ratio + half, bounds)
        cautions = self._cautions(degrees) + ((Caution.CUT_AT_BOUND,) if was_cut else ())
        return _Interval("cluster_robust_t", low, high, se, degrees, cautions)

    def _no_spread(self, level: float, bounds: tuple[float, float] | None) -> _Interval:
        """Return limits from the number of clusters, none of which differs from the others."""
        lowest, highest = bounds or ((0.0, 1.0) if self.is_proportion else (math.nan, math.nan))
        if math.isnan(lowest):
            return _no_interval(Undefined.NO_VARIATION)
        differs = 1 - ((1 - level) / 2) ** (1 / self.n_clusters)
        ratio = self.ratio
        return _Interval(
            "no_spread_bound",
            low=max(lowest, ratio - differs * (ratio - lowest)),
            high=min(highest, ratio + differs * (highest - ratio)),
            cautions=(*self._cautions(math.inf), Caution.NO_SPREAD),
        )

    def _cautions(self, degrees: float) -> tuple[Caution, ...]:
        """Return what number and sizes of the clusters call for."""
        if self.n_clusters < FEW_CLUSTERS:
            return (Caution.FEW_CLUSTERS,)
        return (Caution.UNEVEN_CLUSTERS,) if degrees < _FEW_DEGREES else ()


def total_of(values: Floats) -> float:
    """Return the sum, rounded once; whole numbers add up exactly in any sequence."""
    is_whole = bool((values == np.floor(values)).all())
    if is_whole and float(np.abs(values).sum()) < _LARGEST_EXACT:
        return float(values.sum())
    return math.fsum(values)


def _satterthwaite(shares: Floats) -> float:
    """Return the degrees of freedom that clusters with these shares of the denominator leave."""
    weights = shares**2 / (1 - shares)
    cross = float(weights.sum()) ** 2 - float((weights**2).sum())
    return 1 / (float((shares**2).sum()) + cross)


def cut_at_bounds(
    low: float, high: float, bounds: tuple[float, float] | None
) -> tuple[float, float, bool]:
    """Return the limits within the bounds, and whether either had to move."""
    if bounds is None:
        return low, high, False
    inside = max(low, bounds[0]), min(high, bounds[1])
    return *inside, inside != (low, high)


def denominator_problem(top: Floats, bottom: Floats) -> str | None:
    """Return what is wrong with the denominators, None when nothing is."""
    if problem := length_problem("denominators", bottom.size, top.size):
        return problem
    if (bottom < 0).any():
        return f"a denominator is {bottom.min()}; denominators go from 0 up"
    if (top[bottom == 0] != 0).any():
        return "a unit has a numerator over a denominator of 0; a unit that does not count has none"
    return None
