"""Probe ``plain``: an answer with Markdown against its own words without the marks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from counterbalance.probes.markdown import MARKDOWN
from counterbalance.probes.markdown_text import (
    format_marks,
    has_code_block,
    has_links,
    plain_text,
)
from counterbalance.probes.probe import Made, Wanted, probe_pair

if TYPE_CHECKING:
    from counterbalance.items.item import Pair

__all__ = ["PLAIN"]


def _make(source: Pair, _: Wanted) -> Made:
    text = source.a.text.strip()
    reason = ""
    if not format_marks(text):
        reason = "the answer has no Markdown to take away"
    elif has_code_block(text):
        reason = "the answer holds a block of code, which is no longer one without its marks"
    elif has_links(text):
        reason = "the answer holds links, whose targets a plain text would lose"
    elif format_marks(plain_text(text)):
        reason = "the answer without its marks reads as Markdown again"
    elif not plain_text(text):
        reason = "the answer holds nothing but marks"
    if reason:
        return reason
    return (probe_pair("plain", source, text, plain_text(text), systems=("markdown", "prose")),)


PLAIN = replace(
    MARKDOWN,
    name="plain",
    measure="bias_style_plain",
    intervention="Markdown marks taken out of an answer that has them",
    make=_make,
)
"""Marks taken away."""
