"""Formats ``choice`` (one label and nothing else) and ``number`` (a bare number).

A number that ends a sentence counts only as what the sentence states: behind a colon, an equals
sign, *is*, or a verb of choosing. "Output 1 beats output 2" ends in a number too.
"""

from __future__ import annotations

import re

from counterbalance.parsing.offer import OFF_SCALE, peeled
from counterbalance.parsing.task import Mark, Task

__all__ = ["choice_marks", "number_marks"]

_LINE = re.compile(r"[^\r\n]+")
_LONGEST_LINE = 400

_LEAD_IN = re.compile(
    r"(?<!\w)(?:answer|verdict|grade|choice|winner|judge?ment|decision|result|preference|conclusion"
    r"|preferred|better|best)[*_ ]{0,4}(?:is[*_ ]{0,4})?[:=][*_ ]{0,4}([^:=]{1,60})$",
    re.IGNORECASE,
)

_NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:[.,]\d+)*(?!\w)")
_SENTENCE_END = re.compile(r"[.!?][)\"'*_]{0,3}\s+")
_STATES = re.compile(
    r"(?:\b(?:is|be|choose|pick|select|prefer)\b|[:=])[\s*_`\"'#(:]{0,8}(?:the\s{1,3})?"
    r"(?:(?:answer|output|response|option|assistant|model|candidate|number|no\.)[\s*_`\"'#(]{0,6})?$",
    re.IGNORECASE,
)
_REVERSES = re.compile(
    r"\b(?:not|never|cannot|worse|worst|loser|loses|lost|weaker|weakest|inferior|lesser|wrong"
    r"|bad|than|less|least|reject\w*|unless|if)\b|n['’]t\b",
    re.IGNORECASE,
)
_CLOSING = " \t\r\n*_`\"'”’)]}$.,;:!。"


def choice_marks(task: Task, region: str) -> list[Mark]:
    """Find the label that is the whole region.

    Parameters
    ----------
    task : Task
        The labels on offer; lenient takes the last line, also behind words such as ``Verdict:``.
    region : str
        The final region.

    Returns
    -------
    list[Mark]
        One mark or none; a word that looks like no label on offer is none.
    """
    start, end = _trimmed(region, 0, len(region))
    whole = _label_mark(task, region, start, end, "whole")
    if whole is not None or not task.verdict_format.lenient:
        return [whole] if whole else []
    line = _last_line(region)
    if line is None:
        return []
    found = _label_mark(task, region, *line, "lenient")
    lead_in = _LEAD_IN.search(region[: line[1]], max(line[0], line[1] - _LONGEST_LINE))
    if found is None and lead_in is not None:
        found = _label_mark(task, region, *_trimmed(region, *lead_in.span(1)), "lenient")
    return [found] if found else []


def number_marks(task: Task, region: str) -> list[Mark]:
    """Find lines that are a number, and a number that the last sentence states.

    Parameters
    ----------
    task : Task
        The labels on offer.
    region : str
        The final region.

    Returns
    -------
    list[Mark]
        Nothing unless the last line gives a mark; then that of each line that is a number, too.
    """
    start, end = _trimmed(region, 0, len(region))
    whole = _number_mark(task, region, start, end, "whole")
    if whole is not None:
        return [whole]
    line = _last_line(region)
    if line is None:
        return []
    final = _number_mark(task, region, *line, "line") or _stated(task, region, *line)
    if final is None or task.verdict_format.position == "last":
        return [final] if final else []
    places = (_trimmed(region, *m.span()) for m in _LINE.finditer(region, 0, line[0]))
    earlier = (_number_mark(task, region, *place, "line") for place in places)
    return [mark for mark in earlier if mark is not None] + [final]


def _label_mark(task: Task, region: str, start: int, end: int, way: str) -> Mark | None:
    meaning, label = task.offer.find(region[start:end])
    if meaning is None and label and task.offer.is_like_offered(label):
        meaning = OFF_SCALE
    if meaning is None:
        return None
    may_grow = task.offer.may_grow(label)
    return Mark(start, end, meaning, label, way=way, may_go_on=may_grow, is_own=way == "whole")


def _number_mark(task: Task, region: str, start: int, end: int, way: str) -> Mark | None:
    meaning, label = task.offer.find(region[start:end])
    if meaning is None:
        numbers = [x for x in peeled(region[start:end]) if _NUMBER.fullmatch(x)]
        meaning = OFF_SCALE if numbers else None
    if meaning is None:
        return None
    may_grow = task.offer.may_grow(label)
    return Mark(start, end, meaning, label, way=way, may_go_on=may_grow, is_own=way == "whole")


def _stated(task: Task, region: str, start: int, end: int) -> Mark | None:
    """Read the number that ends the last sentence, when it is the only one there."""
    start = max(start, end - _LONGEST_LINE)
    bare_end = start + len(region[start:end].rstrip(_CLOSING))
    for stop in _SENTENCE_END.finditer(region, start, bare_end):
        start = stop.end()
    sentence = region[start:bare_end]
    numbers = list(_NUMBER.finditer(sentence))
    if len(numbers) != 1 or numbers[0].end() != len(sentence):
        return None
    before = sentence[: numbers[0].start()]
    if not _STATES.search(before) or _REVERSES.search(before):
        return None
    meaning, label = task.offer.find(numbers[0][0])
    place = start + numbers[0].start()
    outer = (start, bare_end)
    return Mark(
        place, bare_end, meaning or OFF_SCALE, label, way="stated", outer=outer, may_go_on=True
    )


def _last_line(region: str) -> tuple[int, int] | None:
    end = len(region.rstrip())
    if end == 0:
        return None
    start = max(region.rfind("\n", 0, end), region.rfind("\r", 0, end)) + 1
    return _trimmed(region, start, end)


def _trimmed(region: str, start: int, end: int) -> tuple[int, int]:
    text = region[start:end]
    return end - len(text.lstrip()), start + len(text.rstrip())
