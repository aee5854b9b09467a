"""One free call to the embedded model, to say how long a study will take on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.presentations.assignment import order_plan
from counterbalance.presentations.rendering import Renderer
from counterbalance.run.asking import estimated_tokens, request_for
from counterbalance.run.clock import stopwatch
from counterbalance.run.opening import Given, open_judge

if TYPE_CHECKING:
    from counterbalance.protocol.judge_settings import LocalJudge
    from counterbalance.run.study import Study

__all__ = ["Probe", "probe_local"]


@dataclass(frozen=True, slots=True)
class Probe:
    """One measured call.

    Attributes
    ----------
    prompt_tokens : int
        Tokens of its prompt, measured.
    estimated_tokens : int
        Tokens of the same prompt by the estimate that forecasts use.
    seconds : float
        Time it took.
    """

    prompt_tokens: int
    estimated_tokens: int
    seconds: float


async def probe_local(
    study: Study, settings: LocalJudge, secret: str, threads: int | None
) -> Probe | None:
    """Ask the embedded model one planned question; the reply is thrown away unread.

    Parameters
    ----------
    study : Study
        Protocol and pairs.
    settings : LocalJudge
        The judge.
    secret : str
        Any secret of the usual length.
    threads : int | None
        Threads of the embedded model.

    Returns
    -------
    Probe | None
        None when nothing is planned.
    """
    entry = next(order_plan(study.pairs.pairs, study.protocol, secret), None)
    if entry is None:
        return None
    presentation = entry.presentation
    pair = next(pair for pair in study.pairs.pairs if pair.id == presentation.pair_id)
    request = request_for(presentation, pair, Renderer(study.protocol, secret), 1)
    judge = open_judge(settings, study.protocol, [], study.folder, Given(threads))
    try:
        await judge.ask(request)  # loads the model
        begun = stopwatch()
        reply = await judge.ask(request)
        seconds = stopwatch() - begun
    finally:
        await judge.close()
    estimate = estimated_tokens(request.messages)
    return Probe(reply.usage.prompt_tokens if reply.usage else estimate, estimate, seconds)
