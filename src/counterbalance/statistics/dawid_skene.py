"""True categories and error rates of a panel, estimated together, as a sensitivity analysis.

Ratings by unit and rater come in; for each unit the probability of each category, and for each
rater a table of errors, go out. Raters are taken to err independently of one another, which raters
of one kind do not: where they share an error, this model takes the error for the truth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import logsumexp

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import count_problem
from counterbalance.statistics.ratings import rating_array
from counterbalance.statistics.reasons import Undefined

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from counterbalance.statistics.arguments import Floats

__all__ = ["DawidSkene", "dawid_skene"]

# Two raters leave more error rates open than their table has cells.
_FEWEST_RATERS = 3
# A probability of 0 would forbid a category for ever, on the strength of few ratings.
_LEAST = 1e-300


@dataclass(frozen=True, slots=True)
class DawidSkene:
    """Categories of units and errors of raters, by maximum likelihood.

    Attributes
    ----------
    categories : tuple[Hashable, ...]
        Categories that were offered.
    n_units : int
        Units handed in.
    n_left_out : int
        Units without any rating.
    n_raters : int
        Raters handed in.
    shares : tuple[float, ...] | None
        Estimated share of each category among the units.
    unit_probabilities : tuple[tuple[float, ...] | None, ...]
        By unit, the probability of each category; None for a unit without a rating.
    unit_categories : tuple[Hashable | None, ...]
        By unit, the most probable category; None where two are equally probable.
    error_rates : tuple[tuple[tuple[float, ...] | None, ...], ...]
        By rater and true category, how often the rater gives each category; None where the rater
        never met that category.
    mean_accuracy : tuple[float | None, ...]
        By rater, the mean over true categories of how often the rater is right; None for a rater
        without a rating.
    n_unlike_majority : int | None
        Units whose most probable category is not the one most raters gave; units with a tie at the
        top of either are not counted.
    log_likelihood : float | None
        At the estimates.
    n_iterations : int
        Steps taken.
    most_iterations : int
        Steps allowed.
    tolerance : float
        Gain in log-likelihood below which it stops.
    undefined : Undefined | None
        Why there is no estimate; None when there is one.
    """

    categories: tuple[Hashable, ...]
    n_units: int
    n_left_out: int
    n_raters: int
    shares: tuple[float, ...] | None
    unit_probabilities: tuple[tuple[float, ...] | None, ...]
    unit_categories: tuple[Hashable | None, ...]
    error_rates: tuple[tuple[tuple[float, ...] | None, ...], ...]
    mean_accuracy: tuple[float | None, ...]
    n_unlike_majority: int | None
    log_likelihood: float | None
    n_iterations: int
    most_iterations: int
    tolerance: float
    undefined: Undefined | None


def dawid_skene(
    ratings: Sequence[Sequence[Hashable | None]],
    categories: Sequence[Hashable],
    most_iterations: int = 1000,
    tolerance: float = 1e-9,
) -> DawidSkene:
    r"""Estimate what units are and how raters err, without any known answer.

    Parameters
    ----------
    ratings : Sequence[Sequence[Hashable | None]]
        One row per unit, one entry per rater: a category, or None without a rating.
    categories : Sequence[Hashable]
        All categories that were offered, each once.
    most_iterations : int
        Steps after which it gives up, from 1 up.
    tolerance : float
        Gain in log-likelihood below which it stops, above 0.

    Returns
    -------
    DawidSkene
        Probabilities of each unit, error rates of each rater, and shares of the categories.

    Raises
    ------
    StatisticsError
        If rows differ in length, a rating is no category, a category is named twice, or a setting
        is out of range.

    Notes
    -----
    With shares :math:`\pi_k` and error rates :math:`e_{gkl}` (rater :math:`g` gives :math:`l` where
    :math:`k` is true), the likelihood of the ratings :math:`x_{ig}` is

    .. math:: L = \prod_i \sum_k \pi_k \prod_g e_{g k x_{ig}}

    and is climbed by expectation and maximisation, starting from the shares of the ratings of each
    unit. It may have several summits; this is the one uphill from the majority.

    **Unit of analysis**: the unit rated.
    **Denominator**: units with at least one rating.
    **Undefined** without ratings, with fewer than three raters (`not_identified`), when one
    category was used throughout, or when the steps do not suffice.
    **Assumes**: raters err independently, given the true category, and alike on all units. Raters
    of one family break this, and then their shared error counts as truth.

    References
    ----------
    .. [1] A. P. Dawid, A. M. Skene, "Maximum likelihood estimation of observer error-rates using
       the EM algorithm", Applied Statistics 28 (1979) 20-28. doi:10.2307/2346806

    Examples
    --------
    >>> ratings = ["xxx", "xxy", "yyy", "yyx", "xxx", "yyy", "xxy", "yyy"]
    >>> result = dawid_skene(ratings, "xy")
    >>> "".join(result.unit_categories), [round(share, 3) for share in result.mean_accuracy]
    ('xxyyxyxy', [1.0, 1.0, 0.625])
    """
    array = rating_array(ratings, categories)
    if count_problem("most_iterations", most_iterations) or most_iterations < 1:
        message = f"most_iterations is {most_iterations}; give a whole number from 1 up"
        raise StatisticsError(message)
    if not 0 < tolerance < np.inf:
        message = f"tolerance is {tolerance}; give a number above 0"
        raise StatisticsError(message)
    rated = array.sum(axis=(1, 2)) > 0
    reason = _no_fit(array)
    fit = _climb(array[rated], most_iterations, tolerance) if reason is None else None
    if fit is not None and not fit.has_converged:
        reason = Undefined.NO_CONVERGENCE
    return _result(array, tuple(categories), fit, reason, most_iterations, float(tolerance))


@dataclass(frozen=True, slots=True)
class _Fit:
    """Where the climb ended."""

    probabilities: Floats
    shares: Floats
    errors: Floats
    log_likelihood: float
    n_iterations: int
    has_converged: bool


def _no_fit(array: Floats) -> Undefined | None:
    """Return why the ratings define no estimate, None when they do."""
    if array.sum() == 0:
        return Undefined.NO_OBSERVATIONS
    if int((array.sum(axis=(0, 2)) > 0).sum()) < _FEWEST_RATERS:
        return Undefined.NOT_IDENTIFIED
    if int((array.sum(axis=(0, 1)) > 0).sum()) == 1:
        return Undefined.EXPECTED_AGREEMENT_ONE
    return None


def _climb(array: Floats, most: int, tolerance: float) -> _Fit:
    """Return the summit uphill from the shares of each unit's ratings."""
    counts = array.sum(axis=1)
    probabilities = counts / counts.sum(axis=1, keepdims=True)
    before, step = -np.inf, 0
    while True:
        step += 1
        shares = probabilities.mean(axis=0)
        errors = np.einsum("ik,igl->gkl", probabilities, array)
        errors = errors / np.maximum(errors.sum(axis=2, keepdims=True), _LEAST)
        logs = np.log(np.maximum(shares, _LEAST)) + np.einsum(
            "igl,gkl->ik", array, np.log(np.maximum(errors, _LEAST))
        )
        whole = logsumexp(logs, axis=1, keepdims=True)
        likelihood = float(whole.sum())
        probabilities = np.exp(logs - whole)
        settled = likelihood - before < tolerance
        if settled or step == most:
            return _Fit(probabilities, shares, errors, likelihood, step, has_converged=settled)
        before = likelihood


def _result(
    array: Floats,
    categories: tuple[Hashable, ...],
    fit: _Fit | None,
    reason: Undefined | None,
    most_iterations: int,
    tolerance: float,
) -> DawidSkene:
    """Return all that the fit defines, and nothing of one that did not end."""
    rated = np.flatnonzero(array.sum(axis=(1, 2)) > 0)
    n_units, n_raters, n_categories = array.shape
    found = fit if reason is None else None
    by_unit: list[tuple[float, ...] | None] = [None] * n_units
    best: list[Hashable | None] = [None] * n_units
    errors: list[tuple[tuple[float, ...] | None, ...]] = [(None,) * n_categories] * n_raters
    if found is not None:
        for unit, row in zip(rated.tolist(), found.probabilities, strict=True):
            by_unit[unit] = tuple(row.tolist())
            top = _top(row)
            best[unit] = None if top is None else categories[top]
        errors = [
            tuple(tuple(row.tolist()) if row.sum() else None for row in rater)
            for rater in found.errors
        ]
    return DawidSkene(
        categories=categories,
        n_units=n_units,
        n_left_out=n_units - rated.size,
        n_raters=n_raters,
        shares=None if found is None else tuple(found.shares.tolist()),
        unit_probabilities=tuple(by_unit),
        unit_categories=tuple(best),
        error_rates=tuple(errors),
        mean_accuracy=tuple(_accuracy(rater) for rater in errors),
        n_unlike_majority=None if found is None else _unlike(array[rated], found.probabilities),
        log_likelihood=None if found is None else found.log_likelihood,
        n_iterations=0 if fit is None else fit.n_iterations,
        most_iterations=int(most_iterations),
        tolerance=tolerance,
        undefined=reason,
    )


def _top(row: Floats) -> int | None:
    """Return the position of the largest entry, None where two are as large."""
    order = np.argsort(row)
    return None if row.size > 1 and np.isclose(row[order[-1]], row[order[-2]]) else int(order[-1])


def _accuracy(rater: tuple[tuple[float, ...] | None, ...]) -> float | None:
    """Return the mean share of right ratings over the categories that the rater met."""
    right = [row[category] for category, row in enumerate(rater) if row is not None]
    return sum(right) / len(right) if right else None


def _unlike(array: Floats, probabilities: Floats) -> int:
    """Return in how many units the most probable category is not the one most raters gave."""
    pairs = zip(array.sum(axis=1), probabilities, strict=True)
    tops = [(_top(counts), _top(row)) for counts, row in pairs]
    return sum(None not in top and top[0] != top[1] for top in tops)
