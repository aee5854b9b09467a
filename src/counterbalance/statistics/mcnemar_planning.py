"""Units and detectable difference of a paired comparison that McNemar's test will decide.

Power asked for and share of discordant units come in; the number of units or the difference goes
out, with the exact power there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.special import ndtri

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import valid_share
from counterbalance.statistics.mcnemar_power import valid_count, valid_shares
from counterbalance.statistics.mcnemar_tables import rejection_chance
from counterbalance.statistics.reasons import Undefined

__all__ = ["McNemarPlan", "mcnemar_detectable_difference", "mcnemar_sample_size"]

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class McNemarPlan:
    """Units and difference that go together at a power.

    Attributes
    ----------
    n_units : int | None
        Units that both conditions treat.
    difference : float | None
        Share gained minus share lost, from 0 up.
    discordant_share : float
        Share gained plus share lost.
    power : float
        Power asked for.
    error_rate : float
        Two-sided rate below which the test rejects.
    exact_power : float | None
        Power that the mid-p test really has there.
    undefined : Undefined | None
        Why there is no plan; None when there is.
    """

    n_units: int | None
    difference: float | None
    discordant_share: float
    power: float
    error_rate: float
    exact_power: float | None
    undefined: Undefined | None


def mcnemar_detectable_difference(
    n_units: int, discordant_share: float, power: float = 0.8, error_rate: float = 0.05
) -> McNemarPlan:
    r"""Find the smallest difference that this many units detect at this power.

    Parameters
    ----------
    n_units : int
        Units that both conditions will treat.
    discordant_share : float
        Share of units that exactly one condition gets right, in [0, 1]; from a pilot, rather too
        high than too low.
    power : float
        Power asked for, above the error rate and below 1.
    error_rate : float
        Two-sided rate below which the test rejects, strictly between 0 and 1.

    Returns
    -------
    McNemarPlan
        The difference, and the power that the mid-p test really has there.

    Raises
    ------
    StatisticsError
        If the count is negative or fractional, a share or rate is out of range, or the power does
        not exceed the error rate.

    Notes
    -----
    The difference :math:`d` solves, for discordant share :math:`\psi`,

    .. math:: d \sqrt n = z_{1-\alpha/2} \sqrt\psi + z_{power} \sqrt{\psi - d^2}.

    It is larger than the smallest difference that would be significant, which is found in only
    about half of all studies.

    **Unit of analysis**: the unit that both conditions treat.
    **Denominator**: all units.
    **Undefined** without units, when no unit is discordant, or when even a difference as large as
    the discordant share is missed more often than allowed.
    **Assumes**: independent units; those that share a cluster detect less than this.

    References
    ----------
    .. [1] R. J. Connor, "Sample size for testing differences in proportions for the paired-sample
       design", Biometrics 43 (1987) 207-211. doi:10.2307/2531961

    Examples
    --------
    >>> plan = mcnemar_detectable_difference(400, discordant_share=64 / 400)
    >>> round(plan.difference, 4), round(plan.exact_power, 3)
    (0.0559, 0.808)
    >>> str(mcnemar_detectable_difference(10, 0.1).undefined)
    'out_of_reach'
    """
    n = valid_count("n_units", n_units)
    discordant, _ = valid_shares(discordant_share, 0.0)
    goal, rate = _valid_goal(power, error_rate)
    difference = _detectable(n, discordant, goal, rate)
    reason = None if difference is not None else Undefined.OUT_OF_REACH
    if n == 0 or discordant == 0:
        reason = Undefined.NO_DISCORDANT if n else Undefined.NO_OBSERVATIONS
    exact = None if difference is None else _at_difference(n, difference, discordant, rate)
    return McNemarPlan(n, difference, discordant, goal, rate, exact, reason)


def mcnemar_sample_size(
    difference: float, discordant_share: float, power: float = 0.8, error_rate: float = 0.05
) -> McNemarPlan:
    r"""Find how many units detect this difference at this power.

    Parameters
    ----------
    difference : float
        Share gained minus share lost; its sign does not matter, and it is not 0.
    discordant_share : float
        Share gained plus share lost, at least the difference and at most 1.
    power : float
        Power asked for, above the error rate and below 1.
    error_rate : float
        Two-sided rate below which the test rejects, strictly between 0 and 1.

    Returns
    -------
    McNemarPlan
        The number of units, and the power that the mid-p test really has there.

    Raises
    ------
    StatisticsError
        If the difference is 0 or exceeds the discordant share, a share or rate is out of range, or
        the power does not exceed the error rate.

    Notes
    -----
    With difference :math:`d` and discordant share :math:`\psi`, rounded up,

    .. math:: n = \left( z_{1-\alpha/2} \sqrt\psi + z_{power} \sqrt{\psi - d^2} \right)^2 / d^2.

    **Unit of analysis**: the unit that both conditions treat.
    **Denominator**: all units.
    **Undefined** never: every difference other than 0 is detected by enough units.
    **Assumes**: independent units; with clusters more are needed.

    References
    ----------
    .. [1] R. J. Connor, "Sample size for testing differences in proportions for the paired-sample
       design", Biometrics 43 (1987) 207-211. doi:10.2307/2531961

    Examples
    --------
    >>> mcnemar_sample_size(0.05, discordant_share=0.12).n_units
    375
    """
    discordant, _ = valid_shares(discordant_share, 0.0)
    size = abs(float(difference))
    goal, rate = _valid_goal(power, error_rate)
    if not 0 < size <= discordant:
        message = (
            f"difference is {difference} with a discordant share of {discordant}; "
            "give a difference other than 0 and at most that share"
        )
        raise StatisticsError(message)
    z_rate, z_goal = -float(ndtri(rate / 2)), float(ndtri(goal))
    root = z_rate * math.sqrt(discordant) + z_goal * math.sqrt(discordant - size**2)
    n = max(1, math.ceil((root / size) ** 2 * (1 - _ROUNDING)))
    exact = _at_difference(n, size, discordant, rate)
    return McNemarPlan(n, size, discordant, goal, rate, exact, undefined=None)


def _detectable(n: int, discordant: float, goal: float, rate: float) -> float | None:
    """Return the solution of the formula, None where none lies within the discordant share."""
    z_rate, z_goal = -float(ndtri(rate / 2)), float(ndtri(goal))
    spread = n + z_goal**2 - z_rate**2
    if spread < 0 or n == 0 or discordant == 0:
        return None
    root = z_rate * math.sqrt(n) + z_goal * math.sqrt(spread)
    difference = math.sqrt(discordant) * root / (n + z_goal**2)
    return difference if difference <= discordant else None


def _at_difference(n: int, difference: float, discordant: float, rate: float) -> float:
    """Return the exact power of the mid-p test at a difference."""
    gained, lost = (discordant + difference) / 2, (discordant - difference) / 2
    return rejection_chance(n, gained, lost, rate, "mid_p")


def _valid_goal(power: float, error_rate: float) -> tuple[float, float]:
    """Return power and error rate; refuse a power that needs no study."""
    goal, rate = valid_share("power", power), valid_share("error_rate", error_rate)
    if goal <= rate:
        message = f"power is {power} at an error rate of {error_rate}; give a power above the rate"
        raise StatisticsError(message)
    return goal, rate
