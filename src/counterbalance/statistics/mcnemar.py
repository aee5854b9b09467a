"""McNemar's test: two conditions on the same units, by the units on which they differ.

Counts of units gained and lost come in, a p-value with them goes out. Units on which both
conditions do the same do not enter and are not hidden: the caller knows them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from scipy.special import bdtr

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import count_problem
from counterbalance.statistics.p_values import chi_square_p_value, p_value_of
from counterbalance.statistics.reasons import FEW_DISCORDANT, Caution, Undefined

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["McNemarMethod", "McNemarTest", "mcnemar_test"]

McNemarMethod: TypeAlias = Literal["mid_p", "exact", "asymptotic", "corrected"]


@dataclass(frozen=True, slots=True)
class McNemarTest:
    """Outcome of McNemar's test.

    Attributes
    ----------
    n_gained : int
        Units that succeed under the first condition only.
    n_lost : int
        Units that succeed under the second condition only.
    method : str
        ``mid_p``, ``exact``, ``asymptotic`` or ``corrected``.
    chi_square : float | None
        Test statistic of the two large-sample methods; None for the others.
    p_value : float | None
        Two-sided probability in (0, 1]; None when no unit is discordant.
    cautions : tuple[Caution, ...]
        What the p-value leans on; empty when nothing is to be said.
    undefined : Undefined | None
        Why there is no p-value; None when there is one.
    """

    n_gained: int
    n_lost: int
    method: str
    chi_square: float | None
    p_value: float | None
    cautions: tuple[Caution, ...]
    undefined: Undefined | None

    @property
    def n_discordant(self) -> int:
        """Denominator of the test: units that succeed under exactly one condition."""
        return self.n_gained + self.n_lost


def mcnemar_test(n_gained: int, n_lost: int, method: McNemarMethod = "mid_p") -> McNemarTest:
    r"""Test whether two conditions succeed equally often on the same units.

    Parameters
    ----------
    n_gained : int
        Units that succeed under the first condition only.
    n_lost : int
        Units that succeed under the second condition only.
    method : McNemarMethod
        ``mid_p`` (recommended), ``exact``, ``asymptotic``, or ``corrected`` for continuity.

    Returns
    -------
    McNemarTest
        The counts, the statistic where the method has one, and the two-sided p-value.

    Raises
    ------
    StatisticsError
        If a count is negative or fractional, or the method is another word.

    Notes
    -----
    With :math:`b` gained, :math:`c` lost, :math:`m = \min(b, c)` and
    :math:`X \sim \mathrm{Bin}(b + c, 1/2)`:

    - ``exact``: :math:`\min\{1, 2 P(X \le m)\}`, never too small, often far too large;
    - ``mid_p``: :math:`2 P(X < m) + P(X = m)`, for :math:`b = c` it is
      :math:`1 - P(X = m) / 2`; near the nominal size, and more powerful;
    - ``asymptotic``: :math:`(b - c)^2 / (b + c)` on one degree of freedom;
    - ``corrected``: the same with :math:`(\max\{|b - c| - 1, 0\})^2`, for comparison with figures
      that were published so; it has little more power than the exact test.

    **Unit of analysis**: the unit, once, never one of its repeats.
    **Denominator**: :math:`b + c`; units on which both conditions do the same do not enter.
    **Undefined** when :math:`b + c = 0`; the p-value is then None, not 1.
    **Assumes**: independent units; units that share a cluster make the p-value too small. The
    large-sample methods carry a caution below 10 discordant units.

    References
    ----------
    .. [1] Q. McNemar, "Note on the sampling error of the difference between correlated proportions
       or percentages", Psychometrika 12 (1947) 153-157. doi:10.1007/BF02295996
    .. [2] M. W. Fagerland, S. Lydersen, P. Laake, "The McNemar test for binary matched-pairs data:
       mid-p and asymptotic are better than exact conditional", BMC Medical Research Methodology
       13 (2013) 91. doi:10.1186/1471-2288-13-91
    .. [3] A. L. Edwards, "Note on the correction for continuity in testing the significance of the
       difference between correlated proportions", Psychometrika 13 (1948) 185-187.
       doi:10.1007/BF02289261

    Examples
    --------
    >>> round(mcnemar_test(n_gained=12, n_lost=3).p_value, 6)
    0.021271
    >>> test = mcnemar_test(12, 3, "corrected")
    >>> round(test.chi_square, 4), round(test.p_value, 6)
    (4.2667, 0.038867)
    >>> str(mcnemar_test(0, 0).undefined)
    'no_discordant'
    """
    for name, count in (("n_gained", n_gained), ("n_lost", n_lost)):
        if problem := count_problem(name, count):
            raise StatisticsError(problem)
    if method not in _EXACT and method not in _CHI_SQUARE:
        message = f"method is {method!r}; choose one of {sorted([*_EXACT, *_CHI_SQUARE])}"
        raise StatisticsError(message)
    gained, lost = int(n_gained), int(n_lost)
    if gained + lost == 0:
        return McNemarTest(0, 0, method, None, None, (), Undefined.NO_DISCORDANT)
    if method in _EXACT:
        p_value = p_value_of(_EXACT[method](gained, lost))
        return McNemarTest(gained, lost, method, None, p_value, (), None)
    chi_square = _CHI_SQUARE[method](gained, lost)
    cautions = (Caution.FEW_DISCORDANT,) if gained + lost < FEW_DISCORDANT else ()
    p_value = chi_square_p_value(chi_square, 1)
    return McNemarTest(gained, lost, method, chi_square, p_value, cautions, None)


def _exact(gained: int, lost: int) -> float:
    """Return twice the tail of fair coins."""
    return 2 * float(bdtr(min(gained, lost), gained + lost, 0.5))


def _mid_p(gained: int, lost: int) -> float:
    """Return the exact p-value with the outcome seen counted half."""
    fewer, n = min(gained, lost), gained + lost
    up_to = float(bdtr(fewer, n, 0.5))
    below = float(bdtr(fewer - 1, n, 0.5)) if fewer else 0.0
    # With as many gained as lost the two tails meet: half of the outcome seen is taken off once.
    return up_to + below if gained != lost else 1 - (up_to - below) / 2


def _asymptotic(gained: int, lost: int) -> float:
    """Return the squared difference in units of its variance."""
    return (gained - lost) ** 2 / (gained + lost)


def _corrected(gained: int, lost: int) -> float:
    """Return the same, one unit closer to no difference but never past it."""
    return float(max(abs(gained - lost) - 1, 0) ** 2 / (gained + lost))


_EXACT: dict[str, Callable[[int, int], float]] = {"exact": _exact, "mid_p": _mid_p}
_CHI_SQUARE: dict[str, Callable[[int, int], float]] = {
    "asymptotic": _asymptotic,
    "corrected": _corrected,
}
