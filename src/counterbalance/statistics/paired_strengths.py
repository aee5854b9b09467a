"""Strengths of things compared in pairs, with ties and with an effect of which was shown first.

Counts of outcomes for each ordered pair come in; a strength for each thing, one order effect and
one tie effect go out, with errors that know of clusters. Data that cannot tell the order from the
strengths give the reason, not a number.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.errors import StatisticsError, one_line
from counterbalance.statistics.arguments import (
    cluster_codes,
    count_matrix,
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
from counterbalance.statistics.p_values import chi_square_p_value
from counterbalance.statistics.paired_likelihood import PairedRows
from counterbalance.statistics.reasons import Caution, Undefined

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from counterbalance.statistics.arguments import Counts, Floats

__all__ = ["DavidsonBeaver", "davidson_beaver"]

_OUTCOMES = 3
_FEW_CLUSTERS = 10


@dataclass(frozen=True, slots=True)
class DavidsonBeaver:
    """Fit of strengths, order effect and tie effect.

    Attributes
    ----------
    things : tuple[Hashable, ...]
        What was compared; the first one is the reference, with strength 0.
    n_first : int
        Comparisons that the thing shown first won.
    n_second : int
        Comparisons that the thing shown second won.
    n_ties : int
        Comparisons that neither won.
    strengths : tuple[Coefficient, ...] | None
        Log-strength of each thing but the reference.
    order : Coefficient | None
        Log-odds of second over first for equal things; positive favours the second.
    tie : Coefficient | None
        Log of how likely a tie is for equal things, over their mean chance to win; None without a
        tie.
    order_statistic : float | None
        Likelihood-ratio chi-square of the order effect.
    order_p_value : float | None
        Of the order effect: by likelihood ratio, or where clusters are given by their t test.
    order_test : str
        ``likelihood_ratio``, ``cluster_wald_t`` or ``none``.
    log_likelihood : float | None
        At the estimates.
    deviance : float | None
        Against a model in which every ordered pair has its own probabilities.
    residual_degrees : int | None
        Degrees of freedom of the deviance.
    confidence_level : float
        Nominal coverage.
    n_clusters : int | None
        Clusters; None when none were given.
    cautions : tuple[Caution, ...]
        What the limits lean on.
    undefined : Undefined | None
        Why there are no estimates; None when there are.
    """

    things: tuple[Hashable, ...]
    n_first: int
    n_second: int
    n_ties: int
    strengths: tuple[Coefficient, ...] | None
    order: Coefficient | None
    tie: Coefficient | None
    order_statistic: float | None
    order_p_value: float | None
    order_test: str
    log_likelihood: float | None
    deviance: float | None
    residual_degrees: int | None
    confidence_level: float
    n_clusters: int | None
    cautions: tuple[Caution, ...]
    undefined: Undefined | None


def davidson_beaver(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    counts: ArrayLike,
    *,
    reference: Hashable | None = None,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None = None,
    confidence_level: float = 0.95,
) -> DavidsonBeaver:
    r"""Fit strengths from paired comparisons with ties and an effect of order.

    Parameters
    ----------
    first : Sequence[Hashable]
        By row, the thing shown first.
    second : Sequence[Hashable]
        By row, the thing shown second.
    counts : ArrayLike
        Rows x 3: how often the first won, how often the second won, how often neither did. A row
        may be one comparison or many.
    reference : Hashable | None
        The thing with strength 0; None: the first one named.
    clusters : Sequence[Hashable] | NDArray[np.generic] | None
        The cluster of each row, such as what both orders of a pair share. None: every comparison
        is independent, which two orders of one pair are not.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    DavidsonBeaver
        Coefficients, test of the order effect and fit.

    Raises
    ------
    StatisticsError
        If lengths differ, a count is negative or fractional, there are not three per row, the
        reference was never compared, or the level is not in (0, 1).

    Notes
    -----
    With log-strengths :math:`\lambda`, order effect :math:`\delta` and tie effect :math:`\tau`, for
    :math:`i` shown first and :math:`j` second,

    .. math:: P(i) \propto e^{\lambda_i}, \quad P(j) \propto e^{\lambda_j + \delta}, \quad
        P(tie) \propto e^{(\lambda_i + \lambda_j)/2 + \tau}.

    The likelihood has one top or none; which of the two is decided by a linear program before it is
    climbed. Without clusters, errors come from the information; with clusters from cluster sums of
    the scores, limits being t limits with clusters - 1 degrees of freedom. Where no tie occurred,
    :math:`\tau` is left out.

    **Unit of analysis**: the comparison; the sampling unit is the cluster.
    **Denominator**: all comparisons, ties included.
    **Undefined** without comparisons; when order and strengths cannot be told apart, as with one
    order of two things (`not_identified`); when an estimate would be infinite, as when one thing
    always wins or all are ties (`separation`).
    **Assumes**: one order effect for all pairs and strengths on one line. A thing that always wins
    or always loses has no strength; leave it out, counted, and the others have theirs.

    References
    ----------
    .. [1] R. R. Davidson, R. J. Beaver, "On extending the Bradley-Terry model to incorporate
       within-pair order effects", Biometrics 33 (1977) 693-702. doi:10.2307/2529467

    Examples
    --------
    >>> fit = davidson_beaver("xy", "yx", [[30, 15, 5], [20, 26, 4]])
    >>> round(fit.strengths[0].estimate, 3), round(fit.order.estimate, 3)
    (-0.475, -0.209)
    >>> str(davidson_beaver("xx", "yy", [[30, 15, 5], [20, 26, 4]]).undefined)
    'not_identified'
    """
    table = _table(first, second, counts)
    used = table.sum(axis=1) > 0
    things = _things(first, second, used.tolist(), reference)
    level = valid_share("confidence_level", confidence_level)
    codes = None if clusters is None else cluster_codes(clusters, len(table))
    totals = [int(total) for total in table.sum(axis=0)]
    rows = PairedRows.of(first, second, table, things)
    cells = rows.by_cell()
    reason = logit_problem(cells.directions()) if used.any() else Undefined.NO_OBSERVATIONS
    summit = climb(cells.log_likelihood, np.zeros(rows.n_parameters)) if reason is None else None
    if summit is not None and not summit.has_converged:
        reason, summit = Undefined.NO_CONVERGENCE, None
    kept = None if codes is None else codes[used]
    fit = _Parts() if summit is None else _parts(rows, summit, kept, things, level)
    n_clusters = None if kept is None else len(np.unique(kept))
    is_few = n_clusters is not None and n_clusters < _FEW_CLUSTERS
    return DavidsonBeaver(
        things=things,
        n_first=totals[0],
        n_second=totals[1],
        n_ties=totals[2],
        strengths=fit.strengths,
        order=fit.order,
        tie=fit.tie,
        order_statistic=fit.order_statistic,
        order_p_value=fit.order_p_value,
        order_test=fit.order_test,
        log_likelihood=None if summit is None else summit.value,
        deviance=None if summit is None else cells.deviance(summit.at),
        residual_degrees=None if summit is None else cells.residual_degrees(),
        confidence_level=level,
        n_clusters=n_clusters,
        cautions=(Caution.FEW_CLUSTERS,) if is_few and summit is not None else (),
        undefined=reason,
    )


@dataclass(frozen=True, slots=True)
class _Parts:
    """What the top of the likelihood says; nothing where there is none."""

    strengths: tuple[Coefficient, ...] | None = None
    order: Coefficient | None = None
    tie: Coefficient | None = None
    order_statistic: float | None = None
    order_p_value: float | None = None
    order_test: str = "none"


def _parts(
    rows: PairedRows,
    summit: Summit,
    codes: Counts | None,
    things: tuple[Hashable, ...],
    level: float,
) -> _Parts:
    """Return the coefficients with their errors, and the test of the order effect."""
    n_strengths = len(things) - 1
    names = [*(str(thing) for thing in things[1:]), "order", "tie"][: rows.n_parameters]
    covariance: Floats | Undefined = np.asarray(np.linalg.inv(summit.information), np.float64)
    degrees: float | None = None
    if codes is not None:
        covariance = clustered_covariance(summit.information, rows.scores(summit.at), codes)
        degrees = float(len(np.unique(codes)) - 1)
    found = coefficients_of(names, summit.at, covariance, degrees, level)
    order = found[n_strengths]
    statistic = _order_statistic(rows.by_cell(), summit, n_strengths)
    by_ratio = None if statistic is None else chi_square_p_value(statistic, 1)
    p_value = by_ratio if codes is None else order.p_value
    test = "likelihood_ratio" if codes is None else "cluster_wald_t"
    return _Parts(
        strengths=found[:n_strengths],
        order=order,
        tie=found[n_strengths + 1] if rows.n_parameters > n_strengths + 1 else None,
        order_statistic=statistic,
        order_p_value=p_value,
        order_test="none" if p_value is None else test,
    )


def _order_statistic(cells: PairedRows, summit: Summit, order: int) -> float | None:
    """Return twice the log-likelihood that the order effect gains, None if it cannot be had."""
    null = cells.without(order)
    if not null.n_parameters:
        return max(0.0, 2 * (summit.value - null.log_likelihood(np.zeros(0))[0]))
    without = climb(null.log_likelihood, np.delete(summit.at, order))
    return max(0.0, 2 * (summit.value - without.value)) if without.has_converged else None


def _table(first: Sequence[Hashable], second: Sequence[Hashable], counts: ArrayLike) -> Counts:
    """Return the counts; refuse those that do not fit the names of the things."""
    table = count_matrix("counts", counts)
    if not len(table):
        table = np.zeros((0, _OUTCOMES), dtype=np.int64)
    for name, given in (("first", first), ("second", second)):
        if problem := length_problem(name, len(given), len(table)):
            raise StatisticsError(problem)
    if table.shape[1] != _OUTCOMES:
        message = f"counts have {table.shape[1]} columns; give first won, second won, neither"
        raise StatisticsError(message)
    return table


def _things(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    used: Sequence[bool],
    reference: Hashable | None,
) -> tuple[Hashable, ...]:
    """Return each thing that was compared once, the reference first."""
    things = list(dict.fromkeys([*compress(first, used), *compress(second, used)]))
    if reference is None:
        return tuple(things)
    if reference not in things:
        message = f"reference is {one_line(reference)}, which was never compared; name another"
        raise StatisticsError(message)
    return (reference, *(thing for thing in things if thing != reference))
