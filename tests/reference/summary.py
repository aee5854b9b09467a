"""The table of sources and numbers that ``make reference`` prints and the docs show."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference.computing import Result

__all__ = ["markdown_table", "reasons", "table_rows"]

_HEAD = (
    "source", "set", "published and reproduced before", "reproduced here",
    "further numbers", "equal here", "not reproducible",
)  # fmt: skip


def table_rows(results: Iterable[Result]) -> list[tuple[str, ...]]:
    """Return the head, a row for each source, and the totals."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for result in results:
        number = result.number
        found = counts.setdefault((number.source, number.part), Counter())
        is_equal = result.state == "same"
        found["published" if number.reproduced else "further"] += 1
        found["reproduced" if number.reproduced else "equal"] += is_equal
        found["impossible"] += result.state == "not reproducible"
    names = ("published", "reproduced", "further", "equal", "impossible")
    rows = [(*key, *(str(found[name]) for name in names)) for key, found in sorted(counts.items())]
    total = sum(counts.values(), Counter[str]())
    return [_HEAD, *rows, ("all", "", *(str(total[name]) for name in names))]


def markdown_table(results: Iterable[Result]) -> str:
    """Return the table for a page."""
    head, *rows = table_rows(results)
    rule = ("---", "---", *("--:" for _ in head[2:]))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


def reasons(results: Iterable[Result]) -> list[str]:
    """Say why numbers cannot be reproduced, each reason once with how many it is about."""
    found = Counter(
        (result.number.source, result.number.metric.partition("[")[0], result.reason)
        for result in results
        if result.state == "not reproducible"
    )
    return [f"{source}: {name} ({n}): {why}" for (source, name, why), n in sorted(found.items())]
