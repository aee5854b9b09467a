"""One judge under one labelling: the pairs of a live run with their dispositions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.dispositions.disposition import PairDisposition
    from counterbalance.dispositions.evidence import PairEvidence, PresentationEvidence
    from counterbalance.items.frames import Order
    from counterbalance.items.item import Pair

__all__ = ["JudgedPair"]


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """One pair of a group, with everything that was said of it; measures take it in columns.

    Attributes
    ----------
    result : PairDisposition
        Its one disposition.
    evidence : PairEvidence
        Its presentations and attempts; empty for an identical pair.
    """

    result: PairDisposition
    evidence: PairEvidence

    @property
    def pair(self) -> Pair:
        """What was judged."""
        return self.result.pair

    def main(self) -> Iterator[tuple[Order, PresentationEvidence]]:
        """Yield every main presentation with its order."""
        for order, presentations in self.evidence.main.items():
            for shown in presentations:
                yield order, shown
