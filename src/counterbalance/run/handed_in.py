"""What a worker handed in to the record last, until that is known to be on disk.

A worker goes on with its next call meanwhile. The record writes in the order in which it is handed
things, so that one wait for the start of that call is a wait for the attempt before it, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from counterbalance.record.attempt import Attempt

if TYPE_CHECKING:
    from collections.abc import Awaitable

__all__ = ["Finished", "HandedIn"]

Finished = Callable[[Attempt], None]
"""Called with each attempt once it is on disk."""


class HandedIn:
    """The latest attempt of one worker.

    Parameters
    ----------
    finished : Finished
        Told of every attempt that is on disk.
    """

    def __init__(self, finished: Finished) -> None:
        self._finished = finished
        self._latest: tuple[Attempt, Awaitable[None]] | None = None

    def hand_in(self, attempt: Attempt, written: Awaitable[None]) -> None:
        """Remember an attempt; the one before it is on disk.

        Parameters
        ----------
        attempt : Attempt
            What was handed in.
        written : Awaitable[None]
            Done once it is on disk.
        """
        self._latest = attempt, written

    async def on_disk(self) -> bool:
        """Wait until the latest attempt is on disk, and tell of it.

        Returns
        -------
        bool
            False when it was told of before, and nothing was waited for.
        """
        if self._latest is None:
            return False
        (attempt, written), self._latest = self._latest, None
        await written
        self._finished(attempt)
        return True
