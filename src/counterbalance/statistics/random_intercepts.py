"""Odds of one given unit, where units share groups that cross or nest: a mixed logit model.

Outcomes, features and the groups of each unit come in. Conditional odds, of a unit with given group
effects, and marginal odds, of averages over all units, go out side by side under their own names:
they answer different questions, and the first are always further from 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize

from counterbalance.errors import StatisticsError, one_line
from counterbalance.statistics.arguments import cluster_codes, valid_share
from counterbalance.statistics.coefficients import Coefficient, coefficients_of
from counterbalance.statistics.laplace import LaplaceDeviance, dense_size
from counterbalance.statistics.logit import (
    ClusterLogit,
    cluster_logit,
    fit_logit,
    valid_features,
    valid_outcomes,
)
from counterbalance.statistics.reasons import Caution, Undefined

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from counterbalance.statistics.arguments import Counts, Floats

__all__ = ["GroupSpread", "MixedLogit", "mixed_logit"]

# Log-deviations are searched between these; the lower end stands for a spread of 0.
_SEARCH = (-7.0, 4.0)
_NO_SPREAD = 0.01
_FIRST_GUESS = 0.5
_STEP = 1e-4
# A gradient this small moves a deviance of any size by less than a rounded digit.
_LEVEL = 1e-2
_MOST_NUMBERS = 40_000_000


@dataclass(frozen=True, slots=True)
class GroupSpread:
    """How far the levels of one group lie apart.

    Attributes
    ----------
    name : str
        Name of the group.
    n_levels : int
        Levels that occur.
    sd : float | None
        Standard deviation of their intercepts, on log-odds; 0.0 at the edge, None without a fit.
    """

    name: str
    n_levels: int
    sd: float | None


@dataclass(frozen=True, slots=True)
class MixedLogit:
    """Conditional and marginal odds of the same outcomes.

    Attributes
    ----------
    n_units : int
        Units handed in.
    groups : tuple[GroupSpread, ...]
        In the sequence handed in.
    conditional : tuple[Coefficient, ...] | None
        Intercept and features: log-odds of a unit whose group effects stay the same.
    marginal : ClusterLogit
        The same features: log-odds of averages over units, with errors over `cluster`.
    cluster : str
        Name of the group that the marginal errors are over.
    deviance : float | None
        Minus twice the log-likelihood, by Laplace's approximation.
    confidence_level : float
        Nominal coverage.
    cautions : tuple[Caution, ...]
        What the conditional odds lean on.
    undefined : Undefined | None
        Why there are no conditional odds; None when there are.
    """

    n_units: int
    groups: tuple[GroupSpread, ...]
    conditional: tuple[Coefficient, ...] | None
    marginal: ClusterLogit
    cluster: str
    deviance: float | None
    confidence_level: float
    cautions: tuple[Caution, ...]
    undefined: Undefined | None


def mixed_logit(
    outcomes: ArrayLike,
    features: ArrayLike,
    names: Sequence[str],
    groups: Mapping[str, Sequence[Hashable] | NDArray[np.generic]],
    cluster: str,
    confidence_level: float = 0.95,
) -> MixedLogit:
    r"""Regress outcomes on features by the odds of one given unit, and by those of averages.

    Parameters
    ----------
    outcomes : ArrayLike
        0 or 1 for each unit.
    features : ArrayLike
        Units x features, without a column for the intercept.
    names : Sequence[str]
        One name for each feature.
    groups : Mapping[str, Sequence[Hashable] | NDArray[np.generic]]
        By name of the group, the level of each unit. Groups may cross or nest; a nested level that
        carries the same name in two outer ones is one level.
    cluster : str
        Name of the outermost group: units of different levels are independent.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    MixedLogit
        Conditional and marginal coefficients, and the spread of each group.

    Raises
    ------
    StatisticsError
        If an outcome is neither 0 nor 1, a feature is not finite, lengths differ, no group is given
        or `cluster` is none of them, the level is not in (0, 1), or there are too many levels.

    Notes
    -----
    With independent normal intercepts of standard deviation :math:`\sigma_k` for each level
    :math:`g_k(i)` of group :math:`k`,

    .. math:: \operatorname{logit} P(y_i = 1 \mid b) = x_i^T \beta + \sum_k b_{k, g_k(i)}.

    The likelihood is approximated by Laplace's method and climbed in :math:`\beta` and
    :math:`\log \sigma` together; standard errors come from its second derivatives, by differences
    of exact first ones, and limits are normal. The marginal coefficients are those of
    :func:`cluster_logit`. With much spread the two differ by a factor: neither is wrong, and one
    must not be printed as the other.

    **Unit of analysis**: the unit; the sampling unit is the level of each group.
    **Denominator**: all units.
    **Undefined** (conditional) without units; when features repeat one another or part the
    outcomes; when a group has one level, as many levels as units, or the same levels as another
    (`not_identified`); or when the climb does not end. Marginal ones as :func:`cluster_logit`.
    **Assumes**: normal intercepts that do not depend on the features. Laplace's method is rough
    where levels hold few units: spread is then somewhat too small.

    References
    ----------
    .. [1] N. E. Breslow, D. G. Clayton, "Approximate inference in generalized linear mixed models",
       Journal of the American Statistical Association 88 (1993) 9-25.
       doi:10.1080/01621459.1993.10594284
    .. [2] J. M. Neuhaus, J. D. Kalbfleisch, W. W. Hauck, "A comparison of cluster-specific and
       population-averaged approaches for analyzing correlated binary data", International
       Statistical Review 59 (1991) 25-35. doi:10.2307/1403572

    Examples
    --------
    >>> outcomes = [int(digit) for digit in "111101011101000001110100111101010010"]
    >>> items = [number // 4 for number in range(36)]
    >>> fit = mixed_logit(outcomes, [[0], [1]] * 18, ["second"], {"item": items}, "item")
    >>> conditional, marginal = fit.conditional[1], fit.marginal.coefficients[1]
    >>> round(conditional.estimate, 2), round(marginal.estimate, 2), round(fit.groups[0].sd, 2)
    (2.19, 1.41, 1.75)
    """
    y = valid_outcomes(outcomes)
    x = valid_features(features, y.size, names)
    level = valid_share("confidence_level", confidence_level)
    if ((y > 0) & (y < 1)).any():
        message = "an outcome lies between 0 and 1; give 0 or 1, or use cluster_logit"
        raise StatisticsError(message)
    if cluster not in groups:
        named = ", ".join(one_line(name) for name in groups) or "none"
        message = f"cluster is {one_line(cluster)}, the groups are: {named}; name one of them"
        raise StatisticsError(message)
    codes = {name: cluster_codes(levels, y.size) for name, levels in groups.items()}
    sizes = {name: int(code.max(initial=-1)) + 1 for name, code in codes.items()}
    if dense_size(list(sizes.values())) > _MOST_NUMBERS:
        message = f"the groups have {sizes} levels, too many to fit; leave a group out"
        raise StatisticsError(message)
    marginal = cluster_logit(y, x, names, codes[cluster], level)
    design = np.column_stack([np.ones_like(y), x])
    found = _problem(y, list(codes.values())) or _fit(y, design, codes, sizes)
    fit = None if isinstance(found, Undefined) else found
    conditional = None
    if fit is not None:
        labels = ["intercept", *names]
        conditional = coefficients_of(labels, fit.beta, fit.covariance, None, level)
    return MixedLogit(
        n_units=y.size,
        groups=tuple(
            GroupSpread(name, size, None if fit is None else fit.spread[name])
            for name, size in sizes.items()
        ),
        conditional=conditional,
        marginal=marginal,
        cluster=cluster,
        deviance=None if fit is None else fit.deviance,
        confidence_level=level,
        cautions=(Caution.NO_GROUP_SPREAD,) if fit and 0.0 in fit.spread.values() else (),
        undefined=found if isinstance(found, Undefined) else None,
    )


@dataclass(frozen=True, slots=True)
class _Fit:
    """The top of the approximate likelihood."""

    beta: Floats
    covariance: Floats
    spread: dict[str, float]
    deviance: float


def _problem(outcomes: Floats, codes: Sequence[Counts]) -> Undefined | None:
    """Return why the groups leave no estimate, None when they do."""
    if not outcomes.size:
        return Undefined.NO_OBSERVATIONS
    sizes = [int(code.max()) + 1 for code in codes]
    if 1 in sizes:
        return Undefined.ONE_CLUSTER
    if outcomes.size in sizes:
        return Undefined.NOT_IDENTIFIED
    for (one, n_one), (other, n_other) in combinations(zip(codes, sizes, strict=True), 2):
        if n_one == n_other == len(np.unique(one * n_other + other)):
            return Undefined.NOT_IDENTIFIED
    return None


def _fit(
    outcomes: Floats, design: Floats, codes: dict[str, Counts], sizes: dict[str, int]
) -> _Fit | Undefined:
    """Return the fit, or why it did not come about."""
    plain = fit_logit(outcomes, design)
    if isinstance(plain, Undefined):
        return plain
    order = sorted(codes, key=lambda name: -sizes[name])
    model = LaplaceDeviance(
        outcomes, design, [codes[name] for name in order], [sizes[name] for name in order]
    )
    n_groups = len(order)
    start = np.concatenate([np.full(n_groups, np.log(_FIRST_GUESS)), plain.at])
    found = minimize(
        model,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=[_SEARCH] * n_groups + [(None, None)] * plain.at.size,
        options={"ftol": 1e-13, "gtol": 1e-5, "maxiter": 500},
    )
    at = np.asarray(found.x, dtype=np.float64)
    scales = np.exp(at[:n_groups])
    free = np.concatenate([scales > _NO_SPREAD, np.ones(plain.at.size, dtype=bool)])
    if not np.isfinite(found.fun) or float(np.abs(found.jac[free]).max()) > _LEVEL:
        return Undefined.NO_CONVERGENCE
    covariance = _covariance(model, at, np.asarray(found.jac, dtype=np.float64), free)
    if covariance is None:
        return Undefined.NO_CONVERGENCE
    n_free = int(free[:n_groups].sum())
    return _Fit(
        beta=at[n_groups:],
        covariance=covariance[n_free:, n_free:],
        spread={
            name: float(scale) if scale > _NO_SPREAD else 0.0
            for name, scale in zip(order, scales, strict=True)
        },
        deviance=float(found.fun),
    )


def _covariance(model: LaplaceDeviance, at: Floats, slope: Floats, free: Floats) -> Floats | None:
    """Return the covariance of the free parameters; None where the top is no top."""
    places = np.flatnonzero(free)
    curvature = np.zeros((places.size, places.size))
    for row, place in enumerate(places):
        moved = at.copy()
        moved[place] += _STEP
        curvature[row] = (model(moved)[1] - slope)[places] / _STEP
    curvature = (curvature + curvature.T) / 4  # the deviance is twice the log-likelihood
    try:
        np.linalg.cholesky(curvature)
    except np.linalg.LinAlgError:
        return None
    return np.asarray(np.linalg.inv(curvature), dtype=np.float64)
