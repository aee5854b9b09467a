"""Where a monotone function crosses 0: limits of intervals that have no closed form."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["falling_root"]

# Halvings that leave nothing of a bracket but the rounding of its ends.
_MOST_HALVINGS = 200


def falling_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a falling function turns from above 0 to below; an end if it does not."""
    for _ in range(_MOST_HALVINGS):
        middle = (low + high) / 2
        if middle in {low, high}:
            break
        if function(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
