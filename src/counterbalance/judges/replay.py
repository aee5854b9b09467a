"""A judge that gives recorded replies again and asks nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.errors import JudgeError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from counterbalance.judges.judge import Request
    from counterbalance.presentations.presentation import PresentationKey
    from counterbalance.presentations.reply import Reply

__all__ = ["ReplayModel"]


class ReplayModel:
    """Replies handed in by presentation, given back by number of attempt.

    Parameters
    ----------
    replies : Mapping[PresentationKey, Sequence[Reply | JudgeError]]
        What came of the calls of each presentation, replies and failures, in the order they were
        made; attempt n gets the n-th.
    """

    def __init__(self, replies: Mapping[PresentationKey, Sequence[Reply | JudgeError]]) -> None:
        self._replies = {key: tuple(attempts) for key, attempts in replies.items()}

    @property
    def notes(self) -> tuple[str, ...]:
        """What limits the evidence this judge gives, in sentences for the report."""
        return ("The replies were taken from an earlier record; nothing was asked anew.",)

    async def ask(self, request: Request) -> Reply:
        """Return the recorded reply to one attempt.

        Parameters
        ----------
        request : Request
            What is asked; only its key and attempt are looked at.

        Returns
        -------
        Reply
            What was recorded, unchanged.

        Raises
        ------
        JudgeError
            As recorded; with kind ``bad_request`` when the record holds nothing of this attempt.
        """
        recorded = self._replies.get(request.key, ())
        if not 1 <= request.attempt <= len(recorded):
            problem = "the replayed record holds no answer to this presentation"
            if recorded:
                problem += f" beyond attempt {len(recorded)}"
            raise JudgeError(kind="bad_request", problem=problem)
        answer = recorded[request.attempt - 1]
        if isinstance(answer, JudgeError):
            # A new one each time: a raised exception keeps its traceback.
            raise JudgeError(answer.kind, answer.problem)
        return answer

    async def close(self) -> None:
        """Give back nothing: no resource is held."""
