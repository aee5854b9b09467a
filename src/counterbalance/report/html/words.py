"""What each class of pairs is called on a page, and how it looks: a colour and a pattern."""

from __future__ import annotations

from counterbalance.dispositions.disposition import STABLE, TWO_VERDICTS, Disposition

__all__ = ["ALWAYS_SHOWN", "LEGEND", "MEANING", "look_of"]

ALWAYS_SHOWN = ("stable_a", "stable_b", "order_disagreement", "incomplete")
"""Classes that are shown even where they are empty."""
MEANING = {
    Disposition.STABLE_A: "both orders prefer candidate a",
    Disposition.STABLE_B: "both orders prefer candidate b",
    Disposition.TIE: "both orders call it a tie",
    Disposition.NEITHER: "both orders find neither candidate acceptable",
    Disposition.INSUFFICIENT: "both orders find the evidence insufficient",
    Disposition.ORDER_DISAGREEMENT: "one order prefers a, the other b",
    Disposition.TIE_TRANSITION: "a tie in one order, a winner in the other",
    Disposition.ABSTENTION_TRANSITION: "an abstention in one order, something else in the other",
    Disposition.REFUSED: "an order was refused",
    Disposition.INCOMPLETE: "an order has no verdict, or the two cannot be compared",
    Disposition.UNSTABLE: "an order disagrees with itself when repeated",
    Disposition.SINGLE_ORDER: "one order only: nothing can be said of stability",
    Disposition.IDENTICAL: "both texts are the same: there is nothing to compare",
}
LEGEND = (
    ("stable", "both orders say the same"),
    ("flip", "the orders prefer different candidates"),
    ("moved", "a tie or an abstention in one order only"),
    ("none", "no two verdicts to compare"),
)
"""Look and meaning of the four kinds of pairs."""


def look_of(disposition: Disposition) -> str:
    """Return the look of a class in every figure."""
    if disposition in STABLE:
        return "stable"
    if disposition is Disposition.ORDER_DISAGREEMENT:
        return "flip"
    return "moved" if disposition in TWO_VERDICTS else "none"
