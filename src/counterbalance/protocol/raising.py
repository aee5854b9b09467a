"""The limit that a retry may raise: which judges have one, and what must hold of the new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.protocol.judge_settings import (
    CallableJudge,
    CommandJudge,
    HttpJudge,
    JudgeSettings,
    LocalJudge,
    ReplayJudge,
    ScriptedJudge,
)
from counterbalance.protocol.reply_limits import LIMITS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.protocol.sections import Retry

__all__ = ["limits_of", "raised_limit", "raising_misfits"]

_PLACE = "retry.raise_max_tokens_to"


def limits_of(judge: JudgeSettings) -> dict[str, int]:
    """Return the limits of a reply that a judge is asked with, by parameter.

    Parameters
    ----------
    judge : JudgeSettings
        The judge as the protocol declares it.

    Returns
    -------
    dict[str, int]
        Empty for a judge without a limit, for one that is held to a label, and for a replayed one,
        whose limits are those of the record.
    """
    declared: dict[str, object] = {}
    if isinstance(judge, HttpJudge):
        declared = {"max_tokens": judge.max_tokens, **judge.parameters}
    elif isinstance(judge, ScriptedJudge | CommandJudge | CallableJudge) or (
        isinstance(judge, LocalJudge) and not judge.constrained
    ):
        declared = {"max_tokens": judge.max_tokens}
    return {k: v for k in LIMITS if isinstance(v := declared.get(k), int)}


def raised_limit(judge: JudgeSettings, retry: Retry) -> int | None:
    """Return the limit that a judge is asked with after a reply was cut; None when it stays.

    Parameters
    ----------
    judge : JudgeSettings
        The judge as the protocol declares it.
    retry : Retry
        The retry rule.

    Returns
    -------
    int | None
        In tokens; a replayed judge takes part in the raise of the record that it replays.
    """
    has_one = isinstance(judge, ReplayJudge) or bool(limits_of(judge))
    return retry.raise_max_tokens_to if has_one else None


def raising_misfits(judges: Sequence[JudgeSettings], retry: Retry) -> Iterator[tuple[str, str]]:
    """Yield what keeps the declared limit from being a raise.

    Parameters
    ----------
    judges : Sequence[JudgeSettings]
        Who is asked.
    retry : Retry
        The retry rule.

    Yields
    ------
    tuple[str, str]
        Place in the file, and the problem.
    """
    raised = retry.raise_max_tokens_to
    if raised is None:
        return
    for i, judge in enumerate(judges, start=1):
        for name, limit in limits_of(judge).items():
            if limit >= raised:
                problem = f"is {raised}, and judges[{i}] has {name} {limit} already; give more"
                yield _PLACE, problem
        if isinstance(judge, HttpJudge) and not limits_of(judge):
            problem = f"needs a limit that can be raised; set it below {raised}"
            yield f"judges[{i}].max_tokens", problem
        if isinstance(judge, LocalJudge) and limits_of(judge) and raised >= judge.context_tokens:
            problem = (
                f"is {raised}, and judges[{i}] has context_tokens {judge.context_tokens}, which"
                " leaves no room for the request; give less"
            )
            yield _PLACE, problem
    if all(raised_limit(judge, retry) is None for judge in judges):
        yield _PLACE, "no judge has a limit that could be raised; leave it out"
