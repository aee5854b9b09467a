"""One value with its interval on an axis, as pure data for the templates."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Plot"]


@dataclass(frozen=True, slots=True)
class Plot:
    """Where a value and its interval lie on the axis, in per cent of its width.

    Attributes
    ----------
    value : float
        The estimate.
    low : float | None
        Lower limit; None without an interval.
    high : float | None
        Upper limit.
    margin : tuple[float, float] | None
        Ends of the declared margin band; None when none was declared.
    is_ring : bool
        Whether the dot is hollow: a test does not tell it from 0.
    """

    value: float
    low: float | None
    high: float | None
    margin: tuple[float, float] | None
    is_ring: bool = False
