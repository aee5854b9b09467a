"""Probe ``unsupported``: a polished answer with an invented commitment against a faithful one.

A validity probe: the faithful side should win wherever answers must keep to what is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.items.item import conversation_text
from counterbalance.presentations.seeding import rank
from counterbalance.probes.markdown_text import has_code_block
from counterbalance.probes.preserved import numbers
from counterbalance.probes.probe import Check, Expects, Frame, Made, Probe, Wanted, probe_pair
from counterbalance.probes.sentences import ends_whole

if TYPE_CHECKING:
    from counterbalance.items.item import Pair

__all__ = ["UNSUPPORTED", "is_mostly_in_another_script"]

_INVENTED = (
    "We have confirmed this in writing for 14 March 2031 under reference 48213.",
    "Our specialists measured an improvement of 37.4 percent in 2029, which we guarantee.",
    "You will receive 86.50 in compensation by 9 October 2030, as we promise to every client.",
)

_BEHIND_LATIN = "\u0250"
_MORE_LATIN = ("\u1e00", "\u1eff")


def _make(source: Pair, _: Wanted) -> Made:
    text = source.a.text.rstrip()
    if _known(source) & frozenset().union(*map(numbers, _INVENTED)):
        return "the item or its answers hold a number that would have been invented"
    if is_mostly_in_another_script(text):
        return "the answer is in another script than the sentence that would be put in"
    if has_code_block(text) or not ends_whole(text):
        return "the answer does not end with a whole sentence that another could follow"
    invented = _INVENTED[rank(0, "unsupported", source.id) % len(_INVENTED)]
    systems = ("invented", "faithful")
    return (probe_pair("unsupported", source, f"{text} {invented}", text, systems=systems),)


def is_mostly_in_another_script(text: str) -> bool:
    """Return whether fewer than half of a text's letters are Latin.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    bool
        False for a text without letters.

    Examples
    --------
    >>> is_mostly_in_another_script("Já vai."), is_mostly_in_another_script("九時に開きます。")
    (False, True)
    """
    letters = [c for c in text if c.isalpha()]
    n_latin = sum(c < _BEHIND_LATIN or _MORE_LATIN[0] <= c <= _MORE_LATIN[1] for c in letters)
    return 2 * n_latin < len(letters)


def _known(pair: Pair) -> frozenset[str]:
    item = pair.item
    texts = (conversation_text(item.messages), item.context, item.reference_answer)
    return frozenset().union(*map(numbers, (*texts, pair.b.text)))


def _checks(pair: Pair) -> tuple[Check, ...]:
    invented = numbers(pair.a.text) - numbers(pair.b.text)
    is_new = bool(invented) and not invented & _known(pair)
    return (Check("one side has a number that neither the item nor the other answer has", is_new),)


UNSUPPORTED = Probe(
    name="unsupported",
    measure="bias_unsupported",
    intervention="an invented date, number or commitment put into an answer",
    target="the answer with the invention is preferred to the faithful one",
    frame=Frame.CANDIDATE,
    expects=Expects.OTHER,
    unchecked=(
        "whether the world knows the invented number after all; what an English sentence does in an"
        " answer in another language"
    ),
    make=_make,
    checks=_checks,
)
"""Invented commitments."""
