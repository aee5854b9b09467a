"""Tokens of a plan by those of a pilot: what its calls really took, in the place of an estimate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterbalance.measures.cost import Spent
    from counterbalance.protocol.prices_section import Price

__all__ = ["ByPilot", "by_pilot"]

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class ByPilot:
    """What one judge will take if its calls are like those of the pilot.

    Attributes
    ----------
    judge : str
        Its name.
    n_calls : int
        Calls of the pilot whose tokens are known.
    is_measured : bool
        Whether the engine counted all of these.
    prompt_per_call : float
        Prompt tokens of a call.
    completion_per_call : float
        Reply tokens of a call, reasoning included.
    prompt_tokens : float
        Prompt tokens of the planned calls, without retries.
    completion_tokens : float
        Reply tokens of the planned calls.
    cost_usd : float | None
        By the price table; None when unpriced.
    """

    judge: str
    n_calls: int
    is_measured: bool
    prompt_per_call: float
    completion_per_call: float
    prompt_tokens: float
    completion_tokens: float
    cost_usd: float | None


def by_pilot(judge: str, planned_calls: int, spent: Spent, price: Price | None) -> ByPilot:
    """Multiply planned calls by the tokens that a call of the pilot took on average.

    Parameters
    ----------
    judge : str
        Name of the judge.
    planned_calls : int
        Calls without retries.
    spent : Spent
        What the judge's calls of the pilot took; the tokens of one or more are known.
    price : Price | None
        Price of the judge.

    Returns
    -------
    ByPilot
        Tokens and price.
    """
    prompt, completion = (
        total / spent.with_tokens for total in (spent.prompt_tokens, spent.completion_tokens)
    )
    cost = None
    if price is not None:
        each = prompt * price.prompt_usd_per_million + completion * price.completion_usd_per_million
        cost = planned_calls * each / _MILLION
    return ByPilot(
        judge=judge,
        n_calls=spent.with_tokens,
        is_measured=not spent.estimated,
        prompt_per_call=prompt,
        completion_per_call=completion,
        prompt_tokens=planned_calls * prompt,
        completion_tokens=planned_calls * completion,
        cost_usd=cost,
    )
