"""A mean from few labels and many predictions, right whatever the predictions are worth.

Labels of a random sample with the predictions for the same units come in, and predictions for
units without a label; the mean that labels of all units would have goes out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import stdtrit

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import (
    cluster_codes,
    float_vector,
    length_problem,
    valid_bounds,
    valid_share,
)
from counterbalance.statistics.reasons import Caution, Undefined

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from counterbalance.statistics.arguments import Counts, Floats

__all__ = ["PredictionPoweredMean", "prediction_powered_mean"]

# Below, simulated limits of 95 % covered between 84 and 93 %.
_FEW_CLUSTERS = 20
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class PredictionPoweredMean:
    """Mean of the labels of all units, with what the labelled ones alone would say.

    Attributes
    ----------
    n_labelled : int
        Units with a label.
    n_unlabelled : int
        Units with a prediction only.
    estimate : float | None
        Mean label; None without labels.
    se : float | None
        Standard error over clusters.
    degrees_of_freedom : float | None
        Of the t quantile: clusters with a label, less one.
    low : float | None
        Lower limit.
    high : float | None
        Upper limit.
    trust : float | None
        Weight of the predictions, called lambda in the source: 0 (ignored) to 1; 0 without
        unlabelled units.
    trust_was_given : bool
        Whether the caller fixed the weight; else it was tuned on these data.
    labelled_mean : float | None
        Mean of the labels alone.
    labelled_se : float | None
        Its standard error over clusters.
    predicted_mean : float | None
        Mean prediction of the units without a label.
    confidence_level : float
        Nominal coverage.
    bounds : tuple[float, float] | None
        Range that the caller declared possible; limits are cut there.
    n_clusters : int
        Clusters that hold a labelled unit.
    cautions : tuple[Caution, ...]
        What the interval leans on.
    undefined : Undefined | None
        Why there is no estimate; None when there is one.
    interval_undefined : Undefined | None
        Why there are no limits; None when there are.
    """

    n_labelled: int
    n_unlabelled: int
    estimate: float | None
    se: float | None
    degrees_of_freedom: float | None
    low: float | None
    high: float | None
    trust: float | None
    trust_was_given: bool
    labelled_mean: float | None
    labelled_se: float | None
    predicted_mean: float | None
    confidence_level: float
    bounds: tuple[float, float] | None
    n_clusters: int
    cautions: tuple[Caution, ...]
    undefined: Undefined | None
    interval_undefined: Undefined | None


def prediction_powered_mean(
    labels: ArrayLike,
    predictions: ArrayLike,
    unlabelled: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None = None,
    unlabelled_clusters: Sequence[Hashable] | NDArray[np.generic] | None = None,
    trust: float | None = None,
    bounds: tuple[float, float] | None = None,
    confidence_level: float = 0.95,
) -> PredictionPoweredMean:
    r"""Average labels over all units, with predictions where there is no label (PPI++).

    Parameters
    ----------
    labels : ArrayLike
        One finite number for each labelled unit.
    predictions : ArrayLike
        The prediction for the same units, in the same sequence.
    unlabelled : ArrayLike
        The prediction for each unit without a label, made in the same way.
    weights : ArrayLike | None
        For each labelled unit one over its chance of being labelled, above 0; None when all had
        the same.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each labelled unit; None when every unit is a cluster of its own.
    unlabelled_clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit without a label; given if and only if `clusters` is.
    trust : float | None
        Weight of the predictions from 0 to 1, fixed in advance; None: tuned on these data.
    bounds : tuple[float, float] | None
        Least and greatest mean possible; limits are cut there.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    PredictionPoweredMean
        Estimate, limits and weight of the predictions, beside the mean of the labels alone.

    Raises
    ------
    StatisticsError
        If numbers are not finite, lengths differ, a weight is 0 or less, clusters are given for one
        kind of unit only, or a level or weight is out of range.

    Notes
    -----
    With labels :math:`Y_i` and predictions :math:`F_i` of :math:`n` units, :math:`\tilde F_j` of
    :math:`N` more, and :math:`\lambda` for `trust`,

    .. math:: \hat\theta = \frac\lambda N \sum_j \tilde F_j
        + \frac1n \sum_i (Y_i - \lambda F_i), \quad
        \lambda = \frac{cov(Y, F)}{(1 + n/N)\, var(F)},

    cut to [0, 1]; the covariance is over labelled units, the variance over all. Predictions may be
    biased and useless: the second sum takes the bias away, and useless ones get little weight. The
    standard error is a jackknife over the :math:`G` clusters with a label, the weight tuned anew
    each time, with the spread of the other clusters on top; limits are t limits with :math:`G - 1`
    degrees of freedom. The published error takes the weight as known: simulated with 20 labels, it
    covered 90 % of the time with t limits, the jackknife 93 %.

    **Unit of analysis**: the unit; the sampling unit is the cluster.
    **Denominator**: labelled units, or their weights, and unlabelled ones.
    **Undefined** without labels; the limits also with labels in one cluster, or without variation.
    **Assumes**: labelled units are a random sample of all, or weighted as one; predictions are made
    without knowledge of the labels.

    References
    ----------
    .. [1] A. N. Angelopoulos, J. C. Duchi, T. Zrnic, "PPI++: efficient prediction-powered
       inference", arXiv:2311.01453 (2023), section 6.

    Examples
    --------
    >>> labels, predictions = [1, 0, 1, 1, 0, 0, 1, 0], [1, 0, 1, 0, 0, 1, 1, 0]
    >>> mean = prediction_powered_mean(labels, predictions, [1, 1, 0, 1] * 20)
    >>> round(mean.estimate, 4), round(mean.trust, 4), mean.labelled_mean
    (0.6618, 0.6473, 0.5)
    """
    sample = _Sample.of(labels, predictions, unlabelled, weights)
    codes = _codes(sample, clusters, unlabelled_clusters)
    level, limits = valid_share("confidence_level", confidence_level), valid_bounds(bounds)
    if trust is not None and not 0 <= trust <= 1:
        message = f"trust is {trust}; give a number from 0 (ignore predictions) to 1, or None"
        raise StatisticsError(message)
    n_clusters = len(np.unique(codes[: sample.n]))
    estimate = labelled = _Estimate()
    if sample.n:
        estimate = _estimate(sample, codes, trust, level, limits)
        labelled = _estimate(sample, codes, 0.0, level, limits)
    reason = None if sample.n else Undefined.NO_OBSERVATIONS
    return PredictionPoweredMean(
        n_labelled=sample.n,
        n_unlabelled=sample.unlabelled.size,
        estimate=estimate.value,
        se=estimate.se,
        degrees_of_freedom=None if estimate.se is None else float(n_clusters - 1),
        low=estimate.low,
        high=estimate.high,
        trust=estimate.trust,
        trust_was_given=trust is not None,
        labelled_mean=labelled.value,
        labelled_se=labelled.se,
        predicted_mean=float(sample.unlabelled.mean()) if sample.unlabelled.size else None,
        confidence_level=level,
        bounds=limits,
        n_clusters=n_clusters,
        cautions=estimate.cautions,
        undefined=reason,
        interval_undefined=reason or estimate.undefined,
    )


@dataclass(frozen=True, slots=True)
class _Sample:
    """Labels, predictions and weights of labelled units, and predictions of the others, checked."""

    labels: Floats
    predictions: Floats
    unlabelled: Floats
    weights: Floats

    @classmethod
    def of(
        cls,
        labels: ArrayLike,
        predictions: ArrayLike,
        unlabelled: ArrayLike,
        weights: ArrayLike | None,
    ) -> _Sample:
        """Check the numbers; without weights every unit weighs the same."""
        y, f = float_vector("labels", labels), float_vector("predictions", predictions)
        w = np.ones_like(y) if weights is None else float_vector("weights", weights)
        for name, vector in (("predictions", f), ("weights", w)):
            if problem := length_problem(name, vector.size, y.size):
                raise StatisticsError(problem)
        if (w <= 0).any():
            message = f"a weight is {w.min()}; a unit that could be labelled has a weight above 0"
            raise StatisticsError(message)
        return cls(y, f, float_vector("unlabelled", unlabelled), w)

    @property
    def n(self) -> int:
        """Labelled units."""
        return self.labels.size

    def sums(self, codes: Counts) -> Floats:
        """Return what the estimate is made of, one row for each cluster,."""
        labelled, others = codes[: self.n], codes[self.n :]
        # About their middles, so that squares keep their digits; predictions need no way back.
        middle = float(np.concatenate([self.predictions, self.unlabelled]).mean())
        w, y, f = self.weights, self.labels - self.labels.mean(), self.predictions - middle
        u = self.unlabelled - middle
        size = int(codes.max()) + 1
        of_labelled = [np.ones_like(y), w, w * y, w * f, w * y * f, f, f * f]
        of_others = [np.ones_like(u), u, u**2]
        columns = [np.bincount(labelled, weights=x, minlength=size) for x in of_labelled]
        columns += [np.bincount(others, weights=x, minlength=size) for x in of_others]
        return np.stack(columns, axis=-1)


def _tuned(sums: Floats) -> Floats:
    """Return the weight of the predictions that makes the variance least, from 0 to 1, by row."""
    n, w, wy, wf, wyf, f, ff, m, u, uu = np.moveaxis(sums, -1, 0)
    whole = n + m
    variance = (ff + uu - (f + u) ** 2 / whole) / np.maximum(whole - 1, 1)
    covariance = (wyf / w - wy * wf / w**2) * n / np.maximum(n - 1, 1)
    scale = (1 + n / np.maximum(m, 1)) * variance
    # Without unlabelled units, or with predictions that are all alike, there is nothing to gain.
    is_useful = (m > 0) & (n > 1) & (variance > _ROUNDING * (1 + (ff + uu) / whole))
    trust = np.where(is_useful, covariance / np.where(is_useful, scale, 1.0), 0.0)
    return np.asarray(np.clip(trust, 0.0, 1.0), dtype=np.float64)


def _means(sums: Floats, trust: Floats) -> Floats:
    """Return the estimate by row, at this weight of the predictions."""
    _, w, wy, wf, _, _, _, m, u, _ = np.moveaxis(sums, -1, 0)
    return np.asarray(trust * u / np.maximum(m, 1) + (wy - trust * wf) / w, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class _Estimate:
    """A mean with its limits, or the reason why it has none."""

    value: float | None = None
    trust: float | None = None
    se: float | None = None
    low: float | None = None
    high: float | None = None
    cautions: tuple[Caution, ...] = ()
    undefined: Undefined | None = None


def _codes(
    sample: _Sample,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None,
    unlabelled_clusters: Sequence[Hashable] | NDArray[np.generic] | None,
) -> Counts:
    """Return the cluster of each unit, labelled ones first; equal names are one cluster."""
    if (clusters is None) != (unlabelled_clusters is None):
        message = "clusters are given for one kind of unit only; give them for both, or for none"
        raise StatisticsError(message)
    if clusters is None or unlabelled_clusters is None:
        return cluster_codes(None, sample.n + sample.unlabelled.size)
    for name, given, size in (
        ("clusters", clusters, sample.n),
        ("unlabelled_clusters", unlabelled_clusters, sample.unlabelled.size),
    ):
        if problem := length_problem(name, len(given), size):
            raise StatisticsError(problem)
    return cluster_codes([*clusters, *unlabelled_clusters], sample.n + sample.unlabelled.size)


def _estimate(
    sample: _Sample,
    codes: Counts,
    trust: float | None,
    level: float,
    bounds: tuple[float, float] | None,
) -> _Estimate:
    """Return the mean at this weight of the predictions, None for a tuned one, with t limits."""
    sums = sample.sums(codes)
    whole = sums.sum(axis=0)
    fixed = None if trust is None else np.float64(trust if sample.unlabelled.size else 0.0)
    used = _tuned(whole) if fixed is None else np.asarray(fixed)
    value = float(sample.labels.mean()) + float(_means(whole, used))
    has_label = sums[:, 0] > 0
    n_clusters = int(has_label.sum())
    found = _Estimate(value, float(used))
    if n_clusters == 1:
        return replace(found, undefined=Undefined.ONE_CLUSTER)
    # Each cluster with a label is left out in turn, weight tuned anew; those without come on top.
    rest = whole - sums[has_label]
    deleted = _means(rest, _tuned(rest) if fixed is None else np.full(n_clusters, fixed))
    off = deleted - deleted.mean()
    others = sums[~has_label]
    predicted = whole[8] / max(1.0, whole[7])
    pulls = float(used) * (others[:, 8] - predicted * others[:, 7]) / max(1.0, whole[7])
    variance = (n_clusters - 1) / n_clusters * float(off @ off) + float(pulls @ pulls)
    se = math.sqrt(variance)
    if se <= _ROUNDING * max(1.0, float(np.abs(sample.labels).max())):
        return replace(found, undefined=Undefined.NO_VARIATION)
    half = float(stdtrit(n_clusters - 1, 0.5 + level / 2)) * se
    low, high = value - half, value + half
    cautions = (Caution.FEW_LABELS,) if n_clusters < _FEW_CLUSTERS else ()
    if bounds is not None and (low < bounds[0] or high > bounds[1]):
        low, high = max(low, bounds[0]), min(high, bounds[1])
        cautions = (*cautions, Caution.CUT_AT_BOUND)
    if low >= high:
        return replace(found, se=se, undefined=Undefined.OUTSIDE_RANGE)
    return replace(found, se=se, low=low, high=high, cautions=cautions)
