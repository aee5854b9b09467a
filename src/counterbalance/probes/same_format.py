"""Probe ``same_format``: near-equal texts that both have Markdown, in both orders.

Half the difference of the two orders of a format pair is the slot effect and what format and slot
do together. Pairs of one format have the first alone, so the two can be told apart.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from counterbalance.probes.markdown import formatted, why_not_formatted
from counterbalance.probes.markdown_text import format_marks
from counterbalance.probes.position import POSITION, near_equal_pair
from counterbalance.probes.probe import Check, Made, Wanted

if TYPE_CHECKING:
    from counterbalance.items.item import Pair

__all__ = ["SAME_FORMAT"]


def _make(source: Pair, _: Wanted) -> Made:
    text = source.a.text.strip()
    if not format_marks(text):
        if reason := why_not_formatted(text):
            return reason
        text = formatted(text)
    return near_equal_pair("same_format", source, text)


def _checks(pair: Pair) -> tuple[Check, ...]:
    marks = format_marks(pair.a.text)
    has_same_marks = bool(marks) and marks == format_marks(pair.b.text)
    return (*POSITION.checks(pair), Check("both sides have the same marks", has_same_marks))


SAME_FORMAT = replace(
    POSITION,
    name="same_format",
    measure="bias_position_same_format",
    intervention="two texts with Markdown that say nearly the same",
    target="the first slot is preferred between near-equal texts with Markdown",
    make=_make,
    checks=_checks,
)
"""Near-equal texts, both with Markdown."""
