"""Interval for a proportion of trials that come in clusters, right also near 0 and 1.

Successes and trials of each unit and its cluster come in. The t interval of
:mod:`counterbalance.statistics.clustered` is symmetric and runs over 0 or 1 where successes or
failures are rare; this one is not and does not.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from scipy.special import stdtrit

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import count_vector, length_problem
from counterbalance.statistics.clustered import ClusterEstimate, cluster_ratio
from counterbalance.statistics.proportions import mid_p_limits
from counterbalance.statistics.reasons import Caution

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = ["cluster_proportion"]


def cluster_proportion(
    n_successes: ArrayLike,
    n_trials: ArrayLike,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None,
    confidence_level: float = 0.95,
) -> ClusterEstimate:
    r"""Enclose a proportion of clustered trials by mid-p limits on their effective number.

    Parameters
    ----------
    n_successes : ArrayLike
        Successes of each unit, from 0 to its trials.
    n_trials : ArrayLike
        Trials of each unit; 0 for a unit that does not count, 1 for a yes-or-no unit.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit; None when every unit is a cluster of its own.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    ClusterEstimate
        Proportion, standard error, degrees of freedom and limits in [0, 1].

    Raises
    ------
    StatisticsError
        If a count is negative or fractional, a unit has more successes than trials, lengths
        differ, or the level is not in (0, 1).

    Notes
    -----
    With the proportion :math:`\hat p` over :math:`n` units and its cluster-robust variance
    :math:`V` on :math:`\nu` degrees of freedom (:func:`~counterbalance.statistics.cluster_ratio`),
    the effective number of trials is

    .. math:: n^* = \frac{\hat p (1 - \hat p)}{V} \left(\frac{t_{n-1}}{t_\nu}\right)^2

    and at most :math:`n` where every unit is one trial: clusters do not make trials more telling
    than independent ones. Trials of one unit may be matched and tell much more: those of a unit
    that always has one success in two leave nothing open. The limits are the mid-p limits for
    :math:`\hat p n^*` successes in :math:`n^*` trials, where half the chance of what was seen
    counts as beyond. Those of Clopper and Pearson, which count all of it, cover more than they say.
    When all clusters have the same proportion, 0/n and n/n among them, the
    limits are the bound for clusters without spread.

    **Unit of analysis**: the trial; the sampling unit is the cluster.
    **Denominator**: the sum of `n_trials`.
    **Undefined** when there is no trial; the interval also with one cluster.
    **Assumes**: independent clusters; anything within them. Below 10 clusters with a caution.

    References
    ----------
    .. [1] E. L. Korn, B. I. Graubard, "Confidence intervals for proportions with small expected
       number of positive counts estimated from survey data", Survey Methodology 24 (1998) 193-201.
    .. [2] G. Berry, P. Armitage, "Mid-P confidence intervals: a brief review", The Statistician 44
       (1995) 417-423. doi:10.2307/2348891
    .. [3] L. D. Brown, T. T. Cai, A. DasGupta, "Interval estimation for a binomial proportion",
       Statistical Science 16 (2001) 101-133. doi:10.1214/ss/1009213286

    Examples
    --------
    >>> rare = cluster_proportion([1] + [0] * 99, [1] * 100, None)
    >>> rare.method, rare.estimate, round(rare.low, 4), round(rare.high, 4)
    ('korn_graubard_mid_p', 0.01, 0.0005, 0.0486)
    """
    successes = count_vector("n_successes", n_successes)
    trials = count_vector("n_trials", n_trials)
    if problem := length_problem("n_trials", trials.size, successes.size):
        raise StatisticsError(problem)
    if (successes > trials).any():
        message = "a unit has more successes than trials"
        raise StatisticsError(message)
    base = cluster_ratio(successes, trials, clusters, confidence_level, bounds=(0.0, 1.0))
    if base.estimate is None or base.se is None or base.degrees_of_freedom is None:
        return base
    effective = _effective_trials(base.estimate, base.se, base.degrees_of_freedom, base)
    if not (trials > 1).any():
        effective = min(effective, base.denominator)
    low, high = mid_p_limits(base.estimate * effective, effective, base.confidence_level)
    cautions = tuple(c for c in base.cautions if c is not Caution.CUT_AT_BOUND)
    return replace(base, low=low, high=high, method="korn_graubard_mid_p", cautions=cautions)


def _effective_trials(share: float, se: float, degrees: float, base: ClusterEstimate) -> float:
    """Return how many independent trials would leave the share as uncertain as it is."""
    quantile = 0.5 + base.confidence_level / 2
    ratio = float(stdtrit(base.n_units - 1, quantile)) / float(stdtrit(degrees, quantile))
    return share * (1 - share) / se**2 * math.pow(ratio, 2)
