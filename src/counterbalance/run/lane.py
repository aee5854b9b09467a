"""One judge's way through a run: its pace, what a failure costs, and when failures end the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.errors import JudgeError, one_line
from counterbalance.parsing.outcome import FailureKind, Outcome, OutcomeKind
from counterbalance.protocol.judge_settings import PacedJudge
from counterbalance.run.limits import Limiter
from counterbalance.run.places import Places

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from counterbalance.presentations.reply import Usage
    from counterbalance.protocol.judge_settings import JudgeSettings

__all__ = ["Lane"]

LONGEST_PAUSE_SECONDS = 300.0
"""A longer wait that an endpoint asks for ends the run instead: a rerun goes on later."""
_WORKERS = {"scripted": 64, "replay": 64}
"""Calls under way at once of judges that only compute; the embedded model takes one at a time."""
_SHARE_OF_A_CALL = 0.2
_LONGEST_PATIENCE_SECONDS = 0.05
_FIRST_BACKOFF_SECONDS = 0.25
_LONGEST_BACKOFF_SECONDS = 60.0
_TOKENS_OF_A_REPLY = 16.0


class Lane:
    """What the workers of one judge share.

    Parameters
    ----------
    settings : JudgeSettings
        The judge as the protocol declares it.
    clock : Callable[[], float]
        Seconds of a monotonic clock.
    sleep : Callable[[float], Awaitable[bool]]
        Waits so many seconds; gives False when the run was ended meanwhile.
    """

    def __init__(
        self,
        settings: JudgeSettings,
        *,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[bool]],
    ) -> None:
        paced = settings if isinstance(settings, PacedJudge) else None
        self._name = settings.name
        self._most = paced.max_consecutive_failures if paced else None
        self._clock = clock
        self._kind: FailureKind | None = None
        self._n_in_a_row = 0
        self._last_counted_at = 0.0
        self._longest_reply = _TOKENS_OF_A_REPLY
        self._is_given_up = False
        n_slots = paced.concurrency if paced else _WORKERS.get(settings.kind, 1)
        self.slots = Places(n_slots)
        """One for each call that may be under way."""
        self._n_ahead = _ahead(paced) if paced else 0
        self.workers = n_slots + self._n_ahead
        """Presentations worked on at once: the calls under way, and the next ones, which are made
        ready and recorded as started while no slot is free."""
        self.patience = 0.0
        """Seconds for which a commit may wait for others to share it."""
        self.limiter = Limiter(
            paced.requests_per_minute if paced else None,
            paced.tokens_per_minute if paced else None,
            clock=clock,
            sleep=sleep,
        )
        """The judge's pace."""

    def estimated_tokens(self, prompt_tokens: int) -> float:
        """Return an estimate of a call's tokens: its prompt and the longest reply so far."""
        return prompt_tokens + self._longest_reply

    def heard(self, usage: Usage | None, estimated: float, seconds: float) -> None:
        """Take note of what a call used, and of how long it took."""
        if self._n_ahead:
            self.patience = min(seconds * _SHARE_OF_A_CALL, _LONGEST_PATIENCE_SECONDS)
        used = None if usage is None else usage.prompt_tokens + usage.completion_tokens
        if usage is not None:
            self._longest_reply = max(self._longest_reply, usage.completion_tokens)
        self.limiter.settle(estimated, used)

    @property
    def is_ready(self) -> bool:
        """Whether a started call may be sent without any wait."""
        return self.limiter.is_free and not self._is_given_up

    async def is_open(self) -> bool:
        """Wait while the endpoint asked for a pause; say whether a started call may be sent."""
        return await self.limiter.resumed() and not self._is_given_up

    def reason_to_stop(self, outcome: Outcome, error: JudgeError | None, begun: float) -> str:
        """Say why no further call should be made after this one, empty when all is well.

        Parameters
        ----------
        outcome : Outcome
            What came of the call.
        error : JudgeError | None
            What the judge raised, if it did.
        begun : float
            When the call began, on the lane's clock.

        Returns
        -------
        str
            A sentence for the user.
        """
        if outcome.kind is not OutcomeKind.FAILED or outcome.failure is None:
            self._kind, self._n_in_a_row = None, 0
            return ""
        reason = self._reason(outcome.failure, error, begun)
        self._is_given_up = self._is_given_up or bool(reason)
        return reason

    def _reason(self, failure: FailureKind, error: JudgeError | None, begun: float) -> str:
        self._count(failure, begun)
        said = "" if error is None else one_line(error.problem, 400)
        if error is not None and error.ends_run:
            return f"judge {self._name}: {said}"
        wait = self._wait(failure, error)
        if wait > LONGEST_PAUSE_SECONDS:
            return f"judge {self._name}: asks to wait {wait:.0f} s; run again after that ({said})"
        if wait > 0:
            self.limiter.pause(wait)
        if self._most is not None and self._n_in_a_row >= self._most:
            return (
                f"judge {self._name}: {self._n_in_a_row} calls in a row failed"
                f" ({failure}); the last one said: {said}"
            )
        return ""

    def _count(self, kind: FailureKind, begun: float) -> None:
        if kind is not self._kind:
            self._kind, self._n_in_a_row = kind, 0
        elif kind is FailureKind.RATE_LIMITED and begun < self._last_counted_at:
            # Calls that were under way together were all sent before the limit was known.
            return
        self._n_in_a_row += 1
        self._last_counted_at = self._clock()

    def _wait(self, kind: FailureKind, error: JudgeError | None) -> float:
        if error is not None and error.retry_after is not None:
            return error.retry_after
        return self.backoff(self._n_in_a_row) if kind is FailureKind.RATE_LIMITED else 0.0

    @staticmethod
    def backoff(n_failures: int) -> float:
        """Return how long to wait after so many failures, where the endpoint names no time."""
        exponent = min(max(n_failures, 1) - 1, 16)
        return float(min(_FIRST_BACKOFF_SECONDS * 2**exponent, _LONGEST_BACKOFF_SECONDS))


def _ahead(judge: PacedJudge) -> int:
    """Return how many calls are recorded as started before there is a slot for them."""
    # Where the pace is limited, a call admitted too early would be sent too late.
    if judge.requests_per_minute or judge.tokens_per_minute:
        return 0
    # While a record takes no longer than the endpoint, no slot waits for the disk.
    return judge.concurrency
