"""Group commit: many waiting coroutines, one thread, one transaction for all that wait.

While one batch is being forced to disk the next one gathers, so that the cost of a commit is shared
by everybody who waits for it. Knows nothing of what is written.
"""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from counterbalance.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["GroupWriter"]

T = TypeVar("T")

Answer = RecordError | None


class _Waiting(NamedTuple, Generic[T]):
    entry: T
    future: asyncio.Future[None]


class GroupWriter(Generic[T]):
    """A thread that writes what coroutines hand in, and answers each after the commit.

    After the first failure to commit, everything that is still queued and everything handed in
    later fails in the same way: nothing is ever half recorded.

    Parameters
    ----------
    name : str
        What the entries go into, for messages.
    write : Callable[[Sequence[T]], Sequence[Answer]]
        Commits a batch and returns one answer for each entry: None, or why that entry alone was
        refused. Raises `RecordError` when nothing of the batch could be committed.
    """

    def __init__(self, name: str, write: Callable[[Sequence[T]], Sequence[Answer]]) -> None:
        self._name = name
        self._write = write
        self._gate = threading.Lock()
        self._wake = threading.Event()
        self._waking: asyncio.AbstractEventLoop | None = None
        self._due = 0.0
        self._patience = 0.0
        self._waiting: list[_Waiting[T]] = []
        self._is_closed = False
        self._failure: RecordError | None = None
        self._thread = threading.Thread(target=self._run, name="record-writer", daemon=True)
        self._thread.start()

    def submit(self, entry: T, patience: float = 0.0) -> asyncio.Future[None]:
        """Hand an entry in; what is handed in later is never on disk before it.

        A caller that is cancelled while it waits may find the entry recorded or not.

        Parameters
        ----------
        entry : T
            What is to be written.
        patience : float
            Seconds for which the commit may wait for more entries to share it.

        Returns
        -------
        asyncio.Future[None]
            Done once the entry is on disk; fails with a RecordError if it was refused, or nothing
            can be written any more.

        Raises
        ------
        RecordError
            If the writer was closed.
        """
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        with self._gate:
            if self._is_closed:
                msg = f"{self._name}: the record is closed"
                raise RecordError(msg)
            if self._failure is not None:
                _refuse(future, _again(self._failure))
            else:
                self._waiting.append(_Waiting(entry, future))
                self._wake_within(loop, patience)
        return future

    def close(self) -> None:
        """Write what is queued, and end the thread."""
        with self._gate:
            self._is_closed = True
        self._wake.set()
        self._thread.join()

    def _wake_within(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        # Never before whatever else is ready now: everybody who hands in at once is in one batch,
        # and the thread does not compete with them for the interpreter.
        if self._waking is loop and seconds >= self._patience:
            return
        due = loop.time() + seconds
        if self._waking is not loop or due < self._due:
            self._waking, self._due, self._patience = loop, due, seconds
            loop.call_later(seconds, self._wake.set)

    def _run(self) -> None:
        try:
            while self._write_next():
                pass
        finally:
            # Reached early only by a fault of the program: nobody may be left waiting for ever.
            self._fail(RecordError(f"{self._name}: the writer ended unexpectedly"))

    def _write_next(self) -> bool:
        """Write what has gathered; False when that was the last."""
        self._wake.wait()
        self._wake.clear()
        with self._gate:
            batch, self._waiting = self._waiting, []
            self._waking = None
            is_last = self._is_closed
        if batch:
            self._write_batch(batch)
        return not is_last

    def _write_batch(self, batch: list[_Waiting[T]]) -> None:
        failed = RecordError(f"{self._name}: the writer failed")
        answers: Sequence[Answer] = [failed] * len(batch)
        try:
            answers = self._write([waiting.entry for waiting in batch])
        except RecordError as error:
            self._fail(error)
            answers = [_again(error) for _ in batch]
        finally:
            _settle_all(zip(batch, answers, strict=True))

    def _fail(self, error: RecordError) -> None:
        with self._gate:
            self._failure = failure = self._failure or error
            left, self._waiting = self._waiting, []
        _settle_all((waiting, _again(failure)) for waiting in left)


def _again(error: RecordError) -> RecordError:
    return type(error)(*error.args)


def _settle_all(answered: Iterable[tuple[_Waiting[T], Answer]]) -> None:
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[None], Answer]]]
    by_loop = defaultdict(list)
    for waiting, answer in answered:
        by_loop[waiting.future.get_loop()].append((waiting.future, answer))
    for loop, futures in by_loop.items():
        # A loop that closed meanwhile has nobody left who waits.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_settle, futures)


def _settle(futures: list[tuple[asyncio.Future[None], Answer]]) -> None:
    for future, answer in futures:
        if future.done():
            continue
        if answer is None:
            future.set_result(None)
        else:
            _refuse(future, answer)


def _refuse(future: asyncio.Future[None], error: RecordError) -> None:
    future.set_exception(error)
    # Whoever was cancelled meanwhile does not ask any more, which is no reason to print a warning.
    future.exception()
