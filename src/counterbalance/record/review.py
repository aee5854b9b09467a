"""What a record says of a blind review: what was to be shown to whom, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from counterbalance.items.item import PairId
    from counterbalance.presentations.presentation import Presentation, PresentationKey
    from counterbalance.record.attempt import Attempt

__all__ = ["NoteKind", "Review", "ReviewCall", "ReviewCase", "ReviewNote", "Reviewer", "Reviews"]


@dataclass(frozen=True, slots=True)
class ReviewCase:
    """One pair that people are to judge, and why.

    Attributes
    ----------
    pair_id : PairId
        The pair.
    reasons : tuple[dict[str, str], ...]
        Each with ``reason``, and with ``group``, ``disposition`` and ``detail`` where a judge is
        behind it. Never shown to a reviewer.
    """

    pair_id: PairId
    reasons: tuple[dict[str, str], ...]


@dataclass(frozen=True, slots=True)
class Review:
    """A blind review, as it was decided before the first answer.

    Attributes
    ----------
    revision : int
        Revision of the record whose evidence the cases were chosen from.
    opened_at : str
        ISO 8601 time, UTC.
    program : str
        Name and version of the program that opened it.
    settings : dict[str, Any]
        Seed, sizes and counts that were fixed with it.
    secret : str
        What tickets and keys of reviewers are derived from.
    cases : tuple[ReviewCase, ...]
        What is to be judged.
    number : int
        Counted from 1; the store gives it.
    closed_at : str
        When it was closed; empty while it is open. No answer is taken afterwards.
    """

    revision: int
    opened_at: str
    program: str
    settings: dict[str, Any]
    secret: str = field(repr=False)
    cases: tuple[ReviewCase, ...]
    number: int = 1
    closed_at: str = ""


@dataclass(frozen=True, slots=True)
class Reviewer:
    """A person who takes part, with what is shown to that person.

    Attributes
    ----------
    name : str
        The name that the organiser gave, best a pseudonym.
    joined_at : str
        ISO 8601 time, UTC.
    tasks : tuple[Presentation, ...]
        What is shown, in this order; a pair comes again in the exchanged order where the reviewer's
        own consistency is measured.
    """

    name: str
    joined_at: str
    tasks: tuple[Presentation, ...]


@dataclass(frozen=True, slots=True)
class ReviewCall:
    """One time that a task was shown.

    Attributes
    ----------
    key : PresentationKey
        The task.
    number : int
        Counted from 1; a further one withdraws what was answered before.
    started_at : str
        When it was first shown.
    attempt : Attempt | None
        The answer; None where none was given yet.
    """

    key: PresentationKey
    number: int
    started_at: str
    attempt: Attempt | None


class NoteKind(StrEnum):
    """What a reviewer can say beside a verdict."""

    EVIDENCE = "evidence"
    """What an answer relied on, asked once it was given."""
    FLAG = "flag"
    """That a text gives away who wrote it, or that it does not after all."""


@dataclass(frozen=True, slots=True)
class ReviewNote:
    """Something said beside a verdict; a later one of the same kind and call replaces it.

    Attributes
    ----------
    key : PresentationKey
        The task.
    number : int
        Which showing of it.
    kind : NoteKind
        What it is.
    written_at : str
        ISO 8601 time, UTC.
    content : dict[str, Any]
        What was said.
    """

    key: PresentationKey
    number: int
    kind: NoteKind
    written_at: str
    content: dict[str, Any]


class Reviews(Protocol):
    """The blind reviews of a record, in whichever store; append-only like everything in it.

    Answers themselves are started and appended like every attempt.
    """

    def all(self) -> tuple[Review, ...]:
        """Return every review, the newest last."""
        ...

    def reviewers(self, review: Review) -> tuple[Reviewer, ...]:
        """Return who takes part in a review, in the order they joined."""
        ...

    def calls(self, review: Review) -> tuple[ReviewCall, ...]:
        """Return every showing of a task of a review, in the order they were shown."""
        ...

    def notes(self, review: Review) -> tuple[ReviewNote, ...]:
        """Return everything that was said beside the verdicts of a review."""
        ...

    def open(self, review: Review) -> int:
        """Write what a review is of, before anybody is shown anything; return its number."""
        ...

    def join(self, review: Review, reviewer: Reviewer) -> None:
        """Write who takes part in an open review, and what is shown to that person."""
        ...

    def note(self, review: Review, note: ReviewNote) -> None:
        """Write something that was said beside a verdict of an open review."""
        ...

    def close(self, review: Review, closed_at: str, program: str) -> None:
        """Write that a review is closed: nothing is taken any more."""
        ...
