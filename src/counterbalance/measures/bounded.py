"""Means of credits that lie between two bounds, with the interval that proportions have."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.statistics.clustered_proportion import cluster_proportion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.dispositions.codes import Booleans
    from counterbalance.statistics.clustered import ClusterEstimate

__all__ = ["credit_mean"]


def credit_mean(
    credits: NDArray[np.float64],  # noqa: A002 (the field's word)
    units: NDArray[np.integer] | Booleans,
    clusters: NDArray[np.int32],
    level: float,
    *,
    parts: int,
) -> ClusterEstimate:
    """Return the mean credit per unit, each credit a multiple of 1/``parts`` from 0 to its units.

    A credit of 3/4 is taken as 3 successes in 4 trials of one cluster; the effective number of
    trials undoes the multiplication. So a win rate without ties has the interval of the same
    proportion.

    Parameters
    ----------
    credits : NDArray[np.float64]
        Sum of credits of each pair.
    units : NDArray[np.integer] | Booleans
        Units of each pair; 0 for one that does not count.
    clusters : NDArray[np.int32]
        Code of the cluster of each pair.
    level : float
        Nominal coverage of the interval.
    parts : int
        Number of equal parts of one credit.

    Returns
    -------
    ClusterEstimate
        Numerator and denominator in credits and units.

    Notes
    -----
    **Unit of analysis**: the pair; intervals over clusters.
    **Denominator**: the sum of ``units``.
    **Undefined** when it is 0.

    References
    ----------
    .. [1] E. L. Korn, B. I. Graubard, Survey Methodology 24 (1998) 193-201 (effective trials).
    """
    if (credits == np.floor(credits)).all():
        parts = 1  # no half credit was given: the trials are the units themselves
    trials = units.astype(np.int64) * parts
    successes = np.rint(credits * parts).astype(np.int64)
    result = cluster_proportion(successes, trials, clusters, level)
    return replace(
        result,
        numerator=result.numerator / parts,
        denominator=result.denominator / parts,
        n_units=int(np.count_nonzero(units)),
    )
