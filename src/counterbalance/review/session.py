"""A review that is going on: every answer is on disk before its reviewer sees anything further."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from counterbalance.presentations.reply import Reply
from counterbalance.record.attempt import Attempt
from counterbalance.record.review import NoteKind, ReviewNote
from counterbalance.review.choices import EVIDENCE, PARSER, answer_text, outcome_of
from counterbalance.review.desk import Desk, Showing
from counterbalance.review.tasks import task_prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from counterbalance.items.item import Pair
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.record.review import Review, Reviewer
    from counterbalance.record.store import Store

__all__ = ["LONGEST_COMMENT", "ReviewSession", "Said"]

LONGEST_COMMENT = 2000


class Said(StrEnum):
    """What became of something that a reviewer sent."""

    SAVED = "saved"
    """It is on disk."""
    UNDONE = "undone"
    """The answer is withdrawn, and its case is shown again."""
    FLAGGED = "flagged"
    """The flag is on disk."""
    UNFLAGGED = "unflagged"
    """That the flag is taken back is on disk."""
    NOTED = "noted"
    """What the answer relied on is on disk."""
    STALE = "stale"
    """Another tab was quicker, or the page is an old one: nothing was changed."""
    NOTHING = "nothing"
    """There was nothing to do it to."""
    NO_CHOICE = "no_choice"
    """It holds no answer that is offered."""


class ReviewSession:
    """Serves the tasks of one review to its reviewers and records what they answer.

    Parameters
    ----------
    store : Store
        The record, open for writing.
    review : Review
        An open review.
    reviewers : Sequence[Reviewer]
        Everybody who takes part.
    protocol : Protocol
        Of the review's revision.
    now : Callable[[], str]
        The clock: ISO 8601 in UTC.
    stopwatch : Callable[[], float]
        Seconds of a clock that only goes forward.
    """

    def __init__(
        self,
        store: Store,
        review: Review,
        reviewers: Sequence[Reviewer],
        protocol: Protocol,
        now: Callable[[], str],
        stopwatch: Callable[[], float],
    ) -> None:
        self.review = review
        self.protocol = protocol
        self._store = store
        self._now = now
        self._stopwatch = stopwatch
        calls, notes = store.reviews.calls(review), store.reviews.notes(review)
        self.desks = {
            reviewer.name: Desk(reviewer, review.secret, calls, notes) for reviewer in reviewers
        }
        self._locks = {reviewer.name: asyncio.Lock() for reviewer in reviewers}
        self._shown_since: dict[Showing, float] = {}

    def pair(self, showing: Showing) -> Pair:
        """Return the pair of a showing."""
        return self._store.pair(showing.task.pair_id)

    async def current(self, name: str) -> Showing | None:
        """Return what a reviewer is to be shown now, once it is recorded that it is shown.

        Parameters
        ----------
        name : str
            The reviewer.

        Returns
        -------
        Showing | None
            None when everything is answered.
        """
        desk = self.desks[name]
        async with self._locks[name]:
            showing = desk.current()
            if showing is None:
                return None
            await self._start(desk, showing)
            self._shown_since.setdefault(showing, self._stopwatch())
            return showing

    async def answer(self, name: str, ticket: str, choice: str, seen: Mapping[str, Any]) -> Said:
        """Record an answer; each ticket takes one.

        Parameters
        ----------
        name : str
            The reviewer.
        ticket : str
            Of the showing that is answered.
        choice : str
            The key of the answer.
        seen : Mapping[str, Any]
            How it was looked at, as far as the browser told.

        Returns
        -------
        Said
            Whether it is on disk.
        """
        outcome = outcome_of(choice)
        if outcome is None:
            return Said.NO_CHOICE
        desk = self.desks[name]
        async with self._locks[name]:
            showing = desk.showing(ticket)
            if showing is None or not desk.is_open(showing):
                return Said.STALE
            since = self._shown_since.pop(showing, None)
            attempt = Attempt(
                key=showing.task.key,
                number=showing.number,
                started_at=desk.started_at(showing) or self._now(),
                # After a restart nobody knows how long the page was looked at.
                seconds=None if since is None else round(self._stopwatch() - since, 3),
                outcome=outcome,
                reply=Reply(text=answer_text(choice, self._now(), seen)),
                parser=PARSER,
            )
            await self._store.append(attempt)
            desk.answered(showing)
            return Said.SAVED

    async def undo(self, name: str, ticket: str) -> Said:
        """Withdraw the latest answer by showing its task once more; the answer itself stays.

        Parameters
        ----------
        name : str
            The reviewer.
        ticket : str
            Of the answer, so that an undo that is sent twice undoes one.

        Returns
        -------
        Said
            Whether it is on disk.
        """
        desk = self.desks[name]
        async with self._locks[name]:
            last = desk.last()
            if last is None and desk.showing(ticket) is None:
                return Said.NOTHING
            if last is None or desk.ticket(last) != ticket:
                return Said.STALE
            await self._start(desk, desk.again(last))
            return Said.UNDONE

    async def flag(self, name: str, ticket: str) -> Said:
        """Record that a text gives away who wrote it, or take that back.

        Parameters
        ----------
        name : str
            The reviewer.
        ticket : str
            Of the showing.

        Returns
        -------
        Said
            Whether it is on disk.
        """
        desk = self.desks[name]
        async with self._locks[name]:
            showing = desk.showing(ticket)
            if showing is None or not desk.is_open(showing):
                return Said.STALE
            is_flagged = not desk.is_flagged(showing)
            self._note(showing, NoteKind.FLAG, {"flagged": is_flagged})
            desk.flagged(showing, is_flagged=is_flagged)
            return Said.FLAGGED if is_flagged else Said.UNFLAGGED

    async def evidence(
        self, name: str, ticket: str, relied_on: Sequence[str], comment: str
    ) -> Said:
        """Record what the latest answer relied on.

        Parameters
        ----------
        name : str
            The reviewer.
        ticket : str
            Of the answer.
        relied_on : Sequence[str]
            Names of `choices.EVIDENCE`; others are left out.
        comment : str
            In words; cut at `LONGEST_COMMENT`.

        Returns
        -------
        Said
            Whether it is on disk.
        """
        desk = self.desks[name]
        known = [kind for kind in EVIDENCE if kind in relied_on]
        words = comment.strip()[:LONGEST_COMMENT]
        async with self._locks[name]:
            showing = desk.last()
            if showing is None or desk.ticket(showing) != ticket:
                return Said.STALE
            if not known and not words:
                return Said.NOTHING
            self._note(showing, NoteKind.EVIDENCE, {"relied_on": known, "comment": words})
            return Said.NOTED

    async def _start(self, desk: Desk, showing: Showing) -> None:
        """Record a showing before it is shown, once."""
        if desk.started_at(showing) is not None:
            return
        at = self._now()
        prompt = task_prompt(self.pair(showing), showing.task.order, self.protocol)
        await self._store.start(showing.task.key, showing.number, at, prompt)
        desk.started(showing, at)

    def _note(self, showing: Showing, kind: NoteKind, content: dict[str, Any]) -> None:
        note = ReviewNote(showing.task.key, showing.number, kind, self._now(), content)
        self._store.reviews.note(self.review, note)
