"""Keys that make a row of a general evaluation log a call of a judge on a pair.

Programs that log single answers have no field for a pair or an order. Where their metadata hold
``pair_id`` and ``order``, the row is a call on a pair; where they do not, it is a rating.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from counterbalance.importers.fields import found, identifier
from counterbalance.importers.judgment import Reject, source_outcome
from counterbalance.importers.sides import in_display_order, shown_pair
from counterbalance.items.frames import Order, Slot, Verdict
from counterbalance.parsing.outcome import OutcomeKind
from counterbalance.presentations.order import side_in

if TYPE_CHECKING:
    from counterbalance.parsing.outcome import Outcome

__all__ = ["PAIR_KEYS", "PairFacts", "accepted", "pair_facts", "slot_outcome"]

PAIR_KEYS = ("pair_id", "order", "a", "b", "cluster", "category", "subset")
"""Keys that are looked at; ``pair_id`` makes a row a call on a pair, which needs ``order``."""

_WORDS = {
    "A>>B": source_outcome(OutcomeKind.FIRST, strength="much"),
    "A>B": source_outcome(OutcomeKind.FIRST, strength="slightly"),
    "B>A": source_outcome(OutcomeKind.SECOND, strength="slightly"),
    "B>>A": source_outcome(OutcomeKind.SECOND, strength="much"),
    "A=B": source_outcome(OutcomeKind.TIE),
} | {
    word: source_outcome(kind)
    for kind, words in {
        OutcomeKind.FIRST: ("A", "first"),
        OutcomeKind.SECOND: ("B", "second"),
        OutcomeKind.TIE: ("tie", "Tie", "TIE"),
        OutcomeKind.NEITHER: ("neither",),
        OutcomeKind.INSUFFICIENT: ("insufficient",),
    }.items()
    for word in words
}


class PairFacts(NamedTuple):
    """What metadata tell of a call on a pair."""

    pair: str
    a: str
    b: str
    order: Order
    cluster: str
    category: str
    subset: str
    has_systems: bool


def pair_facts(line: int, metadata: dict[str, Any]) -> PairFacts | Reject | None:
    """Return what metadata tell of a pair.

    Parameters
    ----------
    line : int
        Where the row stands.
    metadata : dict[str, Any]
        Of the row.

    Returns
    -------
    PairFacts | Reject | None
        None when there is no ``pair_id``; a reject when the order or the names cannot be told.
    """
    if "pair_id" not in metadata:
        return None
    pair, order = identifier(metadata["pair_id"]), metadata.get("order")
    if pair is None:
        return Reject(line, "pair_id is no id", found(metadata["pair_id"]))
    if not isinstance(order, str) or order not in set(Order):
        return Reject(line, "order is neither forward nor reversed", found(order))
    named = "a" in metadata or "b" in metadata
    given = identifier(metadata.get("a")), identifier(metadata.get("b"))
    one, other = given if named else ("a", "b")
    if one is None or other is None or one == other:
        return Reject(line, "two different candidates cannot be told", found(*given))
    a, b, shown = shown_pair(*in_display_order(one, other, Order(order)))
    cluster, category, subset = (identifier(metadata.get(key)) or "" for key in PAIR_KEYS[4:])
    return PairFacts(pair, a, b, shown, cluster, category, subset, named)


def slot_outcome(word: object) -> Outcome | None:
    """Return the outcome of a verdict in display order; None for a word that is none.

    Parameters
    ----------
    word : object
        A or first, B or second, one of the five steps from A>>B to B>>A, tie, neither,
        insufficient.

    Returns
    -------
    Outcome | None
        In slot terms.

    Examples
    --------
    >>> slot_outcome("A>>B").kind, slot_outcome("C")
    (<OutcomeKind.FIRST: 'first'>, None)
    """
    return _WORDS.get(word.strip()) if isinstance(word, str) else None


def accepted(word: object, order: Order) -> tuple[Verdict, ...]:
    """Return the verdict that a reference in display order accepts; empty for any other word."""
    outcome = slot_outcome(word)
    if outcome is None:
        return ()
    if outcome.kind in {OutcomeKind.FIRST, OutcomeKind.SECOND}:
        return (Verdict(side_in(Slot(outcome.kind.value), order).value),)
    return (Verdict(outcome.kind.value),)
