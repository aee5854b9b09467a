"""One reply with everything it is read with, and the marks that a format finds in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from counterbalance.parsing.normalise import Source, normalise, without_marks
from counterbalance.parsing.outcome import Outcome
from counterbalance.parsing.reasoning import Region, final_region

if TYPE_CHECKING:
    from counterbalance.items.frames import Slot
    from counterbalance.parsing.echo import Echoes
    from counterbalance.parsing.offer import Meaning, Offer
    from counterbalance.presentations.reply import Reply
    from counterbalance.protocol.verdict_format import FormatId, VerdictFormat

__all__ = ["CUT_SHORT", "Fields", "FindMarks", "Mark", "Reader", "Task"]

Fields: TypeAlias = "tuple[tuple[str, tuple[Slot, ...]], ...]"

CUT_SHORT = frozenset(
    {
        "length", "max_tokens", "max_output_tokens", "model_length",
        "model_context_window_exceeded",
    }
)  # fmt: skip
"""Reasons to stop, lower case, that say the reply was cut."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One place that states a verdict, or tries to.

    Attributes
    ----------
    start : int
        Start of the deciding text in the region.
    end : int
        Its end.
    meaning : Meaning
        What it says; UNREADABLE for a statement that cannot be understood.
    label : str
        The label as read.
    way : str
        How it was found when that is not by position, such as ``whole``; part of the rule's name.
    outer : tuple[int, int] | None
        The whole construct when it is larger than the deciding text.
    may_go_on : bool
        Whether a cut right behind it could have changed it.
    is_own : bool
        Whether its place already shows that the judge wrote it.
    repairs : tuple[str, ...]
        Faults tolerated.
    fields : Fields
        Extra fields that were readable.
    """

    start: int
    end: int
    meaning: Meaning
    label: str
    way: str = ""
    outer: tuple[int, int] | None = None
    may_go_on: bool = False
    is_own: bool = False
    repairs: tuple[str, ...] = ()
    fields: Fields = ()

    @property
    def extent(self) -> tuple[int, int]:
        """Start and end of the whole construct."""
        return self.outer or (self.start, self.end)


@dataclass(frozen=True)
class Task:
    """One reply with everything it is read with.

    Attributes
    ----------
    verdict_format : VerdictFormat
        The declared format.
    offer : Offer
        The labels on offer.
    reply : Reply
        The raw reply.
    nonce : str
        The pair's secret; empty when there is none.
    echoes : Echoes
        The texts of both candidates.
    """

    verdict_format: VerdictFormat
    offer: Offer
    reply: Reply
    nonce: str
    echoes: Echoes

    @property
    def is_cut(self) -> bool:
        """Whether the judge was stopped at its length limit."""
        return self.reply.finish.strip().lower() in CUT_SHORT

    @cached_property
    def full(self) -> Source:
        """The reply normalised for everything but JSON."""
        return normalise(self.reply.text)

    @cached_property
    def plain(self) -> Source:
        """The reply with invisible marks removed and nothing else."""
        return without_marks(self.reply.text)

    @cached_property
    def region(self) -> Region:
        """The final region of `full`."""
        return final_region(self.full.text)

    def rule(self, format_id: FormatId, way: str) -> str:
        """Return the name of a rule: format, version and what decided."""
        return f"{format_id}/{self.verdict_format.version}:{way}"


FindMarks: TypeAlias = Callable[[Task, str], Sequence[Mark]]
"""Finds what states a verdict in a final region, in order."""

Reader: TypeAlias = Callable[[Task], Outcome | None]
"""Reads one format; None when the format finds nothing at all."""
