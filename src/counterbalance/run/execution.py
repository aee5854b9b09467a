"""Planned minus recorded: each outstanding presentation is asked, read and recorded."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from counterbalance.dispositions.retry_rule import NOT_SERVED, RetryRule, calls_that_count
from counterbalance.errors import JudgeError, one_line
from counterbalance.parsing.outcome import FailureKind, Outcome, OutcomeKind
from counterbalance.parsing.parser import parse_reply
from counterbalance.record.attempt import Attempt, StartedCall
from counterbalance.run.answers import checked_reply, failed_outcome, fault_of
from counterbalance.run.asking import (
    estimated_tokens,
    estimated_usage,
    request_for,
)
from counterbalance.run.clock import now, stopwatch
from counterbalance.run.ending import Ending, Purse, work_off
from counterbalance.run.handed_in import Finished, HandedIn
from counterbalance.run.lane import Lane
from counterbalance.run.retrying import Retrying
from counterbalance.run.spending import Expected, Spending, charged_usd, cost_usd, expected

if TYPE_CHECKING:
    from collections.abc import Collection, Coroutine, Iterator, Mapping, Sequence

    from counterbalance.items.item import Pair, PairId
    from counterbalance.judges.judge import Judge, Request
    from counterbalance.presentations.presentation import Presentation, PresentationKey
    from counterbalance.presentations.rendering import Renderer
    from counterbalance.presentations.reply import Reply
    from counterbalance.protocol.prices_section import Price
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.record.store import Store
    from counterbalance.run.batch_counts import BatchesWritten, ResultsRead

__all__ = ["Execution", "RunSummary", "lost_attempt", "remembered"]

_LOST = Outcome(OutcomeKind.FAILED, "run:lost", failure=FailureKind.LOST)


@dataclass(slots=True)
class RunSummary:
    """What one run did.

    Attributes
    ----------
    planned : int
        Unique presentations of the record.
    recorded_before : int
        Presentations that needed no call when the run began.
    calls : int
        Calls made by this run.
    failed : int
        Those among them that brought no reply.
    last_failure : str
        What the last of these said; empty when there was none.
    lost : int
        Calls of earlier runs that never came back; counted and asked again.
    stopped : str
        Why the run ended before its plan did; empty when it did not.
    outstanding : int
        Presentations that still need a call.
    used_up : int | None
        Presentations that were to be asked beyond the retry rule; None when none was to be.
    beyond_rule : int
        Calls beyond the retry rule, among ``calls``.
    revision : int
        The revision that they belong to.
    confirms : bool
        Whether they are those of the held-out pairs.
    batch : BatchesWritten | ResultsRead | None
        What became of batch files; None when none were written or read.
    """

    planned: int = 0
    recorded_before: int = 0
    calls: int = 0
    failed: int = 0
    last_failure: str = ""
    lost: int = 0
    stopped: str = ""
    outstanding: int = 0
    used_up: int | None = None
    beyond_rule: int = 0
    revision: int = 1
    confirms: bool = False
    batch: BatchesWritten | ResultsRead | None = None


def lost_attempt(
    key: PresentationKey, number: int, started_at: str, *, was_sent: bool = True
) -> Attempt:
    """Return the attempt that stands for a call which was started and never came back."""
    problem = f"the run ended before this call {'came back' if was_sent else 'was sent'}"
    return Attempt(key, number, started_at, None, _LOST, None, "", problem)


def remembered(outcome: Outcome) -> Outcome:
    """Return what a run must remember of an outcome until its end: kind and failure, shared."""
    return _remembered(outcome.kind, outcome.failure)


@cache
def _remembered(kind: OutcomeKind, failure: FailureKind | None) -> Outcome:
    return Outcome(kind, "run:remembered", failure=failure)


@dataclass(slots=True)
class Execution:
    """One run over one record.

    Attributes
    ----------
    store : Store
        Where evidence goes.
    protocol : Protocol
        What was fixed.
    renderer : Renderer
        Renders prompts under the record's secret.
    pairs : Mapping[PairId, Pair]
        The pairs by id.
    judges : Mapping[str, Judge]
        Open judges by name.
    finished : Finished
        Told of every recorded attempt.
    rule : RetryRule
        When a call is made again.
    retries_failed : bool
        Whether what the rule names is asked once more where its attempts are used up.
    only : Collection[PresentationKey] | None
        What may be asked, once each: that which a batch brought back. None for everything.
    outcomes : dict[PresentationKey, list[Outcome]]
        What is recorded already, in order of the attempts, as `remembered`.
    spending : Spending
        What the record has spent.
    summary : RunSummary
        Filled while the run goes on.
    retrying : Retrying
        The retry rule over what is recorded so far.
    """

    store: Store
    protocol: Protocol
    renderer: Renderer
    pairs: Mapping[PairId, Pair]
    judges: Mapping[str, Judge]
    finished: Finished
    rule: RetryRule
    retries_failed: bool = False
    only: Collection[PresentationKey] | None = None
    outcomes: dict[PresentationKey, list[Outcome]] = field(default_factory=dict)
    spending: Spending = field(default_factory=Spending)
    summary: RunSummary = field(default_factory=RunSummary)
    retrying: Retrying = field(init=False)
    _ending: Ending = field(default_factory=Ending)
    _purse: Purse = field(init=False)

    def __post_init__(self) -> None:
        """Let the retry rule follow what is recorded, and the budget what is spent."""
        self.retrying = Retrying(self.rule, self.outcomes)
        self._purse = Purse(self.protocol.budget, self.spending, self._ending)

    async def run(self, work: Sequence[Presentation]) -> RunSummary:
        """Ask every outstanding presentation, in the order given.

        Parameters
        ----------
        work : Sequence[Presentation]
            Every planned presentation, in the seeded order of work.

        Returns
        -------
        RunSummary
            What was done, and why it stopped early if it did.
        """
        due, used_up = self.retrying.due(work), self._used_up(work)
        if not self.summary.planned:
            self.summary.recorded_before = len(work) - len(due)
        self.summary.planned = len(work)
        self.summary.used_up = len(used_up) if self.retries_failed else None
        if self.only is not None:
            due = [p for p in due if p.key in self.only]
        await work_off(self._workers([*due, *used_up]))
        self.summary.stopped = self._ending.reason
        self.summary.outstanding = self.retrying.n_outstanding(work)
        return self.summary

    def outcome_of(self, presentation: Presentation) -> Outcome | None:
        """Return the recorded outcome that counts for a presentation; None while there is none."""
        standing = self.retrying.standing(presentation)
        counted = self.outcomes.get(presentation.key, [])[standing.begin : standing.end]
        return counted[-1] if counted else None

    def within_reach(self, work: Sequence[Presentation]) -> list[Presentation]:
        """Return the presentations that this run may ask, or ask again."""
        return [*self.retrying.open(work), *self._used_up(work)]

    def _used_up(self, work: Sequence[Presentation]) -> list[Presentation]:
        return self.retrying.used_up(work) if self.retries_failed else []

    def _workers(self, due: Sequence[Presentation]) -> Iterator[Coroutine[Any, Any, None]]:
        for settings in self.protocol.judges:
            lane = Lane(settings, clock=stopwatch, sleep=self._ending.rested)
            own = [p for p in due if p.judge == settings.name]
            queue = iter(own)
            for _ in range(min(lane.workers, len(own))):
                yield self._worker(queue, lane)

    async def _worker(self, queue: Iterator[Presentation], lane: Lane) -> None:
        latest = HandedIn(self.finished)
        while not self._ending.is_given and (presentation := next(queue, None)) is not None:
            was_raised = self.retrying.limit(presentation) is not None
            await self._settle(presentation, lane, latest)
            is_alone = was_raised or self.only is not None
            partner = None if is_alone else self.retrying.left_behind(presentation)
            if partner is not None:
                await self._settle(partner, lane, latest)
        await latest.on_disk()

    async def _settle(self, presentation: Presentation, lane: Lane, latest: HandedIn) -> None:
        """Ask one presentation until it needs no more calls or the run ends."""
        n_failed = 0
        while True:
            request = self.next_request(presentation)
            price = self.protocol.prices.get(presentation.judge)
            tokens = lane.estimated_tokens(estimated_tokens(request.messages))
            call = expected(tokens, price)
            if not lane.limiter.is_free:
                await latest.on_disk()
            if not await lane.limiter.admitted(tokens):
                return
            if not await self._purse.affords(call, latest.on_disk):
                return
            outcome = await self._call(presentation, request, lane, call, latest)
            # A call that is lost in this very run is asked again by the next one.
            is_over = outcome.failure in NOT_SERVED or self.only is not None
            if is_over or not self.retrying.standing(presentation).is_due:
                return
            if outcome.kind is OutcomeKind.FAILED:
                n_failed += 1
                await latest.on_disk()
                await self._ending.rested(lane.backoff(n_failed))

    def next_request(self, presentation: Presentation) -> Request:
        """Return what the next call of a presentation asks."""
        made = self.outcomes.setdefault(presentation.key, [])
        pair = self.pairs[presentation.pair_id]
        # A lost call must not change what the next one is asked: its seed follows from the calls
        # that were served, so that an interrupted run draws what an uninterrupted one draws.
        return request_for(
            presentation,
            pair,
            self.renderer,
            calls_that_count(made) + 1,
            self.retrying.limit(presentation),
        )

    async def _call(
        self,
        presentation: Presentation,
        request: Request,
        lane: Lane,
        set_aside: Expected,
        latest: HandedIn,
    ) -> Outcome:
        call = StartedCall(request.key, len(self.outcomes[request.key]) + 1, now())
        await self.store.start(
            call.key, call.number, call.started_at, request.messages, patience=lane.patience
        )
        await latest.on_disk()
        async with lane.slots:
            attempt = await self._sent(presentation, request, lane, call, set_aside.tokens)
        latest.hand_in(attempt, self.store.append(attempt, patience=lane.patience))
        self.outcomes[call.key].append(remembered(attempt.outcome))
        usage = None if attempt.reply is None else attempt.reply.usage
        price = self.protocol.prices.get(presentation.judge)
        self._purse.settle(set_aside, usage, charged_usd(attempt, price))
        return attempt.outcome

    async def _sent(
        self,
        presentation: Presentation,
        request: Request,
        lane: Lane,
        call: StartedCall,
        tokens: float,
    ) -> Attempt:
        """Send a call that is recorded as started; while it waited the endpoint may have failed."""
        if not lane.is_ready and not await lane.is_open():
            return lost_attempt(call.key, call.number, call.started_at, was_sent=False)
        self.summary.calls += 1
        if self.retries_failed:
            self.summary.beyond_rule += not self.retrying.standing(presentation).is_due
        begun = stopwatch()
        reply, outcome, error = await self._ask(presentation, request)
        usage = None if reply is None else reply.usage
        attempt = Attempt(
            key=call.key,
            number=call.number,
            started_at=call.started_at,
            seconds=None if self.only is not None else round(stopwatch() - begun, 6),
            outcome=outcome,
            reply=reply,
            parser=self.renderer.under(presentation.prompt).protocol.verdict.id,
            problem="" if error is None else one_line(error.problem, 500),
            cost_usd=cost_usd(usage, self._price(presentation, reply)),
        )
        if reply is None:
            self.summary.failed += 1
            self.summary.last_failure = f"{presentation.judge}: {attempt.problem}"
        lane.heard(usage, tokens, attempt.seconds or 0.0)
        # Before the disk is waited for: no other worker should begin what can only fail.
        self._ending.give(lane.reason_to_stop(outcome, error, begun))
        return attempt

    def _price(self, presentation: Presentation, reply: Reply | None) -> Price | None:
        """Return what the call of a reply is charged at: in batches only a declared price is."""
        price = self.protocol.prices.get(presentation.judge)
        is_of_batch = reply is not None and reply.is_of_batch
        return price.of_batches if price is not None and is_of_batch else price

    async def _ask(
        self, presentation: Presentation, request: Request
    ) -> tuple[Reply | None, Outcome, JudgeError | None]:
        pair = self.pairs[presentation.pair_id]
        renderer = self.renderer.under(presentation.prompt)
        try:
            reply = checked_reply(await self.judges[presentation.judge].ask(request))
            if reply.usage is None:
                reply = replace(reply, usage=estimated_usage(request.messages, reply.text))
            outcome = parse_reply(
                renderer.protocol.verdict,
                renderer.labelling(presentation.labelling),
                reply,
                nonce=renderer.nonce(pair),
                echoes=(pair.a.text, pair.b.text),
            )
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 (`fault_of` says)
            fault = fault_of(error)
            return None, failed_outcome(fault), fault
        return reply, outcome, None
