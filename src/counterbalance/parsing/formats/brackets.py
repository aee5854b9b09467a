"""Formats ``bracket`` ([[A]]) and ``bracket5`` ([[A>>B]] ... [[B>>A]])."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Literal

from counterbalance.items.frames import Slot
from counterbalance.parsing.normalise import normalise
from counterbalance.parsing.offer import OFF_SCALE, Meaning, is_token
from counterbalance.parsing.outcome import OutcomeKind
from counterbalance.parsing.task import Mark, Task

if TYPE_CHECKING:
    from collections.abc import Callable

    from counterbalance.parsing.offer import Offer

__all__ = ["bracket5_marks", "bracket_marks"]

_STRICT = re.compile(r"\[\[([^\[\]\n]{1,200})\]\]")
# Lenient: one bracket or two on either side, Markdown's backslashes, a space between brackets.
_LENIENT = re.compile(r"(?:\\?\[ ?){1,2}([^\[\]\n\\]{1,200})(?:\\?\])(?: ?\\?\])?")

_SCALE = re.compile(r"([^<>=]{1,90}?)\s{0,5}([<>=]{1,9})\s{0,5}([^<>=]{1,90})")
_STEPS: dict[str, tuple[bool, Literal["much", "slightly"]]] = {
    ">>": (True, "much"),
    ">": (True, "slightly"),
    "<": (False, "slightly"),
    "<<": (False, "much"),
}
"""Whether the label on the left wins, and by how much."""


def bracket_marks(task: Task, region: str) -> list[Mark]:
    """Find double brackets around a label.

    Parameters
    ----------
    task : Task
        The labels on offer, and whether single brackets count.
    region : str
        The final region.

    Returns
    -------
    list[Mark]
        One mark for each bracket that holds a label, offered or not.
    """
    return _marks(task, region, _plain_meaning)


def bracket5_marks(task: Task, region: str) -> list[Mark]:
    """Find double brackets around a step of the five-step scale.

    Parameters
    ----------
    task : Task
        The labels on offer, and whether single brackets count.
    region : str
        The final region.

    Returns
    -------
    list[Mark]
        One mark for each bracket that holds a step or a label, offered or not.
    """
    return _marks(task, region, _scale_meaning)


def _marks(
    task: Task, region: str, meaning_of: Callable[[Offer, str], tuple[Meaning | None, str]]
) -> list[Mark]:
    lenient = task.verdict_format.lenient
    known: dict[str, tuple[Meaning | None, str]] = {}
    marks = []
    for match in (_LENIENT if lenient else _STRICT).finditer(region):
        content = match[1]
        if content not in known:
            known[content] = meaning_of(task.offer, content)
        meaning, label = known[content]
        is_strict = match[0].startswith("[[") and match[0].endswith("]]")
        if meaning is None or (meaning is OFF_SCALE and not is_strict):
            # Single brackets hold all sorts of things, so that only an offered label counts there.
            continue
        marks.append(Mark(*match.span(), meaning, label, way="" if is_strict else "lenient"))
    return marks


def _plain_meaning(offer: Offer, content: str) -> tuple[Meaning | None, str]:
    meaning, label = offer.find(content)
    if meaning is None and is_token(label):
        meaning = OFF_SCALE
    return meaning, label


def _scale_meaning(offer: Offer, content: str) -> tuple[Meaning | None, str]:
    """Read a step; the bare label of a slot is outside this scale."""
    meaning, label = offer.find(content)
    if meaning is not None:
        is_slot = meaning.kind in {OutcomeKind.FIRST, OutcomeKind.SECOND}
        return (OFF_SCALE if is_slot else meaning), label
    decoded = normalise(html.unescape(content)).text.strip(" *_`\"'$.")
    step = _SCALE.fullmatch(decoded)
    if step is None:
        return (OFF_SCALE if is_token(label) else None), label
    left, right = offer.slot(step[1]), offer.slot(step[3])
    if left is None or right is None or left is right:
        return OFF_SCALE, decoded
    return _step_meaning(offer, left, step[2]), decoded


def _step_meaning(offer: Offer, left: Slot, sign: str) -> Meaning:
    ties = [m for m in offer.meanings.values() if m.kind is OutcomeKind.TIE]
    if sign == "=" and ties:
        return ties[0]
    if sign not in _STEPS:
        return OFF_SCALE
    left_wins, strength = _STEPS[sign]
    winner = left if left_wins else left.other
    kind = OutcomeKind.FIRST if winner is Slot.FIRST else OutcomeKind.SECOND
    return Meaning(kind, strength)
