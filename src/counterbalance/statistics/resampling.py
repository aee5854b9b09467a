"""Resampling of whole clusters by their sums, in bounded memory.

What a statistic needs of a cluster is a short row of sums. Clusters with equal rows are
exchangeable, so drawing how often each *distinct* row comes up has the same distribution as
drawing the clusters one by one, at a cost that does not grow with their number. Totals and their
sampling variance are both read from the counts drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.statistics.arguments import Counts, Floats

__all__ = ["ClusterSums", "Replicates", "SmoothStatistic", "resample"]

# Numbers held at once while resampling: 32 MB of counts.
_MOST_NUMBERS = 4_000_000
# Costs in units of drawing a single cluster: to draw how often a row comes up, and to draw clusters
# one by one at all.
_COST_OF_COUNT = 8
_COST_OF_REPLICATE = 800
# A variance this small against what cancelled in it is rounding, not spread.
_ROUNDING = 1e-12


class SmoothStatistic(Protocol):
    """A differentiable function of totals that does not change when all totals are scaled."""

    def values(self, totals: Floats) -> Floats:
        """Return one value for each row of totals; NaN where there is none."""
        ...

    def gradients(self, totals: Floats) -> Floats:
        """Return one row of slopes for each row of totals."""
        ...


@dataclass(frozen=True, slots=True)
class ClusterSums:
    """The distinct rows of cluster sums and how many clusters have each."""

    rows: Floats
    times: Counts
    codes: Counts

    @classmethod
    def of(cls, sums: Floats) -> ClusterSums:
        """Gather clusters with equal sums; one row of sums for each cluster comes in."""
        rows, codes, times = np.unique(sums, axis=0, return_inverse=True, return_counts=True)
        return cls(rows, times, codes.reshape(-1))

    @property
    def n_clusters(self) -> int:
        """Clusters, equal ones counted one by one."""
        return self.codes.size

    def draws(self, generator: np.random.Generator, n_replicates: int) -> Iterator[Counts]:
        """Yield how often each distinct row is drawn, a block of replicates at a time."""
        n, n_rows = self.n_clusters, self.rows.shape[0]
        widest = max(n_rows, self.rows.shape[1] ** 2)
        block = max(1, _MOST_NUMBERS // widest)
        chances = self.times / n
        for start in range(0, n_replicates, block):
            size = min(block, n_replicates - start)
            if n_rows * _COST_OF_COUNT <= n + _COST_OF_REPLICATE:
                yield generator.multinomial(n, chances, size=size)
            else:
                yield np.stack(
                    [
                        np.bincount(self.codes[generator.integers(0, n, n)], minlength=n_rows)
                        for _ in range(size)
                    ]
                )


@dataclass(frozen=True, slots=True)
class Replicates:
    """A statistic and its standard error, of the clusters at hand and of every resample."""

    value: float
    se: float
    values: Floats
    ses: Floats


def resample(
    sums: ClusterSums,
    statistic: SmoothStatistic,
    generator: np.random.Generator,
    n_replicates: int,
) -> Replicates:
    """Draw clusters with replacement and return the statistic of each resample."""
    left, right = np.triu_indices(sums.rows.shape[1])
    products = sums.rows[:, left] * sums.rows[:, right]
    products[:, left != right] *= 2
    values, ses = np.empty(n_replicates), np.empty(n_replicates)
    done = 0
    for counts in sums.draws(generator, n_replicates):
        block = slice(done, done + counts.shape[0])
        values[block], ses[block] = _value_and_se(sums, statistic, products, counts)
        done += counts.shape[0]
    value, se = _value_and_se(sums, statistic, products, sums.times[np.newaxis, :])
    return Replicates(float(value[0]), float(se[0]), values, ses)


def _value_and_se(
    sums: ClusterSums, statistic: SmoothStatistic, products: Floats, counts: Counts
) -> tuple[Floats, Floats]:
    """Return value and linearised standard error for each row of counts."""
    left, right = np.triu_indices(sums.rows.shape[1])
    weights = counts.astype(np.float64)
    totals = weights @ sums.rows
    # A resample that leaves nothing to divide by comes out as NaN and is counted by the caller.
    with np.errstate(divide="ignore", invalid="ignore"):
        values, slopes = statistic.values(totals), statistic.gradients(totals)
        # The variance of G independent clusters: G / (G - 1) x sum of (slopes . sums) squared.
        terms = slopes[:, left] * slopes[:, right] * (weights @ products)
    variances = terms.sum(axis=1) * sums.n_clusters / (sums.n_clusters - 1)
    variances[variances <= _ROUNDING * np.abs(terms).sum(axis=1)] = 0.0
    return values, np.sqrt(variances)
