"""The words of the two frames, and nothing that turns one into the other.

A verdict speaks of candidates, a slot of display places. The only map between them is
`counterbalance.presentations.order`.
"""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Order", "Side", "Slot", "Verdict"]


class Side(StrEnum):
    """Which candidate of a pair: fixed by the pair file, never by the display."""

    A = "a"
    B = "b"

    @property
    def other(self) -> Side:
        """The other candidate of the pair."""
        return Side.B if self is Side.A else Side.A


class Slot(StrEnum):
    """Where a candidate is shown in one presentation."""

    FIRST = "first"
    SECOND = "second"

    @property
    def other(self) -> Slot:
        """The other place."""
        return Slot.SECOND if self is Slot.FIRST else Slot.FIRST


class Order(StrEnum):
    """Display order of a presentation: FORWARD shows candidate ``a`` first."""

    FORWARD = "forward"
    REVERSED = "reversed"

    @property
    def other(self) -> Order:
        """The exchanged order."""
        return Order.REVERSED if self is Order.FORWARD else Order.FORWARD


class Verdict(StrEnum):
    """What one presentation says about the candidates."""

    A = "a"
    B = "b"
    TIE = "tie"
    NEITHER = "neither"
    INSUFFICIENT = "insufficient"

    @property
    def side(self) -> Side | None:
        """The candidate that won, or None when no candidate did."""
        return Side(self.value) if self in {Verdict.A, Verdict.B} else None
