"""Probe ``identical``: the same text twice, so that any winner is a preference for a slot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.probes.probe import Check, Expects, Frame, Made, Probe, Wanted, probe_pair

if TYPE_CHECKING:
    from counterbalance.items.item import Pair

__all__ = ["IDENTICAL"]


def _make(source: Pair, _: Wanted) -> Made:
    text = source.a.text
    return (probe_pair("identical", source, text, text, systems=("same", "same")),)


def _checks(pair: Pair) -> tuple[Check, ...]:
    return (Check("both texts are the same to the byte", pair.a.text == pair.b.text),)


IDENTICAL = Probe(
    name="identical",
    measure="bias_position_identical",
    intervention="the same text twice",
    target="the first slot is preferred between two equal texts",
    frame=Frame.SLOT,
    expects=Expects.ZERO,
    unchecked="nothing: there is no difference to overlook",
    make=_make,
    checks=_checks,
)
"""Same text in both slots."""
