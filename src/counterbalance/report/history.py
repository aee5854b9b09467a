"""Revisions of a record and the opening of its held-out pairs: what they do to what may be said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.errors import one_line
from counterbalance.report.layout import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.record.store import Opening, RecordHeader

__all__ = [
    "History",
    "confirmation_lines",
    "fixed_when",
    "history_warnings",
    "revision_lines",
    "star_line",
]

_LONGEST_REASON = 500


@dataclass(frozen=True, slots=True)
class History:
    """What came before and with the newest revision of a record; empty for foreign logs.

    Attributes
    ----------
    revisions : tuple[RecordHeader, ...]
        Every revision, the newest, which a report is of, last.
    openings : tuple[Opening, ...]
        Every opening of the held-out pairs, the newest last.
    n_held_out : int
        Pairs that the newest revision holds out.
    n_outside : int
        Calls at presentations that only other revisions planned: they enter no number.
    """

    revisions: tuple[RecordHeader, ...] = ()
    openings: tuple[Opening, ...] = ()
    n_held_out: int = 0
    n_outside: int = 0

    @property
    def newest(self) -> RecordHeader:
        """The revision that a report is of."""
        return self.revisions[-1]

    @property
    def is_after_data(self) -> bool:
        """Whether the newest revision was made when calls had been recorded already."""
        return self.newest.calls_before > 0

    @property
    def opening(self) -> Opening | None:
        """When held-out pairs were opened under the newest revision; None when they were not."""
        opened = (x for x in self.openings if x.revision == self.newest.number)
        return next(opened, None)

    @property
    def seen_before(self) -> Opening | None:
        """The first opening that came before the newest revision, None when none did."""
        opened = (x for x in self.openings if x.revision < self.newest.number)
        return next(opened, None)


def fixed_when(history: History) -> str:
    """Say when the newest revision was fixed, and whether that was before any call."""
    newest = history.newest
    when = "before the first call"
    if "rewriting" in newest.protocol:
        when = "before the first call for a verdict and after texts were rewritten"
    if history.is_after_data:
        when = f"after {plural(newest.calls_before, 'call')}"
    return f"fixed {newest.created_at}, {when}"


def revision_lines(history: History) -> Iterator[str]:
    """Yield what the head of a report says of revisions; nothing for a record with one."""
    if len(history.revisions) == 1:
        return
    newest = history.newest
    yield f"  revision {newest.number} of {len(history.revisions)}, made {newest.created_at}"
    yield f"    reason: {one_line(newest.reason, _LONGEST_REASON)}"
    yield (
        f"    {plural(newest.calls_before, 'call')} recorded before it;"
        f" {history.n_outside} of all calls outside its plan: they enter no number here"
    )


def confirmation_lines(history: History) -> Iterator[str]:
    """Yield the head of the confirmation's section; nothing where the pairs are not opened."""
    opening = history.opening
    if opening is None:
        return
    pairs = plural(len(opening.pairs), "held-out pair")
    yield ""
    if history.seen_before is None:
        yield f"Confirmation on {pairs}, apart from everything above"
    else:
        yield f"Held-out pairs, apart from everything above: no confirmation of {pairs}"
    yield f"  opened {opening.opened_at} under revision {opening.revision}"
    yield ""


def star_line(history: History, *, is_held_out: bool) -> str:
    """Say what a star beside a measure means, or why there is none."""
    if is_held_out:
        if history.seen_before is not None:
            return "all exploratory: these pairs were seen before this revision was made"
        return "* planned before the held-out pairs were opened; everything else is exploratory"
    if history.is_after_data:
        return "all exploratory: this revision was made after data were seen"
    return "* planned before the first call; everything else is exploratory"


def history_warnings(history: History) -> Iterator[str]:
    """Yield what revisions and held-out pairs forbid a reader to conclude, in sentences."""
    newest = history.newest
    if history.is_after_data:
        yield (
            f"Revision {newest.number} was made after {plural(newest.calls_before, 'call')} had"
            " been recorded, so what it decides may follow from what they showed: it is exploratory"
            " with respect to them, unless it is confirmed on held-out pairs."
        )
    if not history.n_held_out:
        return
    pairs = "1 pair is" if history.n_held_out == 1 else f"{history.n_held_out} pairs are"
    opening, seen = history.opening, history.seen_before
    if opening is not None:
        yield (
            f"{pairs} held out, opened {opening.opened_at} under revision {opening.revision}: the"
            " numbers about them stand apart, and no other number is about them."
        )
    elif seen is None:
        yield (
            f"{pairs} held out for a confirmation: they were neither judged nor shown, and no"
            " number is about them."
        )
    if seen is not None:
        yield (
            f"Held-out pairs were opened {seen.opened_at} under revision {seen.revision}, before"
            f" revision {newest.number} was made: what is judged of them under it is no"
            " confirmation, but exploratory."
        )
