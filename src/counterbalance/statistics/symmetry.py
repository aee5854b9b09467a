"""Whether units move between two categories as often one way as the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from counterbalance.statistics.arguments import square_counts
from counterbalance.statistics.marginal_homogeneity import (
    SquareTableTest,
    n_discordant,
    tested,
    untestable,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["bowker_test"]


def bowker_test(table: ArrayLike) -> SquareTableTest:
    r"""Test whether a square table is symmetric: each exchange as frequent as its opposite.

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
    With counts :math:`n_{ij}`,

    .. math:: \chi^2 = \sum_{i<j} \frac{(n_{ij} - n_{ji})^2}{n_{ij} + n_{ji}}

    on as many degrees of freedom as there are pairs of categories with a unit in either cell.
    Symmetry implies equal marginals, not the reverse: categories can be used equally often while
    units circle through them.

    **Unit of analysis**: the unit that was classified twice, once each.
    **Denominator**: units off the diagonal; those on it do not enter.
    **Undefined** when the table is empty or all units lie on the diagonal.
    **Assumes**: independent units, and enough off the diagonal (below 10 with a caution); units
    that share a cluster make the p-value too small.

    References
    ----------
    .. [1] A. H. Bowker, "A test for symmetry in contingency tables", Journal of the American
       Statistical Association 43 (1948) 572-574. doi:10.1080/01621459.1948.10483284

    Examples
    --------
    >>> test = bowker_test([[61, 8, 30], [5, 20, 9], [11, 6, 50]])
    >>> round(test.chi_square, 4), test.degrees_of_freedom, round(test.p_value, 6)
    (10.0972, 3, 0.017758)
    """
    counts = square_counts("table", table)
    if n_discordant(counts) == 0:
        return untestable(counts, "bowker")
    above = np.triu(counts - counts.T, k=1)
    both = np.triu(counts + counts.T, k=1)
    is_used = both > 0
    chi_square = float((above[is_used] ** 2 / both[is_used]).sum())
    return tested(counts, "bowker", chi_square, int(is_used.sum()))
