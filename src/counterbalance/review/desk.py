"""One reviewer's place in the queue, as the recorded calls tell it; pure, no clock and no store."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from counterbalance.record.review import NoteKind
from counterbalance.review.choices import answered_at
from counterbalance.review.tickets import ticket

if TYPE_CHECKING:
    from collections.abc import Iterable

    from counterbalance.presentations.presentation import Presentation, PresentationKey
    from counterbalance.record.review import ReviewCall, Reviewer, ReviewNote

__all__ = ["Desk", "Showing"]


class Showing(NamedTuple):
    """One time that a task is shown.

    Attributes
    ----------
    task : Presentation
        The task.
    number : int
        Counted from 1 for each task.
    """

    task: Presentation
    number: int


class Desk:
    """What one reviewer has answered, and what comes next.

    A task counts as answered when its newest showing is: to show it once more withdraws the answer.

    Parameters
    ----------
    reviewer : Reviewer
        Who, with the tasks.
    secret : str
        Secret of the review.
    calls : Iterable[ReviewCall]
        Every recorded showing of any task of the review, in the order they were shown.
    notes : Iterable[ReviewNote]
        Everything that was said beside verdicts.
    """

    def __init__(
        self,
        reviewer: Reviewer,
        secret: str,
        calls: Iterable[ReviewCall],
        notes: Iterable[ReviewNote],
    ) -> None:
        self.reviewer = reviewer
        self._secret = secret
        self._newest: dict[PresentationKey, int] = {}
        self._started: dict[tuple[PresentationKey, int], str] = {}
        self._answered: list[Showing] = []
        self._flagged: dict[tuple[PresentationKey, int], bool] = {}
        self._tasks = {task.key: task for task in reviewer.tasks}
        self._showings: dict[str, Showing] = {}
        found: list[tuple[str, Showing]] = []
        for call in calls:
            if (task := self._tasks.get(call.key)) is not None:
                showing = Showing(task, call.number)
                self.started(showing, call.started_at)
                if call.attempt is not None:
                    found.append((answered_at(call.attempt), showing))
        for _, showing in sorted(found, key=lambda answer: answer[0]):
            if self._newest[showing.task.key] == showing.number:
                self.answered(showing)
        for note in notes:
            if note.key in self._tasks and note.kind is NoteKind.FLAG:
                self._flagged[note.key, note.number] = bool(note.content.get("flagged"))

    def started(self, showing: Showing, at: str) -> None:
        """Take note that a showing is recorded; what was answered of its task is withdrawn."""
        key = showing.task.key
        self._newest[key] = showing.number
        self._started[key, showing.number] = at
        self._answered = [other for other in self._answered if other.task.key != key]
        self._showings[self.ticket(showing)] = showing

    def answered(self, showing: Showing) -> None:
        """Take note that a showing was answered."""
        self._answered.append(showing)

    def flagged(self, showing: Showing, *, is_flagged: bool) -> None:
        """Take note that a reviewer flags a showing, or takes that back."""
        self._flagged[showing.task.key, showing.number] = is_flagged

    def is_flagged(self, showing: Showing) -> bool:
        """Say whether the reviewer flagged a showing."""
        return self._flagged.get((showing.task.key, showing.number), False)

    def started_at(self, showing: Showing) -> str | None:
        """Return when a showing was recorded as shown; None before."""
        return self._started.get((showing.task.key, showing.number))

    def current(self) -> Showing | None:
        """Return the first task that is not answered; None when all are."""
        done = {showing.task.key for showing in self._answered}
        for task in self.reviewer.tasks:
            if task.key not in done:
                return Showing(task, self._newest.get(task.key, 1))
        return None

    def last(self) -> Showing | None:
        """Return the latest answer that stands; None before the first."""
        return self._answered[-1] if self._answered else None

    def again(self, showing: Showing) -> Showing:
        """Return the next showing of the same task."""
        return Showing(showing.task, self._newest[showing.task.key] + 1)

    def ticket(self, showing: Showing) -> str:
        """Return the opaque mark of a showing."""
        return ticket(self._secret, showing.task.key, showing.number)

    def showing(self, given: str) -> Showing | None:
        """Return what a ticket stands for; None for one of nothing that was shown here."""
        return self._showings.get(given)

    def is_open(self, showing: Showing) -> bool:
        """Say whether a showing is the newest of its task and has no answer."""
        is_newest = self._newest.get(showing.task.key) == showing.number
        return is_newest and showing not in self._answered

    @property
    def n_answered(self) -> int:
        """Tasks with an answer that stands."""
        return len(self._answered)

    @property
    def n_tasks(self) -> int:
        """Tasks in all."""
        return len(self.reviewer.tasks)
