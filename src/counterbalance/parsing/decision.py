"""Which of the marks that a format found decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.parsing.outcome import Outcome, OutcomeKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.parsing.normalise import Source
    from counterbalance.parsing.task import Mark, Task
    from counterbalance.protocol.verdict_format import FormatId

__all__ = ["decision"]

_WAY = {
    OutcomeKind.OFF_SCALE: "off_scale",
    OutcomeKind.UNPARSED: "unreadable",
    OutcomeKind.CONFLICTING: "conflict",
}


def decision(
    task: Task, format_id: FormatId, source: Source, region: str, marks: Sequence[Mark]
) -> Outcome | None:
    """Return what the marks of one region say together.

    Parameters
    ----------
    task : Task
        The reply and what it is read with.
    format_id : FormatId
        The format that found the marks.
    source : Source
        The text that the region belongs to.
    region : str
        The final region.
    marks : Sequence[Mark]
        What was found, in order.

    Returns
    -------
    Outcome | None
        A verdict or the reason why the marks are none; None when there is no final mark.
    """
    own = _own_marks(task, region, marks)
    if not own:
        return _unparsed(task, format_id, source, marks[-1]) if marks else None
    mark = own[-1]
    can_be_cut = format_id == "json" and task.verdict_format.readable_when_cut
    if task.is_cut and not can_be_cut and not _is_final(region, mark):
        return None
    is_one = len(own) == 1 or len({_identity(m) for m in own}) == 1
    kind = mark.meaning.kind if is_one else OutcomeKind.CONFLICTING
    way = mark.way or task.verdict_format.position
    return Outcome(
        kind=kind,
        rule=task.rule(format_id, _WAY.get(kind, way)),
        strength=mark.meaning.strength if is_one else None,
        span=source.received_span(mark.start, mark.end),
        label=mark.label if is_one else "",
        repairs=mark.repairs,
        fields=mark.fields,
    )


def _own_marks(task: Task, region: str, marks: Sequence[Mark]) -> list[Mark]:
    """Return the marks that are the judge's: all of them for ``only``, else the last one."""
    own: list[Mark] = []
    for mark in reversed(marks):
        if mark.is_own or not task.echoes.has(region, *mark.extent):
            own.append(mark)
            if task.verdict_format.position == "last":
                break
    return own[::-1]


def _unparsed(task: Task, format_id: FormatId, source: Source, mark: Mark) -> Outcome:
    return Outcome(
        kind=OutcomeKind.UNPARSED,
        rule=task.rule(format_id, "echo"),
        span=source.received_span(mark.start, mark.end),
    )


def _is_final(region: str, mark: Mark) -> bool:
    """Return whether the judge of a cut reply had said its last word."""
    # Text behind the mark shows that it had not; a mark at the very end may be half of one.
    end = mark.extent[1]
    if any(c.isalnum() for c in region[end:]):
        return False
    return not mark.may_go_on or end < len(region)


def _identity(mark: Mark) -> tuple[str, str, str]:
    label = mark.label.casefold() if mark.meaning.kind is OutcomeKind.OFF_SCALE else ""
    return mark.meaning.kind, mark.meaning.strength or "", label
