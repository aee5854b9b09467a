"""How easy each item is for a system, as the other systems show it and not the system itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import float_vector, length_problem
from counterbalance.statistics.logit import valid_outcomes

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike

    from counterbalance.statistics.arguments import Counts, Floats
    from counterbalance.statistics.difficulty import JointDifficulty

__all__ = ["ease_by_others"]

_MOST_STEPS = 50
_LARGEST_STEP = 2.0
_SETTLED = 1e-9


def ease_by_others(
    fit: JointDifficulty,
    outcomes: ArrayLike,
    feature: ArrayLike,
    systems: Sequence[Hashable],
    items: Sequence[Hashable],
) -> tuple[float, ...]:
    r"""Estimate the ease of each row's item from the rows of other systems alone.

    Parameters
    ----------
    fit : JointDifficulty
        What :func:`joint_difficulty` made of the same rows; it must have an estimate.
    outcomes : ArrayLike
        One number from 0 to 1 for each row.
    feature : ArrayLike
        One finite number for each row.
    systems : Sequence[Hashable]
        By row, whose outcome it is.
    items : Sequence[Hashable]
        By row, the item it is on.

    Returns
    -------
    tuple[float, ...]
        By row, log-odds that its item adds, as far as the others show; 0 where no other met it.

    Raises
    ------
    StatisticsError
        If lengths differ, an outcome is not in [0, 1], a feature is not finite, a name is not in
        the fit, or the fit has no estimate.

    Notes
    -----
    With strengths and slopes as fitted, the ease of item :math:`i` for system :math:`m` maximises

    .. math:: \sum_{k \ne m} y_{ki} \eta_{ki} - \log(1 + e^{\eta_{ki}}) - \tau \gamma^2 / 2, \quad
        \eta_{ki} = \theta_k + \phi_k x_{ki} + \gamma.

    A prediction of a system's outcome that rests on it has not seen that outcome, but for its small
    part in the strengths.

    **Unit of analysis**: the outcome of one system on one item.
    **Denominator**: the rows of the other systems on the item.
    **Undefined**: never, for a fit that has an estimate.
    **Assumes**: as :func:`joint_difficulty`.

    References
    ----------
    .. [1] M. Stone, "Cross-validatory choice and assessment of statistical predictions", Journal of
       the Royal Statistical Society B 36 (1974) 111-147. doi:10.1111/j.2517-6161.1974.tb00994.x

    Examples
    --------
    >>> from counterbalance.statistics import joint_difficulty
    >>> rows = [1, 1, 0, 1, 0, 0, 1, 1, 0], [0] * 9, "aaabbbccc", "xyzxyzxyz"
    >>> [round(ease, 2) for ease in ease_by_others(joint_difficulty(*rows), *rows)[3:6]]
    [0.45, 0.45, -0.93]
    """
    y, x = valid_outcomes(outcomes), float_vector("feature", feature)
    for name, size in (("feature", x.size), ("systems", len(systems)), ("items", len(items))):
        if problem := length_problem(name, size, y.size):
            raise StatisticsError(problem)
    if fit.strengths is None or fit.slopes is None:
        message = "the joint fit has no estimate; ask it why in its field undefined"
        raise StatisticsError(message)
    of_system, of_item = _codes(fit.systems, systems), _codes(fit.items, items)
    own = np.array(fit.strengths)[of_system] + np.array(fit.slopes)[of_system] * x
    found = np.zeros(y.size)
    for system in range(len(fit.systems)):
        is_own = of_system == system
        ease = _ease(y[~is_own], own[~is_own], of_item[~is_own], len(fit.items), fit.item_precision)
        found[is_own] = ease[of_item[is_own]]
    return tuple(found.tolist())


def _codes(known: Sequence[Hashable], names: Sequence[Hashable]) -> Counts:
    places = {name: place for place, name in enumerate(known)}
    missing = next((name for name in names if name not in places), None)
    if missing is not None:
        message = f"{missing!r} is not in the joint fit; hand in the rows that it was made of"
        raise StatisticsError(message)
    return np.array([places[name] for name in names], dtype=np.int64)


def _ease(outcomes: Floats, own: Floats, items: Counts, n_items: int, precision: float) -> Floats:
    """Return the ease of every item, by Newton's method for all of them at once."""
    ease: Floats = np.zeros(n_items)
    for _ in range(_MOST_STEPS):
        chances = expit(own + ease[items])
        gradient = np.bincount(items, outcomes - chances, n_items) - precision * ease
        information = np.bincount(items, chances * (1 - chances), n_items) + precision
        step = np.clip(gradient / information, -_LARGEST_STEP, _LARGEST_STEP)
        ease = np.asarray(ease + step, dtype=np.float64)
        if np.abs(step).max(initial=0.0) <= _SETTLED:
            break
    return ease
