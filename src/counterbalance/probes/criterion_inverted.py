"""Probe ``criterion_inverted``: the same pair under the criterion and under its opposite.

A judge that applies the criterion exchanges the winner. It needs ``inverted_rubric`` in the
protocol's table ``[bias]``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.probes.probe import Check, Expects, Frame, Made, Probe, Wanted, probe_pair

if TYPE_CHECKING:
    from counterbalance.items.item import Pair

__all__ = ["CRITERION_INVERTED", "DECLARED", "EXCHANGED", "two_rubrics"]

DECLARED = "declared"
"""Variant of a pair that is judged by the protocol's own criterion."""
EXCHANGED = "exchanged"
"""Variant of the same pair under another criterion."""


def two_rubrics(probe: str, source: Pair, rubric: str) -> Made:
    """Return a pair twice: under the protocol's criterion and under another.

    Parameters
    ----------
    probe : str
        Name of the probe.
    source : Pair
        The pair.
    rubric : str
        The other criterion.

    Returns
    -------
    Made
        Two pairs, or why there are none.
    """
    a, b = source.a.text, source.b.text
    if a == b:
        return "both answers are the same text, between which no criterion decides"
    kept = probe_pair(probe, source, a, b, systems=("one", "other"), variant=DECLARED)
    other = probe_pair(
        probe, source, a, b, systems=("one", "other"), rubric=rubric, variant=EXCHANGED
    )
    return kept, other


def _make(source: Pair, wanted: Wanted) -> Made:
    return two_rubrics("criterion_inverted", source, wanted.inverted_rubric)


def _checks(pair: Pair) -> tuple[Check, ...]:
    is_exchanged = pair.id.endswith(f"~{EXCHANGED}")
    return (
        Check("the texts differ", pair.a.text != pair.b.text),
        Check("only one of the two has another criterion", is_exchanged == bool(pair.item.rubric)),
    )


CRITERION_INVERTED = Probe(
    name="criterion_inverted",
    measure="criterion_followed",
    intervention="the criterion turned round, with the same two answers",
    target="the winner changes with the criterion",
    frame=Frame.FLIP,
    expects=Expects.TARGET,
    unchecked="whether the inverted criterion is the opposite of the declared one",
    make=_make,
    checks=_checks,
)
"""The criterion and its opposite."""
