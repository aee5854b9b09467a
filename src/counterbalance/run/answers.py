"""What came back from a judge, made fit for the record: a whole reply, or a typed failure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.errors import JudgeError, one_line
from counterbalance.items.hashing import canonical_json
from counterbalance.parsing.outcome import FailureKind, Outcome, OutcomeKind
from counterbalance.presentations.reply import Reply

if TYPE_CHECKING:
    from typing import Any

__all__ = ["checked_reply", "failed_outcome"]

_FAULT = FailureKind.SERVER.value


def checked_reply(answer: Any) -> Reply:  # noqa: ANN401 (whatever a judge gave back)
    """Return a judge's answer if it is a reply that can be recorded.

    Parameters
    ----------
    answer : Any
        What the judge gave back.

    Returns
    -------
    Reply
        The same.

    Raises
    ------
    JudgeError
        With kind ``server`` when it is no reply, or holds what no record can.
    """
    if not isinstance(answer, Reply):
        found = one_line(type(answer).__name__)
        problem = f"the judge gave back {found} instead of a reply"
        raise JudgeError(_FAULT, problem)
    for name in ("text", "finish", "reasoning", "refusal", "model", "fingerprint"):
        if not isinstance(value := getattr(answer, name), str):
            found = one_line(type(value).__name__)
            problem = f"the judge's {name} is {found} instead of text"
            raise JudgeError(_FAULT, problem)
    try:
        canonical_json(answer.sent)
    except (TypeError, ValueError, RecursionError) as error:
        problem = f"the judge's record of what it sent is no JSON: {one_line(error)}"
        raise JudgeError(_FAULT, problem) from None
    return answer


def failed_outcome(error: JudgeError) -> Outcome:
    """Return the outcome of a call that brought no reply; a kind that nobody knows is server's."""
    if error.kind == OutcomeKind.TOO_LONG:
        return Outcome(OutcomeKind.TOO_LONG, "judge:too_long")
    known = error.kind in {kind.value for kind in FailureKind}
    failure = FailureKind(error.kind) if known else FailureKind.SERVER
    return Outcome(OutcomeKind.FAILED, "judge:failed", failure=failure)
