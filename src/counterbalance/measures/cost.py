"""What the verdicts of one group cost: calls, tokens, seconds, and money where it is known.

A call without a price, or without its tokens, costs an unknown amount and never nothing: sums over
such calls are lower bounds, and say so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.dispositions.codes import ORDERS
from counterbalance.dispositions.disposition import STABLE
from counterbalance.measures.agreement import is_accepted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.measures.group import JudgedPair
    from counterbalance.record.attempt import Attempt

__all__ = ["Spent", "UnitCost", "group_spent", "spent_on", "unit_costs"]


@dataclass(frozen=True, slots=True)
class Spent:
    """What calls took.

    Attributes
    ----------
    calls : int
        Calls, retries and lost ones included.
    with_tokens : int
        Calls whose tokens are known.
    estimated : int
        Calls among them whose tokens are an estimate; the engine counted the others'.
    prompt_tokens : int
        Of the calls whose tokens are known.
    completion_tokens : int
        Of the same calls, reasoning included.
    priced : int
        Calls whose cost is known.
    cost_usd : float | None
        What these cost in dollars; None where there is none.
    timed : int
        Calls whose duration is known.
    seconds : float
        What these took, one after the other.
    batched : int
        Calls that came back in batch files, which have a price of their own.
    """

    calls: int
    with_tokens: int
    estimated: int
    prompt_tokens: int
    completion_tokens: int
    priced: int
    cost_usd: float | None
    timed: int
    seconds: float
    batched: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether the cost of every call is known."""
        return self.priced == self.calls


@dataclass(frozen=True, slots=True)
class UnitCost:
    """Cost for one of something.

    Attributes
    ----------
    name : str
        ``pair``, ``stable_verdict`` or ``correct_verdict``.
    value : float | None
        Dollars.
    denominator : int
        How many of them there are.
    is_lower_bound : bool
        Whether calls of unknown cost are missing from the numerator.
    undefined : str | None
        Why there is no value, in a sentence.
    """

    name: str
    value: float | None
    denominator: int
    is_lower_bound: bool
    undefined: str | None


def spent_on(attempts: Iterable[Attempt]) -> Spent:
    """Add up what calls took.

    Parameters
    ----------
    attempts : Iterable[Attempt]
        The calls.

    Returns
    -------
    Spent
        Known amounts, and how many calls they are of.

    Notes
    -----
    **Unit of analysis**: the call.
    **Denominator**: none; each sum names how many calls it is of.
    **Undefined**: the cost where no call has one.

    References
    ----------
    .. [1] Sums; this product's.
    """
    made = list(attempts)
    usages = [a.reply.usage for a in made if a.reply is not None and a.reply.usage is not None]
    costs = [a.cost_usd for a in made if a.cost_usd is not None]
    durations = [a.seconds for a in made if a.seconds is not None]
    return Spent(
        calls=len(made),
        with_tokens=len(usages),
        estimated=sum(not usage.is_measured for usage in usages),
        prompt_tokens=sum(usage.prompt_tokens for usage in usages),
        completion_tokens=sum(usage.completion_tokens for usage in usages),
        priced=len(costs),
        cost_usd=math.fsum(costs) if costs else None,
        timed=len(durations),
        seconds=math.fsum(durations),
        batched=sum(a.reply is not None and a.reply.sent.get("batch") is True for a in made),
    )


def group_spent(pairs: Sequence[JudgedPair]) -> Spent:
    """Add up the calls that the dispositions of a group rest on.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The pairs of one judge and labelling.

    Returns
    -------
    Spent
        Of every main presentation, retries and calls beyond the rule included; the repetition
        subset, which measures noise, is left out.

    Notes
    -----
    **Unit of analysis**: the call.
    **Denominator**: none; each sum names how many calls it is of.
    **Undefined**: the cost where no call has one.

    References
    ----------
    .. [1] Sums; this product's.
    """
    return spent_on(
        attempt for judged in pairs for _, shown in judged.main() for attempt in shown.attempts
    )


def unit_costs(spent: Spent, pairs: PairColumns) -> tuple[UnitCost, ...]:
    """Say what a pair, a stable verdict and a correct verdict of a group cost.

    Parameters
    ----------
    spent : Spent
        What the group took.
    pairs : PairColumns
        Its pairs.

    Returns
    -------
    tuple[UnitCost, ...]
        By pair, by stable verdict, by correct verdict.

    Notes
    -----
    Everything that was spent is shared out among what came of it: failed calls, retries and pairs
    that ended without a stable verdict make the others dearer.

    **Unit of analysis**: the pair.
    **Denominator**: pairs with a planned presentation; pairs whose orders say the same; pairs whose
    verdicts in both orders are in the accepted reference set.
    **Undefined** where no call has a known cost, or none of them came about.

    References
    ----------
    .. [1] Ratios; this product's.
    """
    is_stable = pairs.is_any_of(STABLE)
    is_correct = pairs.has_two_verdicts & (pairs.accepted > 0)
    for order in ORDERS:
        is_correct &= is_accepted(pairs.verdict(order), pairs.accepted)
    counts = {
        "pair": int((pairs.planned.sum(axis=0) > 0).sum()),
        "stable_verdict": int(is_stable.sum()),
        "correct_verdict": int(is_correct.sum()),
    }
    has_reference = bool((pairs.accepted > 0).any())
    return tuple(
        _unit_cost(name, n, spent, _why_none(name, has_reference=has_reference))
        for name, n in counts.items()
    )


def _why_none(name: str, *, has_reference: bool) -> str:
    if name == "correct_verdict" and not has_reference:
        return "No pair has a reference."
    return f"There is no {name.replace('_', ' ')}."


def _unit_cost(name: str, n: int, spent: Spent, why_none: str) -> UnitCost:
    reason = None
    if not spent.calls:
        reason = "No call was made."
    elif spent.cost_usd is None:
        reason = "Unpriced: no call has a known cost."
    elif not n:
        reason = why_none
    value = None if reason or spent.cost_usd is None else spent.cost_usd / n
    return UnitCost(name, value, n, value is not None and not spent.is_whole, reason)
