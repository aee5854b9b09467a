"""What each strategy will ask, before anything is spent: its calls, and which it shares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.presentations.presentation import Purpose
from counterbalance.presentations.reply import Usage
from counterbalance.protocol.strategies.voting import Voter
from counterbalance.run.spending import cost_usd

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from counterbalance.presentations.presentation import PlanEntry, PresentationKey
    from counterbalance.protocol.prices_section import Price
    from counterbalance.protocol.protocol import Protocol

__all__ = ["StrategyForecast", "strategy_forecasts"]


@dataclass(frozen=True, slots=True)
class StrategyForecast:
    """What one strategy asks of one judge or panel.

    Attributes
    ----------
    strategy : str
        Its id.
    title : str
        What it does.
    judge : str
        The judge, or the panel.
    calls : int
        Calls that its result rests on, without retries and without those on call.
    shared : int
        Those among them that are planned for something listed before it as well: they are asked
        once.
    most_on_call : int
        Further calls at most, where the first judge disagrees with itself.
    prompt_tokens : int
        Estimate for ``calls``.
    completion_tokens : int
        Upper estimate for ``calls``.
    by_judge : dict[str, tuple[int, int, int]]
        Calls, prompt tokens and reply tokens of each judge, those on call among them: what a price
        table takes.
    cost_usd : float | None
        By the price table for all of them, shared ones included; None where any judge is unpriced.
    batch_cost_usd : float | None
        The same in batches; None where nobody declared what any judge costs there.
    """

    strategy: str
    title: str
    judge: str
    calls: int
    shared: int
    most_on_call: int
    prompt_tokens: int
    completion_tokens: int
    by_judge: dict[str, tuple[int, int, int]]
    cost_usd: float | None = None
    batch_cost_usd: float | None = None


def strategy_forecasts(
    protocol: Protocol, plan: Sequence[PlanEntry], usage: Mapping[PresentationKey, Usage]
) -> tuple[StrategyForecast, ...]:
    """Count what each strategy asks.

    Parameters
    ----------
    protocol : Protocol
        Declares the strategies.
    plan : Sequence[PlanEntry]
        Every planned presentation.
    usage : Mapping[PresentationKey, Usage]
        Estimate for each.

    Returns
    -------
    tuple[StrategyForecast, ...]
        One for each row of `Protocol.strategy_rows`, in that order.
    """
    planned: dict[tuple[str, Voter], list[PresentationKey]] = {}
    known: set[PresentationKey] = set()
    for entry in plan:
        shown = entry.presentation
        if entry.purpose is Purpose.STRATEGY:
            voter = Voter(shown.prompt, shown.judge, shown.temperature, shown.labelling)
            planned.setdefault((entry.strategy, voter), []).append(shown.key)
        else:
            known.add(shown.key)
    in_batches = {
        name: price.of_batches
        for name, price in protocol.prices.items()
        if price.of_batches is not None
    }
    found = []
    for row in protocol.strategy_rows:
        calls: list[PresentationKey] = []
        on_call: list[PresentationKey] = []
        by_judge: dict[str, tuple[int, int, int]] = {}
        for voter in row.voters:
            own = planned.get((row.strategy.id, voter.standing), [])
            (on_call if voter.is_on_call else calls).extend(own)
            by_judge[voter.judge] = _added(by_judge.get(voter.judge, (0, 0, 0)), own, usage)
        _, prompt_tokens, completion_tokens = _added((0, 0, 0), calls, usage)
        found.append(
            StrategyForecast(
                strategy=row.strategy.id,
                title=row.strategy.title,
                judge=row.judge,
                calls=len(calls),
                shared=sum(key in known for key in calls),
                most_on_call=len(on_call),
                prompt_tokens=prompt_tokens,
                completion_tokens=completion_tokens,
                by_judge=by_judge,
                cost_usd=_cost(by_judge, protocol.prices),
                batch_cost_usd=_cost(by_judge, in_batches),
            )
        )
        known.update(calls, on_call)
    return tuple(found)


def _cost(
    by_judge: Mapping[str, tuple[int, int, int]], prices: Mapping[str, Price]
) -> float | None:
    costs = [
        cost_usd(Usage(prompt, completion, is_measured=False), prices.get(judge))
        for judge, (_, prompt, completion) in by_judge.items()
    ]
    known = [cost for cost in costs if cost is not None]
    return math.fsum(known) if len(known) == len(costs) else None


def _added(
    before: tuple[int, int, int],
    keys: Sequence[PresentationKey],
    usage: Mapping[PresentationKey, Usage],
) -> tuple[int, int, int]:
    calls, prompt_tokens, completion_tokens = before
    return (
        calls + len(keys),
        prompt_tokens + sum(usage[key].prompt_tokens for key in keys),
        completion_tokens + sum(usage[key].completion_tokens for key in keys),
    )
