"""Logarithms of how many ways there are to choose, for counts of any size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scipy.special import gammaln

if TYPE_CHECKING:
    from counterbalance.statistics.arguments import Counts, Floats

__all__ = ["log_choose"]


def log_choose(n: int, k: Counts) -> Floats:
    """Return the logarithm of the number of ways to choose each k out of n."""
    logs: Floats = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return logs
