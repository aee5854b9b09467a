"""Agreement of two raters who put the same units into the same categories.

A square table of counts comes in; agreement, Cohen's kappa, both marginals and the standard errors
go out. Kappa without its marginals misleads where categories are rare, so they always travel along.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri

from counterbalance.statistics.arguments import square_counts, valid_share
from counterbalance.statistics.reasons import Undefined

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from counterbalance.statistics.arguments import Counts, Floats

__all__ = ["CohenKappa", "cohen_kappa"]


@dataclass(frozen=True, slots=True)
class CohenKappa:
    """Agreement of two raters, raw and beyond chance.

    Attributes
    ----------
    table : tuple[tuple[int, ...], ...]
        Units by category of the first rater (rows) and of the second (columns).
    n_units : int
        Units that both raters put into a category: the denominator of every share here.
    n_agree : int
        Units that both put into the same category.
    observed_agreement : float | None
        `n_agree` / `n_units`.
    expected_agreement : float | None
        Agreement of independent raters with these marginals.
    row_shares : tuple[float, ...] | None
        How often the first rater used each category.
    column_shares : tuple[float, ...] | None
        How often the second rater used each category.
    kappa : float | None
        Agreement beyond chance, at most 1.
    se : float | None
        Large-sample standard error of kappa.
    se_null : float | None
        Standard error of kappa if the raters were independent; for tests, not for limits.
    low : float | None
        Lower limit of kappa, at least -1.
    high : float | None
        Upper limit of kappa, at most 1.
    confidence_level : float
        Nominal coverage.
    undefined : Undefined | None
        Why there is no kappa; None when there is one.
    interval_undefined : Undefined | None
        Why there are no limits; None when there are.
    """

    table: tuple[tuple[int, ...], ...]
    n_units: int
    n_agree: int
    observed_agreement: float | None
    expected_agreement: float | None
    row_shares: tuple[float, ...] | None
    column_shares: tuple[float, ...] | None
    kappa: float | None
    se: float | None
    se_null: float | None
    low: float | None
    high: float | None
    confidence_level: float
    undefined: Undefined | None
    interval_undefined: Undefined | None


def cohen_kappa(table: ArrayLike, confidence_level: float = 0.95) -> CohenKappa:
    r"""Measure how far two raters agree beyond what their marginals alone would bring.

    Parameters
    ----------
    table : ArrayLike
        Square table of counts: rows are the first rater's categories, columns the second's, in
        the same sequence.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    CohenKappa
        Observed and expected agreement, kappa, standard errors, limits and both marginals.

    Raises
    ------
    StatisticsError
        If the table is not square, a count is negative or fractional, or the level is not in
        (0, 1).

    Notes
    -----
    With cell shares :math:`p_{ij}`, :math:`p_o = \sum p_{ii}` and
    :math:`p_e = \sum p_{i\cdot} p_{\cdot i}`,

    .. math:: \kappa = \frac{p_o - p_e}{1 - p_e}.

    The standard error is the one of Fleiss, Cohen and Everitt, eq. (13), the one under
    independence their eq. (14). Limits are :math:`\kappa \pm z \cdot` se, cut at -1 and 1.

    **Unit of analysis**: the unit that both raters rated.
    **Denominator**: all units in the table; for kappa :math:`1 - p_e`.
    **Undefined** when the table is empty or both raters used one and the same category throughout
    (:math:`p_e = 1`); the limits also when the standard error is 0, as with full agreement.
    **Assumes**: independent units and fixed categories; units that share a cluster make the
    standard errors too small.

    References
    ----------
    .. [1] J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological
       Measurement 20 (1960) 37-46. doi:10.1177/001316446002000104
    .. [2] J. L. Fleiss, J. Cohen, B. S. Everitt, "Large sample standard errors of kappa and
       weighted kappa", Psychological Bulletin 72 (1969) 323-327. doi:10.1037/h0028106

    Examples
    --------
    >>> result = cohen_kappa([[20, 5], [10, 15]])
    >>> result.observed_agreement, result.expected_agreement, round(result.kappa, 4)
    (0.7, 0.5, 0.4)
    >>> str(cohen_kappa([[7, 0], [0, 0]]).undefined)
    'expected_agreement_one'
    """
    counts = square_counts("table", table)
    level = valid_share("confidence_level", confidence_level)
    if counts.sum() == 0:
        return _result(counts, level, undefined=Undefined.NO_OBSERVATIONS)
    if _is_one_category(counts):
        return _result(counts, level, undefined=Undefined.EXPECTED_AGREEMENT_ONE)
    return _result(counts, level, undefined=None)


def _is_one_category(counts: Counts) -> bool:
    """Tell whether all units lie in one cell of the diagonal."""
    return int(np.diagonal(counts).max()) == int(counts.sum())


def _result(counts: Counts, level: float, undefined: Undefined | None) -> CohenKappa:
    """Return all that the table defines, and nothing else."""
    n = int(counts.sum())
    shares = counts / n if n else None
    kappa = se = se_null = low = high = None
    if shares is not None and undefined is None:
        kappa, se, se_null = _kappa(shares, n)
        low, high = _limits(kappa, se, level)
    no_limits = Undefined.NO_VARIATION if low is None else None
    return CohenKappa(
        table=tuple(tuple(int(count) for count in row) for row in counts),
        n_units=n,
        n_agree=int(np.trace(counts)),
        observed_agreement=None if shares is None else int(np.trace(counts)) / n,
        expected_agreement=None if shares is None else _expected(shares),
        row_shares=None if shares is None else tuple(shares.sum(axis=1).tolist()),
        column_shares=None if shares is None else tuple(shares.sum(axis=0).tolist()),
        kappa=kappa,
        se=se,
        se_null=se_null,
        low=low,
        high=high,
        confidence_level=level,
        undefined=undefined,
        interval_undefined=undefined or no_limits,
    )


def _expected(shares: Floats) -> float:
    """Return the agreement of independent raters with the marginals of these shares."""
    return float(shares.sum(axis=1) @ shares.sum(axis=0))


def _kappa(shares: Floats, n: int) -> tuple[float, float, float]:
    """Return kappa, its standard error, and the one that independent raters would have."""
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    observed, expected = float(np.trace(shares)), _expected(shares)
    kappa = (observed - expected) / (1 - expected)
    # Weight of cell (i, j): marginal share of category i as a column plus of j as a row.
    both = columns[:, np.newaxis] + rows[np.newaxis, :]
    diagonal = np.diagonal(shares) @ (1 - np.diagonal(both) * (1 - kappa)) ** 2
    others = (shares * both**2).sum() - np.diagonal(shares) @ np.diagonal(both) ** 2
    offset = (kappa - expected * (1 - kappa)) ** 2
    spread = float(diagonal + (1 - kappa) ** 2 * others) - offset
    spread_null = expected + expected**2 - float(rows * columns @ (rows + columns))
    scale = math.sqrt(n) * (1 - expected)
    return kappa, _root(spread) / scale, _root(spread_null) / scale


def _root(variance: float) -> float:
    """Return the square root; a variance that is 0 but for rounding has the root 0."""
    rounding = 1e-15
    return math.sqrt(variance) if variance > rounding else 0.0


def _limits(kappa: float, se: float, level: float) -> tuple[float, float] | tuple[None, None]:
    """Return the normal limits of kappa within its range; none without a standard error."""
    if se <= 0:
        return None, None
    half = float(ndtri(0.5 + level / 2)) * se
    return max(-1.0, kappa - half), min(1.0, kappa + half)
