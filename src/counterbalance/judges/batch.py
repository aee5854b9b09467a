"""A judge whose replies came in batch files: it gives each once, and asks nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.errors import JudgeError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from counterbalance.judges.judge import Request
    from counterbalance.presentations.presentation import PresentationKey
    from counterbalance.presentations.reply import Reply

__all__ = ["BatchedJudge"]


class BatchedJudge:
    """Results of batch files.

    Parameters
    ----------
    results : Mapping[PresentationKey, Reply | JudgeError]
        What came of the outstanding attempt at each presentation.
    notes : tuple[str, ...]
        What limits the evidence of the judge behind the batches.
    """

    def __init__(
        self, results: Mapping[PresentationKey, Reply | JudgeError], notes: tuple[str, ...]
    ) -> None:
        self._results = results
        self._notes = notes

    @property
    def notes(self) -> tuple[str, ...]:
        """What limits the evidence this judge gives, in sentences for the report."""
        return self._notes

    async def ask(self, request: Request) -> Reply:
        """Return the result of one request.

        Parameters
        ----------
        request : Request
            What was asked; only its key is looked at.

        Returns
        -------
        Reply
            As it came back.

        Raises
        ------
        JudgeError
            As it came back; with kind ``bad_request`` where nothing did.
        """
        result = self._results.get(request.key)
        if result is None:
            raise JudgeError(kind="bad_request", problem="no batch file holds a result of this")
        if isinstance(result, JudgeError):
            # A new one each time: a raised exception keeps its traceback.
            raise JudgeError(result.kind, result.problem, retry_after=result.retry_after)
        return result

    async def close(self) -> None:
        """Give back nothing: the files are closed."""
