"""How often one side would be preferred, were a feature such as length the same on both sides.

Outcomes, the features to control for and, where known, the difficulty of each unit come in; the
coefficients and the controlled probability go out. It is what the model says, not what was seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit, logit, stdtrit

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
from counterbalance.statistics.logit import valid_features, valid_outcomes
from counterbalance.statistics.newton import Summit
from counterbalance.statistics.priors import Priors
from counterbalance.statistics.reasons import Caution, Undefined

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from counterbalance.statistics.arguments import Counts, Floats

__all__ = ["ControlledPreference", "controlled_preference"]

_FEW_CLUSTERS = 10
# A variance this small against that of independent units is rounding.
_ROUNDING = 1e-10


@dataclass(frozen=True, slots=True)
class ControlledPreference:
    """Preference as seen, and as the model expects it with the features at 0.

    Attributes
    ----------
    n_units : int
        Units handed in.
    n_clusters : int
        Clusters they are from.
    observed : float | None
        Mean outcome, nothing controlled.
    controlled : float | None
        Mean probability with every feature at 0.
    se : float | None
        Standard error of `controlled` over clusters, coefficients' own errors included.
    low : float | None
        Lower limit, within 0 and 1.
    high : float | None
        Upper limit, within 0 and 1.
    coefficients : tuple[Coefficient, ...] | None
        Intercept, features and, where given, ease.
    has_ease : bool
        Whether the ease of the units went in.
    prior_means : tuple[float, ...]
        By feature, where the prior draws its coefficient.
    prior_precisions : tuple[float, ...]
        By feature, how hard; 0 is not at all.
    confidence_level : float
        Nominal coverage.
    cautions : tuple[Caution, ...]
        What value and limits lean on.
    undefined : Undefined | None
        Why there is no controlled value; None when there is one.
    interval_undefined : Undefined | None
        Why there are no limits; None when there are.
    """

    n_units: int
    n_clusters: int
    observed: float | None
    controlled: float | None
    se: float | None
    low: float | None
    high: float | None
    coefficients: tuple[Coefficient, ...] | None
    has_ease: bool
    prior_means: tuple[float, ...]
    prior_precisions: tuple[float, ...]
    confidence_level: float
    cautions: tuple[Caution, ...]
    undefined: Undefined | None
    interval_undefined: Undefined | None


def controlled_preference(
    outcomes: ArrayLike,
    features: ArrayLike,
    names: Sequence[str],
    *,
    ease: ArrayLike | None = None,
    prior_means: ArrayLike | None = None,
    prior_precisions: ArrayLike | None = None,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None = None,
    confidence_level: float = 0.95,
) -> ControlledPreference:
    r"""Estimate how often one side would be preferred if the features made no difference.

    Parameters
    ----------
    outcomes : ArrayLike
        One number from 0 to 1 for each unit: 1 where this side was preferred.
    features : ArrayLike
        Units x features, each 0 where there is nothing to control for, such as
        :func:`saturated_differences` of lengths.
    names : Sequence[str]
        One name for each feature.
    ease : ArrayLike | None
        How easy each unit is for any side, as :func:`joint_difficulty` says; None if not known.
    prior_means : ArrayLike | None
        By feature, the coefficient that is expected beforehand; None: 0.
    prior_precisions : ArrayLike | None
        By feature, one over the variance of that expectation; 0 for none. None: none at all.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit; None when every unit is a cluster of its own.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    ControlledPreference
        Observed and controlled preference, limits and coefficients.

    Raises
    ------
    StatisticsError
        If an outcome is not in [0, 1], a number is not finite, a precision is negative, lengths
        differ, or the level is not in (0, 1).

    Notes
    -----
    With features :math:`x_i` and ease :math:`\gamma_i`,

    .. math:: \operatorname{logit} p_i = \theta + \phi^T x_i + \psi \gamma_i, \quad
        \hat p = \frac1n \sum_i \operatorname{logit}^{-1}(\theta + \psi \gamma_i).

    The standard error adds up, over clusters, what each unit moves both the coefficients and the
    mean by (delta method); it agrees with a bootstrap that refits, and is far larger than the
    spread of the fitted probabilities that is sometimes printed. Limits are made on the log-odds
    of :math:`\hat p`. Ease and priors are taken as known.

    Without ease, sides that are far apart are drawn towards one half, and a side that rarely wins
    can gain several times its value: the result then carries a caution.

    **Unit of analysis**: the unit; the sampling unit is the cluster.
    **Denominator**: all units.
    **Undefined** as :func:`cluster_logit`, where coefficients with a prior are always identified;
    the limits also with one cluster, or no more clusters than coefficients.
    **Assumes**: the effect of the features is what the model says, on log-odds and for all units.
    It is no statement of what would be seen if texts were made equal.

    References
    ----------
    .. [1] Y. Dubois, B. Galambosi, P. Liang, T. B. Hashimoto, "Length-controlled AlpacaEval: a
       simple way to debias automatic evaluators", COLM 2024. arXiv:2404.04475

    Examples
    --------
    >>> outcomes, length = [1, 1, 1, 0, 1, 0, 0, 0], [0.9, 0.8, 0.5, 0.4, -0.1, -0.2, 0.2, -0.4]
    >>> fit = controlled_preference(outcomes, [[x] for x in length], ["length"])
    >>> fit.observed, round(fit.controlled, 3), [str(caution) for caution in fit.cautions]
    (0.5, 0.284, ['few_clusters', 'no_ease'])
    """
    y = valid_outcomes(outcomes)
    x = valid_features(features, y.size, names)
    known = None if ease is None else float_vector("ease", ease)
    priors = Priors.of(prior_means, prior_precisions, x.shape[1])
    level = valid_share("confidence_level", confidence_level)
    if known is not None and (problem := length_problem("ease", known.size, y.size)):
        raise StatisticsError(problem)
    codes = cluster_codes(clusters, y.size)
    has_ease = known is not None
    design = np.column_stack([np.ones_like(y), x, *([known] if known is not None else [])])
    fit = priors.fit(y, design) if y.size else Undefined.NO_OBSERVATIONS
    found = _Value()
    if isinstance(fit, Summit):
        found = _value(y, design, fit, codes, level, slice(1, 1 + x.shape[1]))
    labels = ["intercept", *names, *(["ease"] if has_ease else [])]
    n_clusters = int(codes.max(initial=-1)) + 1
    return ControlledPreference(
        n_units=y.size,
        n_clusters=n_clusters,
        observed=float(y.mean()) if y.size else None,
        controlled=found.value,
        se=found.se,
        low=found.low,
        high=found.high,
        coefficients=found.coefficients(labels, float(n_clusters - 1), level),
        has_ease=has_ease,
        prior_means=tuple(priors.means.tolist()),
        prior_precisions=tuple(priors.precisions.tolist()),
        confidence_level=level,
        cautions=() if found.value is None else _cautions(n_clusters, has_ease=has_ease),
        undefined=fit if isinstance(fit, Undefined) else None,
        interval_undefined=found.undefined if isinstance(fit, Summit) else fit,
    )


@dataclass(frozen=True, slots=True)
class _Value:
    """The controlled probability with its limits, and the coefficients behind it."""

    value: float | None = None
    se: float | None = None
    low: float | None = None
    high: float | None = None
    at: Floats | None = None
    covariance: Floats | Undefined = Undefined.NO_OBSERVATIONS
    undefined: Undefined | None = None

    def coefficients(
        self, names: Sequence[str], degrees: float, level: float
    ) -> tuple[Coefficient, ...] | None:
        """Return the coefficients with limits, None where there was no fit."""
        if self.at is None:
            return None
        return coefficients_of(names, self.at, self.covariance, degrees, level)


def _value(
    outcomes: Floats, design: Floats, fit: Summit, codes: Counts, level: float, features: slice
) -> _Value:
    """Return the mean probability with the features at 0, with limits over clusters."""
    without = design.copy()
    without[:, features] = 0
    chances = expit(without @ fit.at)
    value = float(chances.mean())
    scores = design * (outcomes - expit(design @ fit.at))[:, np.newaxis]
    covariance = clustered_covariance(fit.information, scores, codes)
    if isinstance(covariance, Undefined):
        return _Value(value, at=fit.at, covariance=covariance, undefined=covariance)
    slope = without.T @ (chances * (1 - chances)) / len(chances)
    pulls = (chances - value) / len(chances) + scores @ np.linalg.solve(fit.information, slope)
    totals = np.bincount(codes, weights=pulls)
    n_clusters = int(codes.max(initial=-1)) + 1
    se = math.sqrt(n_clusters / (n_clusters - 1) * float(totals @ totals))
    if not 0 < value < 1 or se**2 <= _ROUNDING * value * (1 - value) / len(chances):
        return _Value(value, at=fit.at, covariance=covariance, undefined=Undefined.NO_VARIATION)
    # On the log-odds, so that limits stay within 0 and 1.
    half = float(stdtrit(n_clusters - 1, 0.5 + level / 2)) * se / (value * (1 - value))
    low, high = (float(expit(logit(value) + side * half)) for side in (-1, 1))
    return _Value(value, se, low, high, fit.at, covariance)


def _cautions(n_clusters: int, *, has_ease: bool) -> tuple[Caution, ...]:
    """Return what the number of clusters and a lack of ease call for."""
    few = (Caution.FEW_CLUSTERS,) if n_clusters < _FEW_CLUSTERS else ()
    return few if has_ease else (*few, Caution.NO_EASE)
