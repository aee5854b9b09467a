"""The blind review of a record's newest revision, read; what people said only once it is closed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.dispositions.cell import verdict_of
from counterbalance.measures.human import HumanAnswer
from counterbalance.record.review import NoteKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from counterbalance.items.item import PairId
    from counterbalance.presentations.presentation import PresentationKey
    from counterbalance.record.review import Review, ReviewCall, Reviewer
    from counterbalance.record.store import Store

__all__ = ["CaseNote", "ReviewReading", "read_review"]


@dataclass(frozen=True, slots=True)
class CaseNote:
    """What a reviewer said beside a verdict that stands.

    Attributes
    ----------
    pair_id : PairId
        The pair.
    reviewer : str
        Who.
    kind : NoteKind
        What it is.
    relied_on : tuple[str, ...]
        For evidence, names of what the answer relied on.
    comment : str
        For evidence, in words.
    """

    pair_id: PairId
    reviewer: str
    kind: NoteKind
    relied_on: tuple[str, ...] = ()
    comment: str = ""


@dataclass(frozen=True, slots=True)
class ReviewReading:
    """A review as a report reads it.

    Attributes
    ----------
    review : Review
        What it is of.
    tasks : Mapping[str, int]
        Tasks by reviewer.
    n_answered : Mapping[str, int]
        Tasks with an answer that stands, by reviewer.
    n_withdrawn : Mapping[str, int]
        Answers that were undone, by reviewer.
    answers : tuple[HumanAnswer, ...]
        Answers that stand; empty while the review is open, so that nothing can show them.
    notes : tuple[CaseNote, ...]
        What was said beside them; empty while the review is open.
    """

    review: Review
    tasks: Mapping[str, int]
    n_answered: Mapping[str, int]
    n_withdrawn: Mapping[str, int]
    answers: tuple[HumanAnswer, ...]
    notes: tuple[CaseNote, ...]


def read_review(store: Store, revision: int) -> ReviewReading | None:
    """Read the review of a revision.

    Parameters
    ----------
    store : Store
        The record.
    revision : int
        The revision.

    Returns
    -------
    ReviewReading | None
        None where it has none.
    """
    found = [review for review in store.reviews.all() if review.revision == revision]
    if not found:
        return None
    review = found[-1]
    reviewers, calls = store.reviews.reviewers(review), store.reviews.calls(review)
    newest = {call.key: call for call in calls}
    standing = {key: call for key, call in newest.items() if call.attempt is not None}
    return ReviewReading(
        review=review,
        tasks={who.name: len(who.tasks) for who in reviewers},
        n_answered={who.name: sum(t.key in standing for t in who.tasks) for who in reviewers},
        n_withdrawn={who.name: _n_withdrawn(who, calls, standing) for who in reviewers},
        answers=tuple(_answers(reviewers, standing)) if review.closed_at else (),
        notes=tuple(_notes(store, review, reviewers, newest)) if review.closed_at else (),
    )


def _n_withdrawn(
    who: Reviewer, calls: Iterable[ReviewCall], standing: Mapping[PresentationKey, ReviewCall]
) -> int:
    own = {task.key for task in who.tasks}
    return sum(
        call.attempt is not None and call.key in own and standing.get(call.key) is not call
        for call in calls
    )


def _answers(
    reviewers: Iterable[Reviewer], standing: Mapping[PresentationKey, ReviewCall]
) -> Iterable[HumanAnswer]:
    for who in reviewers:
        for task in who.tasks:
            attempt = standing[task.key].attempt if task.key in standing else None
            verdict = None if attempt is None else verdict_of(attempt.outcome, task.order)
            if verdict is not None:
                yield HumanAnswer(
                    who.name, task.pair_id, task.order, bool(task.repetition), verdict
                )


def _notes(
    store: Store,
    review: Review,
    reviewers: Iterable[Reviewer],
    newest: Mapping[PresentationKey, ReviewCall],
) -> Iterable[CaseNote]:
    """Yield the latest note of each kind of every showing that counts."""
    latest = {(note.key, note.kind): note for note in store.reviews.notes(review)}
    places = {task.key: (task.pair_id, who.name) for who in reviewers for task in who.tasks}
    for (key, kind), note in latest.items():
        if newest[key].number != note.number:
            continue
        if kind is NoteKind.FLAG and note.content.get("flagged"):
            yield CaseNote(*places[key], kind)
        elif kind is NoteKind.EVIDENCE:
            relied_on = tuple(map(str, note.content.get("relied_on", ())))
            yield CaseNote(*places[key], kind, relied_on, str(note.content.get("comment", "")))
