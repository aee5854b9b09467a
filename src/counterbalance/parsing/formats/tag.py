"""Format ``tag``: an element around the label, with the pair's secret where one is required."""

from __future__ import annotations

import re
from functools import lru_cache

from counterbalance.parsing.offer import OFF_SCALE, UNREADABLE, is_token
from counterbalance.parsing.task import Mark, Task

__all__ = ["tag_marks"]

_ATTRIBUTE = re.compile(r"""[\w:-]{1,60}\s{0,3}=\s{0,3}["']?([^"'\s<>=]{1,200})["']?""")


def tag_marks(task: Task, region: str) -> list[Mark]:
    """Find elements of the declared name.

    Parameters
    ----------
    task : Task
        The labels on offer, the element's name, and the secret.
    region : str
        The final region.

    Returns
    -------
    list[Mark]
        One mark for each complete element; unreadable where it holds something else than a label.
        An element without the required secret is not the judge's and gives no mark.
    """
    declared = task.verdict_format
    marks = []
    for match in _pattern(declared.tag, declared.lenient).finditer(region):
        if not _is_admitted(task, match[1]):
            continue
        meaning, label = task.offer.find(match[2])
        if meaning is None:
            meaning = OFF_SCALE if is_token(label) else UNREADABLE
        is_closed = match[0].endswith(">")
        way = "nonce" if declared.nonce else ""
        marks.append(
            Mark(
                *match.span(),
                meaning,
                label,
                way=way if is_closed else "lenient",
                may_go_on=not is_closed,
                is_own=declared.nonce,
            )
        )
    return marks


@lru_cache(maxsize=64)
def _pattern(name: str, lenient: bool) -> re.Pattern[str]:  # noqa: FBT001 (a key of the cache)
    element = re.escape(name)
    # The content never holds another opening tag, so that the innermost element is read.
    content = rf"((?:(?!<\s?/?\s?{element}\b)[\s\S]){{0,200}}?)"
    close = rf"<\s?/\s?{element}\s?>"
    if lenient:
        close = rf"(?:{close}|\s{{0,20}}\Z)"
    return re.compile(rf"<\s?{element}(\s[^<>]{{0,200}})?>{content}{close}", re.IGNORECASE)


def _is_admitted(task: Task, attributes: str | None) -> bool:
    """Whether the opening tag carries what it must: the secret, or no attribute at all."""
    given = (attributes or "").strip()
    if task.verdict_format.nonce:
        return bool(task.nonce) and task.nonce in _ATTRIBUTE.findall(given)
    return not given or task.verdict_format.lenient
