"""Strengths of things compared in pairs, with features of the comparison held equal.

Who met whom, how it went and how the two sides differed come in, one row for each comparison;
strengths with and without the features go out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import cluster_codes, length_problem, valid_share
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

__all__ = ["ControlledStrengths", "controlled_strengths"]

_FEW_CLUSTERS = 10


@dataclass(frozen=True, slots=True)
class ControlledStrengths:
    """Strengths from comparisons, with the features at 0.

    Attributes
    ----------
    things : tuple[Hashable, ...]
        In the sequence of their first row.
    n_comparisons : int
        Rows handed in.
    n_clusters : int
        Clusters they are from.
    strengths : tuple[Coefficient, ...] | None
        By thing, log-odds against a thing of mean strength.
    features : tuple[Coefficient, ...] | None
        By feature, log-odds that one unit of it adds.
    prior_means : tuple[float, ...]
        By feature, where the prior draws its coefficient.
    prior_precisions : tuple[float, ...]
        By feature, how hard; 0 is not at all.
    confidence_level : float
        Nominal coverage.
    cautions : tuple[Caution, ...]
        What the limits lean on.
    undefined : Undefined | None
        Why there are no strengths; None when there are.
    """

    things: tuple[Hashable, ...]
    n_comparisons: int
    n_clusters: int
    strengths: tuple[Coefficient, ...] | None
    features: tuple[Coefficient, ...] | None
    prior_means: tuple[float, ...]
    prior_precisions: tuple[float, ...]
    confidence_level: float
    cautions: tuple[Caution, ...]
    undefined: Undefined | None


def controlled_strengths(
    one: Sequence[Hashable],
    other: Sequence[Hashable],
    outcomes: ArrayLike,
    features: ArrayLike,
    names: Sequence[str],
    *,
    prior_means: ArrayLike | None = None,
    prior_precisions: ArrayLike | None = None,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None = None,
    confidence_level: float = 0.95,
) -> ControlledStrengths:
    r"""Estimate strengths from comparisons, were the features the same on both sides.

    Parameters
    ----------
    one : Sequence[Hashable]
        By row, one side.
    other : Sequence[Hashable]
        By row, the other side.
    outcomes : ArrayLike
        One number from 0 to 1 for each row: 1 where `one` won, 1/2 for a tie.
    features : ArrayLike
        Rows x features, of `one` less `other`; no column for plain strengths.
    names : Sequence[str]
        One name for each feature.
    prior_means : ArrayLike | None
        By feature, the coefficient that is expected beforehand.
    prior_precisions : ArrayLike | None
        By feature, one over the variance of that expectation; 0 for none.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each row; None when every row is a cluster of its own.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    ControlledStrengths
        Strengths around their mean and coefficients of the features.

    Raises
    ------
    StatisticsError
        If an outcome is not in [0, 1], a number is not finite, lengths differ, a thing is compared
        with itself, or the level is not in (0, 1).

    Notes
    -----
    For :math:`i` against :math:`j` with features :math:`x`,

    .. math:: \operatorname{logit} p = \lambda_i - \lambda_j + \phi^T x, \quad
        \sum_i \lambda_i = 0.

    A tie is half a win and half a loss. Errors come from cluster sums of the scores, and contain
    those of the features' coefficients.

    **Unit of analysis**: the comparison; the sampling unit is the cluster.
    **Denominator**: all comparisons.
    **Undefined** without comparisons; when some things are not linked by comparisons
    (`not_identified`) or always win or lose (`separation`); errors also with no more clusters than
    parameters.
    **Assumes**: strengths on one line, and a feature that acts alike for all. Items of different
    difficulty are not told apart, which draws strengths together.

    References
    ----------
    .. [1] R. A. Bradley, M. E. Terry, "Rank analysis of incomplete block designs", Biometrika 39
       (1952) 324-345. doi:10.2307/2334029
    .. [2] T. Li, A. Angelopoulos, W.-L. Chiang, "Does style matter? Disentangling style and
       substance in Chatbot Arena", LMSYS 2024 (features in the model).

    Examples
    --------
    >>> fit = controlled_strengths("xyxy", "yzzx", [1, 0.5, 1, 0.4], np.zeros((4, 0)), [])
    >>> [(one.name, round(one.estimate, 2)) for one in fit.strengths][2]
    ('z', -0.86)
    """
    y = valid_outcomes(outcomes)
    x = valid_features(features, y.size, names)
    level = valid_share("confidence_level", confidence_level)
    for label, size in (("one", len(one)), ("other", len(other))):
        if problem := length_problem(label, size, y.size):
            raise StatisticsError(problem)
    priors = Priors.of(prior_means, prior_precisions, x.shape[1])
    codes = cluster_codes(clusters, y.size)
    things = tuple(dict.fromkeys(thing for pair in zip(one, other, strict=True) for thing in pair))
    number = {thing: place for place, thing in enumerate(things)}
    sides = np.array([[number[a], number[b]] for a, b in zip(one, other, strict=True)], np.int64)
    sides = sides.reshape(-1, 2)
    if (sides[:, 0] == sides[:, 1]).any():
        message = "a thing is compared with itself; leave such rows out, counted"
        raise StatisticsError(message)
    fit: Summit | Undefined = Undefined.NO_OBSERVATIONS
    design = np.zeros((0, 0))
    if y.size:
        design = _design(sides, x, len(things))
        fit = priors.fit(y, design, n_before=len(things) - 1)
    strengths = coefficients = None
    n_clusters = int(codes.max(initial=-1)) + 1
    if isinstance(fit, Summit):
        labels = ([str(thing) for thing in things], names)
        found = _coefficients(y, design, fit, codes, labels, level)
        strengths, coefficients = found[: len(things)], found[len(things) :]
    is_few = strengths is not None and n_clusters < _FEW_CLUSTERS
    return ControlledStrengths(
        things=things,
        n_comparisons=y.size,
        n_clusters=n_clusters,
        strengths=strengths,
        features=coefficients,
        prior_means=tuple(priors.means.tolist()),
        prior_precisions=tuple(priors.precisions.tolist()),
        confidence_level=level,
        cautions=(Caution.FEW_CLUSTERS,) if is_few else (),
        undefined=fit if isinstance(fit, Undefined) else None,
    )


def _design(sides: Counts, features: Floats, n_things: int) -> Floats:
    """Return a row for each comparison; the last thing is what is left of the sum of 0."""
    rows = np.arange(len(sides))
    who = np.zeros((len(sides), n_things))
    who[rows, sides[:, 0]] += 1
    who[rows, sides[:, 1]] -= 1
    return np.column_stack([who[:, :-1] - who[:, -1:], features])


def _coefficients(
    outcomes: Floats,
    design: Floats,
    fit: Summit,
    codes: Counts,
    names: tuple[list[str], Sequence[str]],
    level: float,
) -> tuple[Coefficient, ...]:
    """Return strengths of all things, then features; names are those of either."""
    things, features = names
    n_free = len(things) - 1
    spread = np.zeros((len(things) + len(features), n_free + len(features)))
    spread[:n_free, :n_free] = np.eye(n_free)
    spread[n_free, :n_free] = -1
    spread[n_free + 1 :, n_free:] = np.eye(len(features))
    scores = design * (outcomes - expit(design @ fit.at))[:, np.newaxis]
    covariance = clustered_covariance(fit.information, scores, codes)
    if not isinstance(covariance, Undefined):
        covariance = np.asarray(spread @ covariance @ spread.T, dtype=np.float64)
    degrees = float(codes.max(initial=-1))
    return coefficients_of([*things, *features], spread @ fit.at, covariance, degrees, level)
