"""Exact distributions of how often a candidate is shown first."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from counterbalance.errors import UsageError

__all__ = ["LARGEST_N", "Design", "SlotCounts", "balanced_counts", "independent_counts"]

LARGEST_N = 500
"""Assignments that one picture still shows count by count."""
Design = Literal["independent", "balanced"]


@dataclass(frozen=True, slots=True)
class SlotCounts:
    """How many of ``n`` presentations show a candidate in the first slot.

    Attributes
    ----------
    design : Design
        ``independent``: each presentation is assigned by itself; ``balanced``: half of them are
        shown in each order, and only which ones is random.
    n : int
        Presentations that are assigned.
    p : float
        Probability of the first slot in one presentation.
    mean : float
        Expected count.
    variance : float
        Its variance.
    probabilities : tuple[float, ...]
        Probability of each count, 0 to ``n``; they add up to 1.
    """

    design: Design
    n: int
    p: float
    mean: float
    variance: float
    probabilities: tuple[float, ...]

    def at_least_as_far(self, count: int) -> float:
        """Return the probability of a count that is no nearer to the mean than this one.

        Parameters
        ----------
        count : int
            A number of presentations in the first slot, 0 to ``n``.

        Returns
        -------
        float
            Probability in both directions together, `count` itself included.

        Examples
        --------
        >>> f"{independent_counts(20, 0.5).at_least_as_far(12):.4f}"
        '0.5034'
        """
        distance = abs(count - self.mean)
        # Counts that are as far on the other side differ by rounding alone when n p is no integer.
        limit = distance - 1e-9 * max(1.0, self.mean)
        far = (each for k, each in enumerate(self.probabilities) if abs(k - self.mean) >= limit)
        return min(1.0, math.fsum(far))


def independent_counts(n: int, p: float) -> SlotCounts:
    """Return the distribution when every presentation is assigned by itself.

    Parameters
    ----------
    n : int
        Presentations, 1 to `LARGEST_N`.
    p : float
        Probability of the first slot, 0 to 1.

    Returns
    -------
    SlotCounts
        Binomial: mean ``n p``, variance ``n p (1 - p)``.

    Raises
    ------
    UsageError
        If `n` or `p` is out of range.

    Examples
    --------
    >>> counts = independent_counts(20, 0.5)
    >>> counts.mean, counts.variance, f"{counts.probabilities[10]:.4f}"
    (10.0, 5.0, '0.1762')
    """
    _check(n, p)
    from scipy import stats  # noqa: PLC0415 (a second of imports that --help does not need)

    each = stats.binom.pmf(range(n + 1), n, p)
    return SlotCounts("independent", n, p, n * p, n * p * (1 - p), tuple(map(float, each)))


def balanced_counts(n: int) -> SlotCounts:
    """Return the distribution when both orders are used equally often.

    Parameters
    ----------
    n : int
        Presentations, 1 to `LARGEST_N`.

    Returns
    -------
    SlotCounts
        Half of them for certain; with an odd `n`, the odd one falls to either side with
        probability one half, so that the variance is a quarter.

    Raises
    ------
    UsageError
        If `n` is out of range.

    Examples
    --------
    >>> balanced_counts(20).variance, balanced_counts(21).variance
    (0.0, 0.25)
    """
    _check(n, 0.5)
    low, high = n // 2, (n + 1) // 2
    each = [0.0] * (n + 1)
    each[low] += 0.5
    each[high] += 0.5
    return SlotCounts("balanced", n, 0.5, n / 2, (high - low) / 4, tuple(each))


def _check(n: int, p: float) -> None:
    if not 1 <= n <= LARGEST_N:
        msg = f"n is {n}; allowed are whole numbers from 1 to {LARGEST_N}"
        raise UsageError(msg)
    if not 0 <= p <= 1:  # NaN compares false and is refused as well
        msg = f"p is {p}; allowed are probabilities from 0 to 1"
        raise UsageError(msg)
