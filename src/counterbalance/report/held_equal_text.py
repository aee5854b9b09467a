"""What was held equal on request, for one group or many, as plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.report.layout import visible
from counterbalance.report.length_text import length_lines
from counterbalance.report.style_text import style_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from counterbalance.report.report import GroupReport

__all__ = ["held_equal_lines", "named_lines"]


def held_equal_lines(group: GroupReport, *, full: bool) -> list[str]:
    """Return length and style held equal, as far as that was asked for.

    Parameters
    ----------
    group : GroupReport
        The group.
    full : bool
        Whether every table is shown.

    Returns
    -------
    list[str]
        Lines; none when nobody asked.
    """
    lines = []
    if group.length_control is not None:
        lines += length_lines(group.length_control, full=full)
    if group.style_control is not None:
        lines += style_lines(group.style_control, full=full)
    return lines


def named_lines(groups: Iterable[GroupReport]) -> Iterator[str]:
    """Yield the same of several groups, each under its name: for groups not shown otherwise."""
    for group in groups:
        lines = held_equal_lines(group, full=False)
        if lines:
            yield from ("", visible(group.name, 90), *lines[1:])
