"""Whether an interval lies inside margins that were fixed in advance, outside, or across one.

An estimate with its interval and the margins come in, one of three words goes out. That a
difference was not found is never taken for none: an interval across a margin leaves it open.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from counterbalance.errors import StatisticsError
from counterbalance.statistics.reasons import Undefined

__all__ = ["MarginDecision", "MarginPlace", "decide_margin"]


class MarginPlace(StrEnum):
    """Where an interval lies."""

    INSIDE = "inside"
    OUTSIDE = "outside"
    UNDETERMINED = "undetermined"


@dataclass(frozen=True, slots=True)
class MarginDecision:
    """An interval held against margins.

    Attributes
    ----------
    decision : MarginPlace
        ``inside``, ``outside`` or ``undetermined``.
    estimate : float | None
        As handed in.
    low : float | None
        Lower limit, as handed in.
    high : float | None
        Upper limit, as handed in.
    lower_margin : float | None
        Least value that still does not matter; None: no value is too small.
    upper_margin : float | None
        Greatest value that still does not matter; None: no value is too large.
    undefined : Undefined | None
        Why nothing could be decided; None when the interval itself left it open, or decided it.
    """

    decision: MarginPlace
    estimate: float | None
    low: float | None
    high: float | None
    lower_margin: float | None
    upper_margin: float | None
    undefined: Undefined | None


def decide_margin(
    estimate: float | None,
    low: float | None,
    high: float | None,
    lower_margin: float | None,
    upper_margin: float | None,
) -> MarginDecision:
    r"""Say whether a value lies between two margins, beyond one of them, or whether that is open.

    Parameters
    ----------
    estimate : float | None
        The value; None where it is undefined.
    low : float | None
        Lower limit of its interval; None where there is none.
    high : float | None
        Upper limit of its interval; None where there is none.
    lower_margin : float | None
        Value below which it would matter; None when no value is too small.
    upper_margin : float | None
        Value above which it would matter; None when no value is too large.

    Returns
    -------
    MarginDecision
        The decision with all that it rests on.

    Raises
    ------
    StatisticsError
        If there is no margin, margins or limits are not finite or not in sequence, or an interval
        has one limit only.

    Notes
    -----
    *Inside* when the whole interval lies strictly between the margins, *outside* when it lies
    wholly at or beyond one of them, otherwise *undetermined*. With limits of level
    :math:`1 - 2\alpha` *inside* is the outcome of two one-sided tests of size :math:`\alpha`:
    limits of 90 % stand for tests of 5 %, limits of 95 % for tests of 2.5 %. The margins come from
    what the decision is for; there is none by default.

    **Unit of analysis**: that of the interval.
    **Denominator**: that of the interval.
    **Undefined** without an interval; the decision is then *undetermined*, never *inside*.
    **Assumes**: margins fixed before the interval was seen.

    References
    ----------
    .. [1] D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the power
       approach for assessing the equivalence of average bioavailability", Journal of
       Pharmacokinetics and Biopharmaceutics 15 (1987) 657-680. doi:10.1007/BF01068419

    Examples
    --------
    >>> str(decide_margin(0.01, -0.02, 0.04, -0.05, 0.05).decision)
    'inside'
    >>> str(decide_margin(0.04, -0.01, 0.09, -0.05, 0.05).decision)
    'undetermined'
    >>> str(decide_margin(0.30, 0.21, 0.39, None, 0.03).decision)
    'outside'
    """
    if problem := _margin_problem(lower_margin, upper_margin) or _limit_problem(low, high):
        raise StatisticsError(problem)
    decision, reason = MarginPlace.UNDETERMINED, None
    if estimate is None or low is None or high is None:
        reason = Undefined.NO_INTERVAL
    else:
        lower = -math.inf if lower_margin is None else lower_margin
        upper = math.inf if upper_margin is None else upper_margin
        if lower < low and high < upper:
            decision = MarginPlace.INSIDE
        elif high <= lower or low >= upper:
            decision = MarginPlace.OUTSIDE
    return MarginDecision(
        decision=decision,
        estimate=estimate,
        low=low,
        high=high,
        lower_margin=lower_margin,
        upper_margin=upper_margin,
        undefined=reason,
    )


def _margin_problem(lower: float | None, upper: float | None) -> str | None:
    """Return what is wrong with the margins, None when nothing is."""
    given = [margin for margin in (lower, upper) if margin is not None]
    if not given:
        return "there is no margin; give a lower one, an upper one, or both"
    if not all(math.isfinite(margin) for margin in given):
        return f"margins are {lower} and {upper}; leave one out as None, not as infinity"
    if lower is not None and upper is not None and not lower < upper:
        return f"margins are {lower} and {upper}; give the lower one first"
    return None


def _limit_problem(low: float | None, high: float | None) -> str | None:
    """Return what is wrong with the limits, None when nothing is."""
    if (low is None) != (high is None):
        return f"limits are {low} and {high}; give both or none"
    if low is None or high is None:
        return None
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        return f"limits are {low} and {high}; give two finite numbers, the lower one first"
    return None
