"""Every pair of units gained and lost that could stand behind a printed statistic and p-value.

For one net, both the statistic and the p-value of each variant move one way as the number of
discordant units grows, so the totals that fit are a range, and its ends are found by halving.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from counterbalance.statistics import mcnemar_test

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from counterbalance.statistics.mcnemar import McNemarMethod
    from counterbalance.tables.printed import Printed

__all__ = ["VARIANTS", "Limits", "Solution", "holds_nearly", "solutions", "statistic_and_p"]

VARIANTS = ("corrected", "asymptotic", "exact", "mid_p")
"""McNemar's test as it is printed: chi-square with and without correction, exact, mid-p."""

_CHI_SQUARES = ("corrected", "asymptotic")

# A printed end and a computed value this close are equal but for rounding.
_RELATIVE = 1e-9


@dataclass(frozen=True, slots=True)
class Limits:
    """How many units can be gained and lost.

    Attributes
    ----------
    n : int
        Units that both rows judged.
    gained : int
        Most that can be gained.
    lost : int
        Most that can be lost.
    """

    n: int
    gained: int
    lost: int


@dataclass(frozen=True, slots=True)
class Solution:
    """One pair of counts and the variants by which it prints as it does.

    Attributes
    ----------
    gained : int
        Units gained.
    lost : int
        Units lost.
    variants : tuple[str, ...]
        Variants of the test.
    """

    gained: int
    lost: int
    variants: tuple[str, ...]


@lru_cache(maxsize=65536)
def statistic_and_p(gained: int, lost: int, variant: str) -> tuple[float | None, float | None]:
    """Return the chi-square, where the variant has one, and the p-value; None without units."""
    test = mcnemar_test(gained, lost, cast("McNemarMethod", variant))
    return test.chi_square, test.p_value


def holds_nearly(printed: Printed, value: float) -> bool:
    """Say whether a computed value prints so, its own rounding left out of account."""
    slack = _RELATIVE * max(abs(value), 1e-300)
    return float(printed.low) - slack <= value <= float(printed.high) + slack


def solutions(
    nets: Iterable[int],
    limits: Limits,
    chi_square: Printed | None,
    p_value: Printed | None,
    variants: Iterable[str] = VARIANTS,
) -> list[Solution]:
    """Find all counts that fit.

    Parameters
    ----------
    nets : Iterable[int]
        Units gained minus lost that are possible.
    limits : Limits
        How many units there are to gain and to lose.
    chi_square : Printed | None
        Printed statistic; variants without one are then tried by either chi-square.
    p_value : Printed | None
        Printed p-value.
    variants : Iterable[str]
        Variants that the printed figures may be of.

    Returns
    -------
    list[Solution]
        By the number of discordant units, then by units gained.

    Examples
    --------
    >>> from counterbalance.tables.printed import printed_number, printed_p
    >>> found = solutions(
    ...     [46], Limits(400, 168, 122), printed_number("22.01"), printed_p("0.0000"), ["corrected"]
    ... )
    >>> [(s.gained, s.lost) for s in found]
    [(69, 23)]
    """
    found: dict[tuple[int, int], list[str]] = {}
    for net in nets:
        for variant in variants:
            for total in _totals(net, limits, chi_square, p_value, variant):
                pair = (total + net) // 2, (total - net) // 2
                found.setdefault(pair, []).append(variant)
    ordered = sorted(found, key=lambda pair: (sum(pair), pair))
    return [Solution(*pair, tuple(found[pair])) for pair in ordered]


def _totals(
    net: int, limits: Limits, chi_square: Printed | None, p_value: Printed | None, variant: str
) -> Iterator[int]:
    """Yield the numbers of discordant units that fit one net under one variant."""
    first = max(abs(net), 2 if net == 0 else 1)
    last = min(limits.n, 2 * limits.gained - net, 2 * limits.lost + net)
    n_steps = (last - first) // 2 + 1
    if n_steps < 1:
        return
    steps = range(n_steps)

    def p_at(step: int) -> float:
        total = first + 2 * step
        return statistic_and_p((total + net) // 2, (total - net) // 2, variant)[1] or 1.0

    if p_value is not None:
        steps = _within(steps, p_at, p_value)
    hit = set(steps)
    if chi_square is not None:
        names = [variant] if variant in _CHI_SQUARES else _CHI_SQUARES
        hit = {x for name in names for x in _with_statistic(steps, (first, net), name, chi_square)}
    yield from (first + 2 * step for step in sorted(hit))


def _with_statistic(
    steps: range, place: tuple[int, int], variant: str, printed: Printed
) -> Iterator[int]:
    """Yield the steps at which a chi-square prints so; it falls as the total grows."""
    first, net = place

    def statistic_at(step: int) -> float:
        total = first + 2 * step
        return statistic_and_p((total + net) // 2, (total - net) // 2, variant)[0] or 0.0

    yield from _falling(steps, statistic_at, printed)


def _within(steps: range, rising: Callable[[int], float], printed: Printed) -> range:
    """Return the steps at which a rising function prints so."""
    slack = _RELATIVE
    begin = _first(steps, lambda s: rising(s) >= float(printed.low) * (1 - slack))
    end = _first(steps, lambda s: rising(s) > float(printed.high) * (1 + slack))
    return range(begin, end)


def _falling(steps: range, falling: Callable[[int], float], printed: Printed) -> range:
    """Return the steps at which a falling function prints so."""
    slack = _RELATIVE
    begin = _first(steps, lambda s: falling(s) <= float(printed.high) * (1 + slack))
    end = _first(steps, lambda s: falling(s) < float(printed.low) * (1 - slack))
    return range(begin, end)


def _first(steps: range, is_past: Callable[[int], bool]) -> int:
    """Return the first step past a point, or one past the last; all after it are past it too."""
    low, high = steps.start, max(steps.start, steps.stop)
    while low < high:
        middle = (low + high) // 2
        if is_past(middle):
            high = middle
        else:
            low = middle + 1
    return low
