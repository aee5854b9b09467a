"""A logit model of outcomes from 0 to 1, with or without a prior on its coefficients.

The fit itself, and the regression that takes clusters into account. Its coefficients are marginal:
they compare averages over all units, not one unit with itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import (
    cluster_codes,
    float_vector,
    length_problem,
    valid_share,
)
from counterbalance.statistics.coefficients import (
    Coefficient,
    clustered_covariance,
    coefficients_of,
)
from counterbalance.statistics.identifiability import logit_problem
from counterbalance.statistics.newton import Summit, climb
from counterbalance.statistics.reasons import Caution, Undefined

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from counterbalance.statistics.arguments import Floats

__all__ = [
    "ClusterLogit",
    "cluster_logit",
    "fit_logit",
    "valid_features",
    "valid_outcomes",
]

_FEW_CLUSTERS = 10
_TABLE_DIMENSIONS = 2
# A climb that never ends has driven a probability far below this when its gains vanish.
_CERTAIN = 1e-6
# From here on, directions that are flat and those that are nearly so look alike.
_FLAT = 1e10


@dataclass(frozen=True, slots=True)
class ClusterLogit:
    """Marginal log-odds, with errors over clusters.

    Attributes
    ----------
    n_units : int
        Units handed in.
    n_clusters : int
        Clusters they are from.
    mean_outcome : float | None
        Mean of the outcomes; None without units.
    coefficients : tuple[Coefficient, ...] | None
        The intercept and one for each feature: log-odds of averages over units.
    log_likelihood : float | None
        At the estimates.
    confidence_level : float
        Nominal coverage.
    cautions : tuple[Caution, ...]
        What the limits lean on.
    undefined : Undefined | None
        Why there are no estimates; None when there are.
    """

    n_units: int
    n_clusters: int
    mean_outcome: float | None
    coefficients: tuple[Coefficient, ...] | None
    log_likelihood: float | None
    confidence_level: float
    cautions: tuple[Caution, ...]
    undefined: Undefined | None


def cluster_logit(
    outcomes: ArrayLike,
    features: ArrayLike,
    names: Sequence[str],
    clusters: Sequence[Hashable] | NDArray[np.generic] | None = None,
    confidence_level: float = 0.95,
) -> ClusterLogit:
    r"""Regress outcomes on features by odds, with errors for units that come in clusters.

    Parameters
    ----------
    outcomes : ArrayLike
        One number from 0 to 1 for each unit.
    features : ArrayLike
        Units x features, without a column for the intercept.
    names : Sequence[str]
        One name for each feature.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit; None when every unit is a cluster of its own.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    ClusterLogit
        Coefficients with cluster-robust errors and t limits.

    Raises
    ------
    StatisticsError
        If an outcome is not in [0, 1], a feature is not finite, lengths differ, or the level is not
        in (0, 1).

    Notes
    -----
    The coefficients maximise

    .. math:: \sum_i y_i \eta_i - \log(1 + e^{\eta_i}), \quad \eta_i = \beta_0 + x_i^T \beta.

    They are marginal: the log-odds of the mean outcome of all units under one condition against
    that under another. The odds of a given unit change by more, see :func:`mixed_logit`.

    **Unit of analysis**: the unit; the sampling unit is the cluster.
    **Denominator**: all units.
    **Undefined** without units; when features repeat one another (`not_identified`) or part the
    outcomes (`separation`), as constant outcomes do; errors also with one cluster, or no more
    clusters than coefficients.
    **Assumes**: independent clusters; anything within them.

    References
    ----------
    .. [1] K.-Y. Liang, S. L. Zeger, "Longitudinal data analysis using generalized linear models",
       Biometrika 73 (1986) 13-22. doi:10.1093/biomet/73.1.13

    Examples
    --------
    >>> outcomes, second = [1, 0, 0, 1, 1, 1, 1, 0], [0, 0, 0, 0, 1, 1, 1, 1]
    >>> fit = cluster_logit(outcomes, [[x] for x in second], ["second"], "pqrspqrs")
    >>> [(one.name, round(one.estimate, 4), round(one.se, 3)) for one in fit.coefficients]
    [('intercept', 0.0, 1.155), ('second', 1.0986, 2.211)]
    >>> str(cluster_logit([1, 1], [[0], [1]], ["second"]).undefined)
    'separation'
    """
    y = valid_outcomes(outcomes)
    x = valid_features(features, y.size, names)
    level = valid_share("confidence_level", confidence_level)
    codes = cluster_codes(clusters, y.size)
    design = np.column_stack([np.ones_like(y), x])
    n_clusters = int(codes.max(initial=-1)) + 1
    fit = fit_logit(y, design) if y.size else Undefined.NO_OBSERVATIONS
    coefficients = None
    if isinstance(fit, Summit):
        residuals = y - expit(design @ fit.at)
        covariance = clustered_covariance(fit.information, design * residuals[:, np.newaxis], codes)
        degrees = float(n_clusters - 1)
        coefficients = coefficients_of(["intercept", *names], fit.at, covariance, degrees, level)
    is_few = coefficients is not None and n_clusters < _FEW_CLUSTERS
    return ClusterLogit(
        n_units=y.size,
        n_clusters=n_clusters,
        mean_outcome=float(y.mean()) if y.size else None,
        coefficients=coefficients,
        log_likelihood=fit.value if isinstance(fit, Summit) else None,
        confidence_level=level,
        cautions=(Caution.FEW_CLUSTERS,) if is_few else (),
        undefined=None if isinstance(fit, Summit) else fit,
    )


def fit_logit(
    outcomes: Floats,
    design: Floats,
    prior_means: Floats | None = None,
    prior_precisions: Floats | None = None,
) -> Summit | Undefined:
    """Return the best coefficients, or why there are none; a precision of 0 is no prior."""
    n_parameters = design.shape[1]
    means = np.zeros(n_parameters) if prior_means is None else prior_means
    precisions = np.zeros(n_parameters) if prior_precisions is None else prior_precisions

    def log_posterior(at: Floats) -> tuple[float, Floats, Floats]:
        predictor = design @ at
        chances = expit(predictor)
        off = at - means
        value = float(outcomes @ predictor - np.logaddexp(0, predictor).sum())
        gradient = design.T @ (outcomes - chances) - precisions * off
        weights = chances * (1 - chances)
        information = (design.T * weights) @ design + np.diag(precisions)
        return value - float(precisions @ off**2) / 2, gradient, information

    summit = climb(log_posterior, means.copy())
    if summit.has_converged and _is_sound(summit, expit(design @ summit.at)):
        return summit
    # What may rise for ever: coefficients without a prior, judged by outcomes that could be either.
    rows = design[:, precisions == 0]
    occurred = np.concatenate([rows[outcomes > 0], -rows[outcomes < 1]])
    problem = logit_problem(occurred)
    if problem is None and not summit.has_converged:
        problem = Undefined.NO_CONVERGENCE
    return problem or summit


def _is_sound(summit: Summit, chances: Floats) -> bool:
    """Tell whether the top is a top beyond doubt: nothing near certain, no direction near flat."""
    scale = np.sqrt(np.diagonal(summit.information))
    if (scale <= 0).any():
        return False
    condition = float(np.linalg.cond(summit.information / np.outer(scale, scale)))
    return condition < _FLAT and float((chances * (1 - chances)).min()) > _CERTAIN


def valid_outcomes(outcomes: ArrayLike) -> Floats:
    """Return outcomes as an array; refuse any that is not from 0 to 1."""
    vector = float_vector("outcomes", outcomes)
    bad = np.flatnonzero((vector < 0) | (vector > 1))
    if bad.size:
        message = f"outcomes[{bad[0]}] is {vector[bad[0]]}; give numbers from 0 to 1"
        raise StatisticsError(message)
    return vector


def valid_features(features: ArrayLike, n_units: int, names: Sequence[str]) -> Floats:
    """Return units x features; refuse other shapes, NaN and infinity."""
    matrix = np.asarray(features, dtype=np.float64)
    if matrix.size == 0 and n_units == 0:
        return np.zeros((0, len(names)))
    if matrix.ndim != _TABLE_DIMENSIONS:
        message = f"features have {matrix.ndim} dimensions; give one row of features per unit"
        raise StatisticsError(message)
    if problem := length_problem("features", len(matrix), n_units):
        raise StatisticsError(problem)
    if matrix.shape[1] != len(names):
        message = f"features have {matrix.shape[1]} columns for {len(names)} names; give one each"
        raise StatisticsError(message)
    if not np.isfinite(matrix).all():
        message = "a feature is not finite; leave units without a value out, counted"
        raise StatisticsError(message)
    return matrix
