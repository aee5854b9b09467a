r"""The Laplace approximation of a logit model with random intercepts, with exact derivatives.

For coefficients :math:`\beta` and standard deviations :math:`\sigma`, minus twice the approximate
log-likelihood is

.. math:: f = 2 \Big( \sum_i \log(1 + e^{\eta_i}) - y_i \eta_i + \tfrac12 \hat u^T \hat u \Big)
    + \log\det(A^T W A + I), \quad \eta = X \beta + A \hat u,

where :math:`A` has :math:`\sigma_k` at the level of each group, :math:`\hat u` is the mode and
:math:`W` the variances there. The group with most levels has a diagonal block, which is eliminated;
what is left is dense.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse import csr_array
from scipy.special import expit

if TYPE_CHECKING:
    from counterbalance.statistics.arguments import Counts, Floats

__all__ = ["LaplaceDeviance", "dense_size"]

_MOST_STEPS = 100
_SETTLED = 1e-13
_SMALLEST_STEP = 1e-6


def dense_size(n_levels: list[int]) -> int:
    """Return how many numbers the dense part holds, for groups with so many levels."""
    rest = sum(n_levels) - max(n_levels)
    return rest * (rest + max(n_levels))


@dataclass(slots=True)
class LaplaceDeviance:
    """Minus twice the approximate log-likelihood, as a function of log-deviations and coefficients.

    The search for a mode begins at the one found last; the value does not depend on that.

    Attributes
    ----------
    y : Floats
        Outcomes, 0 or 1.
    design : Floats
        Rows x coefficients.
    levels : list[Counts]
        By group, the level of each row; the group with most levels comes first.
    sizes : list[int]
        By group, how many levels there are.
    mode : Floats
        Of the standardised intercepts, all groups one after another.
    pairs : list[tuple[Counts, Counts]]
        Where pairs of levels that meet in a row lie in the two blocks, and which row has which.
    """

    y: Floats
    design: Floats
    levels: list[Counts]
    sizes: list[int]
    mode: Floats = field(init=False)
    pairs: list[tuple[Counts, Counts]] = field(init=False)

    def __post_init__(self) -> None:
        self.mode = np.zeros(sum(self.sizes))
        rest = self.rest()
        width = max(1, sum(self.sizes[1:]))
        self.pairs = [
            _met(one * width + other) for one in [self.levels[0], *rest] for other in rest
        ]

    def __call__(self, at: Floats) -> tuple[float, Floats]:
        """Return the deviance and its gradient in log-deviations and coefficients."""
        n_groups = len(self.sizes)
        scales, beta = np.exp(at[:n_groups]), at[n_groups:]
        fixed = self.design @ beta
        self._find_mode(scales, fixed)
        predictor = fixed + self._times(scales, self.mode)
        chances = expit(predictor)
        weights = chances * (1 - chances)
        factors = _Factors.of(self, scales, weights)
        fit = float(np.logaddexp(0, predictor).sum() - self.y @ predictor)
        value = 2 * fit + float(self.mode @ self.mode) + factors.log_determinant
        leverages, diagonal = factors.leverages(self, scales)
        # How the determinant follows the predictor, directly and through the mode.
        pull = weights * (1 - 2 * chances) * leverages
        back = factors.solve(self._transposed(scales, pull))
        pull = pull - weights * self._times(scales, back)
        slope = pull - 2 * (self.y - chances)
        gradient = [slope @ self.design]
        parts = []
        for k, (start, size) in enumerate(zip(self._starts(), self.sizes, strict=True)):
            own = slice(start, start + size)
            moved = scales[k] * self.mode[own][self.levels[k]]
            explicit = 2 * (size - float(diagonal[own].sum()))
            parts.append(float(slope @ moved) + float(back[own] @ self.mode[own]) + explicit)
        return value, np.concatenate([np.array(parts), *gradient])

    def rest(self) -> list[Counts]:
        """Return, by group but the first, the place of each row's level in the dense part."""
        starts = [sum(self.sizes[1:k]) for k in range(1, len(self.sizes))]
        return [level + start for level, start in zip(self.levels[1:], starts, strict=True)]

    def _starts(self) -> list[int]:
        """Return where each group begins among the intercepts."""
        return [sum(self.sizes[:k]) for k in range(len(self.sizes))]

    def _times(self, scales: Floats, intercepts: Floats) -> Floats:
        """Return what these standardised intercepts add to each row."""
        total = np.zeros_like(self.y)
        for k, start in enumerate(self._starts()):
            total += scales[k] * intercepts[start : start + self.sizes[k]][self.levels[k]]
        return total

    def _transposed(self, scales: Floats, rows: Floats) -> Floats:
        """Return the scaled sum of these rows at each level."""
        sums = [
            scales[k] * np.bincount(self.levels[k], weights=rows, minlength=size)
            for k, size in enumerate(self.sizes)
        ]
        return np.concatenate(sums)

    def _find_mode(self, scales: Floats, fixed: Floats) -> None:
        """Move the intercepts to their mode, by Newton's method with halved steps."""
        value = self._penalised(scales, fixed, self.mode)
        for _ in range(_MOST_STEPS):
            chances = expit(fixed + self._times(scales, self.mode))
            gradient = self._transposed(scales, self.y - chances) - self.mode
            factors = _Factors.of(self, scales, chances * (1 - chances))
            step = factors.solve(gradient)
            if float(gradient @ step) <= _SETTLED * (1 + value):
                self.mode = self.mode + step  # squares an error that is small already
                return
            size = 1.0
            tried = self._penalised(scales, fixed, self.mode + step)
            while tried > value and size > _SMALLEST_STEP:
                size /= 2
                tried = self._penalised(scales, fixed, self.mode + size * step)
            self.mode = self.mode + size * step
            value = tried

    def _penalised(self, scales: Floats, fixed: Floats, intercepts: Floats) -> float:
        """Return the negative log-density of outcomes and intercepts, up to a constant."""
        predictor = fixed + self._times(scales, intercepts)
        fit = float(np.logaddexp(0, predictor).sum() - self.y @ predictor)
        return fit + float(intercepts @ intercepts) / 2


def _met(codes: Counts) -> tuple[Counts, Counts]:
    """Return the distinct pairs, and for each row the number of its pair."""
    places, rows = np.unique(codes, return_inverse=True)
    return np.asarray(places, dtype=np.int64), np.asarray(rows, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class _Factors:
    """The factorised matrix: a diagonal block, its sparse neighbour, and a dense remainder."""

    diagonal: Floats
    neighbour: csr_array
    remainder: tuple[Floats, bool]
    log_determinant: float

    @classmethod
    def of(cls, model: LaplaceDeviance, scales: Floats, weights: Floats) -> _Factors:
        """Build and factorise the matrix for these deviations and variances."""
        big, width = model.sizes[0], sum(model.sizes[1:])
        sums = np.bincount(model.levels[0], weights=weights, minlength=big)
        diagonal = np.asarray(1 + scales[0] ** 2 * sums, dtype=np.float64)
        n_rest = len(model.sizes) - 1
        stretch = max(1, width)
        rows_met: list[Counts] = []
        columns_met: list[Counts] = []
        crossed: list[Floats] = []
        dense = np.eye(width)
        for number, (places, rows) in enumerate(model.pairs):
            one, other = divmod(number, n_rest)
            met = np.bincount(rows, weights=weights, minlength=len(places))
            values = scales[one] * scales[other + 1] * met
            if one == 0:
                rows_met.append(places // stretch)
                columns_met.append(places % stretch)
                crossed.append(values)
            else:
                dense[places // stretch, places % stretch] += values
        if not n_rest:
            empty = csr_array((big, 0), dtype=np.float64)
            return cls(diagonal, empty, (dense, True), float(np.log(diagonal).sum()))
        row, value = np.concatenate(rows_met), np.concatenate(crossed)
        place = row, np.concatenate(columns_met)
        block = csr_array((value, place), shape=(big, width))
        neighbour = csr_array((value / diagonal[row], place), shape=(big, width))
        dense -= (neighbour.T @ block).toarray()
        remainder = cho_factor(dense, lower=True, check_finite=False)
        halves = np.log(np.diagonal(remainder[0]))
        return cls(diagonal, neighbour, remainder, float(np.log(diagonal).sum() + 2 * halves.sum()))

    def solve(self, right: Floats) -> Floats:
        """Return the inverse of the matrix times a vector."""
        big = self.diagonal.size
        rest = right[big:] - self.neighbour.T @ right[:big]
        if rest.size:
            rest = cho_solve(self.remainder, rest, check_finite=False)
        return np.concatenate([right[:big] / self.diagonal - self.neighbour @ rest, rest])

    def leverages(self, model: LaplaceDeviance, scales: Floats) -> tuple[Floats, Floats]:
        """Return, by row, its form in the inverse, and the diagonal of the inverse."""
        first = model.levels[0]
        own = scales[0] ** 2 / self.diagonal[first]
        if len(model.sizes) == 1:
            return own, 1 / self.diagonal
        width = sum(model.sizes[1:])
        inverse = cho_solve(self.remainder, np.eye(width), check_finite=False)
        spread = self.neighbour @ inverse
        squares = np.asarray(self.neighbour.multiply(spread).sum(axis=1)).ravel()
        total = own + scales[0] ** 2 * squares[first]
        places = model.rest()
        for k, place in enumerate(places):
            total -= 2 * scales[0] * scales[k + 1] * spread[first, place]
            for j, other in enumerate(places):
                total += scales[k + 1] * scales[j + 1] * inverse[place, other]
        return total, np.concatenate([1 / self.diagonal + squares, np.diagonal(inverse)])
