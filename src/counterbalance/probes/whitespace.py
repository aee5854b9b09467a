"""Probe ``whitespace``: sentences in paragraphs of their own, and in one paragraph."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from counterbalance.probes.markdown import MARKDOWN, why_not_formatted
from counterbalance.probes.markdown_text import same_words
from counterbalance.probes.probe import Check, Made, Wanted, probe_pair
from counterbalance.probes.sentences import sentences

if TYPE_CHECKING:
    from counterbalance.items.item import Pair

__all__ = ["WHITESPACE"]


def _make(source: Pair, _: Wanted) -> Made:
    text = source.a.text.strip()
    if reason := why_not_formatted(text):
        return reason
    spaced, joined = "\n\n".join(sentences(text)), " ".join(text.split())
    if not same_words(spaced, joined):
        return "the answer is written without spaces between sentences, which a break would add"
    return (probe_pair("whitespace", source, spaced, joined, systems=("spaced", "joined")),)


def _checks(pair: Pair) -> tuple[Check, ...]:
    return (
        Check("the texts are the same but for white space", same_words(pair.a.text, pair.b.text)),
        Check("the spaced side has more lines", pair.a.text.count("\n") > pair.b.text.count("\n")),
    )


WHITESPACE = replace(
    MARKDOWN,
    name="whitespace",
    measure="bias_style_whitespace",
    intervention="paragraph breaks between sentences",
    target="the side with paragraph breaks is preferred, although it says the same words",
    make=_make,
    checks=_checks,
)
"""White space alone."""
