"""Votes between ``model_a`` and ``model_b``, as FastChat, MT-Bench and LMArena write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.importers.judgment import source_outcome
from counterbalance.importers.sides import shown_pair, slot_of
from counterbalance.items.frames import Side
from counterbalance.parsing.outcome import OutcomeKind

if TYPE_CHECKING:
    from counterbalance.items.frames import Order
    from counterbalance.parsing.outcome import Outcome

__all__ = ["ORDER_UNKNOWN", "WINNERS", "vote_of"]

WINNERS = (
    "model_a", "model_b", "tie", "tie (bothbad)", "both_bad", "bothbad", "tie (inconsistent)",
)  # fmt: skip
"""Every word for a winner."""

ORDER_UNKNOWN = (
    "Votes of people: the log does not tell which answer was shown first, so nothing can be said"
    " about order."
)

_UNDECIDED = {
    "tie": source_outcome(OutcomeKind.TIE),
    "tie (bothbad)": source_outcome(OutcomeKind.NEITHER),
    "both_bad": source_outcome(OutcomeKind.NEITHER),
    "bothbad": source_outcome(OutcomeKind.NEITHER),
    # Two calls that named different winners: no tie, though its name begins with the word.
    "tie (inconsistent)": source_outcome(OutcomeKind.CONFLICTING),
}


def vote_of(
    model_a: str, model_b: str, winner: str, *, in_order: bool = False
) -> tuple[str, str, Order | None, Outcome] | None:
    """Return pair, order and outcome of a vote.

    Parameters
    ----------
    model_a : str
        The one system.
    model_b : str
        The other.
    winner : str
        One of `WINNERS`.
    in_order : bool
        Whether the log tells that ``model_a`` was shown first.

    Returns
    -------
    tuple[str, str, Order | None, Outcome] | None
        Names of candidates ``a`` and ``b``, the order (None where it is unknown), and the outcome
        in slot terms; None when the winner is none of `WINNERS`.
    """
    a, b, shown = shown_pair(model_a, model_b)
    order = shown if in_order else None
    undecided = _UNDECIDED.get(winner)
    if undecided is not None:
        return a, b, order, undecided
    if winner not in {"model_a", "model_b"}:
        return None
    won = model_a if winner == "model_a" else model_b
    return a, b, order, source_outcome(slot_of(Side.A if won == a else Side.B, order))
