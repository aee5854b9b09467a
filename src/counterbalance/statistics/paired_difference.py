"""How much oftener one condition succeeds than another on the same units, clusters or none.

Two outcomes of each unit and its cluster come in; counts, difference, interval and p-value go out
together, by the method that the clusters allow.
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
    valid_share,
)
from counterbalance.statistics.clustered import FEW_CLUSTERS, cluster_mean
from counterbalance.statistics.mcnemar import mcnemar_test
from counterbalance.statistics.p_values import t_p_value
from counterbalance.statistics.paired_interval import tango_interval
from counterbalance.statistics.reasons import Undefined

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from counterbalance.statistics.arguments import Counts, Floats
    from counterbalance.statistics.reasons import Caution

__all__ = ["PairedDifference", "paired_difference"]


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """A difference of two success rates on the same units, its interval and its test.

    Attributes
    ----------
    n_gained : int
        Units that succeed under the first condition only.
    n_lost : int
        Units that succeed under the second condition only.
    n_common : int
        All units: the denominator of the difference.
    n_clusters : int
        Clusters that the units come in.
    first_share : float | None
        Success rate under the first condition.
    second_share : float | None
        Success rate under the second condition.
    estimate : float | None
        First rate less the second; positive when the first succeeds oftener.
    se : float | None
        Cluster-robust standard error; None without clusters.
    degrees_of_freedom : float | None
        Of the t distribution; None without clusters.
    low : float | None
        Lower limit, from -1 up.
    high : float | None
        Upper limit, to 1.
    confidence_level : float
        Nominal coverage.
    method : str
        ``tango`` when no two units share a cluster, else ``cluster_robust_t`` or
        ``no_spread_bound``; ``none`` without interval.
    p_value : float | None
        Two-sided probability in (0, 1].
    p_method : str
        ``mcnemar_mid_p`` when no two units share a cluster, else ``cluster_robust_t``; ``none``
        without p-value.
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
    first_share: float | None
    second_share: float | None
    estimate: float | None
    se: float | None
    degrees_of_freedom: float | None
    low: float | None
    high: float | None
    confidence_level: float
    method: str
    p_value: float | None
    p_method: str
    cautions: tuple[Caution, ...]
    undefined: Undefined | None
    interval_undefined: Undefined | None
    p_undefined: Undefined | None


def paired_difference(
    first: ArrayLike,
    second: ArrayLike,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None,
    confidence_level: float = 0.95,
) -> PairedDifference:
    r"""Compare how often two conditions succeed on the same units, clusters or none.

    Parameters
    ----------
    first : ArrayLike
        1 or 0 for each unit: whether it succeeds under the first condition.
    second : ArrayLike
        1 or 0 for each unit under the second condition; same units, same sequence.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit; None when every unit is a cluster of its own.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    PairedDifference
        Counts, both success rates, difference, limits and p-value.

    Raises
    ------
    StatisticsError
        If an outcome is neither 0 nor 1, lengths differ, or the level is not in (0, 1).

    Notes
    -----
    When no two units share a cluster the interval is Tango's
    (:func:`~counterbalance.statistics.tango_interval`) and the test McNemar's with mid-p
    (:func:`~counterbalance.statistics.mcnemar_test`). Otherwise both rest on the t distribution of
    the mean difference :math:`x_i \in \{-1, 0, 1\}` with its cluster-robust error
    (:func:`~counterbalance.statistics.cluster_mean`): :math:`G - 1` degrees of freedom for
    :math:`G` equal clusters, fewer for unequal ones. The method depends on the clusters only, never
    on the outcomes. For limits from resampled clusters hand the differences to
    :func:`~counterbalance.statistics.bootstrap_ratio`.

    **Unit of analysis**: the unit, once under each condition; the sampling unit is the cluster.
    **Denominator**: all units that both conditions were tried on.
    **Undefined** without units; interval and p-value also when units share fewer than 10 clusters;
    the p-value also when no unit differs, or when all clusters have the same difference.
    **Assumes**: independent clusters; anything within them.

    References
    ----------
    .. [1] T. Tango, "Equivalence test and confidence interval for the difference in proportions for
       the paired-sample design", Statistics in Medicine 17 (1998) 891-908.
       doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B
    .. [2] A. C. Cameron, D. L. Miller, "A practitioner's guide to cluster-robust inference",
       Journal of Human Resources 50 (2015) 317-372. doi:10.3368/jhr.50.2.317

    Examples
    --------
    >>> first, second = [1, 1, 0, 1, 1, 0] * 4, [1, 0, 0, 1, 0, 1] * 4
    >>> alone = paired_difference(first, second, None)
    >>> alone.n_gained, alone.n_lost, alone.n_common, alone.method, round(alone.p_value, 4)
    (8, 4, 24, 'tango', 0.2668)
    >>> shared = paired_difference(first, second, [unit // 2 for unit in range(24)])
    >>> shared.method, shared.n_clusters, round(shared.degrees_of_freedom, 6)
    ('cluster_robust_t', 12, 11.0)
    >>> str(paired_difference(first, second, ["u", "v"] * 12).interval_undefined)
    'too_few_clusters'
    """
    left, right = _outcomes("first", first), _outcomes("second", second)
    if problem := length_problem("second", right.size, left.size):
        raise StatisticsError(problem)
    codes = cluster_codes(clusters, left.size)
    level = valid_share("confidence_level", confidence_level)
    found = _independent(left, right, level)
    if left.size and np.unique(codes).size < left.size:
        found = _clustered(left - right, codes, level, found)
    return PairedDifference(
        n_gained=int((left > right).sum()),
        n_lost=int((left < right).sum()),
        n_common=left.size,
        n_clusters=np.unique(codes).size,
        first_share=float(left.mean()) if left.size else None,
        second_share=float(right.mean()) if left.size else None,
        estimate=float((left - right).mean()) if left.size else None,
        se=found.se,
        degrees_of_freedom=found.degrees_of_freedom,
        low=found.low,
        high=found.high,
        confidence_level=level,
        method=found.method,
        p_value=found.p_value,
        p_method=found.p_method,
        cautions=found.cautions,
        undefined=None if left.size else Undefined.NO_OBSERVATIONS,
        interval_undefined=found.interval_undefined,
        p_undefined=found.p_undefined,
    )


@dataclass(frozen=True, slots=True)
class _Inference:
    """What can be said beyond the counts."""

    method: str
    p_method: str
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    se: float | None = None
    degrees_of_freedom: float | None = None
    cautions: tuple[Caution, ...] = ()
    interval_undefined: Undefined | None = None
    p_undefined: Undefined | None = None


def _outcomes(name: str, outcomes: ArrayLike) -> Floats:
    """Return 0 or 1 for each unit; refuse anything else."""
    vector = float_vector(name, outcomes)
    wrong = (vector != 0) & (vector != 1)
    if wrong.any():
        where = int(np.flatnonzero(wrong)[0])
        message = f"{name}[{where}] is {vector[where]}; an outcome is 1 or 0"
        raise StatisticsError(message)
    return vector


def _independent(left: Floats, right: Floats, level: float) -> _Inference:
    """Return interval and test of units that share no cluster."""
    if left.size == 0:
        reason = Undefined.NO_OBSERVATIONS
        return _Inference("none", "none", interval_undefined=reason, p_undefined=reason)
    gained, lost = int((left > right).sum()), int((left < right).sum())
    interval, test = tango_interval(gained, lost, left.size, level), mcnemar_test(gained, lost)
    return _Inference(
        method=interval.method,
        p_method="none" if test.p_value is None else "mcnemar_mid_p",
        low=interval.low,
        high=interval.high,
        p_value=test.p_value,
        p_undefined=test.undefined,
    )


def _clustered(
    differences: Floats, codes: Counts, level: float, independent: _Inference
) -> _Inference:
    """Return interval and test of units of which some share a cluster."""
    n_clusters = np.unique(codes).size
    if n_clusters < FEW_CLUSTERS:
        reason = Undefined.ONE_CLUSTER if n_clusters == 1 else Undefined.TOO_FEW_CLUSTERS
        return _Inference("none", "none", interval_undefined=reason, p_undefined=reason)
    mean = cluster_mean(differences, codes, level, bounds=(-1.0, 1.0))
    p_value = t_p_value(mean.estimate, mean.se, mean.degrees_of_freedom)
    no_p_value = independent.p_undefined or Undefined.NO_VARIATION
    return _Inference(
        method=mean.method,
        p_method="none" if p_value is None else "cluster_robust_t",
        low=mean.low,
        high=mean.high,
        p_value=p_value,
        se=mean.se,
        degrees_of_freedom=mean.degrees_of_freedom,
        cautions=mean.cautions,
        interval_undefined=mean.interval_undefined,
        p_undefined=no_p_value if p_value is None else None,
    )
