"""Calls that ask for no verdict: planned minus recorded, each on disk before and after it is made.

Budget, pace and pauses are those of judging. A failed call is made again as the retry rule says of
failures; whatever was served is final, so that nobody asks again until a reply pleases.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from counterbalance.dispositions.retry_rule import NOT_SERVED
from counterbalance.errors import JudgeError, one_line
from counterbalance.parsing.outcome import FailureKind, Outcome, OutcomeKind
from counterbalance.record.aside import AsideReply
from counterbalance.run.answers import checked_reply, failed_outcome, fault_of
from counterbalance.run.asking import estimated_tokens, estimated_usage
from counterbalance.run.clock import now, stopwatch
from counterbalance.run.ending import Ending, Purse, work_off
from counterbalance.run.lane import Lane
from counterbalance.run.spending import Expected, Spending, cost_usd, expected

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterator, Sequence

    from counterbalance.presentations.reply import Reply
    from counterbalance.protocol.judge_settings import JudgeSettings
    from counterbalance.protocol.protocol import Price, Protocol
    from counterbalance.record.aside import Aside, AskedAside
    from counterbalance.record.store import Store

__all__ = ["TOO_LONG", "AsideRun", "Said", "aside_spending"]

Said = Callable[["Aside", AsideReply], None]
"""Told of every reply or failure once it is on disk."""

TOO_LONG = "it does not fit the model"
"""How the problem of a call begins that was too long to be sent."""
_LOST = "the run ended before this call came back"


def aside_spending(asked: Sequence[AskedAside], spending: Spending) -> None:
    """Count what calls that ask for no verdict have spent."""
    for call in (call for one in asked for call in one.calls):
        spending.calls += 1
        if call.reply is not None:
            usage = None if call.reply.reply is None else call.reply.reply.usage
            spending.add(usage, call.reply.cost_usd)


@dataclass(slots=True)
class AsideRun:
    """One run over the calls of one model.

    Attributes
    ----------
    store : Store
        Where evidence goes.
    protocol : Protocol
        Budget and retry rule.
    settings : JudgeSettings
        The model.
    price : Price | None
        What it costs.
    ask : Callable[[Aside, int], Awaitable[Reply]]
        Makes one call: the request, and the number of the call among those that count.
    said : Said
        Told of every reply.
    calls : int
        Calls made.
    """

    store: Store
    protocol: Protocol
    settings: JudgeSettings
    price: Price | None
    ask: Callable[[Aside, int], Awaitable[Reply]]
    said: Said
    calls: int = 0
    _replies: dict[str, list[AsideReply]] = field(default_factory=dict)
    _spending: Spending = field(default_factory=Spending)
    _ending: Ending = field(default_factory=Ending)
    _purse: Purse = field(init=False)

    def __post_init__(self) -> None:
        """Let the budget follow what is spent."""
        self._purse = Purse(self.protocol.budget, self._spending, self._ending)

    @property
    def stopped(self) -> str:
        """Why the run ended before its plan did; empty when it did not."""
        return self._ending.reason

    def take_stock(self, asides: Sequence[Aside]) -> list[Aside]:
        """Count what is recorded; return the requests that still need a call.

        Parameters
        ----------
        asides : Sequence[Aside]
            Every request of the plan.

        Returns
        -------
        list[Aside]
            In the same sequence.
        """
        recorded = self.store.asides.all()
        aside_spending(recorded, self._spending)
        for attempt in self.store.attempts():
            self._spending.calls += 1
            self._spending.add(attempt.reply.usage if attempt.reply else None, attempt.cost_usd)
        for one in recorded:
            for call in one.calls:
                reply = call.reply
                if reply is None:
                    reply = AsideReply(call.started_at, None, FailureKind.LOST, None, _LOST)
                    self.store.asides.append(one.key, call.number, reply)
                self._replies.setdefault(one.key, []).append(reply)
        return [aside for aside in asides if self.is_due(aside)]

    def made(self, aside: Aside) -> Sequence[AsideReply]:
        """Return what came of every call of a request, over all runs."""
        return self._replies.get(aside.key, ())

    def reply_of(self, aside: Aside) -> AsideReply | None:
        """Return the last reply or failure of a request; None while there is none."""
        made = self.made(aside)
        return made[-1] if made else None

    async def run(self, due: Sequence[Aside]) -> None:
        """Make the calls that are due, until they are made or the run is to end.

        Parameters
        ----------
        due : Sequence[Aside]
            From `take_stock`.

        Raises
        ------
        CounterbalanceError
            If the record cannot be written.
        """
        lane = Lane(self.settings, clock=stopwatch, sleep=self._ending.rested)
        queue = iter(due)
        await work_off(self._worker(queue, lane) for _ in range(min(lane.workers, len(due))))

    def is_due(self, aside: Aside) -> bool:
        """Say whether a request needs a further call."""
        made = self.made(aside)
        if any(reply.failure is None for reply in made):
            return False
        retry = self.protocol.retry
        most = retry.max_attempts if "failed" in retry.outcomes else 1
        return sum(reply.failure not in NOT_SERVED for reply in made) < most

    async def _worker(self, queue: Iterator[Aside], lane: Lane) -> None:
        while not self._ending.is_given and (aside := next(queue, None)) is not None:
            n_failed = 0
            while self.is_due(aside) and not self._ending.is_given:
                tokens = lane.estimated_tokens(estimated_tokens(aside.messages))
                call = expected(tokens, self.price)
                if not await lane.limiter.admitted(tokens) or not await self._purse.affords(call):
                    return
                reply = await self._call(aside, lane, call)
                if reply is None or reply.failure in NOT_SERVED:
                    return
                if reply.failure is not None:
                    n_failed += 1
                    await self._ending.rested(lane.backoff(n_failed))

    async def _call(self, aside: Aside, lane: Lane, set_aside: Expected) -> AsideReply | None:
        made = self._replies.setdefault(aside.key, [])
        async with lane.slots:
            if not await lane.is_open():
                return None
            number, started_at = len(made) + 1, now()
            self.store.asides.start(aside.key, number, started_at)
            begun = stopwatch()
            reply, failure, error = await self._asked(aside, made)
        usage = None if reply is None else reply.usage
        said = AsideReply(
            started_at=started_at,
            seconds=round(stopwatch() - begun, 6),
            failure=failure,
            reply=reply,
            problem="" if error is None else one_line(error.problem, 500),
            cost_usd=cost_usd(usage, self.price),
        )
        lane.heard(usage, set_aside.tokens, said.seconds or 0.0)
        kind = OutcomeKind.UNPARSED if failure is None else OutcomeKind.FAILED
        self._ending.give(
            lane.reason_to_stop(Outcome(kind, "aside", failure=failure), error, begun)
        )
        self.store.asides.append(aside.key, number, said)
        made.append(said)
        self._purse.settle(set_aside, usage, said.cost_usd)
        self.said(aside, said)
        return said

    async def _asked(
        self, aside: Aside, made: Sequence[AsideReply]
    ) -> tuple[Reply | None, FailureKind | None, JudgeError | None]:
        self.calls += 1
        number = 1 + sum(reply.failure not in NOT_SERVED for reply in made)
        try:
            reply = checked_reply(await self.ask(aside, number))
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 (`fault_of` says)
            fault = fault_of(error)
            outcome = failed_outcome(fault)
            if outcome.failure is None:
                told = JudgeError(fault.kind, f"{TOO_LONG}: {fault.problem}")
                return None, FailureKind.BAD_REQUEST, told
            return None, outcome.failure, fault
        if reply.usage is None:
            reply = replace(reply, usage=estimated_usage(aside.messages, reply.text))
        return reply, None, None
