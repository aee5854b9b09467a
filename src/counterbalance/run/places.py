"""Places for the calls that may be under way, handed on in the order in which they were asked for.

The semaphore of asyncio looks at every waiter that was served before when it serves the next one,
which takes quadratic time where many replies come at once, as they do from a far endpoint.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["Places"]


class Places:
    """So many places; each is held for the length of a block.

    Parameters
    ----------
    n_places : int
        How many.
    """

    def __init__(self, n_places: int) -> None:
        self._n_free = n_places
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def __aenter__(self) -> None:
        """Take a place, once there is one."""
        # Who waits is served as soon as a place is given back: a free one has nobody before it.
        if self._n_free:
            self._n_free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self._give_back()
            raise

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Hand the place on."""
        self._give_back()

    def _give_back(self) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._n_free += 1
