"""How much of the spread lies between clusters, between units within them, and between repeats.

One number for each repeat comes in, with its unit and cluster; three variance components go out,
for the planning of a study from a pilot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import cluster_codes, float_vector
from counterbalance.statistics.reasons import Undefined

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from counterbalance.statistics.arguments import Counts, Floats

__all__ = ["VarianceComponent", "VarianceComponents", "variance_components"]


@dataclass(frozen=True, slots=True)
class VarianceComponent:
    """One source of spread.

    Attributes
    ----------
    variance : float | None
        Estimate, cut at 0; None when the data cannot tell.
    uncut : float | None
        The same before the cut: unbiased, and negative now and then.
    undefined : Undefined | None
        Why there is none; None when there is.
    """

    variance: float | None
    uncut: float | None
    undefined: Undefined | None


@dataclass(frozen=True, slots=True)
class VarianceComponents:
    """Spread by source, of values nested in units and clusters.

    Attributes
    ----------
    n_values : int
        Repeats handed in.
    n_units : int
        Units that they are of.
    n_clusters : int
        Clusters that the units are of.
    cluster : VarianceComponent
        Between clusters; where each has one unit, between clusters and units together.
    unit : VarianceComponent
        Between units of a cluster.
    repeat : VarianceComponent
        Between repeats of a unit.
    """

    n_values: int
    n_units: int
    n_clusters: int
    cluster: VarianceComponent
    unit: VarianceComponent
    repeat: VarianceComponent


def variance_components(
    values: ArrayLike,
    units: Sequence[Hashable] | NDArray[np.generic],
    clusters: Sequence[Hashable] | NDArray[np.generic],
) -> VarianceComponents:
    r"""Split the spread of repeated values into clusters, units and repeats.

    Parameters
    ----------
    values : ArrayLike
        One finite number for each repeat.
    units : Sequence[Hashable] | NDArray[np.generic]
        The unit that was repeated.
    clusters : Sequence[Hashable] | NDArray[np.generic]
        The cluster of that unit; the same for all its repeats.

    Returns
    -------
    VarianceComponents
        Three components, each with its own reason where there is none.

    Raises
    ------
    StatisticsError
        If a value is not finite, lengths differ, or a unit lies in two clusters.

    Notes
    -----
    Mean squares of the nested analysis of variance are set equal to what they are expected to be
    (Henderson's first method; sizes may differ). With :math:`n_{gu}` repeats of unit :math:`u` in
    cluster :math:`g`, :math:`n_g` of them in the cluster, and :math:`N` in all,

    .. math:: E[MS_r] = \sigma_r^2, \quad E[MS_u] = \sigma_r^2 + k_1 \sigma_u^2, \quad
        E[MS_g] = \sigma_r^2 + k_2 \sigma_u^2 + k_3 \sigma_g^2.

    **Unit of analysis**: the repeat, nested in units, nested in clusters.
    **Denominator**: degrees of freedom: values - units, units - clusters, clusters - 1.
    **Undefined** when nothing varies; between repeats when no unit was repeated, and then between
    units too; between units when no cluster has two; between clusters when there is one, or when
    there are neither repeats nor clusters of two.
    **Assumes**: components that add up and do not depend on one another. Estimates from a small
    pilot are rough: plan with more than they say.

    References
    ----------
    .. [1] S. R. Searle, G. Casella, C. E. McCulloch, Variance Components, Wiley 1992, chapter 5.
       doi:10.1002/9780470316856

    Examples
    --------
    >>> found = variance_components([1, 1, 0, 1, 0, 0, 1, 0], "aabbccdd", "ppppqqqq")
    >>> found.repeat.variance, found.unit.variance, found.cluster.uncut
    (0.25, 0.0, 0.0625)
    """
    vector = float_vector("values", values)
    by_unit, by_cluster = cluster_codes(units, vector.size), cluster_codes(clusters, vector.size)
    n_units, n_clusters = len(np.unique(by_unit)), len(np.unique(by_cluster))
    if len(np.unique(np.stack([by_unit, by_cluster], axis=1), axis=0)) != n_units:
        message = "a unit lies in two clusters; give units of different clusters different names"
        raise StatisticsError(message)
    if vector.size == 0 or float(np.ptp(vector)) == 0:
        reason = Undefined.NO_VARIATION if vector.size else Undefined.NO_OBSERVATIONS
        none = VarianceComponent(None, None, reason)
        return VarianceComponents(vector.size, n_units, n_clusters, none, none, none)
    repeat, unit, cluster = _components(vector, by_unit, by_cluster)
    return VarianceComponents(vector.size, n_units, n_clusters, cluster, unit, repeat)


def _components(
    vector: Floats, by_unit: Counts, by_cluster: Counts
) -> tuple[VarianceComponent, VarianceComponent, VarianceComponent]:
    """Return the components of repeats, units and clusters."""
    n = float(vector.size)
    unit_sizes = np.bincount(by_unit).astype(np.float64)
    unit_means = np.bincount(by_unit, weights=vector) / unit_sizes
    home = np.zeros(unit_sizes.size, dtype=np.int64)
    home[by_unit] = by_cluster
    sizes = np.bincount(by_cluster).astype(np.float64)
    means = np.bincount(by_cluster, weights=vector) / sizes
    squares = np.array(
        [
            ((vector - unit_means[by_unit]) ** 2).sum(),
            (unit_sizes * (unit_means - means[home]) ** 2).sum(),
            (sizes * (means - vector.mean()) ** 2).sum(),
        ]
    )
    degrees = np.array([n - unit_sizes.size, unit_sizes.size - sizes.size, sizes.size - 1])
    nested = float((unit_sizes**2 / sizes[home]).sum())
    weights = (
        (n - nested),
        nested - float((unit_sizes**2).sum()) / n,
        n - float((sizes**2).sum()) / n,
    )
    return _solve(squares, degrees, weights)


def _solve(
    squares: Floats, degrees: Floats, weights: tuple[float, float, float]
) -> tuple[VarianceComponent, VarianceComponent, VarianceComponent]:
    """Return the components that make the sums of squares what they are expected to be."""
    no_repeats, no_units = degrees[0] == 0, degrees[1] == 0
    # Without repeats, what is found between units is units and repeats together.
    repeat = 0.0 if no_repeats else float(squares[0] / degrees[0])
    unit = 0.0 if no_units else float(squares[1] - degrees[1] * repeat) / weights[0]
    cluster: float | Undefined = Undefined.ONE_CLUSTER
    if degrees[2] > 0:
        left = float(squares[2] - degrees[2] * repeat) - weights[1] * unit
        cluster = Undefined.TOO_FEW_REPEATS if no_repeats and no_units else left / weights[2]
    few = Undefined.TOO_FEW_REPEATS if no_repeats else Undefined.TOO_FEW_UNITS
    return (
        _component(Undefined.TOO_FEW_REPEATS if no_repeats else repeat),
        _component(few if no_repeats or no_units else unit),
        _component(cluster),
    )


def _component(found: float | Undefined) -> VarianceComponent:
    """Return the component cut at 0, or the reason why there is none."""
    if isinstance(found, Undefined):
        return VarianceComponent(None, None, found)
    return VarianceComponent(max(0.0, found), found, None)
