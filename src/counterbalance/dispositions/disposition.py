"""The one disposition of a pair, from the cells of its orders."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from counterbalance.dispositions.cell import Cell, OrderCell, order_cell
from counterbalance.items.frames import Order, Side, Slot
from counterbalance.presentations.order import side_in
from counterbalance.protocol.reply_limits import LIMITS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from counterbalance.dispositions.evidence import PairEvidence, PresentationEvidence
    from counterbalance.items.item import Pair
    from counterbalance.parsing.outcome import Outcome

__all__ = [
    "CONFOUNDED",
    "IN_TWO_ORDERS",
    "NOT_PLANNED",
    "STABLE",
    "TWO_VERDICTS",
    "Disposition",
    "PairDisposition",
    "dispose",
    "disposition_of",
]

CONFOUNDED = "confounded"
"""Reason of a pair whose orders differ in more than the order."""
NOT_PLANNED = "not_planned"
"""Reason of a pair, or name of an order, that no presentation was planned for."""
_OF_EACH_CALL = frozenset({"seed", "n_probs", "batch"})
"""What may differ between the orders: the name of a draw, how many alternatives came back, and
whether a call went out alone or in a batch."""


class Disposition(StrEnum):
    """The classes that pairs fall into, exactly one each."""

    STABLE_A = "stable_a"
    """Both orders prefer candidate a."""
    STABLE_B = "stable_b"
    """Both orders prefer candidate b."""
    TIE = "tie"
    """Both orders call it a tie."""
    NEITHER = "neither"
    """Both orders find neither candidate acceptable."""
    INSUFFICIENT = "insufficient"
    """Both orders find the evidence insufficient."""
    ORDER_DISAGREEMENT = "order_disagreement"
    """One order prefers a, the other b."""
    TIE_TRANSITION = "tie_transition"
    """One order calls a tie, the other prefers a candidate."""
    ABSTENTION_TRANSITION = "abstention_transition"
    """Neither or insufficient in one order, something else in the other."""
    REFUSED = "refused"
    """An order was refused."""
    INCOMPLETE = "incomplete"
    """An order has no verdict, or the orders cannot be compared."""
    UNSTABLE = "unstable"
    """An order has verdicts that disagree with themselves."""
    SINGLE_ORDER = "single_order"
    """Only one order was planned: nothing can be said of stability."""
    IDENTICAL = "identical"
    """Both texts are the same to the byte; no call was made."""


STABLE = frozenset(
    {
        Disposition.STABLE_A,
        Disposition.STABLE_B,
        Disposition.TIE,
        Disposition.NEITHER,
        Disposition.INSUFFICIENT,
    }
)
"""Both orders say the same."""

TWO_VERDICTS = STABLE | {
    Disposition.ORDER_DISAGREEMENT,
    Disposition.TIE_TRANSITION,
    Disposition.ABSTENTION_TRANSITION,
}
"""Both orders have a verdict."""

IN_TWO_ORDERS = frozenset(Disposition) - {Disposition.IDENTICAL, Disposition.SINGLE_ORDER}
"""The pair was planned in two orders, with or without verdicts."""

_AGREED = {
    Cell.A: Disposition.STABLE_A,
    Cell.B: Disposition.STABLE_B,
    Cell.TIE: Disposition.TIE,
    Cell.NEITHER: Disposition.NEITHER,
    Cell.INSUFFICIENT: Disposition.INSUFFICIENT,
}


@dataclass(frozen=True, slots=True)
class PairDisposition:
    """One pair's result across its presentations.

    Attributes
    ----------
    pair : Pair
        What was judged.
    disposition : Disposition
        The class.
    detail : str
        ``primacy`` or ``recency`` for an order disagreement; for a tie transition the candidate
        that won and the slot it stood in, such as ``a:first``; else empty.
    cells : Mapping[Order, OrderCell]
        The cell of each planned order.
    reasons : Mapping[str, int]
        Why an incomplete pair is incomplete, in presentations.
    """

    pair: Pair
    disposition: Disposition
    detail: str = ""
    cells: Mapping[Order, OrderCell] = field(default_factory=dict)
    reasons: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_confounded(self) -> bool:
        """Whether the orders differ in more than the order, so that no order measure may use it."""
        return CONFOUNDED in self.reasons

    @property
    def winner(self) -> Side | None:
        """The candidate that both orders prefer, or None."""
        if self.disposition is Disposition.STABLE_A:
            return Side.A
        return Side.B if self.disposition is Disposition.STABLE_B else None


def dispose(pair: Pair, evidence: PairEvidence | None) -> PairDisposition:
    """Give a pair its one disposition: the first line of the design's table that applies.

    Parameters
    ----------
    pair : Pair
        What was judged.
    evidence : PairEvidence | None
        Its planned presentations with their attempts; None when none was planned, which is right
        only for identical texts and makes any other pair incomplete.

    Returns
    -------
    PairDisposition
        The class, its cells and reasons.
    """
    main = {} if evidence is None or pair.is_identical else evidence.main
    cells = {
        order: order_cell([_outcome(e) for e in shown], order) for order, shown in main.items()
    }
    is_confounded = len(cells) > 1 and evidence is not None and _is_confounded(evidence)
    disposition, detail = disposition_of(
        *(cells[order].cell if order in cells else None for order in Order),
        is_identical=pair.is_identical,
        is_confounded=is_confounded,
    )
    reasons = Counter[str]()
    for cell in cells.values():
        # What an order with a verdict lost on the way did not make the pair incomplete.
        if len(cells) == 1 or cell.cell.verdict is None:
            reasons.update(cell.reasons)
    if is_confounded:
        reasons = Counter({CONFOUNDED: sum(map(len, main.values()))})
    elif not main and not pair.is_identical:
        reasons = Counter({NOT_PLANNED: 1})
    return PairDisposition(pair, disposition, detail, cells, dict(sorted(reasons.items())))


def _outcome(evidence: PresentationEvidence) -> Outcome | None:
    return None if evidence.decisive is None else evidence.decisive.outcome


def disposition_of(
    forward: Cell | None, reversed_: Cell | None, *, is_identical: bool, is_confounded: bool
) -> tuple[Disposition, str]:
    """Apply the design's table: the first line that fits.

    Parameters
    ----------
    forward : Cell | None
        What the forward order says; None where it was not planned.
    reversed_ : Cell | None
        What the reversed order says; None where it was not planned.
    is_identical : bool
        Whether both texts are the same to the byte.
    is_confounded : bool
        Whether the orders differ in more than the order.

    Returns
    -------
    tuple[Disposition, str]
        The class and its detail, as `PairDisposition` has them.
    """
    if is_identical:
        return Disposition.IDENTICAL, ""
    if forward is None or reversed_ is None:
        was_planned = forward is not None or reversed_ is not None
        return (Disposition.SINGLE_ORDER if was_planned else Disposition.INCOMPLETE), ""
    if is_confounded:
        return Disposition.INCOMPLETE, ""
    return _two_orders(forward, reversed_)


def _two_orders(forward: Cell, reversed_: Cell) -> tuple[Disposition, str]:
    both = {forward, reversed_}
    for cells, disposition in (
        ({Cell.NO_VERDICT, Cell.NOT_RUN}, Disposition.INCOMPLETE),
        ({Cell.REFUSED}, Disposition.REFUSED),
        ({Cell.UNSTABLE}, Disposition.UNSTABLE),
    ):
        if both & cells:
            return disposition, ""
    if forward is reversed_:
        return _AGREED[forward], ""
    if both == {Cell.A, Cell.B}:
        first_shown_won = forward is Cell(side_in(Slot.FIRST, Order.FORWARD).value)
        return Disposition.ORDER_DISAGREEMENT, "primacy" if first_shown_won else "recency"
    if Cell.TIE in both and both & {Cell.A, Cell.B}:
        return Disposition.TIE_TRANSITION, _transition(forward, reversed_)
    return Disposition.ABSTENTION_TRANSITION, ""


def _transition(forward: Cell, reversed_: Cell) -> str:
    """Name the candidate that won in one order only, and the slot it stood in."""
    order = Order.REVERSED if forward is Cell.TIE else Order.FORWARD
    winner = reversed_ if forward is Cell.TIE else forward
    slot = next(slot for slot in Slot if side_in(slot, order).value == winner.value)
    return f"{winner}:{slot}"


def _is_confounded(evidence: PairEvidence) -> bool:
    """Say whether the two orders were answered by different models or with other parameters."""
    signatures = [
        {signature for shown in presentations if (signature := _signature(shown)) is not None}
        for presentations in evidence.main.values()
    ]
    return all(signatures) and (signatures[0] != signatures[1] or _mixes_limits(evidence))


def _mixes_limits(evidence: PairEvidence) -> bool:
    """Say whether the orders of one repetition have verdicts under different limits."""
    found: dict[int, set[str]] = {}
    for shown in (shown for held in evidence.main.values() for shown in held):
        attempt = shown.decisive
        if attempt is not None and attempt.reply is not None and attempt.outcome.is_verdict:
            limits = {name: attempt.reply.sent.get(name) for name in LIMITS}
            found.setdefault(shown.presentation.repetition, set()).add(repr(limits))
    return any(len(limits) > 1 for limits in found.values())


def _signature(evidence: PresentationEvidence) -> tuple[str, str, str] | None:
    attempt = evidence.decisive
    if attempt is None or attempt.reply is None or not attempt.outcome.is_verdict:
        return None
    reply = attempt.reply
    sent = sorted((k, repr(v)) for k, v in reply.sent.items() if k not in _OF_EACH_CALL)
    return reply.model, reply.fingerprint, repr(sent)
