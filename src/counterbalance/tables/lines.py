"""A printed row together with what its table says: denominators, marginals and possible counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from counterbalance.tables.counts import counts_over
from counterbalance.tables.printed import Printed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from counterbalance.tables.description import Description, Row, Table

__all__ = ["Line", "lines_of"]


@dataclass(frozen=True)
class Line:
    """One row, with its table's figures where it has none of its own.

    Attributes
    ----------
    table : Table
        The table.
    row : Row
        The row.
    """

    table: Table
    row: Row

    @property
    def name(self) -> str:
        """Name of the row."""
        return self.row.name

    @property
    def n(self) -> int | None:
        """Units that the row is printed for; None when nothing says how many."""
        return self.table.n if self.row.n is None else self.row.n

    @property
    def gold(self) -> Mapping[str, int]:
        """Reference by label."""
        return self.row.gold or self.table.gold

    @property
    def clusters(self) -> int | None:
        """Distinct prompts behind the units."""
        return self.table.clusters if self.row.clusters is None else self.row.clusters

    @cached_property
    def counts(self) -> dict[str, int] | None:
        """Verdicts by label as counts; None where there are none, or shares leave several."""
        cells = self.row.verdicts
        if not cells:
            return None
        exact: dict[str, int] = {}
        for label, cell in cells.items():
            if isinstance(cell, Printed):
                possible = counts_over(cell, self.n) if self.n else range(0)
                if len(possible) != 1:
                    return None
                exact[label] = possible[0]
            else:
                exact[label] = cell
        return exact

    @property
    def n_verdicts(self) -> int | None:
        """Sum of the verdicts; None where they are not known as counts."""
        return None if self.counts is None else sum(self.counts.values())

    @property
    def n_ties(self) -> int | None:
        """Ties among the verdicts."""
        return None if self.counts is None else self.counts.get(self.table.tie)

    @property
    def scored(self) -> int | None:
        """Units behind the agreement: the verdicts there are, else the printed n."""
        stated = {
            "n": self.n,
            "verdicts": self.n_verdicts,
            "decided": self.decided,
        }.get(self.row.agreement_over or "")
        return stated or self.n_verdicts or self.n

    @property
    def decided(self) -> int | None:
        """Verdicts other than ties."""
        if self.n_verdicts is None or self.n_ties is None:
            return None
        return self.n_verdicts - self.n_ties

    @cached_property
    def agreeing(self) -> range | None:
        """Counts of agreeing units that print as the agreement; None when unknown."""
        if self.row.agreement is None or not self.scored:
            return None
        return counts_over(self.row.agreement, self.scored)


def lines_of(description: Description) -> Iterator[Line]:
    """Yield every row of every table."""
    for table in description.tables:
        for row in table.rows:
            yield Line(table, row)
