"""Prescott's test of a two-sequence crossover: ties count as half way between the two periods.

The table and its two questions are those of :mod:`counterbalance.statistics.crossover`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.statistics.combinations import log_choose
from counterbalance.statistics.crossover import (
    Effect,
    aligned_rows,
    comparison_problem,
    sequence_table,
)
from counterbalance.statistics.p_values import chi_square_p_value, p_value_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from counterbalance.statistics.arguments import Counts
    from counterbalance.statistics.reasons import Undefined

__all__ = ["PrescottTest", "prescott_test"]

_SCORES = np.array([1, 0, -1])
# Cells of the exact enumeration; this many take well below a second.
_MOST_CELLS = 4_000_000


@dataclass(frozen=True, slots=True)
class PrescottTest:
    """Outcome of Prescott's test.

    Attributes
    ----------
    table : tuple[tuple[int, ...], ...]
        Units by sequence (rows: X-Y, Y-X) and preference (columns: first period, tie, second).
    effect : str
        ``period`` or ``treatment``: what was tested.
    n_units : int
        All units in the table, ties included: the denominator.
    n_ties : int
        Units without a preference.
    correlation : float | None
        Of sequence and preference, in [-1, 1]; positive when the first period (the treatment X) is
        preferred.
    chi_square : float | None
        (units - 1) x correlation squared.
    p_asymptotic : float | None
        Its probability on one degree of freedom.
    p_value : float | None
        Two-sided probability in (0, 1], by `method`.
    method : str
        ``exact`` over all tables with these margins, ``asymptotic`` where there are too many to go
        through; ``none`` without p-value.
    undefined : Undefined | None
        Why there is no p-value; None when there is one.
    """

    table: tuple[tuple[int, ...], ...]
    effect: str
    n_units: int
    n_ties: int
    correlation: float | None
    chi_square: float | None
    p_asymptotic: float | None
    p_value: float | None
    method: str
    undefined: Undefined | None


def prescott_test(table: ArrayLike, effect: Effect) -> PrescottTest:
    r"""Test for a period or a treatment effect, from units asked once each, ties included.

    Parameters
    ----------
    table : ArrayLike
        Two rows of three counts: units of the sequence X-Y, then Y-X, that preferred the first
        period, neither, and the second.
    effect : Effect
        ``period`` tests whether the first period is preferred, ``treatment`` whether X is.

    Returns
    -------
    PrescottTest
        Correlation, chi-square and two-sided p-values.

    Raises
    ------
    StatisticsError
        If the table is not 2 x 3, a count is negative or fractional, or the effect is another word.

    Notes
    -----
    Preferences score 1, 0 and -1, sequences 1 and -1; for ``period`` the second row is reversed
    first. With the correlation :math:`r` of both scores over :math:`N` units,

    .. math:: M^2 = (N - 1)\, r^2

    is near chi-square on one degree of freedom. The exact p-value holds all margins and adds up the
    tables whose first row has a sum of scores at least as far from its expectation. Ties enter
    through :math:`N` and the spread of the scores.

    **Unit of analysis**: the unit, asked once.
    **Denominator**: all units in the table, ties included.
    **Undefined** when the table is empty, a sequence has no unit, or all units fall into one
    column after the rows are aligned.
    **Assumes**: units assigned to sequences at random and independent; units that share a cluster
    make the p-value too small.

    References
    ----------
    .. [1] R. J. Prescott, "The comparison of success rates in cross-over trials in the presence of
       an order effect", Applied Statistics 30 (1981) 9-15. doi:10.2307/2346652

    Examples
    --------
    >>> test = prescott_test([[6, 10, 1], [2, 12, 6]], "treatment")
    >>> round(test.chi_square, 4), round(test.p_asymptotic, 4), round(test.p_value, 4)
    (5.3943, 0.0202, 0.0218)
    >>> str(prescott_test([[0, 3, 0], [0, 4, 0]], "period").undefined)
    'no_variation'
    """
    counts = sequence_table(table, n_columns=3)
    aligned = aligned_rows(counts, effect)
    reason = comparison_problem(aligned)
    n = int(counts.sum())
    correlation = None if reason else _correlation(aligned)
    chi_square = None if correlation is None else (n - 1) * correlation**2
    p_asymptotic = None if chi_square is None else chi_square_p_value(chi_square, 1)
    p_exact = None if reason else _exact(aligned)
    method = "none" if reason else "asymptotic" if p_exact is None else "exact"
    return PrescottTest(
        table=tuple(tuple(int(count) for count in row) for row in counts),
        effect=effect,
        n_units=n,
        n_ties=int(counts[:, 1].sum()),
        correlation=correlation,
        chi_square=chi_square,
        p_asymptotic=p_asymptotic,
        p_value=p_asymptotic if p_exact is None else p_exact,
        method=method,
        undefined=reason,
    )


def _correlation(aligned: Counts) -> float:
    """Return the correlation of sequence and score; both rows and two columns hold units."""
    rows, columns, n = aligned.sum(axis=1), aligned.sum(axis=0), int(aligned.sum())
    sequence_mean, score_mean = int(rows[0] - rows[1]) / n, float(columns @ _SCORES) / n
    shared = float((aligned[0] - aligned[1]) @ _SCORES) / n - sequence_mean * score_mean
    spread = (1 - sequence_mean**2) * (float(columns @ _SCORES**2) / n - score_mean**2)
    return max(-1.0, min(1.0, shared / math.sqrt(spread)))


def _exact(aligned: Counts) -> float | None:
    """Return the chance of a first row at least as extreme; None when there are too many."""
    columns, size = aligned.sum(axis=0), int(aligned[0].sum())
    if (columns[0] + 1) * (columns[1] + 1) > _MOST_CELLS:
        return None
    firsts = np.arange(columns[0] + 1)[:, np.newaxis]
    ties = np.arange(columns[1] + 1)[np.newaxis, :]
    seconds = size - firsts - ties
    is_possible = (seconds >= 0) & (seconds <= columns[2])
    log_ways = (
        log_choose(columns[0], firsts)
        + log_choose(columns[1], ties)
        + log_choose(columns[2], np.where(is_possible, seconds, 0))
    )
    weights = np.where(is_possible, np.exp(log_ways - log_ways[is_possible].max()), 0.0)
    # Distances from the expected sum, times the units: whole numbers, so that equal is equal.
    n, expected = int(aligned.sum()), size * int(columns @ _SCORES)
    distances = np.abs(n * (firsts - seconds) - expected)
    is_extreme = distances >= abs(n * int(aligned[0] @ _SCORES) - expected)
    return p_value_of(weights[is_extreme].sum() / weights.sum())
