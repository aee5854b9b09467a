"""Difference of two ratios whose units differ but may share clusters, with t limits.

Totals of each unit and the cluster it belongs to come in. Two conditions on the *same* units are
matched and belong to :mod:`counterbalance.statistics.paired_difference`.
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
from counterbalance.statistics.clustered import (
    FEW_CLUSTERS,
    cut_at_bounds,
    denominator_problem,
    total_of,
)
from counterbalance.statistics.reasons import Caution, Undefined

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from counterbalance.statistics.arguments import Counts, Floats

__all__ = ["ClusterDifference", "cluster_difference"]

# Scores this small against the largest cluster are rounding, not spread.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class ClusterDifference:
    """A difference of two ratios with its cluster-robust interval.

    Attributes
    ----------
    difference : float | None
        First ratio less the second; None when either has no denominator.
    first : float | None
        Ratio that is subtracted from.
    second : float | None
        Ratio that is subtracted.
    first_denominator : float
        Sum over the units of the first.
    second_denominator : float
        Sum over the units of the second.
    n_units : int
        Units that count in either.
    n_clusters : int
        Clusters that hold such a unit.
    se : float | None
        Cluster-robust standard error; None when it cannot be estimated.
    degrees_of_freedom : float | None
        Of the t quantile.
    low : float | None
        Lower limit; None when there is no interval.
    high : float | None
        Upper limit; None when there is no interval.
    confidence_level : float
        Nominal coverage.
    bounds : tuple[float, float] | None
        Range that the caller declared possible; limits are cut there.
    method : str
        ``cluster_robust_t``; ``none`` without interval.
    cautions : tuple[Caution, ...]
        What the interval leans on; empty when nothing is to be said.
    undefined : Undefined | None
        Why there is no difference; None when there is one.
    interval_undefined : Undefined | None
        Why there is no interval; None when there is one.
    """

    difference: float | None
    first: float | None
    second: float | None
    first_denominator: float
    second_denominator: float
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


def cluster_difference(
    first: tuple[ArrayLike, ArrayLike],
    second: tuple[ArrayLike, ArrayLike],
    clusters: Sequence[Hashable] | NDArray[np.generic] | None,
    confidence_level: float = 0.95,
    *,
    bounds: tuple[float, float] | None = None,
) -> ClusterDifference:
    r"""Subtract one ratio of totals from another whose units may share its clusters.

    Parameters
    ----------
    first : tuple[ArrayLike, ArrayLike]
        Numerators and denominators of the ratio that is subtracted from, one of each by unit; both
        are 0 for a unit that does not count in it.
    second : tuple[ArrayLike, ArrayLike]
        Numerators and denominators of the ratio that is subtracted; same units, same sequence.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit; None when every unit is a cluster of its own.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.
    bounds : tuple[float, float] | None
        Least and greatest difference possible; limits are cut there. None: limits are left alone.

    Returns
    -------
    ClusterDifference
        Difference, both ratios, standard error, degrees of freedom, limits and cautions.

    Raises
    ------
    StatisticsError
        If numbers are not finite, a denominator is negative, a unit has a numerator without a
        denominator, lengths differ, or the level is not in (0, 1).

    Notes
    -----
    With totals :math:`x_{kg}, z_{kg}` of condition :math:`k` in cluster :math:`g`, shares
    :math:`s_{kg} = z_{kg} / Z_k` and ratios :math:`r_k`, the variance of the regression on both
    conditions with the correction of Bell and McCaffrey (CR2) comes to

    .. math:: V = \sum_g \left(\sum_k \pm\frac{x_{kg} - r_k z_{kg}}{Z_k\sqrt{1 - s_{kg}}}\right)^2

    with plus for the first condition and minus for the second: what a cluster adds to both in the
    same way cancels. The limits are :math:`r_1 - r_2 \pm t_\nu \sqrt V` with Satterthwaite's
    degrees of freedom under independent errors of one variance,

    .. math:: \nu = \frac{(1/Z_1 + 1/Z_2)^2}{\sum_g b_{gg}^2 + \sum_{g \ne h} b_{gh}^2}, \quad
        b_{gg} = \sum_k \frac{s_{kg}}{Z_k}, \quad
        b_{gh} = \sum_k \frac{1}{Z_k} \frac{s_{kg}}{\sqrt{1 - s_{kg}}}
        \frac{s_{kh}}{\sqrt{1 - s_{kh}}}.

    **Unit of analysis**: the unit, in one of the conditions; the sampling unit is the cluster.
    **Denominator**: both sums of denominators, each for its own ratio.
    **Undefined** when either is 0; the interval also when all units of a condition are from one
    cluster, or when nothing varies within either condition.
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
    >>> won, shown = [1, 1, 0, 1, 0, 0, 0, 1], [1, 1, 1, 1, 0, 0, 0, 0]
    >>> first = [w * s for w, s in zip(won, shown)], shown
    >>> second = [w * (1 - s) for w, s in zip(won, shown)], [1 - s for s in shown]
    >>> result = cluster_difference(first, second, list("ppqqppqq"), bounds=(-1, 1))
    >>> result.first, result.second, result.difference, result.n_clusters
    (0.75, 0.25, 0.5, 2)
    """
    parts = [_Condition.of(name, one) for name, one in (("first", first), ("second", second))]
    if problem := length_problem("second", parts[1].top.size, parts[0].top.size):
        raise StatisticsError(problem)
    level, limits = valid_share("confidence_level", confidence_level), valid_bounds(bounds)
    codes = cluster_codes(clusters, parts[0].top.size)
    counts = (parts[0].bottom > 0) | (parts[1].bottom > 0)
    n_clusters = int(np.unique(codes[counts]).size)
    ratios = [part.ratio for part in parts]
    difference = None if ratios[0] is None or ratios[1] is None else ratios[0] - ratios[1]
    reason = Undefined.ZERO_DENOMINATOR if counts.size else Undefined.NO_OBSERVATIONS
    spread = reason if difference is None else _spread(parts, codes)
    se, degrees = (None, None) if isinstance(spread, Undefined) else spread
    low = high = None
    cautions: tuple[Caution, ...] = ()
    if difference is not None and se is not None and degrees is not None:
        half = float(stdtrit(degrees, 0.5 + level / 2)) * se
        low, high, was_cut = cut_at_bounds(difference - half, difference + half, limits)
        cautions = (Caution.FEW_CLUSTERS,) if n_clusters < FEW_CLUSTERS else ()
        cautions += (Caution.CUT_AT_BOUND,) if was_cut else ()
    return ClusterDifference(
        difference=difference,
        first=ratios[0],
        second=ratios[1],
        first_denominator=parts[0].total,
        second_denominator=parts[1].total,
        n_units=int(np.count_nonzero(counts)),
        n_clusters=n_clusters,
        se=se,
        degrees_of_freedom=degrees,
        low=low,
        high=high,
        confidence_level=level,
        bounds=limits,
        method="none" if low is None else "cluster_robust_t",
        cautions=cautions,
        undefined=reason if difference is None else None,
        interval_undefined=spread if isinstance(spread, Undefined) else None,
    )


@dataclass(frozen=True, slots=True)
class _Condition:
    """Numerator and denominator of each unit in one condition."""

    top: Floats
    bottom: Floats

    @classmethod
    def of(cls, name: str, pair: tuple[ArrayLike, ArrayLike]) -> _Condition:
        """Check the arguments of one ratio."""
        top = float_vector(f"{name} numerators", pair[0])
        bottom = float_vector(f"{name} denominators", pair[1])
        if problem := denominator_problem(top, bottom):
            raise StatisticsError(problem)
        return cls(top, bottom)

    @property
    def total(self) -> float:
        """Sum of the denominators."""
        return total_of(self.bottom)

    @property
    def ratio(self) -> float | None:
        """Pooled ratio; None without a denominator."""
        return total_of(self.top) / self.total if self.total else None

    def by_cluster(self, codes: Counts) -> tuple[Floats, Floats]:
        """Return each cluster's score, scaled to a denominator of 1, and its share of the total."""
        shares: Floats = np.bincount(codes, weights=self.bottom) / self.total
        tops = np.bincount(codes, weights=self.top) / self.total
        scores: Floats = tops - total_of(self.top) / self.total * shares
        return scores, shares


def _spread(parts: Sequence[_Condition], codes: Counts) -> tuple[float, float] | Undefined:
    """Return standard error and degrees of freedom, or why the clusters do not tell them."""
    totals = [part.total for part in parts]
    (first, first_shares), (second, second_shares) = (part.by_cluster(codes) for part in parts)
    shares = np.stack([first_shares, second_shares])
    if (shares >= 1 - _ROUNDING).any():
        return Undefined.ONE_CLUSTER
    roots = np.sqrt(1 - shares)
    scores = first / roots[0] - second / roots[1]
    if float(np.abs(np.stack([first, second])).max()) <= _ROUNDING:
        return Undefined.NO_VARIATION
    weights = shares / roots
    own = sum(shares[k] / totals[k] for k in range(2))
    across = sum(
        (float(weights[k] @ weights[j]) ** 2 - float((weights[k] ** 2) @ (weights[j] ** 2)))
        / (totals[k] * totals[j])
        for k in range(2)
        for j in range(2)
    )
    traced = (1 / totals[0] + 1 / totals[1]) ** 2
    degrees = traced / (float(np.sum(np.square(own))) + across)
    return math.sqrt(float(np.sum(scores**2))), degrees
