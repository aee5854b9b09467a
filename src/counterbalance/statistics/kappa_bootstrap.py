"""Bootstrap interval for Cohen's kappa of units that come in clusters.

The standard error of :func:`~counterbalance.statistics.cohen_kappa` takes units for independent;
where several share a cluster, resampling whole clusters does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import cluster_codes, length_problem
from counterbalance.statistics.cluster_bootstrap import (
    ClusterBootstrap,
    bootstrapped,
    cluster_sums,
)
from counterbalance.statistics.reasons import Undefined
from counterbalance.statistics.resampled_limits import ResamplePlan

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from counterbalance.statistics.arguments import Floats
    from counterbalance.statistics.resampled_limits import BootstrapMethod

__all__ = ["bootstrap_kappa"]


def bootstrap_kappa(
    first: Sequence[Hashable] | NDArray[np.generic],
    second: Sequence[Hashable] | NDArray[np.generic],
    clusters: Sequence[Hashable] | NDArray[np.generic] | None,
    generator: np.random.Generator,
    confidence_level: float = 0.95,
    *,
    method: BootstrapMethod = "studentised",
    n_replicates: int = 10_000,
) -> ClusterBootstrap:
    r"""Measure agreement beyond chance, with limits from resamples of whole clusters.

    Parameters
    ----------
    first : Sequence[Hashable] | NDArray[np.generic]
        The first rater's category of each unit.
    second : Sequence[Hashable] | NDArray[np.generic]
        The second rater's category of each unit, in the same sequence.
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

    Returns
    -------
    ClusterBootstrap
        Kappa, cluster-robust standard error and limits in [-1, 1].

    Raises
    ------
    StatisticsError
        If lengths differ, the level is not in (0, 1), or the plan cannot be carried out.

    Notes
    -----
    With agreements :math:`A` among :math:`n` units and marginal counts :math:`r_k, c_k`,

    .. math:: \kappa = \frac{n A - \sum_k r_k c_k}{n^2 - \sum_k r_k c_k}

    is a function of sums over units, so clusters enter by their sums; resampling is as in
    :func:`~counterbalance.statistics.bootstrap_ratio`.

    **Unit of analysis**: the unit that both raters rated; the sampling unit is the cluster.
    **Denominator**: :math:`n^2 - \sum r_k c_k`, agreement that chance leaves over.
    **Undefined** without units, or when both raters used one and the same category throughout; the
    interval as in :func:`~counterbalance.statistics.bootstrap_ratio`.
    **Assumes**: independent clusters; anything within them.

    References
    ----------
    .. [1] J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological
       Measurement 20 (1960) 37-46. doi:10.1177/001316446002000104
    .. [2] C. A. Field, A. H. Welsh, "Bootstrapping clustered data", Journal of the Royal
       Statistical Society B 69 (2007) 369-390. doi:10.1111/j.1467-9868.2007.00593.x

    Examples
    --------
    >>> first, second = "uuuvv" * 10, "uuvvu" * 10
    >>> kappa = bootstrap_kappa(first, second, list(range(25)) * 2, np.random.default_rng(1))
    >>> round(kappa.estimate, 4), kappa.n_units, kappa.n_clusters
    (0.1667, 50, 25)
    """
    if problem := length_problem("second", len(second), len(first)):
        raise StatisticsError(problem)
    plan = ResamplePlan(generator, n_replicates, method, confidence_level, (-1.0, 1.0))
    n = len(first)
    codes = cluster_codes([*first, *second], 2 * n)
    kinds = np.eye(int(codes.max(initial=-1)) + 1)
    rows, columns = kinds[codes[:n]], kinds[codes[n:]]
    agrees = (codes[:n] == codes[n:]).astype(np.float64)
    sums = cluster_sums(
        np.column_stack([agrees, rows, columns]), clusters, counts=np.ones(n, dtype=np.bool_)
    )
    undefined = None
    if n == 0:
        undefined = Undefined.NO_OBSERVATIONS
    elif kinds.shape[0] == 1:
        undefined = Undefined.EXPECTED_AGREEMENT_ONE
    return bootstrapped(plan, sums, _Kappa(), n, undefined)


class _Kappa:
    """Kappa from totals: agreements, then the counts of either rater by category."""

    def values(self, totals: Floats) -> Floats:
        """Return one kappa for each row of totals; NaN where only one category is left."""
        agree, rows, columns = _parts(totals)
        n, chance = rows.sum(axis=1), (rows * columns).sum(axis=1)
        left = n**2 - chance
        kappas: Floats = np.where(left > 0, (n * agree - chance) / left, np.nan)
        return kappas

    def gradients(self, totals: Floats) -> Floats:
        """Return the slopes of kappa."""
        agree, rows, columns = _parts(totals)
        n, chance = rows.sum(axis=1), (rows * columns).sum(axis=1)
        kappa = self.values(totals)[:, np.newaxis]
        left, n, agree = (n**2 - chance)[:, np.newaxis], n[:, np.newaxis], agree[:, np.newaxis]
        by_row = (agree - columns - kappa * (2 * n - columns)) / left
        by_column = -rows * (1 - kappa) / left
        return np.column_stack([n / left, by_row, by_column])


def _parts(totals: Floats) -> tuple[Floats, Floats, Floats]:
    """Return agreements, the first rater's counts and the second's."""
    n_kinds = (totals.shape[1] - 1) // 2
    return totals[:, 0], totals[:, 1 : n_kinds + 1], totals[:, n_kinds + 1 :]
