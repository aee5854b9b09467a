"""How far repeats of one condition agree, and how much less two conditions do.

Category counts of each unit come in: one row per unit, one column per category, a repeat without a
category in none of them. Units with too few repeats are left out and counted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import (
    cluster_codes,
    count_matrix,
    count_vector,
    length_problem,
)
from counterbalance.statistics.clustered import ClusterEstimate, cluster_mean
from counterbalance.statistics.reasons import Undefined

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from counterbalance.statistics.arguments import Counts, Floats

__all__ = [
    "ExcessDisagreement",
    "RepetitionMean",
    "excess_disagreement",
    "modal_share",
    "repeat_disagreement",
]

# Fewer repeats cannot be compared with one another.
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class RepetitionMean:
    """One value for each unit that was repeated, and their mean.

    Attributes
    ----------
    n_units : int
        Units handed in.
    n_left_out : int
        Units with too few repeats for a value.
    unit_values : tuple[float | None, ...]
        By unit, in the sequence handed in; None for units left out.
    mean : ClusterEstimate
        Mean of the values with its cluster-robust interval.
    """

    n_units: int
    n_left_out: int
    unit_values: tuple[float | None, ...]
    mean: ClusterEstimate


@dataclass(frozen=True, slots=True)
class ExcessDisagreement:
    """Disagreement between two conditions beyond the one within them.

    Attributes
    ----------
    n_units : int
        Units handed in.
    n_left_out : int
        Units without two repeats in each condition.
    cross_disagreement : float | None
        Mean over units of the disagreement between a repeat of each condition.
    within_first : float | None
        Mean over units of the disagreement of two repeats of the first condition.
    within_second : float | None
        Mean over units of the disagreement of two repeats of the second condition.
    unit_values : tuple[float | None, ...]
        Excess by unit, in the sequence handed in; None for units left out.
    mean : ClusterEstimate
        Mean excess with its cluster-robust interval; may be negative.
    """

    n_units: int
    n_left_out: int
    cross_disagreement: float | None
    within_first: float | None
    within_second: float | None
    unit_values: tuple[float | None, ...]
    mean: ClusterEstimate


def repeat_disagreement(
    counts: ArrayLike,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None,
    confidence_level: float = 0.95,
) -> RepetitionMean:
    r"""Estimate how likely two repeats of the same unit fall into different categories.

    Parameters
    ----------
    counts : ArrayLike
        Repeats by unit (row) and category (column).
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit; None when every unit is a cluster of its own.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    RepetitionMean
        Disagreement of each unit in [0, 1] and the mean.

    Raises
    ------
    StatisticsError
        If a count is negative or fractional, lengths differ, or the level is not in (0, 1).

    Notes
    -----
    With :math:`n_k` of :math:`R` repeats in category :math:`k`, the share of unequal pairs,

    .. math:: 1 - \frac{\sum_k n_k (n_k - 1)}{R (R - 1)},

    is unbiased for any number of repeats from 2 up, so values of different numbers of repeats can
    be compared, unlike shares of the most frequent category.

    **Unit of analysis**: the unit; the sampling unit is the cluster.
    **Denominator**: units with two repeats or more in some category.
    **Undefined** when there is no such unit; the interval also with one cluster.
    **Assumes**: independent repeats within a unit, independent clusters.

    References
    ----------
    .. [1] E. H. Simpson, "Measurement of diversity", Nature 163 (1949) 688. doi:10.1038/163688a0

    Examples
    --------
    >>> result = repeat_disagreement([[3, 0], [2, 1], [1, 0]], None)
    >>> [value if value is None else round(value, 4) for value in result.unit_values]
    [0.0, 0.6667, None]
    >>> round(result.mean.estimate, 4), result.n_left_out
    (0.3333, 1)
    """
    matrix = count_matrix("counts", counts)
    if clusters is not None and (
        problem := length_problem("clusters", len(clusters), matrix.shape[0])
    ):
        raise StatisticsError(problem)
    repeats = matrix.sum(axis=1)
    is_used = repeats >= _FEWEST
    values = _within(matrix[is_used])
    mean = _mean(values, clusters, is_used, confidence_level, (0.0, 1.0))
    return RepetitionMean(
        n_units=is_used.size,
        n_left_out=int(is_used.size - is_used.sum()),
        unit_values=_spread_out(values, is_used),
        mean=mean,
    )


def modal_share(
    counts: ArrayLike,
    n_planned: ArrayLike,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None,
    confidence_level: float = 0.95,
) -> RepetitionMean:
    r"""Average the share of repeats that fall into the most frequent category, as published.

    Parameters
    ----------
    counts : ArrayLike
        Repeats by unit (row) and category (column).
    n_planned : ArrayLike
        Repeats planned for each unit: those without a category count here.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit; None when every unit is a cluster of its own.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    RepetitionMean
        Share of each unit in [0, 1] and the mean.

    Raises
    ------
    StatisticsError
        If a count is negative or fractional, a unit has more repeats than planned, lengths differ,
        or the level is not in (0, 1).

    Notes
    -----
    With :math:`n_k` repeats in category :math:`k` and :math:`R` planned, the share is
    :math:`\max_k n_k / R`. It cannot fall below :math:`1/R` while all repeats have a category, so
    figures from different numbers of repeats must not be compared; use
    :func:`repeat_disagreement` for that.

    **Unit of analysis**: the unit in one condition; the sampling unit is the cluster.
    **Denominator**: units with a repeat planned; within a unit all planned repeats, so a repeat
    without a category lowers the share.
    **Undefined** when no repeat was planned; the interval also with one cluster.
    **Assumes**: independent clusters.

    References
    ----------
    .. [1] L. Shi, C. Ma, W. Liang, X. Diao, W. Ma, S. Vosoughi, "Judging the judges: a systematic
       study of position bias in LLM-as-a-judge" (2024). doi:10.48550/arXiv.2406.07791

    Examples
    --------
    >>> result = modal_share([[3, 0], [2, 1], [2, 0]], [3, 3, 3], None)
    >>> [round(value, 4) for value in result.unit_values], round(result.mean.estimate, 4)
    ([1.0, 0.6667, 0.6667], 0.7778)
    """
    matrix, planned = count_matrix("counts", counts), count_vector("n_planned", n_planned)
    if problem := length_problem("n_planned", planned.size, matrix.shape[0]):
        raise StatisticsError(problem)
    if (matrix.sum(axis=1) > planned).any():
        message = "a unit has more repeats than were planned"
        raise StatisticsError(message)
    is_used = planned > 0
    values = matrix[is_used].max(axis=1, initial=0) / planned[is_used]
    mean = _mean(values, clusters, is_used, confidence_level, (0.0, 1.0))
    return RepetitionMean(
        n_units=is_used.size,
        n_left_out=int(is_used.size - is_used.sum()),
        unit_values=_spread_out(values, is_used),
        mean=mean,
    )


def excess_disagreement(
    first_counts: ArrayLike,
    second_counts: ArrayLike,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None,
    confidence_level: float = 0.95,
) -> ExcessDisagreement:
    r"""Estimate how much more two conditions disagree than repeats of one condition do.

    Parameters
    ----------
    first_counts : ArrayLike
        Repeats of the first condition by unit (row) and category (column).
    second_counts : ArrayLike
        Repeats of the second condition; same units, same categories.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each unit; None when every unit is a cluster of its own.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    ExcessDisagreement
        Disagreement across and within conditions, excess of each unit and its mean.

    Raises
    ------
    StatisticsError
        If a count is negative or fractional, shapes or lengths differ, or the level is not in
        (0, 1).

    Notes
    -----
    For each unit the excess is the share of unequal pairs with one repeat of each condition, less
    the mean of the two shares within conditions. With category probabilities :math:`p_k, q_k` its
    expectation is

    .. math:: \tfrac12 \sum_k (p_k - q_k)^2 \ge 0,

    which is 0 only if both conditions have the same probabilities. The estimate is unbiased and so
    may be negative; it is not cut at 0.

    **Unit of analysis**: the unit; the sampling unit is the cluster.
    **Denominator**: units with two repeats or more in each condition.
    **Undefined** when there is no such unit; the interval also with one cluster.
    **Assumes**: independent repeats within a unit and condition, independent clusters.

    References
    ----------
    .. [1] C. R. Rao, "Diversity and dissimilarity coefficients: a unified approach", Theoretical
       Population Biology 21 (1982) 24-43. doi:10.1016/0040-5809(82)90004-1

    Examples
    --------
    >>> result = excess_disagreement([[3, 0], [2, 1]], [[0, 3], [2, 1]], None)
    >>> [round(value, 4) for value in result.unit_values], round(result.mean.estimate, 4)
    ([1.0, -0.2222], 0.3889)
    """
    first = count_matrix("first_counts", first_counts)
    second = count_matrix("second_counts", second_counts)
    if problem := shape_problem(first, second):
        raise StatisticsError(problem)
    is_used = has_two_repeats(first, second)
    left, right = first[is_used], second[is_used]
    within_first, within_second = _within(left), _within(right)
    equal = (left * right).sum(axis=1)
    cross = 1 - equal / (left.sum(axis=1) * right.sum(axis=1))
    values = cross - (within_first + within_second) / 2
    mean = _mean(values, clusters, is_used, confidence_level, (-1.0, 1.0))
    return ExcessDisagreement(
        n_units=is_used.size,
        n_left_out=int(is_used.size - is_used.sum()),
        cross_disagreement=_plain_mean(cross),
        within_first=_plain_mean(within_first),
        within_second=_plain_mean(within_second),
        unit_values=_spread_out(values, is_used),
        mean=mean,
    )


def shape_problem(first: Counts, second: Counts) -> str | None:
    """Return what is wrong when two conditions have different units or categories."""
    if first.shape == second.shape:
        return None
    return f"first_counts is {first.shape}, second_counts {second.shape}; give equal shapes"


def has_two_repeats(first: Counts, second: Counts) -> NDArray[np.bool_]:
    """Tell for each unit whether repeats can be compared within both conditions."""
    has_two: NDArray[np.bool_] = (first.sum(axis=1) >= _FEWEST) & (second.sum(axis=1) >= _FEWEST)
    return has_two


def _within(counts: Counts) -> Floats:
    """Return the share of unequal pairs among the repeats of each unit."""
    repeats = counts.sum(axis=1)
    unequal: Floats = 1 - (counts * (counts - 1)).sum(axis=1) / (repeats * (repeats - 1))
    return unequal


def _mean(
    values: Floats,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None,
    is_used: NDArray[np.bool_],
    level: float,
    bounds: tuple[float, float],
) -> ClusterEstimate:
    """Return the mean of the units used; say so if units were there but none could be used."""
    codes = cluster_codes(clusters, is_used.size)[is_used]
    mean = cluster_mean(values, codes, level, bounds=bounds)
    if mean.undefined is None or is_used.size == 0:
        return mean
    reason = Undefined.TOO_FEW_REPEATS
    return replace(mean, undefined=reason, interval_undefined=reason)


def _plain_mean(values: Floats) -> float | None:
    """Return the mean, None of nothing."""
    return float(values.mean()) if values.size else None


def _spread_out(values: Floats, is_used: NDArray[np.bool_]) -> tuple[float | None, ...]:
    """Return one entry for each unit handed in, None where it was left out."""
    spread = np.full(is_used.size, None, dtype=object)
    spread[is_used] = values.tolist()
    return tuple(spread.tolist())
