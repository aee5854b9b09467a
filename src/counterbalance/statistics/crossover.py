"""Order effects where each unit was asked once, in one of two sequences.

Two treatments X and Y, and units that met them in the sequence X-Y or Y-X, each once: a table of
which *period* each unit preferred comes in, with the sequences as rows. The same table answers two
questions that are easily taken for each other, so the question is always named:

- ``period``: does the first place win more often than the second, whatever stands there?
- ``treatment``: does X win more often than Y, wherever it stands?

Units that met both sequences are matched pairs and do not belong here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import count_matrix, valid_share
from counterbalance.statistics.combinations import log_choose
from counterbalance.statistics.p_values import p_value_of
from counterbalance.statistics.reasons import Undefined
from counterbalance.statistics.roots import falling_root

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from counterbalance.statistics.arguments import Counts, Floats

__all__ = ["Effect", "MainlandGartTest", "mainland_gart_test"]

Effect: TypeAlias = Literal["period", "treatment"]

# Tables whose probabilities differ by rounding only are equally likely.
_ROUNDING = 1e-7
# No odds ratio of counts that fit into memory has a logarithm beyond this.
_LARGEST_LOG_ODDS = 100.0


@dataclass(frozen=True, slots=True)
class MainlandGartTest:
    """Outcome of the exact test of a two-sequence crossover.

    Attributes
    ----------
    table : tuple[tuple[int, ...], ...]
        Units by sequence (rows: X-Y, Y-X) and preferred period (columns: first, second).
    effect : str
        ``period`` or ``treatment``: what was tested.
    n_units : int
        All units in the table: the denominator.
    p_value : float | None
        Two-sided probability in (0, 1]; None when nothing can be tested.
    odds_ratio : float | None
        Conditional estimate, from 0 up; above 1 the first period (the treatment X) is preferred.
        None where it has no finite value.
    low : float | None
        Lower limit of the odds ratio.
    high : float | None
        Upper limit; None when there is none.
    confidence_level : float
        Guaranteed coverage of the limits.
    undefined : Undefined | None
        Why nothing can be tested; None when something can.
    odds_ratio_undefined : Undefined | None
        Why there is no finite odds ratio; None when there is one.
    """

    table: tuple[tuple[int, ...], ...]
    effect: str
    n_units: int
    p_value: float | None
    odds_ratio: float | None
    low: float | None
    high: float | None
    confidence_level: float
    undefined: Undefined | None
    odds_ratio_undefined: Undefined | None


def mainland_gart_test(
    table: ArrayLike, effect: Effect, confidence_level: float = 0.95
) -> MainlandGartTest:
    r"""Test exactly for a period or a treatment effect, from units asked once each.

    Parameters
    ----------
    table : ArrayLike
        Two rows of two counts: units of the sequence X-Y, then Y-X, that preferred the first and
        the second period. Units without a preference stay out.
    effect : Effect
        ``period`` tests whether the first period is preferred, ``treatment`` whether X is.
    confidence_level : float
        Guaranteed coverage of the limits, strictly between 0 and 1.

    Returns
    -------
    MainlandGartTest
        Two-sided p-value, conditional odds ratio and its limits.

    Raises
    ------
    StatisticsError
        If the table is not 2 x 2, a count is negative or fractional, the effect is another word, or
        the level is not in (0, 1).

    Notes
    -----
    In Gart's model the log odds of preferring the first period are :math:`\delta + \tau` in the
    sequence X-Y and :math:`\delta - \tau` in Y-X. Comparing the rows as they are removes the period
    effect :math:`\delta` and leaves an odds ratio of :math:`e^{2\tau}`. With the second row
    reversed the columns are preferred treatments; comparing the rows removes :math:`\tau` and
    leaves :math:`e^{2\delta}`. Either is Fisher's exact test: the p-value adds up all tables with
    these margins that are no more likely than the one seen, the estimate maximises the conditional
    likelihood, the limits leave :math:`\alpha/2` to either side, as in R's ``fisher.test``.

    **Unit of analysis**: the unit, asked once.
    **Denominator**: all units in the table.
    **Undefined** when the table is empty, a sequence has no unit, or all units fall into one
    column after the rows are aligned.
    **Assumes**: units assigned to sequences at random and independent; units that share a cluster
    make the p-value too small.

    References
    ----------
    .. [1] J. J. Gart, "An exact test for comparing matched proportions in crossover designs",
       Biometrika 56 (1969) 75-80. doi:10.1093/biomet/56.1.75
    .. [2] D. Mainland, "Elementary Medical Statistics", 2nd edition, Saunders (1963).

    Examples
    --------
    >>> test = mainland_gart_test([[40, 18], [22, 35]], "treatment")
    >>> round(test.p_value, 6), round(test.odds_ratio, 4), round(test.low, 4), round(test.high, 4)
    (0.001444, 3.4942, 1.5312, 8.2274)
    >>> round(mainland_gart_test([[40, 18], [22, 35]], "period").p_value, 4)
    0.4374
    """
    counts = sequence_table(table, n_columns=2)
    level = valid_share("confidence_level", confidence_level)
    aligned = aligned_rows(counts, effect)
    reason = comparison_problem(aligned)
    ways = None if reason else _Conditional.of(aligned)
    odds = ways.odds_ratio() if ways else None
    low, high = ways.limits((1 - level) / 2) if ways else (None, None)
    return MainlandGartTest(
        table=tuple(tuple(int(count) for count in row) for row in counts),
        effect=effect,
        n_units=int(counts.sum()),
        p_value=ways.p_value() if ways else None,
        odds_ratio=odds,
        low=low,
        high=high,
        confidence_level=level,
        undefined=reason,
        odds_ratio_undefined=reason or (Undefined.UNBOUNDED if odds is None else None),
    )


def sequence_table(table: ArrayLike, n_columns: int) -> Counts:
    """Return the counts of two sequences; refuse other shapes."""
    counts = count_matrix("table", table)
    if counts.shape != (2, n_columns):
        message = f"table has the shape {counts.shape}; give two rows of {n_columns} counts"
        raise StatisticsError(message)
    return counts


def aligned_rows(counts: Counts, effect: str) -> Counts:
    """Return the table with columns whose meaning is the same in both rows under the effect."""
    if effect == "treatment":
        return counts
    if effect == "period":
        return np.stack([counts[0], counts[1, ::-1]])
    message = f"effect is {effect!r}; choose 'period' or 'treatment'"
    raise StatisticsError(message)


def comparison_problem(aligned: Counts) -> Undefined | None:
    """Return why two rows cannot be compared, None when they can."""
    if aligned.sum() == 0:
        return Undefined.NO_OBSERVATIONS
    if (aligned.sum(axis=1) == 0).any():
        return Undefined.ONE_GROUP
    return Undefined.NO_VARIATION if np.count_nonzero(aligned.sum(axis=0)) == 1 else None


@dataclass(frozen=True, slots=True)
class _Conditional:
    """All tables with the margins of the one seen, by the count in their first cell."""

    seen: int
    counts: Counts
    log_ways: Floats

    @classmethod
    def of(cls, aligned: Counts) -> _Conditional:
        """Return the distribution of the first cell when the margins are held."""
        (first, second), columns = aligned.sum(axis=1), aligned.sum(axis=0)
        lowest, highest = max(0, int(columns[0] - second)), int(min(first, columns[0]))
        counts = np.arange(lowest, highest + 1)
        log_ways = log_choose(first, counts) + log_choose(second, columns[0] - counts)
        return cls(int(aligned[0, 0]), counts, log_ways)

    def chances(self, log_odds: float) -> Floats:
        """Return the chance of each count at an odds ratio."""
        weights = self.log_ways + log_odds * self.counts
        likelihoods = np.exp(weights - weights.max())
        chances: Floats = likelihoods / likelihoods.sum()
        return chances

    def p_value(self) -> float:
        """Return the summed chance of all tables no likelier than the one seen."""
        chances = self.chances(0.0)
        seen = chances[self.seen - self.counts[0]]
        return p_value_of(chances[chances <= seen * (1 + _ROUNDING)].sum())

    def odds_ratio(self) -> float | None:
        """Return the odds ratio that makes the table likeliest; None where that is infinite."""
        if self.seen == self.counts[-1]:
            return None
        if self.seen == self.counts[0]:
            return 0.0
        return self._solve(lambda log_odds: self.seen - float(self.counts @ self.chances(log_odds)))

    def limits(self, tail: float) -> tuple[float, float | None]:
        """Return the odds ratios at which the table is just not in either tail; None: no upper."""
        place = self.seen - int(self.counts[0])
        low, high = 0.0, None
        if place > 0:
            low = self._solve(lambda log_odds: tail - float(self.chances(log_odds)[place:].sum()))
        if self.seen < self.counts[-1]:
            high = self._solve(
                lambda log_odds: float(self.chances(log_odds)[: place + 1].sum()) - tail
            )
        return low, high

    def _solve(self, falling: Callable[[float], float]) -> float:
        """Return the odds ratio at which a function of its logarithm crosses 0."""
        return math.exp(falling_root(falling, -_LARGEST_LOG_ODDS, _LARGEST_LOG_ODDS))
