"""Every reading of a corrected family: by which p-values, by which procedure, and who survives.

A comparison without a p-value enters by bounds: the smallest and the largest that its agreements
leave, or anything at all. Both procedures reject no fewer when a p-value falls, so the bounds of
the p-values give the bounds of the survivors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.statistics import benjamini_hochberg, holm
from counterbalance.tables.discordant_search import VARIANTS, statistic_and_p

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from counterbalance.statistics import FamilyTest
    from counterbalance.tables.description import Family
    from counterbalance.tables.pairing import Pairing

__all__ = ["AS_PRINTED", "Reading", "readings_of"]

AS_PRINTED = "printed"
_PROCEDURES = {"holm": holm, "benjamini_hochberg": benjamini_hochberg}
_WHOLE = (0.0, 1.0)

Bounds = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read which comparisons of a family survive.

    Attributes
    ----------
    family : str
        Name of the family.
    method : str
        ``holm`` or ``benjamini_hochberg``.
    by : str
        ``printed`` p-values, or the variant by which they are computed from the counts.
    fewest : FamilyTest
        With every p-value as large as it can be.
    most : FamilyTest
        With every p-value as small as it can be.
    n_named : int
        Comparisons that are named; the rest of the family is not.
    """

    family: str
    method: str
    by: str
    fewest: FamilyTest
    most: FamilyTest
    n_named: int

    @property
    def label(self) -> str:
        """The reading in words."""
        method = {"holm": "Holm", "benjamini_hochberg": "Benjamini-Hochberg"}[self.method]
        by = "printed p-values" if self.by == AS_PRINTED else f"p-values by the {self.by} test"
        return f"{self.family}: {method} over {self.fewest.family_size}, {by}"

    @property
    def surely(self) -> tuple[str, ...]:
        """Comparisons that survive in any case."""
        return _rejected(self.fewest)

    @property
    def possibly(self) -> tuple[str, ...]:
        """Named comparisons that may survive."""
        return tuple(name for name in _rejected(self.most) if not name.startswith("\0"))

    @property
    def n_low(self) -> int:
        """Fewest that survive."""
        return self.fewest.n_rejected

    @property
    def n_high(self) -> int:
        """Most that survive, those that are not named among them."""
        return self.most.n_rejected

    def fits(self, count: int | None, names: tuple[str, ...]) -> bool | None:
        """Say whether a sentence fits; None where it may."""
        wanted = count if count is not None else (len(names) or None)
        if wanted is not None and not self.n_low <= wanted <= self.n_high:
            return False
        if names and not set(names) <= set(self.possibly):
            return False
        if names and not set(self.surely) <= set(names) and wanted == len(names):
            return False
        is_sure = self.n_low == self.n_high or wanted is None
        return True if is_sure and set(names) <= set(self.surely) else None


def readings_of(
    family: Family, pairings: Mapping[str, Pairing], error_rate: float
) -> Iterator[Reading]:
    """Yield every reading of a family: each procedure that it may mean, by each set of p-values.

    Parameters
    ----------
    family : Family
        The family.
    pairings : Mapping[str, Pairing]
        Comparisons by name.
    error_rate : float
        Rate that the correction holds.

    Yields
    ------
    Reading
        By printed p-values first.
    """
    members = [pairings[name] for name in family.comparisons]
    is_recomputed = any(p.counts is not None and p.printed.test != "other" for p in members)
    methods = [family.method] if family.method else list(_PROCEDURES)
    for by in (AS_PRINTED, *VARIANTS) if is_recomputed else (AS_PRINTED,):
        bounds = {pairing.name: _bounds(pairing, by) for pairing in members}
        bounds |= {name: (float(p.low), float(p.high)) for name, p in family.p_values.items()}
        rest = _rest(family, bounds)
        for method in methods:
            largest = {name: high for name, (_, high) in bounds.items()}
            smallest = {name: low for name, (low, _) in {**bounds, **rest}.items()}
            procedure = _PROCEDURES[method]
            yield Reading(
                family=family.name,
                method=method,
                by=by,
                fewest=procedure(largest, family.m, error_rate),
                most=procedure(smallest, family.m, error_rate),
                n_named=len(bounds),
            )


def _bounds(pairing: Pairing, by: str) -> Bounds:
    """Return the least and the greatest p-value that a comparison can have."""
    printed = pairing.printed
    if printed.p is not None and (by == AS_PRINTED or pairing.counts is None):
        return float(printed.p.low), float(printed.p.high)
    tried = VARIANTS if by == AS_PRINTED else (by,)
    if printed.test in VARIANTS and by == AS_PRINTED:
        tried = (printed.test,)
    if pairing.counts is not None and printed.test != "other":
        values = [statistic_and_p(*pairing.counts, v)[1] or 1.0 for v in tried]
        return min(values), max(values)
    if printed.test == "other":
        return _WHOLE
    return _bounds_of_net(pairing, tried)


def _bounds_of_net(pairing: Pairing, variants: tuple[str, ...]) -> Bounds:
    """Return the p-values between which a comparison lies whose net alone is known."""
    # The fewer units are discordant at one net, the smaller is the p-value: all gained, or all
    # lost, is the least.
    nets = pairing.possible_nets
    if nets is None:
        return _WHOLE
    extreme = max(abs(nets[0]), abs(nets[-1]))
    if extreme == 0:
        return 1.0, 1.0
    return min(statistic_and_p(extreme, 0, v)[1] or 1.0 for v in variants), 1.0


def _rest(family: Family, named: Mapping[str, Bounds]) -> dict[str, Bounds]:
    """Return bounds for comparisons of the family that are not named."""
    least = 0.0
    if family.undisclosed == "larger":
        least = max((high for _, high in named.values()), default=0.0)
    return {f"\0{i}": (least, 1.0) for i in range(family.m - len(named))}


def _rejected(test: FamilyTest) -> tuple[str, ...]:
    return tuple(step.name for step in test.steps if step.is_rejected)
