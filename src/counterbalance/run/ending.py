"""What ends a run before its plan does: a reason that a worker found, or a budget without room."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from counterbalance.errors import CounterbalanceError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Iterable

    from counterbalance.presentations.reply import Usage
    from counterbalance.protocol.protocol import Budget
    from counterbalance.run.spending import Expected, Spending

__all__ = ["Ending", "Purse", "work_off"]


async def work_off(workers: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Let workers go side by side until all are done.

    Parameters
    ----------
    workers : Iterable[Coroutine[Any, Any, None]]
        What they do.

    Raises
    ------
    CounterbalanceError
        The first that a worker raised: the store failed (a full disk, say), and one sentence says
        it for all.
    """
    broken: CounterbalanceError | None = None
    try:
        async with asyncio.TaskGroup() as tasks:
            for worker in workers:
                tasks.create_task(worker)
    except* CounterbalanceError as group:
        first: BaseException = group
        while isinstance(first, BaseExceptionGroup):
            first = first.exceptions[0]
        broken = first if isinstance(first, CounterbalanceError) else None
    if broken is not None:
        raise broken


@dataclass(slots=True)
class Ending:
    """Whether a run is to end, and why.

    Attributes
    ----------
    reason : str
        The first that was given; empty while the run goes on.
    """

    reason: str = ""
    _given: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_given(self) -> bool:
        """Whether nothing more may begin."""
        return self._given.is_set()

    def give(self, reason: str) -> None:
        """Let what is under way come back, and begin nothing more; an empty reason is none."""
        if reason:
            self.reason = self.reason or reason
            self._given.set()

    async def rested(self, seconds: float) -> bool:
        """Wait; say whether the run still goes on."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._given.wait()
        return not self.is_given


@dataclass(slots=True)
class Purse:
    """What the calls of a run may take from the budget.

    Attributes
    ----------
    budget : Budget
        Of the protocol.
    spending : Spending
        What the record has spent.
    ending : Ending
        Told when the budget has no room for a further call.
    """

    budget: Budget
    spending: Spending
    ending: Ending
    _settled: asyncio.Event = field(default_factory=asyncio.Event)

    async def affords(
        self, call: Expected, in_hand: Callable[[], Awaitable[bool]] | None = None
    ) -> bool:
        """Set a call's expected cost aside; end the run when the budget has no room for it.

        Parameters
        ----------
        call : Expected
            What it is expected to take.
        in_hand : Callable[[], Awaitable[bool]] | None
            Finishes what the worker still has in hand before it waits for others; gives False when
            there was nothing.

        Returns
        -------
        bool
            False when the run is to end.
        """
        while not self.ending.is_given:
            reason = self.spending.reached(self.budget, call)
            if not reason:
                self.spending.begin(call)
                return True
            if not self.spending.under_way or self.spending.has_no_calls(self.budget):
                self.ending.give(reason)
                return False
            if in_hand is not None and await in_hand():
                continue
            # What is under way may turn out cheaper than was set aside for it.
            self._settled.clear()
            await self._settled.wait()
        return False

    def settle(self, call: Expected, usage: Usage | None, cost: float | None) -> None:
        """Put what a call really took in the place of what was set aside."""
        self.spending.end(call, usage, cost)
        self._settled.set()
