"""How numbers are put into words: the same in every check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.tables.check import EXACT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from fractions import Fraction

    from counterbalance.tables.printed import Printed

__all__ = ["between", "decimal", "inputs_of", "listed", "points", "rounding", "span"]

_MOST_LISTED = 8


def decimal(value: Fraction | float, places: int = 4) -> str:
    """Write a number with fixed decimals."""
    return f"{float(value):.{places}f}"


def between(low: Fraction | float, high: Fraction | float, places: int = 4) -> str:
    """Write an interval, or one number where both ends are written alike."""
    ends = decimal(low, places), decimal(high, places)
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def points(value: Fraction | float) -> str:
    """Write a difference of shares in percentage points, with its sign."""
    return f"{100 * float(value):+.2f} pp"


def span(counts: Sequence[int] | range) -> str:
    """Write a range of counts: one number, or the ends."""
    if not counts:
        return "none"
    low, high = min(counts), max(counts)
    return f"{low}" if low == high else f"{low} to {high}"


def listed(values: Iterable[object], most: int = _MOST_LISTED) -> str:
    """List a few values and say how many more there are."""
    shown = [str(value) for value in values]
    if len(shown) <= most:
        return ", ".join(shown) or "none"
    return f"{', '.join(shown[:most])} and {len(shown) - most} more"


def rounding(*cells: Printed | None) -> str:
    """Say what the rounding of printed cells leaves."""
    widths = [
        f"bound {c.text}" if c.is_bound else f"±{float(c.half_unit):.3g} on {c.text}"
        for c in cells
        if c is not None
    ]
    return "; ".join(dict.fromkeys(widths)) or EXACT


def inputs_of(**cells: object) -> dict[str, str]:
    """Return printed inputs by name; what is not printed is left out."""
    return {name: _as_printed(x) for name, x in cells.items() if x is not None and x != {}}


def _as_printed(cell: object) -> str:
    if isinstance(cell, dict):
        return _as_pairs(cell)
    return str(getattr(cell, "text", cell))


def _as_pairs(cells: Mapping[str, object]) -> str:
    return ", ".join(f"{key} {_as_printed(x)}" for key, x in cells.items())
