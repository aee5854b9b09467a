"""Exact test of a share of independent trials against a share fixed in advance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import xlog1py, xlogy

from counterbalance.errors import StatisticsError
from counterbalance.statistics.combinations import log_choose
from counterbalance.statistics.p_values import p_value_of
from counterbalance.statistics.proportions import clopper_pearson_interval

if TYPE_CHECKING:
    from counterbalance.statistics.reasons import Undefined

__all__ = ["BinomialTest", "binomial_test"]

# Outcomes whose probabilities differ by rounding only are equally likely.
_ROUNDING = 1e-7


@dataclass(frozen=True, slots=True)
class BinomialTest:
    """Outcome of the exact binomial test.

    Attributes
    ----------
    n_successes : int
        Trials that succeeded.
    n_trials : int
        All trials: the denominator.
    null_share : float
        Share that was tested.
    p_value : float | None
        Two-sided probability in [0, 1]; None without trials.
    estimate : float | None
        Share of successes; None without trials.
    low : float | None
        Lower Clopper-Pearson limit.
    high : float | None
        Upper Clopper-Pearson limit.
    confidence_level : float
        Guaranteed coverage of the limits.
    undefined : Undefined | None
        Why there is no p-value and no estimate; None when there are.
    """

    n_successes: int
    n_trials: int
    null_share: float
    p_value: float | None
    estimate: float | None
    low: float | None
    high: float | None
    confidence_level: float
    undefined: Undefined | None


def binomial_test(
    n_successes: int, n_trials: int, null_share: float = 0.5, confidence_level: float = 0.95
) -> BinomialTest:
    r"""Test whether independent trials succeed with the probability fixed in advance.

    Parameters
    ----------
    n_successes : int
        Trials that succeeded, from 0 to `n_trials`.
    n_trials : int
        All trials.
    null_share : float
        Success probability under the null hypothesis, in [0, 1].
    confidence_level : float
        Guaranteed coverage of the limits, strictly between 0 and 1.

    Returns
    -------
    BinomialTest
        Counts, two-sided p-value and Clopper-Pearson limits.

    Raises
    ------
    StatisticsError
        If a count is negative or fractional, successes exceed trials, or a share is out of range.

    Notes
    -----
    The p-value adds up the probabilities of all outcomes that are no more likely than the one
    seen,

    .. math:: p = \sum_{j:\ f(j) \le f(k)} f(j),\quad
        f(j) = \binom{n}{j} p_0^j (1-p_0)^{n-j},

    as R's ``binom.test`` does. The limits have equal tails, so for :math:`p_0 \ne 1/2` test and
    interval may disagree at the margin.

    **Unit of analysis**: the trial.
    **Denominator**: all `n_trials`.
    **Undefined** when there is no trial; the p-value is then None, not 1.
    **Assumes**: independent trials; trials that share a cluster make the p-value too small.

    References
    ----------
    .. [1] C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits illustrated in
       the case of the binomial", Biometrika 26 (1934) 404-413. doi:10.1093/biomet/26.4.404

    Examples
    --------
    >>> test = binomial_test(9, 10)
    >>> round(test.p_value, 6), round(test.low, 4), round(test.high, 4)
    (0.021484, 0.555, 0.9975)
    >>> binomial_test(0, 0).p_value is None
    True
    """
    if not 0.0 <= null_share <= 1.0:
        message = f"null_share is {null_share}; give a number from 0 to 1"
        raise StatisticsError(message)
    interval = clopper_pearson_interval(n_successes, n_trials, confidence_level)
    return BinomialTest(
        n_successes=interval.n_successes,
        n_trials=interval.n_trials,
        null_share=float(null_share),
        p_value=_p_value(interval.n_successes, interval.n_trials, float(null_share)),
        estimate=interval.estimate,
        low=interval.low,
        high=interval.high,
        confidence_level=interval.confidence_level,
        undefined=interval.undefined,
    )


def _p_value(successes: int, trials: int, null_share: float) -> float | None:
    """Return the summed probability of all outcomes no likelier than the one seen."""
    if trials == 0:
        return None
    outcomes = np.arange(trials + 1)
    log_ways = log_choose(trials, outcomes)
    log_chance = xlogy(outcomes, null_share) + xlog1py(trials - outcomes, -null_share)
    probabilities = np.exp(log_ways + log_chance)
    no_likelier = probabilities <= probabilities[successes] * (1 + _ROUNDING)
    total = float(probabilities[no_likelier].sum())
    # A certain outcome that did not come is impossible, not merely rare: the one true 0.
    return total if null_share in {0.0, 1.0} else p_value_of(total)
