"""Whether two classifications of the same units use the categories equally often.

A square table of counts comes in: the category of each unit under the first condition (rows) and
under the second (columns). Units that did not move do not decide and are not hidden.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.statistics.arguments import square_counts
from counterbalance.statistics.p_values import chi_square_p_value
from counterbalance.statistics.reasons import FEW_DISCORDANT, Caution, Undefined

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from counterbalance.statistics.arguments import Counts

__all__ = ["SquareTableTest", "bhapkar_test", "stuart_maxwell_test"]

# A variance this small against what it is the rest of is rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class SquareTableTest:
    """Outcome of a chi-square test on a square table.

    Attributes
    ----------
    table : tuple[tuple[int, ...], ...]
        Units by category under the first condition (rows) and under the second (columns).
    n_units : int
        All units in the table.
    n_discordant : int
        Units off the diagonal: the only ones that decide.
    row_shares : tuple[float, ...] | None
        How often the first condition used each category.
    column_shares : tuple[float, ...] | None
        How often the second condition used each category.
    method : str
        ``stuart_maxwell``, ``bhapkar`` or ``bowker``.
    chi_square : float | None
        Test statistic, from 0 up.
    degrees_of_freedom : int | None
        Differences that the table leaves free.
    p_value : float | None
        Large-sample probability in (0, 1]; None when nothing can be tested.
    cautions : tuple[Caution, ...]
        What the p-value leans on; empty when nothing is to be said.
    undefined : Undefined | None
        Why there is no p-value; None when there is one.
    """

    table: tuple[tuple[int, ...], ...]
    n_units: int
    n_discordant: int
    row_shares: tuple[float, ...] | None
    column_shares: tuple[float, ...] | None
    method: str
    chi_square: float | None
    degrees_of_freedom: int | None
    p_value: float | None
    cautions: tuple[Caution, ...]
    undefined: Undefined | None


def stuart_maxwell_test(table: ArrayLike) -> SquareTableTest:
    r"""Test whether both conditions use the categories equally often, any number of categories.

    Parameters
    ----------
    table : ArrayLike
        Square table of counts: rows are categories under the first condition, columns under the
        second, in the same sequence.

    Returns
    -------
    SquareTableTest
        Both marginals, chi-square, degrees of freedom and p-value.

    Raises
    ------
    StatisticsError
        If the table is not square, or a count is negative or fractional.

    Notes
    -----
    With counts :math:`n_{ij}`, differences :math:`d_i = n_{i\cdot} - n_{\cdot i}` and, under the
    null hypothesis, their covariance

    .. math:: S_{ii} = n_{i\cdot} + n_{\cdot i} - 2 n_{ii},\quad S_{ij} = -(n_{ij} + n_{ji}),

    the statistic is :math:`d^\top S^{-} d` on :math:`\operatorname{rank} S` degrees of freedom: one
    less than the categories, and less again where some were never exchanged with the others. With
    two categories it is McNemar's test without continuity correction.

    **Unit of analysis**: the unit that was classified twice, once each.
    **Denominator**: units off the diagonal; those on it do not enter.
    **Undefined** when the table is empty or all units lie on the diagonal.
    **Assumes**: independent units, and enough off the diagonal (below 10 with a caution); units
    that share a cluster make the p-value too small.

    References
    ----------
    .. [1] A. Stuart, "A test for homogeneity of the marginal distributions in a two-way
       classification", Biometrika 42 (1955) 412-416. doi:10.1093/biomet/42.3-4.412
    .. [2] A. E. Maxwell, "Comparing the classification of subjects by two independent judges",
       British Journal of Psychiatry 116 (1970) 651-655. doi:10.1192/bjp.116.535.651

    Examples
    --------
    >>> test = stuart_maxwell_test([[61, 8, 30], [5, 20, 9], [11, 6, 50]])
    >>> round(test.chi_square, 4), test.degrees_of_freedom, round(test.p_value, 6)
    (10.0908, 2, 0.006439)
    >>> str(stuart_maxwell_test([[5, 0], [0, 5]]).undefined)
    'no_discordant'
    """
    counts = square_counts("table", table)
    if n_discordant(counts) == 0:
        return untestable(counts, "stuart_maxwell")
    chi_square, degrees = _stuart_maxwell(counts)
    return tested(counts, "stuart_maxwell", chi_square, degrees)


def bhapkar_test(table: ArrayLike) -> SquareTableTest:
    r"""Test the same as :func:`stuart_maxwell_test`, with the variance not restricted by the null.

    Parameters
    ----------
    table : ArrayLike
        Square table of counts: rows are categories under the first condition, columns under the
        second, in the same sequence.

    Returns
    -------
    SquareTableTest
        Both marginals, chi-square, degrees of freedom and p-value.

    Raises
    ------
    StatisticsError
        If the table is not square, or a count is negative or fractional.

    Notes
    -----
    The covariance is estimated without the null hypothesis, :math:`S - d d^\top / n` for :math:`n`
    units, so that with :math:`W` of Stuart and Maxwell the statistic is

    .. math:: W_B = \frac{W}{1 - W / n}.

    It is always the larger of the two, and the same for large samples.

    **Unit of analysis**: the unit that was classified twice, once each.
    **Denominator**: units off the diagonal; those on it enter through :math:`n` only.
    **Undefined** when the table is empty, all units lie on the diagonal, or all moved in a way
    that leaves no variance, as when every unit moved from one category to one other.
    **Assumes**: independent units, and enough off the diagonal (below 10 with a caution); units
    that share a cluster make the p-value too small.

    References
    ----------
    .. [1] V. P. Bhapkar, "A note on the equivalence of two test criteria for hypotheses in
       categorical data", Journal of the American Statistical Association 61 (1966) 228-235.
       doi:10.1080/01621459.1966.10502021
    .. [2] T. J. Keefe, "On the relationship between two tests for homogeneity of the marginal
       distributions in a two-way classification", Biometrika 69 (1982) 683-684.
       doi:10.1093/biomet/69.3.683

    Examples
    --------
    >>> test = bhapkar_test([[61, 8, 30], [5, 20, 9], [11, 6, 50]])
    >>> round(test.chi_square, 4), test.degrees_of_freedom, round(test.p_value, 6)
    (10.627, 2, 0.004925)
    >>> str(bhapkar_test([[0, 9], [0, 0]]).undefined)
    'no_variation'
    """
    counts = square_counts("table", table)
    if n_discordant(counts) == 0:
        return untestable(counts, "bhapkar")
    restricted, degrees = _stuart_maxwell(counts)
    left = 1 - restricted / int(counts.sum())
    if left <= _ROUNDING:
        return untestable(counts, "bhapkar", Undefined.NO_VARIATION)
    return tested(counts, "bhapkar", restricted / left, degrees)


def n_discordant(counts: Counts) -> int:
    """Return how many units lie off the diagonal."""
    return int(counts.sum() - np.trace(counts))


def tested(counts: Counts, method: str, chi_square: float, degrees: int) -> SquareTableTest:
    """Return the result of a test that could be made."""
    few = n_discordant(counts) < FEW_DISCORDANT
    return _result(counts, method, (chi_square, degrees), few=few, undefined=None)


def untestable(
    counts: Counts, method: str, reason: Undefined = Undefined.NO_DISCORDANT
) -> SquareTableTest:
    """Return the result without a test, and why; an empty table is reason enough."""
    found = reason if counts.sum() else Undefined.NO_OBSERVATIONS
    return _result(counts, method, None, few=False, undefined=found)


def _result(
    counts: Counts,
    method: str,
    found: tuple[float, int] | None,
    *,
    few: bool,
    undefined: Undefined | None,
) -> SquareTableTest:
    """Return the table with what was found in it."""
    n = int(counts.sum())
    return SquareTableTest(
        table=tuple(tuple(int(count) for count in row) for row in counts),
        n_units=n,
        n_discordant=n_discordant(counts),
        row_shares=tuple((counts.sum(axis=1) / n).tolist()) if n else None,
        column_shares=tuple((counts.sum(axis=0) / n).tolist()) if n else None,
        method=method,
        chi_square=found[0] if found else None,
        degrees_of_freedom=found[1] if found else None,
        p_value=chi_square_p_value(*found) if found else None,
        cautions=(Caution.FEW_DISCORDANT,) if few else (),
        undefined=undefined,
    )


def _stuart_maxwell(counts: Counts) -> tuple[float, int]:
    """Return chi-square and degrees of freedom; at least one unit is off the diagonal."""
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    covariance = np.diag(rows + columns).astype(np.float64) - counts - counts.T
    # Categories that were never exchanged leave the matrix singular; the differences lie in its
    # range all the same, so any solution gives the same statistic.
    solution, _, rank, _ = np.linalg.lstsq(covariance, (rows - columns).astype(np.float64))
    return max(0.0, float((rows - columns) @ solution)), int(rank)
