"""The top of a smooth concave function, by Newton's method with steps that never go down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from counterbalance.statistics.arguments import Floats

__all__ = ["Summit", "climb"]

_MOST_STEPS = 100
_MOST_HALVINGS = 40
# Twice the gain that one more step promises; far below what any standard error can see.
_SETTLED = 1e-14


@dataclass(frozen=True, slots=True)
class Summit:
    """Where the climb ended.

    Attributes
    ----------
    at : Floats
        The arguments.
    value : float
        The function there.
    information : Floats
        Its negative second derivatives.
    has_converged : bool
        Whether one more step would gain nothing.
    """

    at: Floats
    value: float
    information: Floats
    has_converged: bool


def climb(function: Callable[[Floats], tuple[float, Floats, Floats]], start: Floats) -> Summit:
    """Return the top of a concave function that gives value, gradient and information."""
    at = start
    value, gradient, information = function(at)
    for _ in range(_MOST_STEPS):
        step = _solve(information, gradient)
        if step is None:
            return Summit(at, value, information, has_converged=False)
        if float(gradient @ step) <= _SETTLED * (1 + abs(value)):
            return Summit(at, value, information, has_converged=True)
        for _ in range(_MOST_HALVINGS):
            tried = function(at + step)
            if tried[0] >= value:
                break
            step = step / 2
        else:
            # No step goes up any more: rounding is all that is left.
            return Summit(at, value, information, has_converged=True)
        at = at + step
        value, gradient, information = tried
    return Summit(at, value, information, has_converged=False)


def _solve(information: Floats, gradient: Floats) -> Floats | None:
    """Return Newton's step, None where the function is flat in some direction."""
    try:
        step = np.linalg.solve(information, gradient)
    except np.linalg.LinAlgError:
        return None
    return np.asarray(step, dtype=np.float64) if np.isfinite(step).all() else None
