r"""Formats ``result`` ([RESULT] B) and ``boxed`` (\boxed{B}): a marker that a label follows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from counterbalance.parsing.offer import OFF_SCALE, UNREADABLE, is_token
from counterbalance.parsing.task import Mark, Task

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["boxed_marks", "result_marks"]

_RESULT = re.compile(r"\[ ?RESULT ?\][*_ \t]{0,4}[:=-]?[*_ \t]{0,4}\n?", re.IGNORECASE)
_RESULT_LENIENT = re.compile(
    r"(?:\[ ?RESULT ?\][*_ \t]{0,4}[:=-]?"
    r"|(?:^|(?<=[\s*_#]))(?:final )?result[*_ ]{0,4}[:=-])[*_ \t]{0,4}\n?",
    re.IGNORECASE | re.MULTILINE,
)
_LINE = re.compile(r"[^\n]{0,200}")

_BOXED = re.compile(r"\\boxed ?\{")
# Lenient: fbox, a lost backslash, and the backspace that "\b" becomes when JSON is decoded twice.
_BOXED_LENIENT = re.compile(r"(?:\\f?boxed|\\fbox|(?<!\w)boxed|\x08oxed)\s{0,3}\{")
_BRACE = re.compile(r"[{}]")
_LONGEST_BOX = 300
_MOST_NESTED = 8


def result_marks(task: Task, region: str) -> list[Mark]:
    """Find a result marker with a label that fills the rest of its line.

    Parameters
    ----------
    task : Task
        The labels on offer, and whether ``Result:`` counts.
    region : str
        The final region.

    Returns
    -------
    list[Mark]
        One mark for each marker; unreadable where something else than a label follows.
    """
    pattern = _RESULT_LENIENT if task.verdict_format.lenient else _RESULT
    starts = list(pattern.finditer(region))
    marks = []
    for index, match in enumerate(starts):
        line = _LINE.match(region, match.end())
        end = line.end() if line else match.end()
        if index + 1 < len(starts):
            end = min(end, starts[index + 1].start())
        way = "" if match[0].startswith("[") else "lenient"
        marks.append(_mark(task, region, (match.start(), match.end(), end), way))
    return marks


def boxed_marks(task: Task, region: str) -> list[Mark]:
    """Find a LaTeX box around a label.

    Parameters
    ----------
    task : Task
        The labels on offer, and whether near forms of the command count.
    region : str
        The final region.

    Returns
    -------
    list[Mark]
        One mark for each box that holds a label, offered or not; a box of mathematics is none.
    """
    pattern = _BOXED_LENIENT if task.verdict_format.lenient else _BOXED
    return list(_boxes(task, region, pattern))


def _boxes(task: Task, region: str, pattern: re.Pattern[str]) -> Iterator[Mark]:
    for match in pattern.finditer(region):
        end = _closing_brace(region, match.end())
        if end < 0:
            continue
        meaning, label = task.offer.find(region[match.end() : end])
        if meaning is None and is_token(label):
            meaning = OFF_SCALE
        if meaning is not None:
            way = "" if match[0].startswith("\\boxed") else "lenient"
            yield Mark(match.start(), end + 1, meaning, label, way=way)


def _closing_brace(region: str, start: int) -> int:
    depth = 1
    for brace in _BRACE.finditer(region, start, min(start + _LONGEST_BOX, len(region))):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start()
        if depth > _MOST_NESTED:
            break
    return -1


def _mark(task: Task, region: str, place: tuple[int, int, int], way: str) -> Mark:
    start, content, end = place
    text = region[content:end]
    meaning, label = task.offer.find(text)
    if meaning is None:
        meaning = OFF_SCALE if is_token(label) else UNREADABLE
    end = max(content + len(text.rstrip()), start + 1)
    is_open = text.rstrip().endswith(label)
    return Mark(start, end, meaning, label, way=way, may_go_on=is_open)
