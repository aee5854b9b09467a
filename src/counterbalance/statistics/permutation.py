"""Test of the excess disagreement of two conditions by exchanging repeats within units.

Category counts of both conditions come in, a one-sided p-value goes out: exact where the
distribution fits into memory, otherwise drawn from the generator that the caller passes.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import count_matrix
from counterbalance.statistics.p_values import p_value_of
from counterbalance.statistics.reasons import Undefined
from counterbalance.statistics.repetition import has_two_repeats, shape_problem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike

    from counterbalance.statistics.arguments import Floats

__all__ = ["ExcessPermutationTest", "excess_permutation_test"]

# Multiplications of the exact distribution; this many take about a second.
_MOST_STEPS = 10**9
# Sums of drawn values this close are equal but for rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class ExcessPermutationTest:
    """Outcome of the permutation test within units.

    Attributes
    ----------
    n_units : int
        Units handed in.
    n_left_out : int
        Units without two repeats in each condition.
    excess : float | None
        Mean excess disagreement of the units used: what is tested.
    p_value : float | None
        Chance under exchangeability of a mean excess at least this large.
    method : str
        ``exact`` over all splits, or ``monte_carlo``; ``none`` without p-value.
    n_draws : int | None
        Splits drawn; None unless they were.
    undefined : Undefined | None
        Why there is no p-value; None when there is one.
    """

    n_units: int
    n_left_out: int
    excess: float | None
    p_value: float | None
    method: str
    n_draws: int | None
    undefined: Undefined | None


def excess_permutation_test(
    first_counts: ArrayLike,
    second_counts: ArrayLike,
    generator: np.random.Generator | None = None,
    n_draws: int = 20_000,
) -> ExcessPermutationTest:
    r"""Test whether two conditions disagree more than repeats of one condition do.

    Parameters
    ----------
    first_counts : ArrayLike
        Repeats of the first condition by unit (row) and category (column).
    second_counts : ArrayLike
        Repeats of the second condition; same units, same categories.
    generator : np.random.Generator | None
        Source of the draws where the exact distribution is too large; not used otherwise.
    n_draws : int
        How many splits to draw then, at least 1.

    Returns
    -------
    ExcessPermutationTest
        Mean excess, one-sided p-value and how it was found.

    Raises
    ------
    StatisticsError
        If a count is negative or fractional, shapes differ, `n_draws` is below 1, or draws are
        needed and no generator was passed.

    Notes
    -----
    If the condition makes no difference to a unit, each of its
    :math:`\binom{R_1 + R_2}{R_1}` splits of repeats into conditions was as likely. The p-value is
    the share of all combinations of splits whose mean excess
    (:func:`~counterbalance.statistics.excess_disagreement`) is at least the one seen. Excesses are
    multiples of one fraction, so the units' distributions are convolved as whole numbers and no
    combination is left out. Drawn p-values are (1 + as large) / (1 + drawn), never 0.

    **Unit of analysis**: the unit; repeats are exchanged within it and never between units.
    **Denominator**: all combinations of splits of units with two repeats or more in each condition.
    **Undefined** when there is no such unit, or when no split has another excess, as when all
    repeats of each unit are equal; the p-value is then None, not 1.
    **Assumes**: repeats that are independent given the unit. Clusters of units do no harm to the
    test of no difference in any unit.

    References
    ----------
    .. [1] E. J. G. Pitman, "Significance tests which may be applied to samples from any
       populations", Supplement to the Journal of the Royal Statistical Society 4 (1937) 119-130.
       doi:10.2307/2984124
    .. [2] B. Phipson, G. K. Smyth, "Permutation p-values should never be zero", Statistical
       Applications in Genetics and Molecular Biology 9 (2010) 39. doi:10.2202/1544-6115.1585

    Examples
    --------
    >>> test = excess_permutation_test([[3, 0], [3, 0]], [[0, 3], [0, 3]])
    >>> test.excess, round(test.p_value, 4), test.method
    (1.0, 0.01, 'exact')
    >>> str(excess_permutation_test([[3, 0]], [[3, 0]]).undefined)
    'no_variation'
    """
    first = count_matrix("first_counts", first_counts)
    second = count_matrix("second_counts", second_counts)
    if problem := shape_problem(first, second):
        raise StatisticsError(problem)
    if n_draws < 1:
        message = f"n_draws is {n_draws}; draw at least 1"
        raise StatisticsError(message)
    is_used = has_two_repeats(first, second)
    n_units, n_used = int(is_used.size), int(is_used.sum())
    if n_used == 0:
        reason = Undefined.TOO_FEW_REPEATS if n_units else Undefined.NO_OBSERVATIONS
        return _undefined(n_units, n_units, None, reason)
    splits = _Splits.of(first[is_used].tolist(), second[is_used].tolist())
    excess = splits.observed / (splits.lattice * n_used)
    if splits.n_values == 1:
        return _undefined(n_units, n_units - n_used, excess, Undefined.NO_VARIATION)
    is_exact = splits.n_steps <= _MOST_STEPS
    return ExcessPermutationTest(
        n_units=n_units,
        n_left_out=n_units - n_used,
        excess=excess,
        p_value=splits.exact_p_value() if is_exact else splits.drawn(generator, n_draws),
        method="exact" if is_exact else "monte_carlo",
        n_draws=None if is_exact else n_draws,
        undefined=None,
    )


def _undefined(
    n_units: int, n_left_out: int, excess: float | None, reason: Undefined
) -> ExcessPermutationTest:
    """Return the result without a p-value."""
    return ExcessPermutationTest(
        n_units=n_units,
        n_left_out=n_left_out,
        excess=excess,
        p_value=None,
        method="none",
        n_draws=None,
        undefined=reason,
    )


@dataclass(frozen=True, slots=True)
class _Repeats:
    """Numbers of repeats of a unit, and whole-number weights of equal pairs among them."""

    n_first: int
    n_second: int
    cross: int
    within_first: int
    within_second: int

    @classmethod
    def of(cls, n_first: int, n_second: int, lattice: int) -> _Repeats:
        """Return the weights that turn an excess into a multiple of 1 / lattice."""
        return cls(
            n_first=n_first,
            n_second=n_second,
            cross=lattice // (n_first * n_second),
            within_first=lattice // (n_first * (n_first - 1)),
            within_second=lattice // (n_second * (n_second - 1)),
        )

    def excess(self, first: int, second: int) -> int:
        """Return what one category adds to the excess, in multiples of 1 / lattice."""
        within = math.comb(first, 2) * self.within_first + math.comb(second, 2) * self.within_second
        return within - first * second * self.cross

    def distribution(self, totals: Iterable[int]) -> dict[int, float]:
        """Return the chance of each excess when repeats with these totals are split at random."""
        # Categories are added one by one: what counts is only how many repeats went to the first
        # condition so far, and the excess so far.
        ways: dict[tuple[int, int], int] = {(0, 0): 1}
        for total in totals:
            grown: defaultdict[tuple[int, int], int] = defaultdict(int)
            for (taken, excess), n_ways in ways.items():
                for first in range(min(total, self.n_first - taken) + 1):
                    key = (taken + first, excess + self.excess(first, total - first))
                    grown[key] += n_ways * math.comb(total, first)
            ways = grown
        n_splits = math.comb(self.n_first + self.n_second, self.n_first)
        return {
            excess: n_ways / n_splits
            for (taken, excess), n_ways in ways.items()
            if taken == self.n_first
        }


@dataclass(frozen=True, slots=True)
class _Splits:
    """Excess of all units, as whole numbers, and its distribution over all splits."""

    lattice: int
    observed: int
    distributions: tuple[tuple[dict[int, float], int], ...]

    @classmethod
    def of(cls, first: list[list[int]], second: list[list[int]]) -> _Splits:
        """Gather units whose repeats have the same totals: they share one distribution."""
        sizes = {(sum(left), sum(right)) for left, right in zip(first, second, strict=True)}
        lattice = math.lcm(*(math.lcm(r * s, r * (r - 1), s * (s - 1)) for r, s in sizes))
        repeats = {size: _Repeats.of(*size, lattice) for size in sizes}
        observed = 0
        kinds: Counter[tuple[tuple[int, int], tuple[int, ...]]] = Counter()
        for left, right in zip(first, second, strict=True):
            size = sum(left), sum(right)
            counted = list(zip(left, right, strict=True))
            observed += sum(repeats[size].excess(a, b) for a, b in counted)
            kinds[size, tuple(sorted(a + b for a, b in counted if a + b))] += 1
        distributions = tuple(
            (repeats[size].distribution(totals), n_units)
            for (size, totals), n_units in sorted(kinds.items())
        )
        return cls(lattice, observed, distributions)

    @property
    def n_values(self) -> int:
        """Excesses that the most varied unit can have; 1 when no split differs from another."""
        return max(len(chances) for chances, _ in self.distributions)

    @property
    def step(self) -> int:
        """Greatest whole number that all differences of excesses are multiples of."""
        return math.gcd(
            *(value - min(chances) for chances, _ in self.distributions for value in chances)
        )

    @property
    def n_steps(self) -> int:
        """Multiplications that the exact distribution takes, at most."""
        step = self.step
        width = sum((max(c) - min(c)) // step * n for c, n in self.distributions)
        return width**2

    def exact_p_value(self) -> float:
        """Return the share of all combinations of splits with at least the observed excess."""
        chances: Floats = np.ones(1)
        lowest, step = 0, self.step
        for by_value, n_units in self.distributions:
            kernel = np.zeros((max(by_value) - min(by_value)) // step + 1)
            for value, chance in by_value.items():
                kernel[(value - min(by_value)) // step] = chance
            lowest += min(by_value) * n_units
            for _ in range(n_units if kernel.size > 1 else 0):
                chances = np.convolve(chances, kernel)
        return p_value_of(chances[(self.observed - lowest) // step :].sum())

    def drawn(self, generator: np.random.Generator | None, n_draws: int) -> float:
        """Return the share of drawn combinations with at least the observed excess."""
        if generator is None:
            message = "the exact distribution is too large; pass a numpy Generator to draw from it"
            raise StatisticsError(message)
        totals = np.zeros(n_draws)
        for by_value, n_units in self.distributions:
            chances = np.array(list(by_value.values()))
            values = np.array([value / self.lattice for value in by_value])
            times = generator.multinomial(n_units, chances / chances.sum(), size=n_draws)
            totals += times @ values
        as_large = int((totals >= self.observed / self.lattice - _ROUNDING).sum())
        return (1 + as_large) / (1 + n_draws)
