"""Probe ``headings``: the first sentence of an answer as a heading, and as a sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from counterbalance.probes.markdown import MARKDOWN, why_not_formatted
from counterbalance.probes.markdown_text import plain_text, same_words
from counterbalance.probes.probe import Made, Wanted, probe_pair
from counterbalance.probes.sentences import sentences

if TYPE_CHECKING:
    from counterbalance.items.item import Pair

__all__ = ["HEADINGS"]


def _make(source: Pair, _: Wanted) -> Made:
    text = source.a.text.strip()
    if reason := why_not_formatted(text):
        return reason
    first, *rest = sentences(text)
    headed = f"## {first}\n\n{' '.join(rest)}"
    if not same_words(plain_text(headed), text):
        return "the answer's first sentence cannot be a heading"
    return (probe_pair("headings", source, headed, text, systems=("heading", "prose")),)


HEADINGS = replace(
    MARKDOWN,
    name="headings",
    measure="bias_style_headings",
    intervention="the first sentence made a heading",
    target="the side with a heading is preferred, although it says the same words",
    make=_make,
)
"""A heading made of a sentence."""
