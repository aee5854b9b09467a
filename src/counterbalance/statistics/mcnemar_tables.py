"""Exact power of McNemar's tests, by adding up all tables that could come."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import bdtr, bdtrc, chdtrc, gammaln, xlog1py, xlogy

if TYPE_CHECKING:
    from counterbalance.statistics.arguments import Floats
    from counterbalance.statistics.mcnemar import McNemarMethod

__all__ = ["critical_counts", "rejection_chance"]

# A p-value this little above the rate is equal to it but for rounding.
_ROUNDING = 1e-12
# So many standard deviations, and units, from the mean no table weighs anything.
_TAIL = 10


def rejection_chance(
    n_units: int, gained: float, lost: float, rate: float, method: McNemarMethod
) -> float:
    """Return the chance that the test rejects, for shares of which one at least is not 0."""
    discordant = min(1.0, gained + lost)
    mean = n_units * discordant
    reach = _TAIL * math.sqrt(mean * (1 - discordant)) + _TAIL
    sizes = np.arange(max(0, math.floor(mean - reach)), min(n_units, math.ceil(mean + reach)) + 1.0)
    weights = _chance(sizes, float(n_units), discordant)
    critical = critical_counts(sizes, rate, method)
    rejects = critical >= 0
    sizes, weights, critical = sizes[rejects], weights[rejects], critical[rejects]
    share = gained / (gained + lost)
    low = bdtr(critical, sizes.astype(np.int64), share)
    high = bdtrc(sizes - critical - 1, sizes.astype(np.int64), share)
    return min(1.0, float(weights @ (low + high)))


def critical_counts(sizes: Floats, rate: float, method: McNemarMethod) -> Floats:
    """Return, by number of discordant units, the largest smaller count rejected; -1 for none."""
    # The p-value grows with the smaller count, so halving the range finds the last one rejected.
    low, high = np.full_like(sizes, -1.0), np.floor(sizes / 2)
    while (low < high).any():
        middle = np.ceil((low + high) / 2)
        rejected = _p_values(middle, sizes, method) <= rate + _ROUNDING
        low = np.where(rejected, middle, low)
        high = np.where(rejected, high, middle - 1)
    return low


def _p_values(counts: Floats, sizes: Floats, method: McNemarMethod) -> Floats:
    """Return the two-sided p-value of each smaller count; 1 where nothing is discordant."""
    counts = np.maximum(counts, 0)
    if method in {"mid_p", "exact"}:
        tails = 2 * bdtr(counts, sizes.astype(np.int64), 0.5)
        if method == "mid_p":
            # In the middle, where both tails meet, half of the outcome is taken off once.
            at_middle = 2 * counts == sizes
            own = _chance(counts, sizes, 0.5)
            tails = np.where(at_middle, 1 - own / 2, tails - own)
        values = np.minimum(1.0, tails)
    else:
        apart = np.maximum(sizes - 2 * counts - (method == "corrected"), 0)
        values = chdtrc(1, apart**2 / np.maximum(sizes, 1))
    return np.where(sizes > 0, values, 1.0)


def _chance(counts: Floats, sizes: Floats | float, share: float) -> Floats:
    """Return the binomial probability of each count."""
    ways = gammaln(sizes + 1.0) - gammaln(counts + 1) - gammaln(sizes - counts + 1)
    logs = ways + xlogy(counts, share) + xlog1py(sizes - counts, -share)
    return np.asarray(np.exp(logs), dtype=np.float64)
