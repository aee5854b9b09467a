"""Intervals for the difference of two success rates on the same independent units.

Counts of units by success under either condition come in. Both intervals stay within [-1, 1] and
keep a width when no unit differs, where the usual one collapses to a point.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scipy.special import ndtri

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import count_problem, valid_share
from counterbalance.statistics.proportions import wilson_interval
from counterbalance.statistics.reasons import Undefined
from counterbalance.statistics.roots import falling_root

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["PairedInterval", "newcombe_interval", "tango_interval"]


@dataclass(frozen=True, slots=True)
class PairedInterval:
    """A difference of two success rates on the same units, and its interval.

    Attributes
    ----------
    n_gained : int
        Units that succeed under the first condition only.
    n_lost : int
        Units that succeed under the second condition only.
    n_common : int
        All units that both conditions were tried on: the denominator.
    estimate : float | None
        (gained - lost) / common: first success rate less the second; None without units.
    low : float | None
        Lower limit, from -1 up.
    high : float | None
        Upper limit, to 1.
    confidence_level : float
        Nominal coverage.
    method : str
        ``tango``, ``newcombe`` or ``newcombe_uncorrected``.
    undefined : Undefined | None
        Why there is no estimate; None when there is one.
    """

    n_gained: int
    n_lost: int
    n_common: int
    estimate: float | None
    low: float | None
    high: float | None
    confidence_level: float
    method: str
    undefined: Undefined | None


def tango_interval(
    n_gained: int, n_lost: int, n_common: int, confidence_level: float = 0.95
) -> PairedInterval:
    r"""Enclose a paired difference by the score interval: the differences not rejected.

    Parameters
    ----------
    n_gained : int
        Units that succeed under the first condition only.
    n_lost : int
        Units that succeed under the second condition only.
    n_common : int
        All units that both conditions were tried on.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    PairedInterval
        Counts, difference and limits; method ``tango``.

    Raises
    ------
    StatisticsError
        If a count is negative or fractional, more units differ than there are, or the level is not
        in (0, 1).

    Notes
    -----
    With :math:`b` gained and :math:`c` lost of :math:`n` units, the limits are the differences
    :math:`\Delta` at which

    .. math:: \frac{b - c - n\Delta}{\sqrt{n\,(2 \tilde q + \Delta (1 - \Delta))}} = \pm z,

    where :math:`\tilde q`, the chance of a loss that fits best given :math:`\Delta`, is the larger
    root of :math:`2n q^2 + ((2n - b + c)\Delta - b - c)\, q - c \Delta (1 - \Delta) = 0`.

    **Unit of analysis**: the unit, once under each condition.
    **Denominator**: all `n_common` units, those that do not differ included.
    **Undefined** without units.
    **Assumes**: independent units; for units that share clusters use
    :func:`~counterbalance.statistics.paired_difference`.

    References
    ----------
    .. [1] T. Tango, "Equivalence test and confidence interval for the difference in proportions for
       the paired-sample design", Statistics in Medicine 17 (1998) 891-908.
       doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B

    Examples
    --------
    >>> interval = tango_interval(n_gained=1, n_lost=7, n_common=21)
    >>> round(interval.estimate, 4), round(interval.low, 4), round(interval.high, 4)
    (-0.2857, -0.5172, -0.026)
    >>> never = tango_interval(0, 0, 20)
    >>> round(never.low, 4), round(never.high, 4)
    (-0.1611, 0.1611)
    """
    gained, lost, common = _counts(n_gained=n_gained, n_lost=n_lost, n_common=n_common)
    level = valid_share("confidence_level", confidence_level)
    if gained + lost > common:
        message = f"{gained + lost} units differ of only {common}"
        raise StatisticsError(message)
    if common == 0:
        return _without_units(level, "tango")
    low, high = tango_limits(gained, lost, common, level)
    return PairedInterval(
        n_gained=gained,
        n_lost=lost,
        n_common=common,
        estimate=(gained - lost) / common,
        low=low,
        high=high,
        confidence_level=level,
        method="tango",
        undefined=None,
    )


def newcombe_interval(
    n_both: int,
    n_gained: int,
    n_lost: int,
    n_neither: int,
    confidence_level: float = 0.95,
    *,
    is_corrected: bool = True,
) -> PairedInterval:
    r"""Enclose a paired difference by joining the Wilson intervals of both success rates.

    Parameters
    ----------
    n_both : int
        Units that succeed under both conditions.
    n_gained : int
        Units that succeed under the first condition only.
    n_lost : int
        Units that succeed under the second condition only.
    n_neither : int
        Units that succeed under neither.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.
    is_corrected : bool
        Whether a positive correlation is taken half a unit smaller, as recommended.

    Returns
    -------
    PairedInterval
        Counts, difference and limits; method ``newcombe`` or ``newcombe_uncorrected``.

    Raises
    ------
    StatisticsError
        If a count is negative or fractional, or the level is not in (0, 1).

    Notes
    -----
    With success rates :math:`p_1, p_2`, their Wilson limits :math:`l_i, u_i` and the correlation
    :math:`\hat\phi` of both, the limits are

    .. math:: p_1 - p_2 \mp \sqrt{\delta_1^2 - 2\hat\phi\,\delta_1\delta_2 + \delta_2^2}

    with :math:`\delta_1 = p_1 - l_1, \delta_2 = u_2 - p_2` below and
    :math:`\delta_1 = u_1 - p_1, \delta_2 = p_2 - l_2` above. In :math:`\hat\phi` a numerator above
    0 is reduced by :math:`n/2`, but not below 0 (Newcombe's method 10); where a margin is empty
    it is 0.

    **Unit of analysis**: the unit, once under each condition.
    **Denominator**: all units, those that do not differ included.
    **Undefined** without units.
    **Assumes**: independent units; for units that share clusters use
    :func:`~counterbalance.statistics.paired_difference`.

    References
    ----------
    .. [1] R. G. Newcombe, "Improved confidence intervals for the difference between binomial
       proportions based on paired data", Statistics in Medicine 17 (1998) 2635-2650.
       doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C

    Examples
    --------
    >>> interval = newcombe_interval(n_both=1, n_gained=1, n_lost=7, n_neither=12)
    >>> round(interval.estimate, 4), round(interval.low, 4), round(interval.high, 4)
    (-0.2857, -0.5069, -0.0256)
    """
    counts = _counts(n_both=n_both, n_gained=n_gained, n_lost=n_lost, n_neither=n_neither)
    level = valid_share("confidence_level", confidence_level)
    method = "newcombe" if is_corrected else "newcombe_uncorrected"
    both, gained, lost, _ = counts
    n = sum(counts)
    if n == 0:
        return _without_units(level, method)
    phi = _correlation(*counts, is_corrected=is_corrected)
    first = _arms(both + gained, n, level)
    second = _arms(both + lost, n, level)
    estimate = (gained - lost) / n
    return PairedInterval(
        n_gained=gained,
        n_lost=lost,
        n_common=n,
        estimate=estimate,
        low=max(-1.0, estimate - _joined(first[0], second[1], phi)),
        high=min(1.0, estimate + _joined(first[1], second[0], phi)),
        confidence_level=level,
        method=method,
        undefined=None,
    )


def _counts(**counts: float) -> tuple[int, ...]:
    """Return the counts as plain numbers; refuse what is none."""
    for name, count in counts.items():
        if problem := count_problem(name, count):
            raise StatisticsError(problem)
    return tuple(int(count) for count in counts.values())


def _without_units(level: float, method: str) -> PairedInterval:
    """Return the result that says that there was nothing to look at."""
    return PairedInterval(0, 0, 0, None, None, None, level, method, Undefined.NO_OBSERVATIONS)


def tango_limits(gained: float, lost: float, n: float, level: float) -> tuple[float, float]:
    """Return the score limits; an effective number of units need not be whole."""
    z = float(ndtri(0.5 + level / 2))
    estimate = (gained - lost) / n
    score = _tango_score(gained, lost, n)
    low = falling_root(lambda difference: score(difference) - z, -1.0, estimate)
    return low, falling_root(lambda difference: score(difference) + z, estimate, 1.0)


def _tango_score(gained: float, lost: float, n: float) -> Callable[[float], float]:
    """Return the standardised distance of the counts from any difference; it falls throughout."""

    def score(difference: float) -> float:
        linear = (2 * n - gained + lost) * difference - gained - lost
        constant = -lost * difference * (1 - difference)
        root = math.sqrt(max(linear**2 - 8 * n * constant, 0.0))
        loss = (root - linear) / (4 * n)
        variance = n * (2 * loss + difference * (1 - difference))
        distance = gained - lost - n * difference
        # At -1 and 1 nothing varies: any other difference is infinitely far away.
        return distance / math.sqrt(variance) if variance > 0 else distance * math.inf

    return score


def _correlation(both: int, gained: int, lost: int, neither: int, *, is_corrected: bool) -> float:
    """Return the correlation of both successes, 0 where either never varies."""
    margins = (both + gained) * (lost + neither) * (both + lost) * (gained + neither)
    product = float(both * neither - gained * lost)
    if is_corrected and product > 0:
        product = max(product - (both + gained + lost + neither) / 2, 0.0)
    return product / math.sqrt(margins) if margins else 0.0


def _arms(n_successes: int, n: int, level: float) -> tuple[float, float]:
    """Return how far Wilson's limits lie below and above the share."""
    interval = wilson_interval(n_successes, n, level)
    if interval.estimate is None or interval.low is None or interval.high is None:
        return 0.0, 0.0
    return interval.estimate - interval.low, interval.high - interval.estimate


def _joined(first: float, second: float, phi: float) -> float:
    """Return how far the difference reaches when its parts reach this far."""
    return math.sqrt(max(first**2 - 2 * phi * first * second + second**2, 0.0))
