"""Format ``json``: the value of one key of an object.

Read is the whole reply, else the objects in it. An object in the only code block that has one
counts before a later bare one; where the two disagree, the reply is conflicting.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from counterbalance.items.frames import Slot
from counterbalance.parsing.formats.json_scan import scans, whole_scan
from counterbalance.parsing.normalise import label_key
from counterbalance.parsing.offer import OFF_SCALE, UNREADABLE, Meaning, Offer, is_token
from counterbalance.parsing.outcome import OutcomeKind
from counterbalance.parsing.task import Fields, Mark, Task

if TYPE_CHECKING:
    from counterbalance.parsing.formats.json_scan import Member, Scan

__all__ = ["is_whole_json", "json_marks"]

_FENCE = re.compile(r"```")
_CONFLICT = Meaning(OutcomeKind.CONFLICTING)
_LONGEST_VALUE = 2000
_NOTHING_BROKEN = frozenset({"none", "null", "neither"})


def is_whole_json(text: str) -> bool:
    """Whether a text is one object or list; what looks like a reasoning tag is then in a string."""
    return whole_scan(text, lenient=True) is not None


def json_marks(task: Task, region: str) -> list[Mark]:
    """Find objects with the declared key.

    Parameters
    ----------
    task : Task
        The labels on offer, the key and the extra fields.
    region : str
        The final region, with nothing but invisible marks removed.

    Returns
    -------
    list[Mark]
        One mark for each object that has the key.
    """
    lenient = task.verdict_format.lenient
    whole = whole_scan(region, lenient=lenient)
    if whole is not None:
        mark = _mark(task, whole, "whole")
        return [mark._replace(is_own=True)] if mark else []
    fences = [match.start() for match in _FENCE.finditer(region)]
    marks = []
    for found in scans(region, lenient=lenient):
        if found.is_too_deep:
            return []
        mark = _mark(task, found, "fenced" if _is_fenced(found, fences) else "balanced")
        if mark is not None:
            marks.append(mark)
    return _with_fence_first(marks)


def _with_fence_first(marks: list[Mark]) -> list[Mark]:
    fenced = [mark for mark in marks if mark.way == "fenced"]
    if len(fenced) != 1 or marks[-1] is fenced[0]:
        return marks
    if marks[-1].meaning == fenced[0].meaning:
        return marks
    return [*marks[:-1], marks[-1]._replace(meaning=_CONFLICT, label="")]


def _is_fenced(found: Scan, fences: list[int]) -> bool:
    """Whether the object stands between an opening and a closing fence."""
    before = bisect_left(fences, found.start)
    return before % 2 == 1 and before < len(fences)


def _mark(task: Task, found: Scan, way: str) -> Mark | None:
    if not found.is_complete and not (task.is_cut and task.verdict_format.readable_when_cut):
        return None
    members = [m for m in found.members if _is_key(task, m, task.verdict_format.key)]
    if not found.is_complete:
        # A number at the very end may be half of one; what is closed is whole.
        members = [m for m in members if m.value[-1] in '"]}']
    if not members:
        return None
    readings = [_reading(task, member) for member in members]
    meanings = {meaning if meaning is not OFF_SCALE else label for meaning, label in readings}
    meaning, label = readings[-1] if len(meanings) == 1 else (_CONFLICT, "")
    repairs = sorted(found.repairs | (set() if found.is_complete else {"read_when_cut"}))
    return Mark(
        members[-1].start,
        members[-1].end,
        meaning,
        label,
        way=way if found.is_complete else "cut",
        outer=(found.start, found.end),
        repairs=tuple(repairs),
        fields=_fields(task, found),
    )


def _is_key(task: Task, member: Member, key: str) -> bool:
    written = _decoded(member.key)
    if not isinstance(written, str):
        return False
    if task.verdict_format.lenient:
        return label_key(written) == label_key(key)
    return written == key


def _reading(task: Task, member: Member) -> tuple[Meaning, str]:
    value = _decoded(member.value)
    if isinstance(value, int) and not isinstance(value, bool) and task.verdict_format.lenient:
        value = str(value)
    if not isinstance(value, str):
        return UNREADABLE, member.value[:40]
    meaning, label = task.offer.find(value)
    if meaning is None:
        meaning = OFF_SCALE if is_token(label) else UNREADABLE
    return meaning, label


def _fields(task: Task, found: Scan) -> Fields:
    read = []
    for name in task.verdict_format.fields:
        values = [_decoded(m.value) for m in found.members if _is_key(task, m, name)]
        broken = {_broken(task.offer, value) for value in values}
        # A field given twice with different values is no more readable than a word nobody offered.
        slots = broken.pop() if len(broken) == 1 else None
        if slots is not None:
            read.append((name, slots))
    return tuple(read)


def _broken(offer: Offer, value: object) -> tuple[Slot, ...] | None:
    """Slots that a field names, None when it cannot be read."""
    if value is None:
        return ()
    if isinstance(value, list):
        slots = [offer.slot(x) if isinstance(x, str) else None for x in value]
        if None in slots:
            return None
        return tuple(slot for slot in Slot if slot in slots)
    return _named(offer, value) if isinstance(value, str) else None


def _named(offer: Offer, value: str) -> tuple[Slot, ...] | None:
    slot = offer.slot(value)
    if slot is not None:
        return (slot,)
    word = label_key(value)
    if word == "both":
        return (Slot.FIRST, Slot.SECOND)
    return () if word in _NOTHING_BROKEN else None


def _decoded(written: str) -> object:
    """Value of a member; the scanner has checked form and depth, so that this cannot run away."""
    if len(written) > _LONGEST_VALUE:
        return {}
    try:
        value: object = json.loads(written, strict=False)
    except ValueError:
        # Left are backslashes that were tolerated; a label or key that holds one is not offered.
        return {}
    return value
