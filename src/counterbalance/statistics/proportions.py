"""Intervals for a proportion of independent trials.

Counts come in, an interval with its counts goes out. Trials that share a cluster are refused by
nobody here and fit none of these: use :mod:`counterbalance.statistics.clustered` for them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.special import betainc, betaincinv, ndtri

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import count_problem, valid_share
from counterbalance.statistics.reasons import Undefined
from counterbalance.statistics.roots import falling_root

__all__ = [
    "ProportionInterval",
    "clopper_pearson_interval",
    "proportion_interval",
    "wilson_interval",
]


@dataclass(frozen=True, slots=True)
class ProportionInterval:
    """A proportion, its counts and its interval.

    Attributes
    ----------
    n_successes : int
        Trials that succeeded: the numerator.
    n_trials : int
        All trials: the denominator.
    estimate : float | None
        Share of successes; None without trials.
    low : float | None
        Lower limit, in [0, estimate].
    high : float | None
        Upper limit, in [estimate, 1].
    confidence_level : float
        Nominal coverage.
    method : str
        ``wilson`` or ``clopper_pearson``.
    undefined : Undefined | None
        Why there is no estimate; None when there is one.
    """

    n_successes: int
    n_trials: int
    estimate: float | None
    low: float | None
    high: float | None
    confidence_level: float
    method: str
    undefined: Undefined | None


def wilson_interval(
    n_successes: int, n_trials: int, confidence_level: float = 0.95
) -> ProportionInterval:
    r"""Enclose a proportion by the score interval: the true shares that would not be rejected.

    Parameters
    ----------
    n_successes : int
        Trials that succeeded, from 0 to `n_trials`.
    n_trials : int
        All trials.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    ProportionInterval
        Counts, share and limits; method ``wilson``.

    Raises
    ------
    StatisticsError
        If a count is negative or fractional, successes exceed trials, or the level is not in
        (0, 1).

    Notes
    -----
    With share :math:`\hat p`, :math:`n` trials and normal quantile :math:`z`,

    .. math:: \frac{\hat p + z^2/2n \pm z\sqrt{\hat p(1-\hat p)/n + z^2/4n^2}}{1 + z^2/n}.

    **Unit of analysis**: the trial.
    **Denominator**: all `n_trials`.
    **Undefined** when there is no trial.
    **Assumes**: independent trials with one success probability; average coverage is near
    nominal, coverage for one given share may be below it.

    References
    ----------
    .. [1] E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
       Journal of the American Statistical Association 22 (1927) 209-212.
       doi:10.1080/01621459.1927.10502953

    Examples
    --------
    >>> interval = wilson_interval(8, 10)
    >>> round(interval.low, 4), interval.estimate, round(interval.high, 4)
    (0.4902, 0.8, 0.9433)
    """
    if problem := _problem(n_successes, n_trials):
        raise StatisticsError(problem)
    successes, trials = int(n_successes), int(n_trials)
    level = valid_share("confidence_level", confidence_level)
    if trials == 0:
        return _without_trials(level, "wilson")
    z = float(ndtri(0.5 + level / 2))
    share = successes / trials
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    spread = math.sqrt(share * (1 - share) / trials + (z / (2 * trials)) ** 2)
    half = z * spread / (1 + z * z / trials)
    return ProportionInterval(
        n_successes=successes,
        n_trials=trials,
        estimate=share,
        low=0.0 if successes == 0 else max(0.0, centre - half),
        high=1.0 if successes == trials else min(1.0, centre + half),
        confidence_level=level,
        method="wilson",
        undefined=None,
    )


def clopper_pearson_interval(
    n_successes: int, n_trials: int, confidence_level: float = 0.95
) -> ProportionInterval:
    r"""Enclose a proportion so that coverage is at least nominal for every true share.

    Parameters
    ----------
    n_successes : int
        Trials that succeeded, from 0 to `n_trials`.
    n_trials : int
        All trials.
    confidence_level : float
        Guaranteed coverage, strictly between 0 and 1.

    Returns
    -------
    ProportionInterval
        Counts, share and limits; method ``clopper_pearson``.

    Raises
    ------
    StatisticsError
        If a count is negative or fractional, successes exceed trials, or the level is not in
        (0, 1).

    Notes
    -----
    With :math:`k` successes, :math:`n` trials and :math:`\alpha` = 1 - level, the limits are the
    :math:`\alpha/2` quantile of Beta(:math:`k, n-k+1`) and the :math:`1-\alpha/2` quantile of
    Beta(:math:`k+1, n-k`); 0 when :math:`k = 0`, 1 when :math:`k = n`.

    **Unit of analysis**: the trial.
    **Denominator**: all `n_trials`.
    **Undefined** when there is no trial.
    **Assumes**: independent trials with one success probability.

    References
    ----------
    .. [1] C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits illustrated in
       the case of the binomial", Biometrika 26 (1934) 404-413. doi:10.1093/biomet/26.4.404

    Examples
    --------
    >>> interval = clopper_pearson_interval(0, 20)
    >>> interval.low, round(interval.high, 4)
    (0.0, 0.1684)
    """
    if problem := _problem(n_successes, n_trials):
        raise StatisticsError(problem)
    successes, trials = int(n_successes), int(n_trials)
    level = valid_share("confidence_level", confidence_level)
    if trials == 0:
        return _without_trials(level, "clopper_pearson")
    low, high = beta_limits(successes, trials, level)
    return ProportionInterval(
        n_successes=successes,
        n_trials=trials,
        estimate=successes / trials,
        low=low,
        high=high,
        confidence_level=level,
        method="clopper_pearson",
        undefined=None,
    )


def proportion_interval(
    n_successes: int, n_trials: int, confidence_level: float = 0.95
) -> ProportionInterval:
    """Enclose a proportion by the recommended method: Wilson, at the edges Clopper-Pearson.

    Parameters
    ----------
    n_successes : int
        Trials that succeeded, from 0 to `n_trials`.
    n_trials : int
        All trials.
    confidence_level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    ProportionInterval
        Counts, share, limits and the method that was taken.

    Raises
    ------
    StatisticsError
        If a count is negative or fractional, successes exceed trials, or the level is not in
        (0, 1).

    Notes
    -----
    Wilson's interval is short and covers well on average, also for few trials. Its coverage dips
    for true shares near 0 or 1, which is where no success, or nothing but successes, is seen; there
    the guaranteed interval is taken. The choice depends on nothing but the counts.

    **Unit of analysis**: the trial.
    **Denominator**: all `n_trials`.
    **Undefined** when there is no trial.
    **Assumes**: independent trials with one success probability.

    References
    ----------
    .. [1] L. D. Brown, T. T. Cai, A. DasGupta, "Interval estimation for a binomial proportion",
       Statistical Science 16 (2001) 101-133. doi:10.1214/ss/1009213286

    Examples
    --------
    >>> proportion_interval(8, 10).method
    'wilson'
    >>> proportion_interval(10, 10).method
    'clopper_pearson'
    >>> str(proportion_interval(0, 0).undefined)
    'no_observations'
    """
    if problem := _problem(n_successes, n_trials):
        raise StatisticsError(problem)
    if n_successes in {0, n_trials}:
        return clopper_pearson_interval(n_successes, n_trials, confidence_level)
    return wilson_interval(n_successes, n_trials, confidence_level)


def beta_limits(successes: float, trials: float, level: float) -> tuple[float, float]:
    """Return the Clopper-Pearson limits; an effective sample size need not be whole."""
    tail = (1 - level) / 2
    low = float(betaincinv(successes, trials - successes + 1, tail)) if successes > 0 else 0.0
    high = (
        float(betaincinv(successes + 1, trials - successes, 1 - tail))
        if successes < trials
        else 1.0
    )
    return low, high


def mid_p_limits(successes: float, trials: float, level: float) -> tuple[float, float]:
    """Return the limits whose tails count half the chance of what was seen; numbers as above."""
    tail = (1 - level) / 2

    def chance_of_less(share: float) -> float:
        """Fall with the share: chance of fewer successes, and half that of as many."""
        as_many_or_more = betainc(successes, trials - successes + 1, share) if successes > 0 else 1
        more = betainc(successes + 1, trials - successes, share) if successes < trials else 0
        return 1 - (float(as_many_or_more) + float(more)) / 2

    low = falling_root(lambda p: chance_of_less(p) - (1 - tail), 0.0, 1.0) if successes > 0 else 0.0
    high = falling_root(lambda p: chance_of_less(p) - tail, 0.0, 1.0) if successes < trials else 1.0
    return low, high


def _problem(n_successes: int, n_trials: int) -> str | None:
    """Return what is wrong with the counts, None when nothing is."""
    for name, count in (("n_successes", n_successes), ("n_trials", n_trials)):
        if problem := count_problem(name, count):
            return problem
    if n_successes > n_trials:
        return f"n_successes is {n_successes} of only {n_trials} trials"
    return None


def _without_trials(level: float, method: str) -> ProportionInterval:
    """Return the result that says that there was nothing to look at."""
    return ProportionInterval(
        n_successes=0,
        n_trials=0,
        estimate=None,
        low=None,
        high=None,
        confidence_level=level,
        method=method,
        undefined=Undefined.NO_OBSERVATIONS,
    )
