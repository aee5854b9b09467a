"""Probe ``expanded``: the same information at greater length.

Made from a pair of one's own, every sentence of the answer is said once more at its end, which adds
nothing in any language. Texts expanded by hand or by a model are read from a pair file and checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.probes.lengths import length_characters, length_tokens
from counterbalance.probes.markdown_text import has_code_block, plain_text
from counterbalance.probes.preserved import lost_names, lost_negations, lost_numbers
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
from counterbalance.probes.sentences import ends_whole, sentences

if TYPE_CHECKING:
    from counterbalance.items.item import Pair

__all__ = ["EXPANDED"]

_FEWEST_TOKENS = 4


def _make(source: Pair, _: Wanted) -> Made:
    text = source.a.text.rstrip()
    if length_tokens(text) < _FEWEST_TOKENS:
        return ONE_WORD
    if has_code_block(text):
        return "the answer holds a block of code, which said twice is another program"
    if not ends_whole(text):
        return "the answer does not end with a whole sentence"
    again = " ".join(sentences(plain_text(text)))
    systems = ("expanded", "original")
    return (probe_pair("expanded", source, f"{text}\n\n{again}", text, systems=systems),)


def _checks(pair: Pair) -> tuple[Check, ...]:
    longer, shorter = pair.a.text, pair.b.text
    more_characters = length_characters(longer) > length_characters(shorter)
    return (
        Check("the expanded side is longer in characters", more_characters),
        Check(
            "the expanded side is longer in tokens", length_tokens(longer) > length_tokens(shorter)
        ),
        Check("the expanded side ends with a whole sentence", ends_whole(longer)),
        Check("every number is kept", not lost_numbers(shorter, longer)),
        Check("every name is kept", not lost_names(shorter, longer)),
        Check("no negation is lost", not lost_negations(shorter, longer)),
    )


EXPANDED = Probe(
    name="expanded",
    measure="bias_verbosity",
    intervention="the same information at greater length",
    target="the longer text is preferred, although it says no more",
    frame=Frame.CANDIDATE,
    expects=Expects.ZERO,
    unchecked="whether a longer text written by hand adds or loses information, or reads better",
    make=_make,
    checks=_checks,
)
"""Longer, with the same information."""
