"""Planned minus recorded: each outstanding presentation is asked, read and recorded."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from counterbalance.errors import CounterbalanceError, JudgeError, one_line
from counterbalance.parsing.outcome import FailureKind, Outcome, OutcomeKind
from counterbalance.parsing.parser import parse_reply
from counterbalance.record.attempt import Attempt
from counterbalance.run.answers import checked_reply, failed_outcome
from counterbalance.run.asking import labelling_of, request_for
from counterbalance.run.clock import now, stopwatch
from counterbalance.run.spending import Spending, cost_usd, estimated_usage

if TYPE_CHECKING:
    from counterbalance.items.item import Pair, PairId
    from counterbalance.judges.judge import Judge, Request
    from counterbalance.presentations.presentation import Presentation, PresentationKey
    from counterbalance.presentations.rendering import Renderer
    from counterbalance.presentations.reply import Reply
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.record.store import Store

__all__ = ["Execution", "Finished", "RunSummary", "calls_that_count", "lost_attempt", "needs_call"]

Finished = Callable[[Attempt], None]
"""Called with each attempt once it is on disk."""

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
    lost : int
        Calls of earlier runs that never came back; counted and asked again.
    stopped : str
        Why the run ended before its plan did; empty when it did not.
    outstanding : int
        Presentations that still need a call.
    """

    planned: int = 0
    recorded_before: int = 0
    calls: int = 0
    lost: int = 0
    stopped: str = ""
    outstanding: int = 0


def needs_call(outcomes: Sequence[Outcome], protocol: Protocol) -> bool:
    """Say whether a presentation must be asked (again) under the protocol's retry rule.

    A lost call is asked again and does not use up an attempt; verdicts are never asked again.

    Parameters
    ----------
    outcomes : Sequence[Outcome]
        Outcomes of the finished attempts at the presentation, in order.
    protocol : Protocol
        Holds the retry rule.

    Returns
    -------
    bool
        True when nothing was asked, the last call was lost, or the rule names its outcome.
    """
    if not outcomes or outcomes[-1].failure is FailureKind.LOST:
        return True
    is_named = outcomes[-1].kind.value in protocol.retry.outcomes
    return is_named and calls_that_count(outcomes) < protocol.retry.max_attempts


def calls_that_count(outcomes: Sequence[Outcome]) -> int:
    """Return how many calls came back, with a reply or a failure: lost ones do not count."""
    return sum(1 for outcome in outcomes if outcome.failure is not FailureKind.LOST)


def lost_attempt(key: PresentationKey, number: int, started_at: str) -> Attempt:
    """Return the attempt that stands for a call which was started and never came back."""
    problem = "the run ended before this call came back"
    return Attempt(key, number, started_at, None, _LOST, None, "", problem)


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
    concurrency : Mapping[str, int]
        Calls under way at once, by judge.
    finished : Finished
        Told of every recorded attempt.
    outcomes : dict[PresentationKey, list[Outcome]]
        What is recorded already, in order of the attempts.
    spending : Spending
        What the record has spent.
    summary : RunSummary
        Filled while the run goes on.
    """

    store: Store
    protocol: Protocol
    renderer: Renderer
    pairs: Mapping[PairId, Pair]
    judges: Mapping[str, Judge]
    concurrency: Mapping[str, int]
    finished: Finished
    outcomes: dict[PresentationKey, list[Outcome]] = field(default_factory=dict)
    spending: Spending = field(default_factory=Spending)
    summary: RunSummary = field(default_factory=RunSummary)

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
        due = self.due(work)
        self.summary.planned = len(work)
        self.summary.recorded_before = len(work) - len(due)
        await self._work_off(due)
        self.summary.outstanding = len(self.due(work))
        return self.summary

    def due(self, work: Sequence[Presentation]) -> list[Presentation]:
        """Return the presentations that must be asked, or asked again."""
        return [p for p in work if needs_call(self.outcomes.get(p.key, ()), self.protocol)]

    async def _work_off(self, due: Sequence[Presentation]) -> None:
        broken: CounterbalanceError | None = None
        try:
            async with asyncio.TaskGroup() as tasks:
                for name in self.judges:
                    queue = iter([p for p in due if p.judge == name])
                    for _ in range(self.concurrency.get(name, 1)):
                        tasks.create_task(self._worker(queue))
        except* CounterbalanceError as group:
            # The store failed (a full disk, say): the first worker's sentence says it for all.
            first: BaseException = group
            while isinstance(first, BaseExceptionGroup):
                first = first.exceptions[0]
            broken = first if isinstance(first, CounterbalanceError) else None
        if broken is not None:
            raise broken

    async def _worker(self, queue: Iterator[Presentation]) -> None:
        for presentation in queue:
            is_due = True
            while is_due:
                if stop := self.spending.reached(self.protocol.budget):
                    self.summary.stopped = stop
                    return
                outcome = await self._call(presentation)
                # A call that is lost in this very run is asked again by the next one.
                is_lost = outcome.failure is FailureKind.LOST
                made = self.outcomes[presentation.key]
                is_due = not is_lost and needs_call(made, self.protocol)

    async def _call(self, presentation: Presentation) -> Outcome:
        pair = self.pairs[presentation.pair_id]
        made = self.outcomes.setdefault(presentation.key, [])
        number = len(made) + 1
        # A lost call must not change what the next one is asked: its seed follows from the calls
        # that came back, so that an interrupted run draws what an uninterrupted one draws.
        draw = calls_that_count(made) + 1
        request = request_for(presentation, pair, self.renderer, draw)
        started_at = now()
        price = self.protocol.prices.get(presentation.judge)
        expected = estimated_usage(request.messages, "")
        self.spending.calls += 1
        self.spending.add(expected, cost_usd(expected, price))
        self.summary.calls += 1
        await self.store.start(presentation.key, number, started_at, request.messages)
        begun = stopwatch()
        reply, outcome, problem = await self._ask(presentation, request, pair)
        usage = None if reply is None else reply.usage
        cost = cost_usd(usage, price)
        attempt = Attempt(
            key=presentation.key,
            number=number,
            started_at=started_at,
            seconds=round(stopwatch() - begun, 6),
            outcome=outcome,
            reply=reply,
            parser=self.protocol.verdict.id,
            problem=problem,
            cost_usd=cost,
        )
        await self.store.append(attempt)
        made.append(outcome)
        self.spending.take_back(expected, cost_usd(expected, price))
        self.spending.add(usage, cost)
        self.finished(attempt)
        return outcome

    async def _ask(
        self, presentation: Presentation, request: Request, pair: Pair
    ) -> tuple[Reply | None, Outcome, str]:
        try:
            reply = checked_reply(await self.judges[presentation.judge].ask(request))
            if reply.usage is None:
                reply = replace(reply, usage=estimated_usage(request.messages, reply.text))
            outcome = parse_reply(
                self.protocol.verdict,
                labelling_of(presentation, self.protocol),
                reply,
                nonce=self.renderer.nonce(pair),
                echoes=(pair.a.text, pair.b.text),
            )
        except JudgeError as error:
            return None, failed_outcome(error), one_line(error.problem, 500)
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            # Nobody cancelled this run: the judge gave its own call up.
            return None, _fault(FailureKind.CANCELLED), one_line(f"cancelled: {error}", 500)
        except Exception as error:  # noqa: BLE001 (a judge's fault is evidence, not the run's end)
            problem = one_line(f"{type(error).__name__}: {error}", 500)
            return None, _fault(FailureKind.SERVER), problem
        return reply, outcome, ""


def _fault(kind: FailureKind) -> Outcome:
    return Outcome(OutcomeKind.FAILED, "run:failed", failure=kind)
