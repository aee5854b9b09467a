"""How fast one judge may be asked: requests and tokens a minute, and pauses it asks for itself.

Calls are spaced evenly instead of being let through in bursts, so that no minute of any position
holds more than the limit. Clock and sleep are handed in; a clock that goes backwards stands still.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

__all__ = ["Limiter", "Pace"]

_MINUTE = 60.0


class Pace:
    """Even spacing of something that is limited by the minute.

    Parameters
    ----------
    per_minute : float
        The limit.
    """

    def __init__(self, per_minute: float) -> None:
        self._seconds_each = _MINUTE / per_minute
        self._most = per_minute
        self._free_at = 0.0

    @property
    def free_at(self) -> float:
        """When the next place in the row is free, in seconds."""
        return self._free_at

    def take(self, amount: float, begin: float) -> None:
        """Take a place in the row.

        Parameters
        ----------
        amount : float
            How much is taken; more than a whole minute's worth counts as that.
        begin : float
            When the call begins, in seconds; not before `free_at`.
        """
        self._free_at = begin + min(amount, self._most) * self._seconds_each

    def correct(self, amount: float) -> None:
        """Take more, or give back a part (negative), once it is known what was really used."""
        self._free_at += amount * self._seconds_each

    def begin_again(self, at: float) -> None:
        """Forget every place in the row; the next one is free at a time."""
        self._free_at = at


class Limiter:
    """The pace of one judge.

    Parameters
    ----------
    requests_per_minute : int | None
        Most calls begun in a minute; None for no limit.
    tokens_per_minute : int | None
        Most tokens in a minute; None for no limit.
    clock : Callable[[], float]
        Seconds of a monotonic clock.
    sleep : Callable[[float], Awaitable[bool]]
        Waits so many seconds; gives False when it was ended early because the run is.
    """

    def __init__(
        self,
        requests_per_minute: int | None,
        tokens_per_minute: int | None,
        *,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[bool]],
    ) -> None:
        self._requests = Pace(requests_per_minute) if requests_per_minute else None
        self._tokens = Pace(tokens_per_minute) if tokens_per_minute else None
        self._is_unlimited = self._requests is None and self._tokens is None
        self._clock = clock
        self._sleep = sleep
        self._latest = 0.0
        self._paused_until = 0.0

    @property
    def is_free(self) -> bool:
        """Whether a call may begin without any wait."""
        return self._is_unlimited and self._left_of_pause() <= 0

    async def admitted(self, tokens: float) -> bool:
        """Wait until a call may begin.

        Parameters
        ----------
        tokens : float
            Estimate of what it will use.

        Returns
        -------
        bool
            False when the run was ended while it waited.
        """
        while not self.is_free:
            wait = self._left_of_pause()
            if wait <= 0:
                wait = self._reserved(tokens)
                began = self._paused_until
                if wait <= 0:
                    return True
                if not await self._sleep(wait):
                    return False
                # A pause that began meanwhile has emptied the row.
                if began == self._paused_until:
                    return True
            elif not await self._sleep(wait):
                return False
        return True

    async def resumed(self) -> bool:
        """Wait until no pause is left; give False when the run was ended while it waited."""
        while (wait := self._left_of_pause()) > 0:
            if not await self._sleep(wait):
                return False
        return True

    def settle(self, estimated: float, used: float | None) -> None:
        """Correct the row of tokens by what a call really used; None keeps the estimate."""
        if self._tokens is not None and used is not None:
            self._tokens.correct(used - estimated)

    def pause(self, seconds: float) -> None:
        """Let nobody begin for so many seconds; a longer pause that is under way stays."""
        until = self._now() + seconds
        if until > self._paused_until:
            self._paused_until = until
            for pace in (self._requests, self._tokens):
                if pace is not None:
                    pace.begin_again(until)

    def _reserved(self, tokens: float) -> float:
        now = self._now()
        paces = [
            (pace, amount)
            for pace, amount in ((self._requests, 1.0), (self._tokens, tokens))
            if pace is not None
        ]
        # What waits for the slower pace takes its place in the other one then, not before.
        begin = max([now, *(pace.free_at for pace, _ in paces)])
        for pace, amount in paces:
            pace.take(amount, begin)
        return begin - now

    def _left_of_pause(self) -> float:
        return self._paused_until - self._now() if self._paused_until else 0.0

    def _now(self) -> float:
        self._latest = max(self._latest, self._clock())
        return self._latest
