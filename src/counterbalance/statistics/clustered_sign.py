"""Interval for a mean of signs that come in clusters, right also where few are not 0.

Sums of signs with their trials and clusters come in. The t interval of
:mod:`counterbalance.statistics.clustered` is too narrow where few signs differ from 0, all of them
one way.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import stdtrit

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import count_vector, float_vector, length_problem
from counterbalance.statistics.clustered import ClusterEstimate, cluster_ratio
from counterbalance.statistics.paired_interval import tango_limits
from counterbalance.statistics.reasons import Caution

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

__all__ = ["cluster_sign_mean"]


def cluster_sign_mean(
    sums: ArrayLike,
    n_trials: ArrayLike,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None,
    confidence_level: float = 0.95,
) -> ClusterEstimate:
    r"""Enclose a mean of clustered signs by Tango's score limits on their effective number.

    Parameters
    ----------
    sums : ArrayLike
        Sum of the signs (1, -1 or 0) of each unit: from minus its trials to its trials.
    n_trials : ArrayLike
        Signs of each unit; 0 for a unit that does not count.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit; None when every unit is a cluster of its own.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    ClusterEstimate
        Mean sign, standard error, degrees of freedom and limits in [-1, 1].

    Raises
    ------
    StatisticsError
        If a number of trials is negative or fractional, a sum is not finite or larger than its
        trials, lengths differ, or the level is not in (0, 1).

    Notes
    -----
    With the sums above 0, :math:`P`, and below, :math:`M`, over :math:`N` trials, the mean is
    :math:`d = (P - M)/N`. With its cluster-robust variance :math:`V` on :math:`\nu` degrees of
    freedom (:func:`~counterbalance.statistics.cluster_ratio`), the effective number of signs is

    .. math:: n^* = \frac{(P + M)/N - d^2}{V} \left(\frac{t_{n-1}}{t_\nu}\right)^2

    for :math:`n` units, and the limits are those of Tango
    (:func:`~counterbalance.statistics.tango_interval`) for :math:`P n^*/N` gained and
    :math:`M n^*/N` lost of :math:`n^*`. A unit whose two signs always cancel says 0 for certain,
    and so adds nothing to :math:`V`. Without signs of 0 the limits are those of Wilson for the
    share of signs above 0.

    When all clusters have the same mean, the limits are the bound for clusters without spread.

    **Unit of analysis**: the unit, whose signs are matched; the sampling unit is the cluster.
    **Denominator**: the sum of `n_trials`, signs of 0 included.
    **Undefined** when there is no trial; the interval also with one cluster.
    **Assumes**: independent clusters; anything within them. Below 10 clusters with a caution.

    References
    ----------
    .. [1] T. Tango, "Equivalence test and confidence interval for the difference in proportions for
       the paired-sample design", Statistics in Medicine 17 (1998) 891-908.
       doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B
    .. [2] E. L. Korn, B. I. Graubard, "Confidence intervals for proportions with small expected
       number of positive counts estimated from survey data", Survey Methodology 24 (1998) 193-201.

    Examples
    --------
    >>> lean = cluster_sign_mean([2] * 4 + [0] * 16, [2] * 20, None)
    >>> lean.method, lean.estimate, round(lean.low, 4), round(lean.high, 4)
    ('tango_effective', 0.2, -0.0018, 0.4221)
    """
    signs, trials = float_vector("sums", sums), count_vector("n_trials", n_trials)
    if problem := length_problem("n_trials", trials.size, signs.size):
        raise StatisticsError(problem)
    if (np.abs(signs) > trials).any():
        message = "a unit has a sum beyond its trials; signs are 1, -1 or 0"
        raise StatisticsError(message)
    base = cluster_ratio(signs, trials, clusters, confidence_level, bounds=(-1.0, 1.0))
    if base.estimate is None or base.se is None or base.degrees_of_freedom is None:
        return base
    above = float(signs[signs > 0].sum()) / base.denominator
    below = -float(signs[signs < 0].sum()) / base.denominator
    quantile = 0.5 + base.confidence_level / 2
    ratio = float(stdtrit(base.n_units - 1, quantile))
    ratio /= float(stdtrit(base.degrees_of_freedom, quantile))
    spread = above + below - base.estimate**2
    effective = spread / base.se**2 * math.pow(ratio, 2)
    low, high = tango_limits(above * effective, below * effective, effective, base.confidence_level)
    cautions = tuple(c for c in base.cautions if c is not Caution.CUT_AT_BOUND)
    return replace(base, low=low, high=high, method="tango_effective", cautions=cautions)
