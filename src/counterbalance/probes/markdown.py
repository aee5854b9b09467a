"""Probe ``markdown``: the sentences of a plain answer, with Markdown marks and without.

Each sentence becomes a list item with its first word in bold; no word is added, moved or lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.probes.markdown_text import format_marks, plain_text, same_words
from counterbalance.probes.probe import Check, Expects, Frame, Made, Probe, Wanted, probe_pair
from counterbalance.probes.sentences import sentences

if TYPE_CHECKING:
    from counterbalance.items.item import Pair

__all__ = ["MARKDOWN", "format_checks", "formatted", "why_not_formatted"]

_FEWEST_SENTENCES = 2


def formatted(text: str) -> str:
    r"""Return prose as a Markdown list, a sentence for each item, its first word in bold.

    Parameters
    ----------
    text : str
        Prose.

    Returns
    -------
    str
        The list.

    Examples
    --------
    >>> formatted("Boil water. Wait a while.")
    '- **Boil** water.\n- **Wait** a while.'
    """
    items = []
    for sentence in sentences(text):
        word, space, rest = sentence.partition(" ")
        items.append(f"- **{word}**{space}{rest}" if space else f"- {sentence}")
    return "\n".join(items)


def why_not_formatted(text: str) -> str:
    """Return why an answer cannot be given marks that leave its text alone; empty where it can.

    Parameters
    ----------
    text : str
        The answer.

    Returns
    -------
    str
        A reason, in words.
    """
    if format_marks(text):
        return "the answer has Markdown already"
    if len(sentences(text)) < _FEWEST_SENTENCES:
        return "the answer is of one sentence, which no list can be made of"
    if not same_words(plain_text(formatted(text)), text):
        return "the answer holds characters that are marks in Markdown"
    return ""


def format_checks(pair: Pair) -> tuple[Check, ...]:
    """Return what code verifies of a pair whose target side has more Markdown.

    Parameters
    ----------
    pair : Pair
        The Markdown side is candidate a.

    Returns
    -------
    tuple[Check, ...]
        Whether the words are the same, and whether the marks differ as meant.
    """
    marks, others = format_marks(pair.a.text), format_marks(pair.b.text)
    is_same = same_words(plain_text(pair.a.text), plain_text(pair.b.text))
    return (
        Check("the words are the same without the marks", is_same),
        Check("the Markdown side has more marks", sum(marks.values()) > sum(others.values())),
        Check("the other side has none", not others),
    )


def _make(source: Pair, _: Wanted) -> Made:
    text = source.a.text.strip()
    if reason := why_not_formatted(text):
        return reason
    return (probe_pair("markdown", source, formatted(text), text, systems=("markdown", "prose")),)


MARKDOWN = Probe(
    name="markdown",
    measure="bias_style",
    intervention="Markdown marks put into prose",
    target="the side with Markdown is preferred, although it says the same words",
    frame=Frame.CANDIDATE,
    expects=Expects.ZERO,
    unchecked="whether the format helps a reader: judges and people may both prefer it",
    make=_make,
    checks=format_checks,
)
"""Marks added to prose."""
