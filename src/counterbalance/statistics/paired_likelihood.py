"""The likelihood of paired comparisons with ties and an order effect, row by row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import logsumexp, xlogy

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from counterbalance.statistics.arguments import Counts, Floats

__all__ = ["PairedRows"]

_TIE = 2


@dataclass(frozen=True, slots=True)
class PairedRows:
    """Comparisons with the features of each outcome.

    Parameters are the strengths of all things but the first, the order effect, and the tie effect
    where a tie occurred.

    Attributes
    ----------
    counts : Floats
        Rows x outcomes: first won, second won, and where any occurred ties.
    features : Floats
        Rows x outcomes x parameters.
    cells : Counts
        By row, the number of its ordered pair of things.
    """

    counts: Floats
    features: Floats
    cells: Counts

    @classmethod
    def of(
        cls,
        first: Sequence[Hashable],
        second: Sequence[Hashable],
        table: Counts,
        things: Sequence[Hashable],
    ) -> PairedRows:
        """Return the rows that hold a comparison."""
        numbers = {thing: number for number, thing in enumerate(things)}
        used = np.flatnonzero(table.sum(axis=1)).tolist()
        at = np.array([(numbers[first[row]], numbers[second[row]]) for row in used], dtype=np.int64)
        at = at.reshape(-1, 2)
        has_ties = bool(table[:, _TIE].any())
        n_strengths = max(0, len(things) - 1)
        features = np.zeros((len(used), 2 + has_ties, n_strengths + 1 + has_ties))
        strengths = np.vstack([np.zeros(n_strengths), np.eye(n_strengths)])
        features[:, 0, :n_strengths] = strengths[at[:, 0]]
        features[:, 1, :n_strengths] = strengths[at[:, 1]]
        features[:, 1, n_strengths] = 1
        if has_ties:
            features[:, _TIE, :n_strengths] = (strengths[at[:, 0]] + strengths[at[:, 1]]) / 2
            features[:, _TIE, n_strengths + 1] = 1
        counts = table[used, : 2 + has_ties].astype(np.float64)
        return cls(counts, features, at[:, 0] * len(things) + at[:, 1])

    @property
    def n_parameters(self) -> int:
        """Strengths, order effect and tie effect."""
        return int(self.features.shape[2])

    def by_cell(self) -> PairedRows:
        """Return the same comparisons with one row for each ordered pair."""
        _, rows, codes = np.unique(self.cells, return_index=True, return_inverse=True)
        counts = np.zeros((len(rows), self.counts.shape[1]))
        np.add.at(counts, codes, self.counts)
        return PairedRows(counts, self.features[rows], self.cells[rows])

    def without(self, parameter: int) -> PairedRows:
        """Return the same comparisons under the hypothesis that one parameter is 0."""
        return PairedRows(self.counts, np.delete(self.features, parameter, axis=2), self.cells)

    def directions(self) -> Floats:
        """Return features of each outcome that occurred, less those of each that could have."""
        rows = [
            features[outcome] - features[other]
            for counts, features in zip(self.counts, self.features, strict=True)
            for outcome in np.flatnonzero(counts)
            for other in range(len(features))
            if other != outcome
        ]
        return np.array(rows).reshape(-1, self.n_parameters)

    def _logs(self, parameters: Floats) -> Floats:
        """Return the log-probability of each outcome."""
        scores = self.features @ parameters
        return np.asarray(scores - logsumexp(scores, axis=1, keepdims=True), dtype=np.float64)

    def scores(self, parameters: Floats) -> Floats:
        """Return, by row, the first derivatives of the log-likelihood."""
        expected = self.counts.sum(axis=1, keepdims=True) * np.exp(self._logs(parameters))
        gaps = self.counts - expected
        return np.asarray(np.einsum("rc,rcp->rp", gaps, self.features), dtype=np.float64)

    def log_likelihood(self, parameters: Floats) -> tuple[float, Floats, Floats]:
        """Return the log-likelihood, its gradient and the information."""
        logs = self._logs(parameters)
        chances = np.exp(logs)
        mean = np.einsum("rc,rcp->rp", chances, self.features)
        off = self.features - mean[:, np.newaxis, :]
        weights = self.counts.sum(axis=1, keepdims=True) * chances
        information = np.einsum("rc,rcp,rcq->pq", weights, off, off)
        value = float((self.counts * logs).sum())
        return value, self.scores(parameters).sum(axis=0), np.asarray(information)

    def deviance(self, parameters: Floats) -> float:
        """Return twice the log-likelihood that a row's own shares gain; rows should be cells."""
        shares = self.counts / self.counts.sum(axis=1, keepdims=True)
        gained = xlogy(self.counts, shares) - self.counts * self._logs(parameters)
        return max(0.0, 2 * float(gained.sum()))

    def residual_degrees(self) -> int:
        """Return the degrees of freedom that parameters leave; rows should be cells."""
        return int(len(self.counts) * (self.counts.shape[1] - 1) - self.n_parameters)
