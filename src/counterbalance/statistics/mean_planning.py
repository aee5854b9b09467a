"""How many units a difference of means takes, and which difference a number of units detects.

The spread of one unit's difference comes in, from a pilot or as the largest it can be. Where units
share clusters, the spread has to be that of a unit among its like: the standard error of the pilot
times the root of its units.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.special import ndtri

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import count_problem, valid_share
from counterbalance.statistics.reasons import Undefined

__all__ = ["MeanPlan", "mean_detectable_difference", "mean_sample_size"]

# A ratio this near to a whole number is that number.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class MeanPlan:
    """Units and the difference of a mean from a fixed value that they detect.

    Attributes
    ----------
    n_units : int
        Units.
    difference : float | None
        Difference that is detected at this power.
    spread : float
        Standard deviation of one unit, as handed in.
    power : float
        Power asked for.
    error_rate : float
        Two-sided rate below which the test rejects.
    undefined : Undefined | None
        Why there is no difference; None when there is one.
    """

    n_units: int
    difference: float | None
    spread: float
    power: float
    error_rate: float
    undefined: Undefined | None


def mean_detectable_difference(
    n_units: int, spread: float, power: float = 0.8, error_rate: float = 0.05
) -> MeanPlan:
    r"""Find the smallest difference of a mean that this many units detect at this power.

    Parameters
    ----------
    n_units : int
        Units.
    spread : float
        Standard deviation of one unit, above 0.
    power : float
        Power asked for, above the error rate and below 1.
    error_rate : float
        Two-sided rate below which the test rejects, strictly between 0 and 1.

    Returns
    -------
    MeanPlan
        The difference with all that it rests on.

    Raises
    ------
    StatisticsError
        If the count is negative or fractional, the spread is not above 0, or a rate is out of
        range.

    Notes
    -----
    With standard deviation :math:`s` of one unit,

    .. math:: d = (z_{1-\alpha/2} + z_{power})\, s / \sqrt n.

    **Unit of analysis**: the unit.
    **Denominator**: all units.
    **Undefined** without units.
    **Assumes**: a mean that is near normal, which needs some dozens of units.

    References
    ----------
    .. [1] J. M. Bland, "An Introduction to Medical Statistics", 4th ed., Oxford 2015, chapter 18.

    Examples
    --------
    >>> round(mean_detectable_difference(100, spread=0.5).difference, 4)
    0.1401
    """
    if problem := count_problem("n_units", n_units):
        raise StatisticsError(problem)
    factor = _factor(power, error_rate) * _valid_size("spread", spread)
    difference = factor / math.sqrt(n_units) if n_units else None
    reason = None if n_units else Undefined.NO_OBSERVATIONS
    return MeanPlan(int(n_units), difference, float(spread), power, error_rate, reason)


def mean_sample_size(
    difference: float, spread: float, power: float = 0.8, error_rate: float = 0.05
) -> MeanPlan:
    r"""Find how many units detect this difference of a mean at this power.

    Parameters
    ----------
    difference : float
        Difference to be detected; its sign does not matter, and it is not 0.
    spread : float
        Standard deviation of one unit, above 0.
    power : float
        Power asked for, above the error rate and below 1.
    error_rate : float
        Two-sided rate below which the test rejects, strictly between 0 and 1.

    Returns
    -------
    MeanPlan
        The number of units, rounded up.

    Raises
    ------
    StatisticsError
        If the difference is 0, the spread is not above 0, or a rate is out of range.

    Notes
    -----
    .. math:: n = \left( (z_{1-\alpha/2} + z_{power})\, s / d \right)^2.

    **Unit of analysis**: the unit.
    **Denominator**: all units.
    **Undefined** never: every difference other than 0 is detected by enough units.
    **Assumes**: as :func:`mean_detectable_difference`.

    References
    ----------
    .. [1] J. M. Bland, "An Introduction to Medical Statistics", 4th ed., Oxford 2015, chapter 18.

    Examples
    --------
    >>> mean_sample_size(0.1, spread=0.5).n_units
    197
    """
    size = _valid_size("difference", abs(float(difference)))
    root = _factor(power, error_rate) * _valid_size("spread", spread) / size
    n_units = max(1, math.ceil(root**2 * (1 - _ROUNDING)))
    return MeanPlan(n_units, size, float(spread), power, error_rate, undefined=None)


def _factor(power: float, error_rate: float) -> float:
    """Return the sum of both normal quantiles; refuse a power that chance alone has."""
    goal, rate = valid_share("power", power), valid_share("error_rate", error_rate)
    if goal <= rate:
        message = f"power is {power} at an error rate of {error_rate}; ask for more than that rate"
        raise StatisticsError(message)
    return float(ndtri(goal)) - float(ndtri(rate / 2))


def _valid_size(name: str, size: float) -> float:
    if not (math.isfinite(size) and size > 0):
        message = f"{name} is {size}; give a finite number other than 0, spreads above it"
        raise StatisticsError(message)
    return float(size)
