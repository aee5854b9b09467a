"""A printed comparison with both rows that it compares: which nets and totals they leave."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from counterbalance.tables.description import Comparison, Description
    from counterbalance.tables.lines import Line

__all__ = ["Pairing", "pairings_of"]


@dataclass(frozen=True)
class Pairing:
    """One comparison and its rows.

    Attributes
    ----------
    printed : Comparison
        As printed.
    base : Line | None
        Row that is compared with, if it is described.
    new : Line | None
        Row that is compared, if it is described.
    """

    printed: Comparison
    base: Line | None
    new: Line | None

    @property
    def name(self) -> str:
        """Name of the comparison."""
        return self.printed.name

    @property
    def table(self) -> str:
        """Name of the table of both rows."""
        return self.base.table.name if self.base else self.printed.table

    @property
    def n(self) -> int | None:
        """Units that both rows judged: as printed, else what both rows have."""
        if self.printed.n is not None or self.base is None or self.new is None:
            return self.printed.n
        return self.base.scored if self.base.scored == self.new.scored else None

    @property
    def sizes(self) -> tuple[int | None, int | None]:
        """Units behind the agreements of base and new."""
        return (
            self.base.scored if self.base else None,
            self.new.scored if self.new else None,
        )

    @property
    def has_unequal_sizes(self) -> bool:
        """Whether both agreements are known to be over different units."""
        base, new = self.sizes
        return base is not None and new is not None and base != new

    @property
    def agreeing(self) -> tuple[range, range] | None:
        """Counts of agreeing units of base and new, over the same number of units."""
        if self.base is None or self.new is None or self.has_unequal_sizes:
            return None
        base, new = self.base.agreeing, self.new.agreeing
        return (base, new) if base and new else None

    @cached_property
    def nets(self) -> range | None:
        """Units gained minus lost that both agreements leave; None when they are not known."""
        if self.agreeing is None:
            return None
        base, new = self.agreeing
        return range(new[0] - base[-1], new[-1] - base[0] + 1)

    @property
    def possible_nets(self) -> range | None:
        """Nets over the units that both rows judged, where one of them lacks some.

        Of the units that the shorter row lacks, the other one may get any number right.
        """
        if not self.has_unequal_sizes or self.base is None or self.new is None:
            return self.nets
        base, new = self.base.agreeing, self.new.agreeing
        if not base or not new or self.base.n is None or self.base.n != self.new.n:
            return None
        lacks_base = self.base.n - (self.base.scored or 0)
        lacks_new = self.new.n - (self.new.scored or 0)
        low = (new[0] - min(lacks_base, new[0])) - base[-1]
        high = new[-1] - (base[0] - min(lacks_new, base[0]))
        return range(low, high + 1)

    @property
    def counts(self) -> tuple[int, int] | None:
        """Units gained and lost as printed, or as the letters b and c in the only way that fits.

        Letters without a meaning are turned so that their difference has the sign of the change;
        without a change to see, b counts as gained.
        """
        printed = self.printed
        if printed.gained is not None and printed.lost is not None:
            return printed.gained, printed.lost
        if printed.b is None or printed.c is None:
            return None
        more, less = max(printed.b, printed.c), min(printed.b, printed.c)
        return (less, more) if self._falls() else (more, less)

    @property
    def has_letters(self) -> bool:
        """Whether the counts are printed under letters that do not say which is which."""
        return self.printed.b is not None

    def _falls(self) -> bool:
        if self.nets is not None and self.nets[-1] < 0:
            return True
        difference = self.printed.difference
        return self.nets is None and difference is not None and difference.value < 0


def pairings_of(
    description: Description, lines: Mapping[tuple[str, str], Line]
) -> Iterator[Pairing]:
    """Yield every comparison with its rows."""
    only = description.tables[0].name if len(description.tables) == 1 else ""
    for comparison in description.comparisons:
        table = comparison.table or only
        yield Pairing(
            comparison, lines.get((table, comparison.base)), lines.get((table, comparison.new))
        )
