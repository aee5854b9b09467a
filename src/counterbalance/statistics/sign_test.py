"""Tests whether paired units point one way more than the other.

Counts or signed scores come in, a p-value with what it rests on goes out. Units that point neither
way do not enter and are not hidden: the caller knows them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import bdtr

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import count_problem
from counterbalance.statistics.p_values import normal_p_value, p_value_of
from counterbalance.statistics.reasons import Undefined

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["SignScoreTest", "SignTest", "sign_score_test", "sign_test"]


@dataclass(frozen=True, slots=True)
class SignTest:
    """Outcome of the exact sign test.

    Attributes
    ----------
    n_plus : int
        Units that point one way.
    n_minus : int
        Units that point the other way.
    p_value : float | None
        Two-sided probability in [0, 1]; None when no unit points either way.
    undefined : Undefined | None
        Why there is no p-value; None when there is one.
    """

    n_plus: int
    n_minus: int
    p_value: float | None
    undefined: Undefined | None

    @property
    def n_discordant(self) -> int:
        """Denominator of the test: units that point one way or the other."""
        return self.n_plus + self.n_minus


@dataclass(frozen=True, slots=True)
class SignScoreTest:
    """Outcome of the score test on signed, weighted units.

    Attributes
    ----------
    n_units : int
        All units, those with score 0 included.
    n_discordant : int
        Units whose score is not 0: the only ones that decide.
    total : float
        Sum of the scores.
    z : float | None
        Total in units of its standard deviation under symmetry; None when all scores are 0.
    p_value : float | None
        Two-sided probability in [0, 1]; None when all scores are 0.
    undefined : Undefined | None
        Why there is no p-value; None when there is one.
    """

    n_units: int
    n_discordant: int
    total: float
    z: float | None
    p_value: float | None
    undefined: Undefined | None


def sign_test(n_plus: int, n_minus: int) -> SignTest:
    r"""Test exactly whether a unit that points one way or the other is as likely to do either.

    Parameters
    ----------
    n_plus : int
        Units that point one way.
    n_minus : int
        Units that point the other way.

    Returns
    -------
    SignTest
        The counts and the two-sided p-value.

    Raises
    ------
    StatisticsError
        If a count is negative or fractional.

    Notes
    -----
    With :math:`b` plus and :math:`c` minus,

    .. math:: p = \min\{1,\ 2\,P(X \le \min(b, c))\},\quad X \sim \mathrm{Bin}(b + c, 1/2).

    **Unit of analysis**: the paired unit, once.
    **Denominator**: :math:`b + c`; units that point neither way do not enter.
    **Undefined** when :math:`b + c = 0`; the p-value is then None, not 1.
    **Assumes**: independent units; units that share a cluster make the p-value too small.

    References
    ----------
    .. [1] W. J. Dixon, A. M. Mood, "The statistical sign test", Journal of the American
       Statistical Association 41 (1946) 557-566. doi:10.1080/01621459.1946.10501898

    Examples
    --------
    >>> round(sign_test(n_plus=12, n_minus=3).p_value, 6)
    0.035156
    >>> str(sign_test(0, 0).undefined)
    'no_discordant'
    """
    for name, count in (("n_plus", n_plus), ("n_minus", n_minus)):
        if problem := count_problem(name, count):
            raise StatisticsError(problem)
    plus, minus = int(n_plus), int(n_minus)
    n = plus + minus
    if n == 0:
        return SignTest(plus, minus, p_value=None, undefined=Undefined.NO_DISCORDANT)
    tail = float(bdtr(min(plus, minus), n, 0.5))
    return SignTest(plus, minus, p_value=p_value_of(2 * tail), undefined=None)


def sign_score_test(scores: ArrayLike) -> SignScoreTest:
    r"""Test whether signed scores are symmetric about 0, half steps counting half.

    Parameters
    ----------
    scores : ArrayLike
        One number for each unit: its sign is the way it points, its size how much of a step.

    Returns
    -------
    SignScoreTest
        Sum, z and two-sided p-value.

    Raises
    ------
    StatisticsError
        If `scores` is not one finite number for each unit.

    Notes
    -----
    If each score was as likely with the other sign, the sum has mean 0 and variance
    :math:`\sum x_i^2`, and

    .. math:: z = \sum x_i \Big/ \sqrt{\textstyle\sum x_i^2}

    is near normal. With scores of one size only this is the sign test without its exactness; prefer
    :func:`sign_test` below about 20 discordant units.

    **Unit of analysis**: the paired unit, once.
    **Denominator**: :math:`\sqrt{\sum x_i^2}`; scores of 0 do not enter.
    **Undefined** when all scores are 0, or there is none; the p-value is then None, not 1.
    **Assumes**: independent units; units that share a cluster make the p-value too small.

    References
    ----------
    .. [1] E. J. G. Pitman, "Significance tests which may be applied to samples from any
       populations", Supplement to the Journal of the Royal Statistical Society 4 (1937) 119-130.
       doi:10.2307/2984124

    Examples
    --------
    >>> test = sign_score_test([1, 1, 1, 0.5, -0.5, 0])
    >>> test.total, test.n_discordant, round(test.z, 4), round(test.p_value, 4)
    (3.0, 5, 1.6036, 0.1088)
    """
    vector = np.asarray(scores, dtype=np.float64)
    if vector.ndim != 1 or not np.isfinite(vector).all():
        message = "scores hold something else than one finite number for each unit"
        raise StatisticsError(message)
    total = math.fsum(vector)
    spread = math.sqrt(math.fsum(vector * vector))
    n_discordant = int(np.count_nonzero(vector))
    if n_discordant == 0:
        reason = Undefined.NO_DISCORDANT if vector.size else Undefined.NO_OBSERVATIONS
        return SignScoreTest(vector.size, 0, total, z=None, p_value=None, undefined=reason)
    z = total / spread
    p_value = normal_p_value(z)
    return SignScoreTest(vector.size, n_discordant, total, z=z, p_value=p_value, undefined=None)
