"""Format ``regex``: the user's own RE2 pattern with a group named ``label``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.parsing.offer import OFF_SCALE, UNREADABLE
from counterbalance.parsing.task import Mark, Task
from counterbalance.protocol.verdict_format import compiled_pattern

if TYPE_CHECKING:
    from counterbalance.parsing.offer import Meaning

__all__ = ["regex_marks"]

# One search takes linear time, all of them together may not: each may look to the end.
_MOST_WORK = 1_000_000_000


def regex_marks(task: Task, region: str) -> list[Mark]:
    """Find what the declared pattern matches.

    Parameters
    ----------
    task : Task
        The labels on offer and the pattern.
    region : str
        The final region.

    Returns
    -------
    list[Mark]
        One mark for each match; unreadable where the group holds no label. A region on which the
        pattern does too much work is unreadable as a whole.
    """
    pattern = task.verdict_format.pattern or ""
    marks = []
    work = 0
    compiled = compiled_pattern(pattern)
    group = compiled.groupindex["label"]
    for match in compiled.finditer(region):
        start, end = match.span()
        work += len(region) - start
        if work > _MOST_WORK:
            return [Mark(0, len(region), UNREADABLE, "", is_own=True)]
        label_start, label_end = match.span(group)
        if label_start >= 0 and end > start:
            meaning, label = _meaning(task, region[label_start:label_end])
            marks.append(Mark(start, end, meaning, label, may_go_on=True))
    return marks


def _meaning(task: Task, content: str) -> tuple[Meaning, str]:
    meaning, label = task.offer.find(content)
    if meaning is None:
        meaning = OFF_SCALE if task.offer.is_like_offered(label) else UNREADABLE
    return meaning, label
