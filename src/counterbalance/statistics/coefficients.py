"""Coefficients of fitted models: estimate, standard error, limits and p-value of each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from counterbalance.statistics.p_values import p_value_of
from counterbalance.statistics.reasons import Undefined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.statistics.arguments import Counts, Floats

__all__ = ["Coefficient", "clustered_covariance", "coefficients_of"]

_ROUNDING = 1e-10


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One coefficient on the scale of log-odds.

    Attributes
    ----------
    name : str
        What it belongs to.
    estimate : float
        Log-odds.
    se : float | None
        Standard error; None when it cannot be estimated.
    low : float | None
        Lower limit.
    high : float | None
        Upper limit.
    p_value : float | None
        Two-sided, against 0.
    undefined : Undefined | None
        Why there is no standard error; None when there is one.
    """

    name: str
    estimate: float
    se: float | None
    low: float | None
    high: float | None
    p_value: float | None
    undefined: Undefined | None

    @property
    def odds_ratio(self) -> float:
        """The estimate as a factor on odds; infinite where a float cannot hold it."""
        return float(np.exp(min(self.estimate, 709.0)))


def coefficients_of(
    names: Sequence[str],
    estimates: Floats,
    covariance: Floats | Undefined,
    degrees_of_freedom: float | None,
    level: float,
) -> tuple[Coefficient, ...]:
    """Return each coefficient with t limits, or normal ones where no degrees are given."""
    pairs = zip(names, estimates.tolist(), strict=True)
    if isinstance(covariance, Undefined):
        return tuple(
            Coefficient(name, value, None, None, None, None, covariance) for name, value in pairs
        )
    variances = np.diagonal(covariance).tolist()
    return tuple(
        _coefficient(name, value, variance, degrees_of_freedom, level)
        for (name, value), variance in zip(pairs, variances, strict=True)
    )


def _coefficient(
    name: str, value: float, variance: float, degrees: float | None, level: float
) -> Coefficient:
    """Return one coefficient with its limits; a variance of 0 leaves it without."""
    if not (math.isfinite(variance) and variance > 0):
        return Coefficient(name, value, None, None, None, None, Undefined.NO_VARIATION)
    se = math.sqrt(variance)
    quantile = ndtri(0.5 + level / 2) if degrees is None else stdtrit(degrees, 0.5 + level / 2)
    tail = ndtr(-abs(value) / se) if degrees is None else stdtr(degrees, -abs(value) / se)
    half = float(quantile) * se
    p_value = p_value_of(2 * float(tail))
    return Coefficient(name, value, se, value - half, value + half, p_value, undefined=None)


def clustered_covariance(
    information: Floats, scores: Floats, clusters: Counts
) -> Floats | Undefined:
    r"""Return the cluster-robust covariance of maximum-likelihood estimates.

    Parameters
    ----------
    information : Floats
        Negative second derivatives of the log-likelihood at its top.
    scores : Floats
        Rows x parameters: first derivatives of each row's log-likelihood.
    clusters : Counts
        The cluster of each row, from 0 up.

    Returns
    -------
    Floats | Undefined
        The covariance; ``one_cluster`` or ``too_many_parameters`` when clusters do not outnumber
        the parameters, since their spread then spans fewer directions than there are.

    Notes
    -----
    With cluster sums :math:`s_g` of the scores and information :math:`I`,

    .. math:: \frac{G}{G - 1} I^{-1} \Big( \sum_g s_g s_g^T \Big) I^{-1}.

    References
    ----------
    .. [1] A. C. Cameron, D. L. Miller, "A practitioner's guide to cluster-robust inference",
       Journal of Human Resources 50 (2015) 317-372, section VII. doi:10.3368/jhr.50.2.317
    """
    _, codes = np.unique(clusters, return_inverse=True)
    n_clusters = int(codes.max(initial=-1)) + 1
    if n_clusters <= max(1, scores.shape[1]):
        return Undefined.ONE_CLUSTER if n_clusters == 1 else Undefined.TOO_MANY_PARAMETERS
    totals = np.zeros((n_clusters, scores.shape[1]))
    np.add.at(totals, codes, scores)
    bread = np.linalg.inv(information)
    factor = n_clusters / (n_clusters - 1)
    covariance = np.asarray(factor * bread @ (totals.T @ totals) @ bread, dtype=np.float64)
    # Where the sums of all clusters cancel, what is left is rounding, not a spread next to none.
    nothing = np.diagonal(covariance) <= _ROUNDING * np.diagonal(bread)
    covariance[nothing] = 0
    covariance[:, nothing] = 0
    return covariance
