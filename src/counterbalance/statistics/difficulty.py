"""How hard each item is, from the outcomes of several systems on the same items.

Outcomes, one feature and the names of system and item come in, one row for each outcome; the
difficulty of each item, which no system's own result can show, goes out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import float_vector, length_problem
from counterbalance.statistics.logit import valid_outcomes
from counterbalance.statistics.reasons import Undefined

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike

    from counterbalance.statistics.arguments import Counts, Floats

__all__ = ["JointDifficulty", "SaturatedDifferences", "joint_difficulty", "saturated_differences"]

_FEWEST_SYSTEMS = 3
_MOST_STEPS = 100
_SETTLED = 1e-12
_LARGEST_STEP = 5.0


@dataclass(frozen=True, slots=True)
class SaturatedDifferences:
    """Differences pressed into -1 to 1.

    Attributes
    ----------
    values : tuple[float, ...] | None
        One for each difference; None when they do not vary.
    scale : float | None
        Standard deviation that they were divided by.
    undefined : Undefined | None
        Why there are none; None when there are.
    """

    values: tuple[float, ...] | None
    scale: float | None
    undefined: Undefined | None


@dataclass(frozen=True, slots=True)
class JointDifficulty:
    """Difficulty of items and strength of systems, fitted together.

    Attributes
    ----------
    systems : tuple[Hashable, ...]
        In the sequence of their first row.
    items : tuple[Hashable, ...]
        In the sequence of their first row.
    n_outcomes : int
        Rows handed in.
    strengths : tuple[float, ...] | None
        By system, log-odds of an item of mean difficulty at feature 0.
    slopes : tuple[float, ...] | None
        By system, log-odds that one unit of the feature adds.
    ease : tuple[float, ...] | None
        By item, log-odds that it adds for all systems; mean 0, higher is easier.
    item_precision : float
        Precision of the prior that draws ease to 0.
    slope_precision : float
        Precision of the prior that draws slopes to 0.
    undefined : Undefined | None
        Why there is no estimate; None when there is one.
    """

    systems: tuple[Hashable, ...]
    items: tuple[Hashable, ...]
    n_outcomes: int
    strengths: tuple[float, ...] | None
    slopes: tuple[float, ...] | None
    ease: tuple[float, ...] | None
    item_precision: float
    slope_precision: float
    undefined: Undefined | None


def saturated_differences(differences: ArrayLike) -> SaturatedDifferences:
    r"""Press differences into -1 to 1, so that no large one rules a fit.

    Parameters
    ----------
    differences : ArrayLike
        One finite number for each unit, such as a difference of lengths.

    Returns
    -------
    SaturatedDifferences
        Values and the scale they were divided by.

    Raises
    ------
    StatisticsError
        If a difference is not finite.

    Notes
    -----
    :math:`\tanh(d_i / s)` with the standard deviation :math:`s` of all differences (divisor
    :math:`n - 1`). Zero stays zero, so the sign of a difference keeps its meaning.

    **Unit of analysis**: the unit.
    **Denominator**: units - 1, in the standard deviation.
    **Undefined** with fewer than two units, or when all differences are the same.
    **Assumes**: nothing about the differences.

    References
    ----------
    .. [1] Y. Dubois, B. Galambosi, P. Liang, T. B. Hashimoto, "Length-controlled AlpacaEval: a
       simple way to debias automatic evaluators", COLM 2024. arXiv:2404.04475

    Examples
    --------
    >>> pressed = saturated_differences([-100, 0, 50, 1000])
    >>> round(pressed.scale, 2), [round(value, 3) for value in pressed.values]
    (512.14, [-0.193, 0.0, 0.097, 0.961])
    """
    vector = float_vector("differences", differences)
    scale = float(vector.std(ddof=1)) if vector.size > 1 else 0.0
    if scale == 0:
        reason = Undefined.NO_VARIATION if vector.size else Undefined.NO_OBSERVATIONS
        return SaturatedDifferences(None, None, reason)
    return SaturatedDifferences(tuple(np.tanh(vector / scale).tolist()), scale, None)


def joint_difficulty(
    outcomes: ArrayLike,
    feature: ArrayLike,
    systems: Sequence[Hashable],
    items: Sequence[Hashable],
    *,
    item_precision: float = 1.0,
    slope_precision: float = 0.1,
) -> JointDifficulty:
    r"""Estimate how hard items are for all systems, apart from what one feature does.

    Parameters
    ----------
    outcomes : ArrayLike
        One number from 0 to 1 for each row.
    feature : ArrayLike
        One finite number for each row, such as :func:`saturated_differences`.
    systems : Sequence[Hashable]
        By row, whose outcome it is.
    items : Sequence[Hashable]
        By row, the item it is on.
    item_precision : float
        Precision of the normal prior that draws items to mean difficulty, above 0.
    slope_precision : float
        Precision of the normal prior that draws slopes to 0, above 0.

    Returns
    -------
    JointDifficulty
        Ease of each item, strength and slope of each system.

    Raises
    ------
    StatisticsError
        If an outcome is not in [0, 1], a feature is not finite, lengths differ, or a precision is
        not above 0.

    Notes
    -----
    For system :math:`m` on item :math:`i`, with ridge penalties on :math:`\gamma` and
    :math:`\phi`,

    .. math:: \operatorname{logit} p_{mi} = \theta_m + \phi_m x_{mi} + \gamma_i.

    The penalised likelihood is concave, and Newton's method climbs it with the items eliminated.

    **Unit of analysis**: the outcome of one system on one item.
    **Denominator**: all rows.
    **Undefined** without rows; with fewer than three systems, since one or two cannot tell a hard
    item from an odd outcome (`not_identified`); when all outcomes of a system are 0 or all are 1
    (`separation`).
    **Assumes**: one difficulty for all systems.

    References
    ----------
    .. [1] Y. Dubois, B. Galambosi, P. Liang, T. B. Hashimoto, "Length-controlled AlpacaEval: a
       simple way to debias automatic evaluators", COLM 2024, section 4. arXiv:2404.04475

    Examples
    --------
    >>> outcomes = [1, 1, 0, 1, 0, 0, 1, 1, 0]
    >>> fit = joint_difficulty(outcomes, [0] * 9, "aaabbbccc", "xyzxyzxyz")
    >>> [round(ease, 2) for ease in fit.ease]
    [0.83, 0.19, -1.02]
    """
    y, x = valid_outcomes(outcomes), float_vector("feature", feature)
    for name, size in (("feature", x.size), ("systems", len(systems)), ("items", len(items))):
        if problem := length_problem(name, size, y.size):
            raise StatisticsError(problem)
    for name, precision in (("item", item_precision), ("slope", slope_precision)):
        if not 0 < precision < np.inf:
            message = f"{name}_precision is {precision}; give a number above 0"
            raise StatisticsError(message)
    of_system, system_names = _numbered(systems)
    of_item, item_names = _numbered(items)
    rows = _Rows(y, x, of_system, of_item, float(item_precision), float(slope_precision))
    found = rows.problem() or rows.fitted()
    fit = None if isinstance(found, Undefined) else found
    return JointDifficulty(
        systems=system_names,
        items=item_names,
        n_outcomes=y.size,
        strengths=None if fit is None else tuple(fit[0].tolist()),
        slopes=None if fit is None else tuple(fit[1].tolist()),
        ease=None if fit is None else tuple(fit[2].tolist()),
        item_precision=float(item_precision),
        slope_precision=float(slope_precision),
        undefined=found if isinstance(found, Undefined) else None,
    )


def _numbered(names: Sequence[Hashable]) -> tuple[Counts, tuple[Hashable, ...]]:
    """Return the number of each name from 0 up, and the names in that sequence."""
    numbers: dict[Hashable, int] = {}
    codes = [numbers.setdefault(name, len(numbers)) for name in names]
    return np.array(codes, dtype=np.int64), tuple(numbers)


@dataclass(frozen=True, slots=True)
class _Rows:
    """Outcomes with what they are explained by."""

    y: Floats
    x: Floats
    of_system: Counts
    of_item: Counts
    item_precision: float
    slope_precision: float

    def problem(self) -> Undefined | None:
        """Return why there is no estimate, None when there is one."""
        if not self.y.size:
            return Undefined.NO_OBSERVATIONS
        n_rows = np.bincount(self.of_system)
        if n_rows.size < _FEWEST_SYSTEMS:
            return Undefined.NOT_IDENTIFIED
        totals = np.bincount(self.of_system, weights=self.y)
        return Undefined.SEPARATION if ((totals == 0) | (totals == n_rows)).any() else None

    def fitted(self) -> tuple[Floats, Floats, Floats] | Undefined:
        """Return strengths, slopes and ease at the top of the penalised likelihood."""
        m, n = int(self.of_system.max()) + 1, int(self.of_item.max()) + 1
        at, ease = np.zeros(2 * m), np.zeros(n)
        value = self._value(at, ease)
        for _ in range(_MOST_STEPS):
            step, step_ease, gain = self._step(at, ease)
            if gain <= _SETTLED * (1 + abs(value)):
                shift = float(ease.mean())
                return at[:m] + shift, at[m:], ease - shift
            size = min(1.0, _LARGEST_STEP / float(np.abs(step).max(initial=_SETTLED)))
            tried = self._value(at + size * step, ease + size * step_ease)
            while tried < value and size > _SETTLED:
                size /= 2
                tried = self._value(at + size * step, ease + size * step_ease)
            at, ease, value = at + size * step, ease + size * step_ease, tried
        return Undefined.NO_CONVERGENCE

    def _predictor(self, at: Floats, ease: Floats) -> Floats:
        """Return the log-odds of each row."""
        m = at.size // 2
        own = at[:m][self.of_system] + at[m:][self.of_system] * self.x
        return np.asarray(own + ease[self.of_item], dtype=np.float64)

    def _value(self, at: Floats, ease: Floats) -> float:
        """Return the penalised log-likelihood."""
        predictor = self._predictor(at, ease)
        slopes = at[at.size // 2 :]
        penalty = self.slope_precision * float(slopes @ slopes)
        penalty += self.item_precision * float(ease @ ease)
        return float(self.y @ predictor - np.logaddexp(0, predictor).sum()) - penalty / 2

    def _step(self, at: Floats, ease: Floats) -> tuple[Floats, Floats, float]:
        """Return Newton's step of systems and of items, and twice the gain it promises."""
        m, n = at.size // 2, ease.size
        chances = expit(self._predictor(at, ease))
        residuals, weights = self.y - chances, chances * (1 - chances)
        both = np.stack([np.ones_like(self.x), self.x])
        gradient = np.concatenate(
            [np.bincount(self.of_system, weights=residuals * one, minlength=m) for one in both]
        )
        gradient[m:] -= self.slope_precision * at[m:]
        of_items = np.bincount(self.of_item, weights=residuals, minlength=n).astype(np.float64)
        of_items = of_items - self.item_precision * ease
        # Items are met by many systems but not by one another: their block is diagonal.
        own = np.bincount(self.of_item, weights=weights, minlength=n) + self.item_precision
        cell = self.of_system * n + self.of_item
        cross = np.concatenate(
            [np.bincount(cell, weights * one, minlength=m * n).reshape(m, n) for one in both]
        )
        systems = np.zeros((2 * m, 2 * m))
        for i, one in enumerate(both):
            for j, other in enumerate(both):
                total = np.bincount(self.of_system, weights * one * other, minlength=m)
                systems[np.arange(m) + i * m, np.arange(m) + j * m] = total
        slopes = np.arange(m, 2 * m)
        systems[slopes, slopes] += self.slope_precision
        reduced = systems - (cross / own) @ cross.T
        step: Floats = np.asarray(
            np.linalg.solve(reduced, gradient - cross @ (of_items / own)), dtype=np.float64
        )
        step_items: Floats = np.asarray((of_items - cross.T @ step) / own, dtype=np.float64)
        return step, step_items, float(gradient @ step + of_items @ step_items)
