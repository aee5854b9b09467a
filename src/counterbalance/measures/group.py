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
    from counterbalance.dispositions.evidence import PairEvidence, PresentationEvidence
    from counterbalance.items.frames import Order, Verdict

__all__ = [
    "JudgedPair",
    "cluster_of",
    "main_outcomes",
    "repetitions_of",
    "slot_counts",
    "verdicts_in",
]


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
    """Return the pair's verdicts for the first slot, for the second slot, and all verdicts.

    All are 0 for a pair whose orders differ in more than the order.

    Parameters
    ----------
    judged : JudgedPair
        The pair.

    Returns
    -------
    tuple[int, int, int]
        From main presentations.
    """
    if judged.result.is_confounded:
        return 0, 0, 0
    kinds = [outcome.kind for _, outcome in main_outcomes(judged) if outcome.is_verdict]
    return kinds.count(OutcomeKind.FIRST), kinds.count(OutcomeKind.SECOND), len(kinds)


def repetitions_of(pairs: Sequence[JudgedPair], order: Order) -> list[list[PresentationEvidence]]:
    """Return the repetitions of one order for each pair, for the study of noise.

    Those of the repetition subset where there is one, else the main presentations: numbers of
    repetitions and temperatures are never mixed.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The group.
    order : Order
        The display order.

    Returns
    -------
    list[list[PresentationEvidence]]
        One list for each pair; empty where the pair was not repeated in this order, or its orders
        differ in more than the order.
    """
    has_subset = any(judged.evidence.stability for judged in pairs)
    held = [j.evidence.stability if has_subset else j.evidence.main for j in pairs]
    return [
        [] if judged.result.is_confounded else presentations.get(order, [])
        for judged, presentations in zip(pairs, held, strict=True)
    ]


def verdicts_in(
    presentations: Sequence[PresentationEvidence], order: Order
) -> list[Verdict | None]:
    """Return the verdict of each presentation; None where it has none."""
    outcomes = [shown.decisive.outcome if shown.decisive else None for shown in presentations]
    return [None if outcome is None else verdict_of(outcome, order) for outcome in outcomes]
