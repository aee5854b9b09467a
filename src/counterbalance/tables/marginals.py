"""Kappa from marginals: exact fractions, over every reference that the printed figures leave open.

Verdicts and reference come in as counts by label; agreements beyond chance go out, one for each
combination that could stand behind them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction

__all__ = ["Marginals", "kappa_of", "marginals_of"]

_MOST_COMPOSITIONS = 5000


@dataclass(frozen=True, slots=True)
class Marginals:
    """Verdicts and reference of a row, label by label.

    Attributes
    ----------
    verdicts : tuple[int, ...]
        Verdicts by label.
    gold : tuple[int, ...]
        Reference of all units of the table, in the same sequence.
    """

    verdicts: tuple[int, ...]
    gold: tuple[int, ...]

    @property
    def n_scored(self) -> int:
        """Units with a verdict."""
        return sum(self.verdicts)

    @property
    def n_left_out(self) -> int:
        """Units with a reference and no verdict."""
        return sum(self.gold) - self.n_scored

    @property
    def products(self) -> tuple[int, int]:
        """Least and greatest sum of products of both marginals, over what may be left out.

        Divided by the squared number of scored units it is the agreement expected by chance.
        """
        whole = sum(v * g for v, g in zip(self.verdicts, self.gold, strict=True))
        by_weight = sorted(zip(self.verdicts, self.gold, strict=True))
        most = _taken(by_weight, self.n_left_out)
        least = _taken(by_weight[::-1], self.n_left_out)
        return whole - least, whole - most

    def references(self) -> Iterator[tuple[int, ...]] | None:
        """Yield every reference of the scored units that is left open; None if there are too many.

        Returns
        -------
        Iterator[tuple[int, ...]] | None
            The reference by label; one alone where no unit is left out.
        """
        n_labels = len(self.gold)
        if math.comb(self.n_left_out + n_labels - 1, n_labels - 1) > _MOST_COMPOSITIONS:
            return None
        return _remaining(self.gold, self.n_left_out)

    def diagonal(self, gold: Sequence[int]) -> tuple[int, int]:
        """Return the least and the greatest number of agreements that both marginals allow."""
        n = self.n_scored
        pairs = list(zip(self.verdicts, gold, strict=True))
        low = max(0, *(v + g - n for v, g in pairs))
        return low, sum(min(pair) for pair in pairs)


def marginals_of(verdicts: Mapping[str, int], gold: Mapping[str, int]) -> Marginals:
    """Bring both marginals to the same labels; a label of one of them counts 0 in the other."""
    labels = list(dict.fromkeys([*gold, *verdicts]))
    return Marginals(
        tuple(verdicts.get(label, 0) for label in labels),
        tuple(gold.get(label, 0) for label in labels),
    )


def kappa_of(observed: Fraction, expected: Fraction) -> Fraction | None:
    """Return agreement beyond chance; None where chance alone would agree throughout.

    Parameters
    ----------
    observed : Fraction
        Share of units that agree.
    expected : Fraction
        Share expected from the marginals.

    Returns
    -------
    Fraction | None
        Cohen's kappa, exact.

    Examples
    --------
    >>> from fractions import Fraction
    >>> kappa_of(Fraction(7, 10), Fraction(1, 2))
    Fraction(2, 5)
    """
    return None if expected == 1 else (observed - expected) / (1 - expected)


def _taken(weighted: Sequence[tuple[int, int]], n: int) -> int:
    """Return the weight of `n` units taken from the front."""
    total = 0
    for weight, available in weighted:
        taken = min(n, available)
        total += weight * taken
        n -= taken
    return total


def _remaining(gold: tuple[int, ...], n_left_out: int) -> Iterator[tuple[int, ...]]:
    """Yield what remains of each label when `n_left_out` units are taken out in any way."""
    first, rest = gold[0], gold[1:]
    if not rest:
        if n_left_out <= first:
            yield (first - n_left_out,)
        return
    for taken in range(min(first, n_left_out) + 1):
        for tail in _remaining(rest, n_left_out - taken):
            yield (first - taken, *tail)
