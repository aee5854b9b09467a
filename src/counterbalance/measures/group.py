"""One judge under one labelling: the pairs with their dispositions, as every measure takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.dispositions.cell import verdict_of
from counterbalance.items.item import Pair, PairId
from counterbalance.parsing.outcome import Outcome, OutcomeKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from counterbalance.dispositions.disposition import PairDisposition
    from counterbalance.dispositions.evidence import PairEvidence
    from counterbalance.items.frames import Order, Verdict

__all__ = ["JudgedPair", "cluster_of", "main_outcomes", "repeated_verdicts", "slot_counts"]


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """One pair of a group.

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

    def verdict(self, order: Order) -> Verdict | None:
        """Return the verdict of one order's cell, or None when it has none."""
        cell = self.result.cells.get(order)
        return None if cell is None else cell.cell.verdict


def cluster_of(kind: str) -> Callable[[JudgedPair], str]:
    """Return the function that names a pair's cluster.

    Parameters
    ----------
    kind : str
        ``cluster``, ``item`` or ``pair``, as the protocol's analysis says.

    Returns
    -------
    Callable[[JudgedPair], str]
        From a pair to the name of its cluster.
    """
    if kind == "pair":
        return lambda judged: PairId(judged.pair.id)
    if kind == "item":
        return lambda judged: judged.pair.item.id
    return lambda judged: judged.pair.item.cluster


def main_outcomes(judged: JudgedPair) -> list[tuple[Order, Outcome]]:
    """Return the deciding outcome of every main presentation that was run."""
    return [
        (order, shown.decisive.outcome)
        for order, presentations in judged.evidence.main.items()
        for shown in presentations
        if shown.decisive is not None
    ]


def slot_counts(judged: JudgedPair) -> tuple[int, int, int]:
    """Return the pair's verdicts for the first slot, for the second slot, and all verdicts."""
    kinds = [outcome.kind for _, outcome in main_outcomes(judged) if outcome.is_verdict]
    return kinds.count(OutcomeKind.FIRST), kinds.count(OutcomeKind.SECOND), len(kinds)


def repeated_verdicts(judged: JudgedPair, order: Order) -> Sequence[Verdict | None]:
    """Return the verdicts of an order's repetitions: the subset's, where the pair is in it."""
    presentations = judged.evidence.stability.get(order) or judged.evidence.main.get(order, [])
    outcomes = [shown.decisive.outcome if shown.decisive else None for shown in presentations]
    return [None if outcome is None else verdict_of(outcome, order) for outcome in outcomes]
