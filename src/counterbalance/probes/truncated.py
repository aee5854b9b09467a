"""Probe ``truncated``: a complete answer against its beginning, where longer is better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.probes.lengths import length_characters, length_tokens
from counterbalance.probes.probe import (
    ONE_WORD,
    Check,
    Expects,
    Frame,
    Made,
    Probe,
    Wanted,
    probe_pair,
)
from counterbalance.probes.sentences import ends_whole

if TYPE_CHECKING:
    from counterbalance.items.item import Pair

__all__ = ["TRUNCATED"]

_FEWEST_TOKENS = 8
_MOST_KEPT = 0.75


def _make(source: Pair, _: Wanted) -> Made:
    text = source.a.text.rstrip()
    if length_tokens(text) < _FEWEST_TOKENS:
        return ONE_WORD
    cut = _cut(text)
    if not cut:
        return "the answer has no place inside a sentence to cut it at"
    return (probe_pair("truncated", source, text, cut, systems=("complete", "cut")),)


def _cut(text: str) -> str:
    """Return about half of a text, ending inside a sentence; empty where none does."""
    middle = len(text) // 2
    for end in range(middle, len(text) // 4, -1):
        # Where no spaces part words, the mark that ends a sentence may come next.
        is_unspaced = not text[: 2 * middle].count(" ") and not ends_whole(text[end])
        is_between = text[end].isspace() or is_unspaced
        kept = text[:end].rstrip()
        if is_between and kept and kept[-1].isalnum():
            return kept
    return ""


def _checks(pair: Pair) -> tuple[Check, ...]:
    whole, cut = pair.a.text.rstrip(), pair.b.text.rstrip().removesuffix("...").rstrip(" …")
    share = length_characters(cut) / max(1, length_characters(whole))
    return (
        Check("the cut side is the beginning of the complete one", whole.startswith(cut)),
        Check("a quarter or more is missing", share <= _MOST_KEPT),
    )


TRUNCATED = Probe(
    name="truncated",
    measure="bias_truncation",
    intervention="a complete answer against its beginning",
    target="the complete answer is preferred",
    frame=Frame.CANDIDATE,
    expects=Expects.TARGET,
    unchecked="whether what is missing mattered",
    make=_make,
    checks=_checks,
)
"""Complete against cut."""
