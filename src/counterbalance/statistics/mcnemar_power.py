"""Power of a paired comparison that McNemar's test will decide.

Shares of units that are gained and lost come in, power goes out. It is exact: all tables that could
come are added up, none is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import numpy as np

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import count_problem, valid_share
from counterbalance.statistics.mcnemar import McNemarMethod
from counterbalance.statistics.mcnemar_tables import critical_counts, rejection_chance
from counterbalance.statistics.reasons import Undefined

__all__ = [
    "LeastSignificant",
    "McNemarPower",
    "mcnemar_least_significant",
    "mcnemar_power",
    "valid_count",
    "valid_shares",
]

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class McNemarPower:
    """Chance that McNemar's test finds a difference.

    Attributes
    ----------
    n_units : int
        Units that both conditions will treat.
    gained_share : float
        Share of units that only the second condition gets right.
    lost_share : float
        Share of units that only the first condition gets right.
    error_rate : float
        Two-sided rate below which the test rejects.
    method : McNemarMethod
        Which of McNemar's tests.
    power : float | None
        Chance of rejection, in [0, 1].
    undefined : Undefined | None
        Why there is no power; None when there is.
    """

    n_units: int
    gained_share: float
    lost_share: float
    error_rate: float
    method: McNemarMethod
    power: float | None
    undefined: Undefined | None


@dataclass(frozen=True, slots=True)
class LeastSignificant:
    """Smallest net gain that McNemar's test would call significant.

    Attributes
    ----------
    n_discordant : int
        Units that exactly one condition gets right.
    error_rate : float
        Two-sided rate below which the test rejects.
    method : McNemarMethod
        Which of McNemar's tests.
    net : int | None
        Units gained minus units lost.
    undefined : Undefined | None
        Why there is none; None when there is.
    """

    n_discordant: int
    error_rate: float
    method: McNemarMethod
    net: int | None
    undefined: Undefined | None


def mcnemar_power(
    n_units: int,
    gained_share: float,
    lost_share: float,
    error_rate: float = 0.05,
    method: McNemarMethod = "mid_p",
) -> McNemarPower:
    r"""Compute how often McNemar's test would find a difference of this size.

    Parameters
    ----------
    n_units : int
        Units that both conditions will treat.
    gained_share : float
        Share of units that only the second condition gets right, in [0, 1].
    lost_share : float
        Share of units that only the first condition gets right, in [0, 1].
    error_rate : float
        Two-sided rate below which the test rejects, strictly between 0 and 1.
    method : McNemarMethod
        ``mid_p``, ``exact``, ``asymptotic``, or ``corrected`` for continuity.

    Returns
    -------
    McNemarPower
        The power with what it was computed for.

    Raises
    ------
    StatisticsError
        If the count is negative or fractional, a share is out of range, the shares add up to more
        than 1, or the method is unknown.

    Notes
    -----
    With :math:`\psi` = gained + lost and :math:`\theta` = gained / :math:`\psi`,

    .. math:: \sum_{m=0}^n \binom nm \psi^m (1-\psi)^{n-m}
        \left[ P(X_m \le c_m) + P(X_m \ge m - c_m) \right], \quad X_m \sim Bin(m, \theta),

    where :math:`c_m` is the largest count that the test rejects among :math:`m` discordant units.
    With equal shares this is the size of the test.

    **Unit of analysis**: the unit that both conditions treat.
    **Denominator**: all :math:`n` units; the number of discordant ones is left to chance.
    **Undefined** without units, or when no unit can be discordant.
    **Assumes**: independent units; those that share a cluster bring less power than this.

    References
    ----------
    .. [1] M. W. Fagerland, S. Lydersen, P. Laake, "The McNemar test for binary matched-pairs data:
       mid-p and asymptotic are better than exact conditional", BMC Medical Research Methodology 13
       (2013) 91. doi:10.1186/1471-2288-13-91

    Examples
    --------
    >>> round(mcnemar_power(400, gained_share=0.115, lost_share=0.05).power, 4)
    0.9034
    >>> str(mcnemar_power(400, 0, 0).undefined)
    'no_discordant'
    """
    n = valid_count("n_units", n_units)
    gained, lost = valid_shares(gained_share, lost_share)
    rate, test = valid_share("error_rate", error_rate), _valid_method(method)
    reason = Undefined.NO_OBSERVATIONS if n == 0 else None
    if n and gained + lost == 0:
        reason = Undefined.NO_DISCORDANT
    power = rejection_chance(n, gained, lost, rate, test) if reason is None else None
    return McNemarPower(n, gained, lost, rate, test, power, reason)


def mcnemar_least_significant(
    n_discordant: int, error_rate: float = 0.05, method: McNemarMethod = "mid_p"
) -> LeastSignificant:
    r"""Find the smallest net gain that would be significant among these discordant units.

    Parameters
    ----------
    n_discordant : int
        Units that exactly one condition gets right.
    error_rate : float
        Two-sided rate below which the test rejects, strictly between 0 and 1.
    method : McNemarMethod
        ``mid_p``, ``exact``, ``asymptotic``, or ``corrected`` for continuity.

    Returns
    -------
    LeastSignificant
        Units gained minus units lost.

    Raises
    ------
    StatisticsError
        If the count is negative or fractional, the rate is out of range or the method is unknown.

    Notes
    -----
    A difference of this size is not what a study can detect: if it is the true one, about half of
    all studies miss it. See :func:`mcnemar_detectable_difference`.

    **Unit of analysis**: the discordant unit.
    **Denominator**: `n_discordant`.
    **Undefined** without discordant units, or when not even a gain of all of them is significant.
    **Assumes**: independent units.

    References
    ----------
    .. [1] Q. McNemar, "Note on the sampling error of the difference between correlated proportions
       or percentages", Psychometrika 12 (1947) 153-157. doi:10.1007/BF02295996

    Examples
    --------
    >>> mcnemar_least_significant(45).net
    15
    >>> str(mcnemar_least_significant(4).undefined)
    'out_of_reach'
    """
    n = valid_count("n_discordant", n_discordant)
    rate, test = valid_share("error_rate", error_rate), _valid_method(method)
    critical = int(critical_counts(np.array([float(n)]), rate, test)[0])
    reason = None if critical >= 0 else Undefined.OUT_OF_REACH
    if n == 0:
        reason = Undefined.NO_DISCORDANT
    net = n - 2 * critical if reason is None else None
    return LeastSignificant(n, rate, test, net, reason)


def valid_count(name: str, count: int) -> int:
    """Return the count; refuse what is none."""
    if problem := count_problem(name, count):
        raise StatisticsError(problem)
    return int(count)


def valid_shares(gained: float, lost: float) -> tuple[float, float]:
    """Return the shares as plain floats; refuse those that are no shares of one whole."""
    if not (gained >= 0 and lost >= 0 and gained + lost <= 1 + _ROUNDING):
        message = f"shares are {gained} and {lost}; give numbers from 0 up, together at most 1"
        raise StatisticsError(message)
    return float(gained), float(lost)


def _valid_method(method: McNemarMethod) -> McNemarMethod:
    """Return the method; refuse one that does not exist."""
    if method not in get_args(McNemarMethod):
        message = f"method is {method!r}; give one of {', '.join(get_args(McNemarMethod))}"
        raise StatisticsError(message)
    return method
