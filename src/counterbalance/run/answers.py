"""What came back from a judge, made fit for the record: a whole reply, or a typed failure."""

from __future__ import annotations

import asyncio
from math import isfinite
from operator import attrgetter
from typing import TYPE_CHECKING

from counterbalance.errors import JudgeError, one_line
from counterbalance.items.hashing import canonical_json
from counterbalance.parsing.outcome import FailureKind, Outcome, OutcomeKind
from counterbalance.presentations.reply import Reply

if TYPE_CHECKING:
    from typing import Any

__all__ = ["checked_reply", "failed_outcome", "fault_of"]

_FAULT = FailureKind.SERVER.value
_TEXTS = ("text", "finish", "reasoning", "refusal", "model", "fingerprint")
_texts_of = attrgetter(*_TEXTS)
_SURELY_JSON = frozenset({str, int, bool, type(None)})


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
    texts = _texts_of(answer)
    if set(map(type, texts)) != {str}:
        _check_texts(texts)
    if _is_plainly_json(answer.sent):
        return answer
    try:
        canonical_json(answer.sent)
    except (TypeError, ValueError, RecursionError) as error:
        problem = f"the judge's record of what it sent is no JSON: {one_line(error)}"
        raise JudgeError(_FAULT, problem) from None
    return answer


def _check_texts(texts: tuple[Any, ...]) -> None:
    for name, value in zip(_TEXTS, texts, strict=True):
        if not isinstance(value, str):
            found = one_line(type(value).__name__)
            problem = f"the judge's {name} is {found} instead of text"
            raise JudgeError(_FAULT, problem)


def _is_plainly_json(sent: Any) -> bool:  # noqa: ANN401 (whatever a judge gave back)
    """Say at little cost that something is JSON; what is not found to be so may still be."""
    if type(sent) is not dict:
        return False
    for name, value in sent.items():
        is_sure = type(value) in _SURELY_JSON or (type(value) is float and isfinite(value))
        if type(name) is not str or not is_sure:
            return False
    return True


def fault_of(error: BaseException) -> JudgeError:
    """Return why a judge brought no reply, as whatever it raised says.

    Parameters
    ----------
    error : BaseException
        What came out of a call.

    Returns
    -------
    JudgeError
        The error itself where it is one; ``cancelled`` where the judge gave its own call up, and
        ``server`` for every other fault, which is evidence and not the run's end.

    Raises
    ------
    asyncio.CancelledError
        If it was this run that was cancelled.
    """
    if isinstance(error, JudgeError):
        return error
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise error
        return JudgeError(FailureKind.CANCELLED, f"cancelled: {error}")
    return JudgeError(FailureKind.SERVER, f"{type(error).__name__}: {error}")


def failed_outcome(error: JudgeError) -> Outcome:
    """Return the outcome of a call that brought no reply; a kind that nobody knows is server's."""
    if error.kind == OutcomeKind.TOO_LONG:
        return Outcome(OutcomeKind.TOO_LONG, "judge:too_long")
    known = error.kind in {kind.value for kind in FailureKind}
    failure = FailureKind(error.kind) if known else FailureKind.SERVER
    return Outcome(OutcomeKind.FAILED, "judge:failed", failure=failure)
