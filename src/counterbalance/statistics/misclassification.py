"""A share corrected for the errors of the predictions it was counted from.

Four counts of units with label and prediction and two of predictions alone come in; the corrected
share goes out. A cross-check for :func:`prediction_powered_mean`, not a substitute.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.special import ndtri

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import count_problem, valid_share
from counterbalance.statistics.reasons import Caution, Undefined

__all__ = ["RoganGladen", "rogan_gladen"]

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class RoganGladen:
    """Share of positive units behind predictions with known rates of error.

    Attributes
    ----------
    n_true_positive : int
        Labelled positive and predicted positive.
    n_false_negative : int
        Labelled positive and predicted negative.
    n_false_positive : int
        Labelled negative and predicted positive.
    n_true_negative : int
        Labelled negative and predicted negative.
    n_predicted_positive : int
        Predicted positive among the units without a label.
    n_predicted : int
        Units without a label.
    sensitivity : float | None
        Share predicted positive of the labelled positive; None when there are none.
    specificity : float | None
        Share predicted negative of the labelled negative; None when there are none.
    predicted_share : float | None
        Share predicted positive of the units without a label.
    uncut : float | None
        Corrected share as the formula gives it; may fall outside [0, 1].
    estimate : float | None
        The same, cut to [0, 1].
    se : float | None
        Standard error by the delta method; None when it is 0.
    low : float | None
        Lower limit.
    high : float | None
        Upper limit.
    confidence_level : float
        Nominal coverage.
    cautions : tuple[Caution, ...]
        ``cut_at_bound`` where estimate or limits were cut.
    undefined : Undefined | None
        Why there is no estimate; None when there is one.
    interval_undefined : Undefined | None
        Why there are no limits; None when there are.
    """

    n_true_positive: int
    n_false_negative: int
    n_false_positive: int
    n_true_negative: int
    n_predicted_positive: int
    n_predicted: int
    sensitivity: float | None
    specificity: float | None
    predicted_share: float | None
    uncut: float | None
    estimate: float | None
    se: float | None
    low: float | None
    high: float | None
    confidence_level: float
    cautions: tuple[Caution, ...]
    undefined: Undefined | None
    interval_undefined: Undefined | None


def rogan_gladen(
    labelled: tuple[tuple[int, int], tuple[int, int]],
    n_predicted_positive: int,
    n_predicted: int,
    confidence_level: float = 0.95,
) -> RoganGladen:
    r"""Correct a share of positive predictions for their rates of error.

    Parameters
    ----------
    labelled : tuple[tuple[int, int], tuple[int, int]]
        Counts of labelled units: the first row those labelled positive, the second those labelled
        negative; in each row first predicted positive, then predicted negative.
    n_predicted_positive : int
        Predicted positive among the units without a label.
    n_predicted : int
        Units without a label.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    RoganGladen
        Corrected share, both rates, standard error and limits.

    Raises
    ------
    StatisticsError
        If a count is negative or fractional, positive predictions exceed predictions, or the level
        is not in (0, 1).

    Notes
    -----
    With sensitivity :math:`Se`, specificity :math:`Sp` and the predicted share :math:`p`,

    .. math:: \hat\pi = \frac{p + Sp - 1}{Se + Sp - 1}, \quad
        V = \frac{p(1-p)/N + (1-\hat\pi)^2\, Sp(1-Sp)/n_- + \hat\pi^2\, Se(1-Se)/n_+}
        {(Se + Sp - 1)^2}.

    Limits are those of Lang and Reiczigel, who add one unit to each cell of the rates and
    :math:`z^2` to the predictions, so that no observed rate of 0 or 1 makes them too narrow.

    With few labels this is often less certain than the labels alone.

    **Unit of analysis**: the unit, labelled or not.
    **Denominator**: labelled positive, labelled negative and unlabelled units.
    **Undefined** without predictions, without labels of both kinds, or when predictions are no
    better than chance (Se + Sp at most 1); the limits also when one more unit in each cell would
    make them so, or when they would fall outside [0, 1].
    **Assumes**: independent units, and the same rates of error with and without label, which fails
    when the two are of a different mix.

    References
    ----------
    .. [1] W. J. Rogan, B. Gladen, "Estimating prevalence from the results of a screening test",
       American Journal of Epidemiology 107 (1978) 71-76.
       doi:10.1093/oxfordjournals.aje.a112510
    .. [2] Z. Lang, J. Reiczigel, "Confidence limits for prevalence of disease adjusted for
       estimated sensitivity and specificity", Preventive Veterinary Medicine 113 (2014) 13-22.
       doi:10.1016/j.prevetmed.2013.09.015

    Examples
    --------
    >>> result = rogan_gladen(((51, 15), (11, 43)), 1054, 2000)
    >>> round(result.estimate, 4), round(result.se, 4)
    (0.5682, 0.069)
    >>> str(rogan_gladen(((5, 5), (5, 5)), 10, 20).undefined)
    'not_identified'
    """
    (tp, fn), (fp, tn) = labelled
    level = valid_share("confidence_level", confidence_level)
    if problem := _problem((tp, fn, fp, tn), n_predicted_positive, n_predicted):
        raise StatisticsError(problem)
    sensitivity = tp / (tp + fn) if tp + fn else None
    specificity = tn / (fp + tn) if fp + tn else None
    predicted = n_predicted_positive / n_predicted if n_predicted else None
    reason = _reason(sensitivity, specificity, predicted)
    uncut, se, low, high = None, None, None, None
    if sensitivity is not None and specificity is not None and predicted is not None and not reason:
        rates = _Rates(sensitivity, specificity, predicted, tp + fn, fp + tn, n_predicted)
        uncut, se = rates.share(), rates.error()
        low, high = rates.limits(-float(ndtri((1 - level) / 2)))
    estimate = None if uncut is None else min(1.0, max(0.0, uncut))
    kept = None if low is None or high is None else (max(0.0, low), min(1.0, high))
    was_cut = estimate != uncut or kept != (None if low is None else (low, high))
    if kept is not None and kept[0] >= kept[1]:
        kept = None
    return RoganGladen(
        n_true_positive=int(tp),
        n_false_negative=int(fn),
        n_false_positive=int(fp),
        n_true_negative=int(tn),
        n_predicted_positive=int(n_predicted_positive),
        n_predicted=int(n_predicted),
        sensitivity=sensitivity,
        specificity=specificity,
        predicted_share=predicted,
        uncut=uncut,
        estimate=estimate,
        se=se or None,
        low=kept[0] if kept else None,
        high=kept[1] if kept else None,
        confidence_level=level,
        cautions=(Caution.CUT_AT_BOUND,) if was_cut else (),
        undefined=reason,
        interval_undefined=reason or _no_limits(low, kept),
    )


@dataclass(frozen=True, slots=True)
class _Rates:
    """Sensitivity, specificity and predicted share, each with the units it is from."""

    sensitivity: float
    specificity: float
    predicted: float
    n_positive: float
    n_negative: float
    n_predicted: float

    @property
    def gain(self) -> float:
        """How much likelier a positive unit is predicted positive than a negative one."""
        return self.sensitivity + self.specificity - 1

    def share(self) -> float:
        """Return the corrected share, cut nowhere."""
        return (self.predicted + self.specificity - 1) / self.gain

    def _variances(self) -> tuple[float, float, float]:
        """Return the binomial variances of sensitivity, specificity and predicted share."""
        return (
            self.sensitivity * (1 - self.sensitivity) / self.n_positive,
            self.specificity * (1 - self.specificity) / self.n_negative,
            self.predicted * (1 - self.predicted) / self.n_predicted,
        )

    def error(self) -> float:
        """Return the standard error of the corrected share by the delta method."""
        of_sensitivity, of_specificity, of_predicted = self._variances()
        share = self.share()
        total = of_predicted + (1 - share) ** 2 * of_specificity + share**2 * of_sensitivity
        return math.sqrt(total) / self.gain

    def limits(self, z: float) -> tuple[float, float] | tuple[None, None]:
        """Return the limits of Lang and Reiczigel, cut nowhere; none where nothing is gained."""
        more = _Rates(
            (self.sensitivity * self.n_positive + 1) / (self.n_positive + 2),
            (self.specificity * self.n_negative + 1) / (self.n_negative + 2),
            (self.predicted * self.n_predicted + z**2 / 2) / (self.n_predicted + z**2),
            self.n_positive + 2,
            self.n_negative + 2,
            self.n_predicted + z**2,
        )
        if more.gain <= _ROUNDING:
            return None, None
        of_sensitivity, of_specificity, _ = more._variances()
        share = more.share()
        shift = 2 * z**2 * (share * of_sensitivity - (1 - share) * of_specificity)
        half = z * more.error()
        return share + shift - half, share + shift + half


def _reason(
    sensitivity: float | None, specificity: float | None, predicted: float | None
) -> Undefined | None:
    """Return why no corrected share exists, None when one does."""
    if predicted is None:
        return Undefined.NO_OBSERVATIONS
    if sensitivity is None or specificity is None:
        return Undefined.ZERO_DENOMINATOR
    return None if sensitivity + specificity - 1 > _ROUNDING else Undefined.NOT_IDENTIFIED


def _no_limits(low: float | None, kept: tuple[float, float] | None) -> Undefined | None:
    """Return why there are no limits, None when there are."""
    if low is None:
        return Undefined.NOT_IDENTIFIED
    return None if kept else Undefined.OUTSIDE_RANGE


def _problem(labelled: tuple[int, ...], positive: int, predicted: int) -> str | None:
    """Return what is wrong with the counts, None when nothing is."""
    for name, count in (
        *(("labelled", count) for count in labelled),
        ("n_predicted_positive", positive),
        ("n_predicted", predicted),
    ):
        if problem := count_problem(name, count):
            return problem
    if positive > predicted:
        return f"{positive} of {predicted} units are predicted positive; give a part of the whole"
    return None
