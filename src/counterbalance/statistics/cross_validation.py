"""How well a logit model foretells outcomes that it was not fitted to.

Outcomes, features and, where known, the ease of each unit come in; log-loss and calibration on
units of clusters that were left out of the fit go out, beside those of a model without features.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit, logit

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import cluster_codes, float_vector, length_problem
from counterbalance.statistics.logit import fit_logit, valid_features, valid_outcomes
from counterbalance.statistics.newton import Summit
from counterbalance.statistics.priors import Priors
from counterbalance.statistics.reasons import Undefined

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from counterbalance.statistics.arguments import Counts, Floats

__all__ = ["CalibrationBin", "HeldOutFit", "held_out_fit"]

_FEWEST_FOLDS = 2
# A probability this near to 0 or 1 is as good as certain; its logarithm stays finite.
_SURE = 1e-9


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Units whose predicted probabilities are neighbours.

    Attributes
    ----------
    n_units : int
        Units.
    predicted : float
        Their mean predicted probability.
    observed : float
        Their mean outcome.
    """

    n_units: int
    predicted: float
    observed: float


@dataclass(frozen=True, slots=True)
class HeldOutFit:
    """Predictions for units of clusters that the fit had not seen.

    Attributes
    ----------
    n_units : int
        Units handed in.
    n_clusters : int
        Clusters they are from.
    n_folds : int
        Parts that the clusters were divided into.
    log_loss : float | None
        Mean negative log-likelihood of the held-out outcomes, in nats.
    log_loss_constant : float | None
        The same of a model that always says the mean of the other units.
    calibration_slope : float | None
        Log-odds of outcomes by log-odds predicted: below 1 when predictions are too extreme. None
        where predictions do not vary or part the outcomes.
    bins : tuple[CalibrationBin, ...]
        Units by predicted probability, in parts of equal size.
    undefined : Undefined | None
        Why there are no predictions; None when there are.
    """

    n_units: int
    n_clusters: int
    n_folds: int
    log_loss: float | None
    log_loss_constant: float | None
    calibration_slope: float | None
    bins: tuple[CalibrationBin, ...]
    undefined: Undefined | None


def held_out_fit(
    outcomes: ArrayLike,
    features: ArrayLike,
    names: Sequence[str],
    *,
    ease: ArrayLike | None = None,
    prior_means: ArrayLike | None = None,
    prior_precisions: ArrayLike | None = None,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None = None,
    n_folds: int = 5,
    n_bins: int = 5,
) -> HeldOutFit:
    r"""Predict the outcomes of clusters that are left out of the fit, in turn.

    Parameters
    ----------
    outcomes : ArrayLike
        One number from 0 to 1 for each unit.
    features : ArrayLike
        Units x features, without a column for the intercept; without any column the model has the
        intercept and the ease alone.
    names : Sequence[str]
        One name for each feature.
    ease : ArrayLike | None
        How easy each unit is; it must not have been estimated from the unit's own outcome, or the
        predictions have seen what they foretell.
    prior_means : ArrayLike | None
        By feature, the coefficient that is expected beforehand.
    prior_precisions : ArrayLike | None
        By feature, one over the variance of that expectation; 0 for none.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit, which stays whole; None when every unit is a cluster of its own.
    n_folds : int
        Parts that the clusters are divided into, 2 or more; clusters are dealt out in turn.
    n_bins : int
        Parts of equal size for calibration, 1 or more.

    Returns
    -------
    HeldOutFit
        Log-loss, that of a constant, and calibration.

    Raises
    ------
    StatisticsError
        If an outcome is not in [0, 1], a number is not finite, lengths differ, or there are too few
        folds or bins.

    Notes
    -----
    With :math:`\hat p_i` from a fit to all folds but that of :math:`i`,

    .. math:: L = -\frac1n \sum_i y_i \log \hat p_i + (1 - y_i) \log(1 - \hat p_i).

    The slope is that of a logit model of :math:`y` on :math:`\operatorname{logit} \hat p`.

    **Unit of analysis**: the unit; folds are made of clusters.
    **Denominator**: all units.
    **Undefined** with fewer clusters than folds, or when a fit is, as :func:`cluster_logit`.
    **Assumes**: clusters are exchangeable.

    References
    ----------
    .. [1] M. Stone, "Cross-validatory choice and assessment of statistical predictions", Journal of
       the Royal Statistical Society B 36 (1974) 111-147. doi:10.1111/j.2517-6161.1974.tb00994.x
    .. [2] D. R. Cox, "Two further applications of a model for binary regression", Biometrika 45
       (1958) 562-565 (the slope). doi:10.1093/biomet/45.3-4.562

    Examples
    --------
    >>> outcomes = [1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0]
    >>> length = [2, 1, 1, 3, -1, -2, -1, -3, 2, 1, -1, -2]
    >>> found = held_out_fit(outcomes, [[x] for x in length], ["length"], n_folds=3, n_bins=2)
    >>> round(found.log_loss, 3), round(found.log_loss_constant, 3)
    (0.629, 0.8)
    """
    y = valid_outcomes(outcomes)
    x = valid_features(features, y.size, names)
    priors = Priors.of(prior_means, prior_precisions, x.shape[1])
    for name, count, least in (("n_folds", n_folds, _FEWEST_FOLDS), ("n_bins", n_bins, 1)):
        if count < least:
            message = f"{name} is {count}; give {least} or more"
            raise StatisticsError(message)
    known = None if ease is None else float_vector("ease", ease)
    if known is not None and (problem := length_problem("ease", known.size, y.size)):
        raise StatisticsError(problem)
    design = np.column_stack([np.ones_like(y), x, *([known] if known is not None else [])])
    _, codes = np.unique(cluster_codes(clusters, y.size), return_inverse=True)
    n_clusters = int(codes.max(initial=-1)) + 1
    found: tuple[Floats, Floats] | Undefined = Undefined.NO_OBSERVATIONS
    if y.size:
        found = _predicted(y, design, priors, codes % n_folds, n_folds)
    if n_clusters < n_folds and y.size:
        found = Undefined.ONE_CLUSTER if n_clusters == 1 else Undefined.TOO_FEW_UNITS
    if isinstance(found, Undefined):
        return HeldOutFit(y.size, n_clusters, n_folds, None, None, None, (), found)
    model, constant = found
    return HeldOutFit(
        n_units=y.size,
        n_clusters=n_clusters,
        n_folds=n_folds,
        log_loss=_log_loss(y, model),
        log_loss_constant=_log_loss(y, constant),
        calibration_slope=_slope(y, model),
        bins=tuple(_bins(y, model, n_bins)),
        undefined=None,
    )


def _predicted(
    outcomes: Floats, design: Floats, priors: Priors, fold: Counts, n_folds: int
) -> tuple[Floats, Floats] | Undefined:
    """Return the probabilities of the model and of a constant, each from the other folds."""
    model, constant = np.empty_like(outcomes), np.empty_like(outcomes)
    for one in range(n_folds):
        is_out = fold == one
        rest = outcomes[~is_out]
        if not rest.size:
            return Undefined.ONE_CLUSTER
        fit = priors.fit(rest, design[~is_out])
        if not isinstance(fit, Summit):
            return fit
        model[is_out] = expit(design[is_out] @ fit.at)
        constant[is_out] = rest.mean()
    return np.clip(model, _SURE, 1 - _SURE), np.clip(constant, _SURE, 1 - _SURE)


def _log_loss(outcomes: Floats, chances: Floats) -> float:
    losses = -outcomes * np.log(chances) - (1 - outcomes) * np.log1p(-chances)
    return float(losses.mean())


def _slope(outcomes: Floats, chances: Floats) -> float | None:
    """Return how outcomes follow the predicted log-odds, None where that cannot be told."""
    fit = fit_logit(outcomes, np.column_stack([np.ones_like(outcomes), logit(chances)]))
    return float(fit.at[1]) if isinstance(fit, Summit) else None


def _bins(outcomes: Floats, chances: Floats, n_bins: int) -> list[CalibrationBin]:
    """Return units in order of their probability, cut into parts of equal size."""
    parts = np.array_split(np.argsort(chances, kind="stable"), n_bins)
    return [
        CalibrationBin(part.size, float(chances[part].mean()), float(outcomes[part].mean()))
        for part in parts
        if part.size
    ]
