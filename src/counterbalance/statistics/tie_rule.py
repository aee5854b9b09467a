"""What is gained and lost by calling a unit tied when two calls of it disagree.

Two calls of each unit and a reference come in; the change in success against the first call alone
is taken apart exactly. Where only published rates are known, bounds go out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import cluster_codes, count_problem, length_problem
from counterbalance.statistics.reasons import Undefined

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import numpy as np
    from numpy.typing import NDArray

# Success rates this close are equal but for rounding.
_ROUNDING = 1e-12

__all__ = ["TieRuleBounds", "TieRuleEffect", "tie_rule_bounds", "tie_rule_effect"]


@dataclass(frozen=True, slots=True)
class TieRuleEffect:
    """The effect of the rule on the same calls, taken apart.

    Attributes
    ----------
    n_units : int
        All units: the denominator of both success rates.
    n_agree : int
        Units on which both calls agree.
    n_agree_right : int
        Of these, units whose call is the reference.
    n_disagree : int
        Units on which the calls disagree: the rule calls them tied.
    n_tie_right : int
        Of these, units whose reference is the tie.
    n_first_right : int
        Of these, units whose first call is the reference.
    n_gained : int
        Units that are right under the rule and not by the first call.
    n_lost : int
        Units that are right by the first call and not under the rule.
    undefined : Undefined | None
        Why there are no rates; None when there are.
    """

    n_units: int
    n_agree: int
    n_agree_right: int
    n_disagree: int
    n_tie_right: int
    n_first_right: int
    n_gained: int
    n_lost: int
    undefined: Undefined | None

    @property
    def first_share(self) -> float | None:
        """Success rate of the first call alone."""
        return _share(self.n_agree_right + self.n_first_right, self.n_units)

    @property
    def rule_share(self) -> float | None:
        """Success rate under the rule."""
        return _share(self.n_agree_right + self.n_tie_right, self.n_units)

    @property
    def difference(self) -> float | None:
        """Rate under the rule less the rate of the first call."""
        return _share(self.n_tie_right - self.n_first_right, self.n_units)

    @property
    def agreement(self) -> float | None:
        """Share of units on which both calls agree."""
        return _share(self.n_agree, self.n_units)

    @property
    def right_when_agreed(self) -> float | None:
        """Success rate where both calls agree; None where they never do."""
        return _share(self.n_agree_right, self.n_agree)

    @property
    def tie_when_disagreed(self) -> float | None:
        """How often the reference is the tie where the calls disagree; None where they never do."""
        return _share(self.n_tie_right, self.n_disagree)

    @property
    def first_when_disagreed(self) -> float | None:
        """How often the first call is right where they disagree; None where they never do."""
        return _share(self.n_first_right, self.n_disagree)


@dataclass(frozen=True, slots=True)
class TieRuleBounds:
    """What published rates allow, of the identity behind the rule.

    Attributes
    ----------
    n_units : int
        Units behind the tie counts.
    n_first_ties : int
        Units that the first call calls tied.
    n_rule_ties : int
        Units that are tied under the rule.
    first_share : float
        Success rate of the first call alone.
    rule_share : float
        Success rate under the rule.
    reference_tie_share : float
        How often the reference is the tie, over all units.
    difference : float
        Rate under the rule less the rate of the first call.
    disagreement_low : float | None
        Least share of units on which the calls can disagree.
    disagreement_high : float | None
        Greatest share of units on which they can.
    excess_low : float | None
        Least by which the tie must be right more often than the first call, where calls disagree.
    excess_high : float | None
        The most, in the same sense.
    naive_at_low : float | None
        Rate under the rule at the least disagreement, if calls that disagree were like all others.
    naive_at_high : float | None
        The same at the greatest disagreement.
    undefined : Undefined | None
        Why there are no bounds; None when there are.
    """

    n_units: int
    n_first_ties: int
    n_rule_ties: int
    first_share: float
    rule_share: float
    reference_tie_share: float
    difference: float
    disagreement_low: float | None
    disagreement_high: float | None
    excess_low: float | None
    excess_high: float | None
    naive_at_low: float | None
    naive_at_high: float | None
    undefined: Undefined | None


def tie_rule_effect(
    first: Sequence[Hashable] | NDArray[np.generic],
    second: Sequence[Hashable] | NDArray[np.generic],
    reference: Sequence[Hashable] | NDArray[np.generic],
    tie: Hashable,
) -> TieRuleEffect:
    r"""Take apart what calling disagreements tied changes against the first call alone.

    Parameters
    ----------
    first : Sequence[Hashable] | NDArray[np.generic]
        Category of each unit in the first call: what stands without the rule.
    second : Sequence[Hashable] | NDArray[np.generic]
        Category in the second call; same units, same sequence.
    reference : Sequence[Hashable] | NDArray[np.generic]
        Category that is right.
    tie : Hashable
        The category that the rule gives to units whose calls disagree.

    Returns
    -------
    TieRuleEffect
        The counts, and all rates of the identity.

    Raises
    ------
    StatisticsError
        If lengths differ.

    Notes
    -----
    With agreement :math:`a`, success :math:`\tilde q` where both calls agree and, where they do
    not, the rates :math:`\tilde t` at which the reference is the tie and :math:`r` at which the
    first call is right, the success rates are :math:`a \tilde q + (1 - a)\tilde t` under the rule
    and :math:`a \tilde q + (1 - a) r` without it. The difference is therefore exactly

    .. math:: (1 - a)(\tilde t - r) = (n_\text{gained} - n_\text{lost}) / n:

    the rule helps only if, among disagreements, the tie is right more often than the first call.
    Hand gained, lost and all units to :func:`~counterbalance.statistics.tango_interval` and
    :func:`~counterbalance.statistics.mcnemar_test`. The identity holds for these calls; a first
    call that was made anew for the rule is another one.

    **Unit of analysis**: the unit, called twice.
    **Denominator**: all units; for each rate where the calls agree, or do not, those units.
    **Undefined** without units; rates also where no unit is behind them.
    **Assumes**: nothing: it is arithmetic.

    References
    ----------
    .. [1] E. M. Kitagawa, "Components of a difference between two rates", Journal of the American
       Statistical Association 50 (1955) 1168-1194. doi:10.1080/01621459.1955.10501299

    Examples
    --------
    >>> effect = tie_rule_effect("uuvvu", "uvuvv", "utvvt", tie="t")
    >>> effect.n_disagree, effect.n_tie_right, effect.n_first_right
    (3, 2, 1)
    >>> effect.first_share, effect.rule_share, effect.difference
    (0.6, 0.8, 0.2)
    """
    n = len(first)
    for name, calls in (("second", second), ("reference", reference)):
        if problem := length_problem(name, len(calls), n):
            raise StatisticsError(problem)
    codes = cluster_codes([*first, *second, *reference, tie], 3 * n + 1)
    one, two, right = codes[:-1].reshape(3, n)
    agree, tied, hit = one == two, right == codes[-1], one == right
    return TieRuleEffect(
        n_units=n,
        n_agree=int(agree.sum()),
        n_agree_right=int((agree & hit).sum()),
        n_disagree=int((~agree).sum()),
        n_tie_right=int((~agree & tied).sum()),
        n_first_right=int((~agree & hit).sum()),
        n_gained=int((~agree & tied & ~hit).sum()),
        n_lost=int((~agree & hit & ~tied).sum()),
        undefined=None if n else Undefined.NO_OBSERVATIONS,
    )


def tie_rule_bounds(
    first_share: float,
    rule_share: float,
    n_first_ties: int,
    n_rule_ties: int,
    n_units: int,
    reference_tie_share: float,
) -> TieRuleBounds:
    r"""Bound the disagreement behind published rates, and what it takes for them to hold.

    Parameters
    ----------
    first_share : float
        Success rate of the first call alone, in [0, 1].
    rule_share : float
        Success rate under the rule, in [0, 1].
    n_first_ties : int
        Units that the first call calls tied.
    n_rule_ties : int
        Units that are tied under the rule.
    n_units : int
        All units behind both counts.
    reference_tie_share : float
        How often the reference is the tie, in [0, 1].

    Returns
    -------
    TieRuleBounds
        Range of the disagreement, of the excess that it needs, and naive rates at its ends.

    Raises
    ------
    StatisticsError
        If a count is negative or fractional, ties exceed units, or a share is not in [0, 1].

    Notes
    -----
    Units tied under the rule are those on which the calls disagree and those on which both call a
    tie; of the latter there are from none to as many as the first call has. With tie counts
    :math:`T_0, T_1` of :math:`n` units and the difference :math:`D` of the success rates, the
    disagreement :math:`d` therefore lies in

    .. math:: \max\{T_1 - T_0, 0, n |D|\} / n \le d \le T_1 / n,

    as no more can change than disagrees, and the excess of
    :func:`tie_rule_effect`, :math:`\tilde t - r = D / d`, between its values at both ends. To take
    :math:`d = T_1 / n` is to forget that calls can agree on a tie. The naive rate is
    :math:`(1 - d)\, q + d\, t` with the first call's success rate :math:`q` and the reference's tie
    share :math:`t`; how far it misses the rate under the rule is how much the disagreements differ
    from other units.

    **Unit of analysis**: the unit, called twice.
    **Denominator**: `n_units` for the disagreement; units that disagree for the excess.
    **Undefined** without units, or when the success rates differ by more than can disagree: then
    the rates are not of the same calls.
    **Assumes**: rates and counts of the same units, and the first call of the rule the same as the
    one it is compared with. Rounded rates move the bounds by as much.

    References
    ----------
    .. [1] C. F. Manski, "Partial Identification of Probability Distributions", Springer (2003).
       doi:10.1007/b97478

    Examples
    --------
    >>> bounds = tie_rule_bounds(0.58, 0.5875, 98, 131, 400, 0.2425)
    >>> round(bounds.disagreement_low, 4), round(bounds.disagreement_high, 4)
    (0.0825, 0.3275)
    >>> round(bounds.excess_low, 4), round(bounds.excess_high, 4)
    (0.0229, 0.0909)
    """
    shares = {
        "first_share": first_share,
        "rule_share": rule_share,
        "reference_tie_share": reference_tie_share,
    }
    counts = {"n_first_ties": n_first_ties, "n_rule_ties": n_rule_ties, "n_units": n_units}
    if problem := _bounds_problem(shares, counts):
        raise StatisticsError(problem)
    difference = float(rule_share - first_share)
    ends = _disagreement(int(n_first_ties), int(n_rule_ties), int(n_units), difference)
    low, high = ends if isinstance(ends, tuple) else (None, None)
    excess = sorted(_over(difference, end) for end in (low, high) if end is not None)
    naive = [
        None if end is None else (1 - end) * first_share + end * reference_tie_share
        for end in (low, high)
    ]
    return TieRuleBounds(
        n_units=int(n_units),
        n_first_ties=int(n_first_ties),
        n_rule_ties=int(n_rule_ties),
        first_share=float(first_share),
        rule_share=float(rule_share),
        reference_tie_share=float(reference_tie_share),
        difference=difference,
        disagreement_low=low,
        disagreement_high=high,
        excess_low=excess[0] if excess else None,
        excess_high=excess[-1] if excess else None,
        naive_at_low=naive[0],
        naive_at_high=naive[1],
        undefined=None if isinstance(ends, tuple) else ends,
    )


def _share(count: int, n: int) -> float | None:
    """Return the share, None of nothing."""
    return count / n if n else None


def _over(difference: float, disagreement: float) -> float:
    """Return the excess that makes the difference; none is needed where none is there."""
    return difference / disagreement if difference else 0.0


def _disagreement(
    first_ties: int, rule_ties: int, n: int, difference: float
) -> tuple[float, float] | Undefined:
    """Return the least and the greatest share that can disagree, or why there is none."""
    if n == 0:
        return Undefined.NO_OBSERVATIONS
    low, high = max((rule_ties - first_ties) / n, 0.0, abs(difference)), rule_ties / n
    if low > high + _ROUNDING:
        return Undefined.CONTRADICTORY
    return min(low, high), high


def _bounds_problem(shares: dict[str, float], counts: dict[str, int]) -> str | None:
    """Return what is wrong with published figures, None when nothing is."""
    for name, share in shares.items():
        if not 0.0 <= share <= 1.0:
            return f"{name} is {share}; give a number from 0 to 1"
    for name, count in counts.items():
        if problem := count_problem(name, count):
            return problem
        if count > counts["n_units"]:
            return f"{name} is {count} of only {counts['n_units']} units"
    return None
