"""What an importer makes of the rows of a log, whatever the log's own shape is.

A source row becomes judgments (one for each call that it tells of), ratings of single answers, or
a reject with its reason: nothing is dropped. Judgments are made by the million, so their classes
are plain slotted dataclasses, filled once and not changed afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from counterbalance.parsing.outcome import FailureKind, Outcome, OutcomeKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from counterbalance.importers.reading import Reading
    from counterbalance.items.frames import Order, Verdict

__all__ = ["NOTHING", "Judgment", "Rating", "Reject", "Row", "rejected", "source_outcome"]


@dataclass(slots=True)
class Judgment:
    """One call of a judge on one pair, as a log tells of it.

    Attributes
    ----------
    line : int
        Where it stands: line of a text file, or element of an array, counted from 1.
    item : str
        Id of what was answered, in the log's own terms; a turn of a dialogue is an item.
    a : str
        Name of candidate ``a`` inside the item; see `counterbalance.importers.sides`.
    b : str
        Name of candidate ``b``.
    order : Order | None
        Display order; None where the log does not tell it, and the outcome is then written as if
        ``a`` had been shown first.
    outcome : Outcome
        The source's own verdict, in slot terms: it decides.
    judge : str
        Who judged.
    strategy : str
        How it was asked, in the log's own words; empty when the log has no word for it.
    subset : str
        Part of the data set; empty when the log names none.
    repetition : int
        Counted from 0.
    cluster : str
        What items share; empty when the item stands alone.
    category : str
        Category of the item; empty when unknown.
    system_a : str
        Generator of ``a``; empty when unknown.
    system_b : str
        Generator of ``b``; empty when unknown.
    reference : tuple[Verdict, ...]
        Accepted verdicts by the log's own reference; empty when there is none.
    consequence : float
        How much an error would matter; 1 where the log does not say.
    setting : str
        What the log shows of how it was asked, except the order: it must be equal in both orders
        of a pair. Empty when the log shows nothing that could be compared.
    margin : float | None
        How clearly the first slot won, in the log's own units; negative for the second slot.
    reply : str
        The judge's raw reply; empty when the log keeps none.
    finish : str
        Why the judge stopped, as the log says it; empty when it does not.
    prompt : str
        The prompt as sent; empty when the log keeps none.
    reading : Reading | None
        How our parser reads ``reply``; None when it is not read again.
    identical : bool
        Whether both texts are the same and the log shows that no call was made.
    length_a : int | None
        Characters of the text of ``a``; None when the log does not keep the texts.
    length_b : int | None
        Characters of the text of ``b``.
    texts : Callable[[], tuple[str, str] | None] | None
        Reads the texts of ``a`` and ``b``, for what is counted on them while the log is read; None
        where the log does not keep them. A record does not hold them, and equality heeds them not.
    """

    line: int
    item: str
    a: str
    b: str
    order: Order | None
    outcome: Outcome
    judge: str
    strategy: str = ""
    subset: str = ""
    repetition: int = 0
    cluster: str = ""
    category: str = ""
    system_a: str = ""
    system_b: str = ""
    reference: tuple[Verdict, ...] = ()
    consequence: float = 1.0
    setting: str = ""
    margin: float | None = None
    reply: str = ""
    finish: str = ""
    prompt: str = ""
    reading: Reading | None = None
    identical: bool = False
    length_a: int | None = None
    length_b: int | None = None
    texts: Callable[[], tuple[str, str] | None] | None = field(
        default=None, compare=False, repr=False
    )


@dataclass(slots=True)
class Rating:
    """A score that a judge gave to one answer alone: it has no display order and no disposition.

    Attributes
    ----------
    line : int
        Where it stands, as in `Judgment`.
    item : str
        Id of what was answered.
    system : str
        Generator of the answer.
    judge : str
        Who rated.
    value : float | None
        The score; None where there is none.
    strategy : str
        How it was asked.
    subset : str
        Part of the data set.
    reason : str
        Why there is no score; empty where there is one.
    reply : str
        The judge's raw reply; empty when the log keeps none.
    preferred : bool | None
        Whether the log's own reference prefers this answer to the other one of its item; None
        where it does not say.
    """

    line: int
    item: str
    system: str
    judge: str
    value: float | None
    strategy: str = ""
    subset: str = ""
    reason: str = ""
    reply: str = ""
    preferred: bool | None = None


@dataclass(slots=True)
class Reject:
    """A source row, or a part of one, that tells of no call or cannot be read.

    Attributes
    ----------
    line : int
        Where it stands; 0 when the whole file is meant.
    reason : str
        Why, in words that are the same for every row with this fault.
    found : str
        What stood there; may be empty.
    call : Judgment | None
        Which call it was, where pair and order can be told and only what came of it cannot: it says
        that this order was asked, so that the pair is incomplete and not one of a single order. Its
        outcome stands for nothing. Made by `rejected`.
    """

    line: int
    reason: str
    found: str = ""
    call: Judgment | None = None


def rejected(call: Judgment, reason: str, found: str = "") -> Reject:
    """Return the reject for a call of which everything can be told but its outcome.

    Parameters
    ----------
    call : Judgment
        The call, with any outcome and a display order that is known.
    reason : str
        Why it is rejected.
    found : str
        What stood where the outcome should.

    Returns
    -------
    Reject
        It keeps which call it was, and no text.
    """
    known = replace(call, outcome=NOTHING, reply="", finish="", prompt="", margin=None, texts=None)
    return Reject(call.line, reason, found, known)


Row: TypeAlias = Judgment | Rating | Reject
"""What an importer yields."""


@cache
def source_outcome(
    kind: OutcomeKind,
    strength: Literal["much", "slightly"] | None = None,
    failure: FailureKind | None = None,
) -> Outcome:
    """Return the outcome that stands for a verdict as the source wrote it.

    Parameters
    ----------
    kind : OutcomeKind
        The class, in slot terms.
    strength : Literal["much", "slightly"] | None
        Strength of a win, where the source has one.
    failure : FailureKind | None
        Kind of a failed call.

    Returns
    -------
    Outcome
        One shared object for each combination; its rule is ``source``.
    """
    return Outcome(kind, "source", strength=strength, failure=failure)


NOTHING = source_outcome(OutcomeKind.UNPARSED)
"""Stands where the outcome of a rejected call would."""
