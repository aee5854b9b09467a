"""Calls that ask for no verdict: planned minus recorded, each on disk before and after it is made.

Budget, pace and pauses are those of judging. A failed call is made again as the retry rule says of
failures; whatever was served is final, so that nobody asks again until a reply pleases.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from counterbalance.dispositions.retry_rule import NOT_SERVED
from counterbalance.errors import CounterbalanceError, JudgeError, one_line
from counterbalance.parsing.outcome import FailureKind, Outcome, OutcomeKind
from counterbalance.record.aside import AsideReply
from counterbalance.run.answers import checked_reply, failed_outcome
from counterbalance.run.asking import estimated_tokens, estimated_usage
from counterbalance.run.clock import now, stopwatch
from counterbalance.run.lane import Lane
from counterbalance.run.spending import Expected, Spending, cost_usd, expected

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterator, Sequence

    from counterbalance.presentations.reply import Reply
    from counterbalance.protocol.judge_settings import JudgeSettings
    from counterbalance.protocol.protocol import Price, Protocol
    from counterbalance.record.aside import Aside, AskedAside
    from counterbalance.record.store import Store

__all__ = ["AsideRun", "Said", "aside_spending"]

Said = Callable[["Aside", AsideReply], None]
"""Told of every reply or failure once it is on disk."""

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
    stopped : str
        Why the run ended before its plan did; empty when it did not.
    calls : int
        Calls made.
    """

    store: Store
    protocol: Protocol
    settings: JudgeSettings
    price: Price | None
    ask: Callable[[Aside, int], Awaitable[Reply]]
    said: Said
    stopped: str = ""
    calls: int = 0
    _replies: dict[str, list[AsideReply]] = field(default_factory=dict)
    _spending: Spending = field(default_factory=Spending)
    _halted: asyncio.Event = field(default_factory=asyncio.Event)
    _settled: asyncio.Event = field(default_factory=asyncio.Event)

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

    def reply_of(self, aside: Aside) -> AsideReply | None:
        """Return the last reply or failure of a request; None while there is none."""
        made = self._replies.get(aside.key)
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
        lane = Lane(self.settings, clock=stopwatch, sleep=self._rested)
        queue = iter(due)
        broken: CounterbalanceError | None = None
        try:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(min(lane.workers, len(due))):
                    tasks.create_task(self._worker(queue, lane))
        except* CounterbalanceError as group:
            first: BaseException = group
            while isinstance(first, BaseExceptionGroup):
                first = first.exceptions[0]
            broken = first if isinstance(first, CounterbalanceError) else None
        if broken is not None:
            raise broken

    def is_due(self, aside: Aside) -> bool:
        """Say whether a request needs a further call."""
        made = self._replies.get(aside.key, [])
        if any(reply.failure is None for reply in made):
            return False
        retry = self.protocol.retry
        most = retry.max_attempts if "failed" in retry.outcomes else 1
        return sum(reply.failure not in NOT_SERVED for reply in made) < most

    async def _worker(self, queue: Iterator[Aside], lane: Lane) -> None:
        while not self._halted.is_set() and (aside := next(queue, None)) is not None:
            n_failed = 0
            while self.is_due(aside) and not self._halted.is_set():
                tokens = lane.estimated_tokens(estimated_tokens(aside.messages))
                call = expected(tokens, self.price)
                if not await lane.limiter.admitted(tokens) or not await self._afforded(call):
                    return
                reply = await self._call(aside, lane, call)
                if reply is None or reply.failure in NOT_SERVED:
                    return
                if reply.failure is not None:
                    n_failed += 1
                    await self._rested(lane.backoff(n_failed))

    async def _afforded(self, call: Expected) -> bool:
        """Set a call's expected cost aside; end the run when the budget has no room for it."""
        budget = self.protocol.budget
        while not self._halted.is_set():
            reason = self._spending.reached(budget, call)
            if not reason:
                self._spending.begin(call)
                return True
            if not self._spending.under_way or self._spending.has_no_calls(budget):
                self._halt(reason)
                return False
            # What is under way may turn out cheaper than was set aside for it.
            self._settled.clear()
            await self._settled.wait()
        return False

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
        self._halt(lane.reason_to_stop(Outcome(kind, "aside", failure=failure), error, begun))
        self.store.asides.append(aside.key, number, said)
        made.append(said)
        self._spending.end(set_aside, usage, said.cost_usd)
        self._settled.set()
        self.said(aside, said)
        return said

    async def _asked(
        self, aside: Aside, made: Sequence[AsideReply]
    ) -> tuple[Reply | None, FailureKind | None, JudgeError | None]:
        self.calls += 1
        number = 1 + sum(reply.failure not in NOT_SERVED for reply in made)
        try:
            reply = checked_reply(await self.ask(aside, number))
        except JudgeError as error:
            kind = failed_outcome(error).failure or FailureKind.BAD_REQUEST
            return None, kind, error
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            # Nobody cancelled this run: the model gave its own call up.
            fault = JudgeError(FailureKind.CANCELLED, f"cancelled: {error}")
            return None, FailureKind.CANCELLED, fault
        except Exception as error:  # noqa: BLE001 (a model's fault is evidence, not the run's end)
            fault = JudgeError(FailureKind.SERVER, f"{type(error).__name__}: {error}")
            return None, FailureKind.SERVER, fault
        if reply.usage is None:
            reply = replace(reply, usage=estimated_usage(aside.messages, reply.text))
        return reply, None, None

    def _halt(self, reason: str) -> None:
        """Let what is under way come back, and begin nothing more."""
        if reason:
            self.stopped = self.stopped or reason
            self._halted.set()

    async def _rested(self, seconds: float) -> bool:
        """Wait; say whether the run still goes on."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._halted.wait()
        return not self._halted.is_set()
