"""What to buy under a cap on money: judge x strategy x repetitions x pairs, all of them tried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri

from counterbalance.statistics.allocation import Costs, Spread, best_allocation
from counterbalance.statistics.variance_components import variance_components

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from counterbalance.compare.pilot import Arm
    from counterbalance.protocol.prices_section import Price

__all__ = ["Bought", "Offer", "budget_grid"]

_MOST_REPEATS = 9
_MILLION = 1_000_000
_POWER = 0.8


@dataclass(frozen=True, slots=True)
class Bought:
    """One cell of the grid.

    Attributes
    ----------
    n_pairs : int
        Pairs that are judged.
    n_repeats : int
        Decisions on each.
    n_calls : int
        Calls that these take, without retries.
    dollars : float
        What they cost.
    half_width : float
        Half the width of the interval around the agreement, by the spread of the pilot.
    """

    n_pairs: int
    n_repeats: int
    n_calls: int
    dollars: float
    half_width: float


@dataclass(frozen=True, slots=True)
class Offer:
    """What the cap buys of one judge with one strategy.

    Attributes
    ----------
    judge : str
        Name of the judge.
    strategy : str
        The strategy.
    agreement : float | None
        Agreement with the references in the pilot.
    n_pilot : int
        Pairs of the pilot that it rests on.
    dollars_per_call : float | None
        What a call costs: by the price, with the tokens of the pilot.
    is_measured : bool
        Whether the engine counted all of those tokens.
    grid : tuple[Bought, ...]
        For each number of repetitions that can be paid, with as many pairs as that leaves.
    best : Bought | None
        The one whose interval is narrowest; of equals the one with fewest repetitions.
    undefined : str | None
        Why there is none, in a sentence.
    note : str
        What limits it, in a sentence; empty for nothing.
    """

    judge: str
    strategy: str
    agreement: float | None
    n_pilot: int
    dollars_per_call: float | None
    is_measured: bool
    grid: tuple[Bought, ...]
    best: Bought | None
    undefined: str | None
    note: str


def budget_grid(
    cap: float,
    arms: Sequence[Arm],
    prices: Mapping[str, Price],
    cluster_sizes: Sequence[int],
    level: float = 0.95,
) -> tuple[Offer, ...]:
    """Try every judge, strategy, number of repetitions and number of pairs that a cap pays for.

    Parameters
    ----------
    cap : float
        Most dollars that may be spent, above 0.
    arms : Sequence[Arm]
        Judges and strategies as the pilot shows them.
    prices : Mapping[str, Price]
        Price of each judge, by name.
    cluster_sizes : Sequence[int]
        Pairs with a reference in each cluster of the planned study.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    tuple[Offer, ...]
        The narrowest interval first; those that cannot be bought last.

    Notes
    -----
    The spread of the agreement is split into clusters, pairs and decisions by
    `statistics.variance_components`, and for every number of repetitions as many clusters as can be
    paid are bought (`statistics.best_allocation`). The spread is the pilot's, and is itself
    uncertain: buy rather more.

    **Unit of analysis**: one decision on one pair; the sampling unit is the cluster.
    **Denominator**: all decisions.
    **Undefined** without a price, without tokens, where the pilot does not vary, or where the cap
    does not reach for two clusters.
    """
    offers = [_offer(cap, arm, prices.get(arm.judge), cluster_sizes, level) for arm in arms]
    return tuple(
        sorted(
            offers,
            key=lambda o: (o.best is None, 0.0 if o.best is None else o.best.half_width),
        )
    )


def _offer(cap: float, arm: Arm, price: Price | None, sizes: Sequence[int], level: float) -> Offer:
    each = _dollars_per_call(arm, price)
    reason = _why_nothing(arm, price, each, sizes)
    grid: tuple[Bought, ...] = ()
    note = ""
    if reason is None and each is not None:
        spread, is_repeated = _spread(arm)
        grid = _grid(cap, arm, each, spread, sizes, level, most=_MOST_REPEATS if is_repeated else 1)
        if not is_repeated:
            note = "The pilot repeats nothing, so one decision on each pair is all that is tried."
        if not grid:
            reason = "The cap does not reach for two clusters, or the pilot shows no spread."
    best = min(grid, key=lambda b: (round(b.half_width, 12), b.n_repeats), default=None)
    return Offer(
        judge=arm.judge,
        strategy=arm.strategy,
        agreement=arm.agreement,
        n_pilot=arm.n_pairs,
        dollars_per_call=each,
        is_measured=not arm.spent.estimated,
        grid=grid,
        best=best,
        undefined=reason,
        note=note,
    )


def _why_nothing(
    arm: Arm, price: Price | None, each: float | None, sizes: Sequence[int]
) -> str | None:
    if price is None:
        return "Unpriced: [prices] has no price of this judge."
    if each is None:
        return "The pilot has no tokens to price."
    if not arm.values:
        return "No decision of the pilot can be held against a reference."
    if len(set(arm.values)) == 1:
        return "All decisions of the pilot agree alike: it shows no spread to plan with."
    return None if sizes else "No planned pair has a reference."


def _spread(arm: Arm) -> tuple[Spread, bool]:
    """Split the spread by source, and say whether repetitions could be told apart."""
    parts = variance_components(arm.values, arm.units, arm.clusters)
    cluster, unit, repeat = (
        part.variance or 0.0 for part in (parts.cluster, parts.unit, parts.repeat)
    )
    if parts.repeat.variance is not None:
        return Spread(cluster, unit, repeat), True
    # Nothing was repeated: what is not between clusters is between pairs, decisions included.
    whole = float(np.var(arm.values, ddof=1))
    return Spread(cluster, max(0.0, whole - cluster), 0.0), False


def _dollars_per_call(arm: Arm, price: Price | None) -> float | None:
    """Return the price of a call with the tokens that calls of the pilot took on average."""
    spent = arm.spent
    if price is None or not spent.with_tokens:
        return None
    whole = (
        spent.prompt_tokens * price.prompt_usd_per_million
        + spent.completion_tokens * price.completion_usd_per_million
    )
    return whole / spent.with_tokens / _MILLION


def _grid(
    cap: float,
    arm: Arm,
    each: float,
    spread: Spread,
    sizes: Sequence[int],
    level: float,
    *,
    most: int,
) -> tuple[Bought, ...]:
    per_cluster = max(1, round(sum(sizes) / len(sizes)))
    found = best_allocation(
        cap,
        Costs(0.0, each, arm.calls_per_decision),
        spread,
        per_cluster,
        len(sizes),
        most_repeats=most,
        power=_POWER,
        error_rate=round(1 - level, 12),
    )
    quantile = -float(ndtri((1 - level) / 2))
    bought = []
    for design in found.designs:
        # Clusters differ in size; together they hold no more pairs than there are.
        pairs = min(design.n_clusters * per_cluster, sum(sizes))
        calls = pairs * design.n_repeats * arm.calls_per_decision
        width = quantile * design.variance**0.5
        bought.append(Bought(pairs, design.n_repeats, calls, calls * each, width))
    return tuple(bought)
