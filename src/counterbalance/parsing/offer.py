"""The labels on offer, what each means, and how a label is freed of what surrounds it."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from counterbalance.items.frames import Slot
from counterbalance.parsing.normalise import label_key, normalise
from counterbalance.parsing.outcome import OutcomeKind
from counterbalance.protocol.verdict_format import REASONING_TAGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.protocol.labelling import Labelling
    from counterbalance.protocol.verdict_format import VerdictFormat

__all__ = [
    "OFF_SCALE",
    "UNREADABLE",
    "Meaning",
    "Offer",
    "is_token",
    "offer_of",
    "offer_problem",
    "peeled",
]

_LONGEST_LABEL = 200
_LONGEST_TOKEN = 40
_MOST_KNOWN = 500
_MOST_PEELS = 24

_PAIRS = {
    "(": ")", "[": "]", "{": "}", "“": "”", "‘": "’", "«": "»", "‹": "›", "„": "“", "「": "」",
    "『": "』", "《": "》", "〈": "〉",
}  # fmt: skip
_EITHER_END = frozenset("*_`\"'“”‘’$")
_AT_THE_END = ".,;:!。、"
_COMMAND = re.compile(
    r"\\(?:f?boxed|text(?:bf|it|rm|sf|tt)?|math(?:bf|it|rm|sf|tt)|emph|underline)\s{0,3}"
    r"\{(.*)\}|\\\((.*)\\\)|\\\[(.*)\\\]|<(b|i|em|strong|u)>(.*)</\4>",
    re.IGNORECASE | re.DOTALL,
)

# Words that declare a verdict everywhere, so that one of them is a label that was not offered.
_VERDICT_WORDS = frozenset({"tie", "draw", "equal", "both", "neither", "none", "same", "unsure"})


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a label says.

    Attributes
    ----------
    kind : OutcomeKind
        The outcome it stands for.
    strength : Literal["much", "slightly"] | None
        Strength of a win, where the scale has one.
    """

    kind: OutcomeKind
    strength: Literal["much", "slightly"] | None = None


OFF_SCALE = Meaning(OutcomeKind.OFF_SCALE)
UNREADABLE = Meaning(OutcomeKind.UNPARSED)
_AMBIGUOUS = Meaning(OutcomeKind.CONFLICTING)


@dataclass(frozen=True, slots=True)
class Offer:
    """The labels on offer.

    Attributes
    ----------
    first : str
        Key of the first slot's label.
    second : str
        Key of the second slot's label.
    meanings : dict[str, Meaning]
        Meaning by key; a label declared twice means two things, which is conflicting.
    """

    first: str
    second: str
    meanings: dict[str, Meaning] = field(default_factory=dict)
    _known: dict[str, tuple[Meaning | None, str]] = field(
        default_factory=dict, repr=False, compare=False
    )
    # Judges write the same few labels in reply after reply.

    def find(self, text: str) -> tuple[Meaning | None, str]:
        """Return what a text means when it is one offered label and nothing else.

        Parameters
        ----------
        text : str
            A label with what may surround one.

        Returns
        -------
        tuple[Meaning | None, str]
            The meaning, or None, and the label freed of what surrounded it.
        """
        if len(text) > _LONGEST_LABEL:
            return None, ""
        known = self._known.get(text)
        if known is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            known = self._known[text] = self._read(text)
        return known

    def _read(self, text: str) -> tuple[Meaning | None, str]:
        last = ""
        for last in peeled(text):
            meaning = self.meanings.get(label_key(last))
            if meaning is not None:
                return meaning, last
        return None, last

    def slot(self, text: str) -> Slot | None:
        """Return the slot that a text names, None when it names none."""
        meaning, _ = self.find(text)
        if meaning is None or meaning.kind not in {OutcomeKind.FIRST, OutcomeKind.SECOND}:
            return None
        return Slot.FIRST if meaning.kind is OutcomeKind.FIRST else Slot.SECOND

    def may_grow(self, label: str) -> bool:
        """Whether a label that was cut could have become another one on offer."""
        key = label_key(label)
        return any(other != key and other.startswith(key) for other in self.meanings)

    def is_like_offered(self, label: str) -> bool:
        """Whether a label that is not offered looks like one: same length and kind of character."""
        key = label_key(label)
        if key in _VERDICT_WORDS:
            return True
        return any(
            len(key) == len(slot) and _kinds(key) == _kinds(slot)
            for slot in (self.first, self.second)
        )


@lru_cache(maxsize=64)
def offer_of(verdict_format: VerdictFormat, labelling: Labelling) -> Offer:
    """Return the labels that a format and a labelling offer together.

    Parameters
    ----------
    verdict_format : VerdictFormat
        Declares the labels that no slot has.
    labelling : Labelling
        Declares the labels of the slots.

    Returns
    -------
    Offer
        All labels by key.
    """
    declared = (
        (labelling.first, OutcomeKind.FIRST),
        (labelling.second, OutcomeKind.SECOND),
        (verdict_format.tie, OutcomeKind.TIE),
        (verdict_format.neither, OutcomeKind.NEITHER),
        (verdict_format.insufficient, OutcomeKind.INSUFFICIENT),
    )
    meanings: dict[str, Meaning] = {}
    for label, kind in declared:
        if label is not None:
            key = label_key(label)
            meanings[key] = _AMBIGUOUS if key in meanings else Meaning(kind)
    return Offer(label_key(labelling.first), label_key(labelling.second), meanings)


def offer_problem(verdict_format: VerdictFormat, labelling: Labelling) -> str:
    """Return why a format and a labelling cannot work together, empty when they can.

    Parameters
    ----------
    verdict_format : VerdictFormat
        The declared format.
    labelling : Labelling
        One of the labellings it will be read with.

    Returns
    -------
    str
        What is wrong and what to do.
    """
    offer = offer_of(verdict_format, labelling)
    twice = [key for key, meaning in offer.meanings.items() if meaning is _AMBIGUOUS]
    if twice:
        return f"label {twice[0]!r} stands for two things; give each its own"
    slots = (labelling.first, labelling.second)
    if verdict_format.format == "number" and not all(re.fullmatch(r"[0-9]+", x) for x in slots):
        return f"format 'number' needs digits as labels, not {labelling.name}"
    if verdict_format.format == "tag" and verdict_format.tag.lower() in REASONING_TAGS:
        return f"tag {verdict_format.tag!r} is cut as a reasoning block; choose another name"
    return ""


def is_token(label: str) -> bool:
    """Whether a text has the form of a label: one short word with a letter or a digit."""
    return (
        0 < len(label) <= _LONGEST_TOKEN
        and not any(c.isspace() for c in label)
        and any(c.isalnum() for c in label)
    )


def peeled(text: str) -> Iterator[str]:
    r"""Yield a text and what is left as one layer around it after the other is taken off.

    Parameters
    ----------
    text : str
        A label with what may surround one: emphasis, quotes, brackets, LaTeX, final punctuation.

    Yields
    ------
    str
        Ever shorter texts; nothing when the text is too long for a label.

    Examples
    --------
    >>> list(peeled("**(B)**."))[-1]
    'B'
    """
    label = normalise(html.unescape(text)).text.strip() if len(text) <= _LONGEST_LABEL else ""
    for _ in range(_MOST_PEELS):
        if not label:
            return
        yield label
        inner = _inner(label)
        if inner == label:
            return
        label = inner


def _inner(label: str) -> str:
    command = _COMMAND.fullmatch(label)
    if command:
        inner = next(x for x in (*command.group(1, 2, 3), command[5]) if x is not None)
    elif label[-1] in _AT_THE_END:
        inner = label[:-1]
    elif len(label) > 1 and _PAIRS.get(label[0]) == label[-1]:
        inner = label[1:-1]
    elif label[0] in _EITHER_END:
        inner = label[1:-1] if len(label) > 1 and label[-1] in _EITHER_END else label[1:]
    else:
        inner = label[:-1] if label[-1] in _EITHER_END else label
    return inner.strip()


def _kinds(key: str) -> list[tuple[bool, bool]]:
    return [(c.isalpha(), c.isdigit()) for c in key]
