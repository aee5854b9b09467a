"""One order of a pair reduced to one cell, in the candidate frame."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from counterbalance.items.frames import Order, Slot, Verdict
from counterbalance.parsing.outcome import Outcome, OutcomeKind
from counterbalance.presentations.order import side_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["NOT_RUN", "Cell", "OrderCell", "cell_of", "order_cell", "verdict_of"]

NOT_RUN = "not_run"
"""Reason of a planned repetition that was never asked."""


class Cell(StrEnum):
    """What one order says of a pair; also the rows and columns of the transition table."""

    A = "a"
    B = "b"
    TIE = "tie"
    NEITHER = "neither"
    INSUFFICIENT = "insufficient"
    UNSTABLE = "unstable"
    """More than half of the repetitions have verdicts, but no verdict has more than half."""
    REFUSED = "refused"
    """Too few verdicts, and at least one refusal."""
    NO_VERDICT = "no_verdict"
    """Too few verdicts, for the reasons kept beside."""
    NOT_RUN = "not_run"
    """No repetition was asked."""

    @property
    def verdict(self) -> Verdict | None:
        """The verdict, or None when the order has none."""
        return Verdict(self.value) if self in _VERDICT_CELLS else None


_VERDICT_CELLS = frozenset({Cell.A, Cell.B, Cell.TIE, Cell.NEITHER, Cell.INSUFFICIENT})
_ABSTENTIONS = {
    OutcomeKind.TIE: Verdict.TIE,
    OutcomeKind.NEITHER: Verdict.NEITHER,
    OutcomeKind.INSUFFICIENT: Verdict.INSUFFICIENT,
}


@dataclass(frozen=True, slots=True)
class OrderCell:
    """The cell of one order, and what led to it.

    Attributes
    ----------
    order : Order
        Display order.
    cell : Cell
        What the order says.
    verdicts : tuple[Verdict | None, ...]
        Verdict of each planned repetition; None where it has none.
    reasons : Mapping[str, int]
        Why repetitions have no verdict: outcome kinds, failure kinds for failed calls, or not_run.
    """

    order: Order
    cell: Cell
    verdicts: tuple[Verdict | None, ...]
    reasons: Mapping[str, int]


def verdict_of(outcome: Outcome, order: Order) -> Verdict | None:
    """Return what an outcome says of the candidates.

    Parameters
    ----------
    outcome : Outcome
        In slot terms.
    order : Order
        Display order of the presentation.

    Returns
    -------
    Verdict | None
        None when the outcome is no verdict.
    """
    if outcome.kind is OutcomeKind.FIRST:
        return Verdict(side_in(Slot.FIRST, order).value)
    if outcome.kind is OutcomeKind.SECOND:
        return Verdict(side_in(Slot.SECOND, order).value)
    return _ABSTENTIONS.get(outcome.kind)


def cell_of(held: Mapping[Verdict, int], planned: int, *, refused: int, not_run: int) -> Cell:
    """Reduce the counts of one order's repetitions to one cell.

    The verdict held by more than half of the planned repetitions; else unstable if more than half
    have verdicts; else refused if any was refused; else not run if none was asked; else no verdict.

    Parameters
    ----------
    held : Mapping[Verdict, int]
        Repetitions by verdict.
    planned : int
        Repetitions planned.
    refused : int
        Repetitions that were refused.
    not_run : int
        Repetitions that were never asked.

    Returns
    -------
    Cell
        What the order says.
    """
    for verdict, n in held.items():
        if 2 * n > planned:
            return Cell(verdict.value)
    if 2 * sum(held.values()) > planned:
        return Cell.UNSTABLE
    if refused:
        return Cell.REFUSED
    return Cell.NOT_RUN if not_run == planned else Cell.NO_VERDICT


def order_cell(outcomes: Sequence[Outcome | None], order: Order) -> OrderCell:
    """Reduce the planned repetitions of one order to one cell, by the rule of `cell_of`.

    Parameters
    ----------
    outcomes : Sequence[Outcome | None]
        Deciding outcome of each planned repetition; None where it was not run.
    order : Order
        Display order.

    Returns
    -------
    OrderCell
        The cell with its evidence.
    """
    verdicts = tuple(None if o is None else verdict_of(o, order) for o in outcomes)
    reasons = Counter(_reasons(outcomes))
    cell = cell_of(
        Counter(v for v in verdicts if v is not None),
        len(verdicts),
        refused=reasons[OutcomeKind.REFUSED],
        not_run=reasons[NOT_RUN],
    )
    return OrderCell(order, cell, verdicts, dict(sorted(reasons.items())))


def _reasons(outcomes: Iterable[Outcome | None]) -> Iterable[str]:
    for outcome in outcomes:
        if outcome is None:
            yield NOT_RUN
        elif outcome.kind is OutcomeKind.FAILED and outcome.failure is not None:
            yield f"{OutcomeKind.FAILED}:{outcome.failure}"
        elif not outcome.is_verdict:
            yield outcome.kind.value
