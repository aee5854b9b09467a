"""What became of batch files: counts that add up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["BatchesWritten", "ResultsRead"]

_MOST_PROBLEMS = 10


@dataclass(slots=True)
class BatchesWritten:
    """What was written.

    Attributes
    ----------
    files : list[tuple[Path, int]]
        Each file with its requests.
    requests : int
        Requests in all of them.
    left_to_run : int
        Outstanding presentations of judges that have no batch files here.
    stopped : str
        Why not everything was written: the budget; empty when everything was.
    """

    files: list[tuple[Path, int]] = field(default_factory=list)
    requests: int = 0
    left_to_run: int = 0
    stopped: str = ""


@dataclass(slots=True)
class ResultsRead:
    """What became of every line of the files; the counts add up to ``lines``.

    Attributes
    ----------
    lines : int
        Lines that are not blank.
    fitting : int
        Results of attempts that were outstanding; these are recorded.
    recorded_before : int
        Results of attempts that are recorded already, or need no call any more.
    other_plan : int
        Results of something else than this plan.
    repeated : int
        Results that came again, equal to an earlier one.
    contradictory : int
        Results under one custom_id that contradict one another: none of them is recorded.
    unreadable : int
        Lines that are no result.
    problems : list[str]
        Where and why, for the first of the unreadable and contradictory ones.
    """

    lines: int = 0
    fitting: int = 0
    recorded_before: int = 0
    other_plan: int = 0
    repeated: int = 0
    contradictory: int = 0
    unreadable: int = 0
    problems: list[str] = field(default_factory=list)

    def note(self, problem: str) -> None:
        """Keep a problem, if not too many are kept already."""
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(problem)
