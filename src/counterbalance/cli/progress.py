"""Progress of a run on standard error: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
from collections import Counter
from types import TracebackType
from typing import TYPE_CHECKING, Self

from counterbalance.run.clock import stopwatch

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from counterbalance.record.attempt import Attempt

__all__ = ["RunProgress"]

_SECONDS_BETWEEN_LINES = 10.0


class RunProgress:
    """Shows how far a run is; ``announce`` and ``finished`` are what a run calls.

    Parameters
    ----------
    quiet : bool
        Whether nothing is shown.
    things : str
        What is counted.
    doing : str
        What is done to them, beside the bar.
    """

    def __init__(
        self, *, quiet: bool, things: str = "presentations", doing: str = "judging"
    ) -> None:
        self._quiet = quiet
        self._things = things
        self._doing = doing
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._planned = 0
        self._done = 0
        self._begun = stopwatch()
        self._last_line = self._begun
        self._outcomes: Counter[str] = Counter()

    def __enter__(self) -> Self:
        """Start the bar where there is a terminal for it."""
        if not self._quiet and sys.stderr.isatty():
            self._bar = _bar()
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the bar away and leave one line."""
        if self._bar is not None:
            self._bar.stop()
        if not self._quiet and self._done:
            self._line()

    def announce(self, planned: int, recorded: int) -> None:
        """Say what will be asked, before the first call."""
        self._planned = planned - recorded
        if self._quiet:
            return
        already = f", {recorded} recorded already" if recorded else ""
        self._say(f"{planned} {self._things} planned{already}")
        if self._bar is not None:
            self._task = self._bar.add_task(self._doing, total=self._planned)

    def finished(self, attempt: Attempt) -> None:
        """Count one recorded attempt."""
        self.counted(attempt.outcome.kind.value)

    def counted(self, outcome: str) -> None:
        """Count one thing that is done, by what came of it."""
        self._done += 1
        self._outcomes[outcome] += 1
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=min(self._done, self._planned))
        elif not self._quiet and stopwatch() - self._last_line >= _SECONDS_BETWEEN_LINES:
            self._line()

    def _line(self) -> None:
        self._last_line = stopwatch()
        seconds = self._last_line - self._begun
        counts = ", ".join(f"{kind} {n}" for kind, n in self._outcomes.most_common())
        self._say(
            f"{self._done} calls for {self._planned} {self._things}, {seconds:.0f} s: {counts}"
        )

    def _say(self, line: str) -> None:
        try:
            print(line, file=sys.stderr, flush=True)
        except OSError:
            # Nobody listens any more; the run goes on, only without telling.
            self._quiet = True


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
