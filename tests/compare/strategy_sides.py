"""Strategies of one judge from words, through the real types."""

from __future__ import annotations

from builders import in_columns, judged, pair
from counterbalance.compare.strategy_side import (
    CostOfPair,
    StrategySide,
    made_by_one_order,
    made_by_rule,
    side_of,
)
from counterbalance.dispositions.strategy_columns import plain_results


def strategy(
    said: dict[str, tuple[str, str]],
    name: str = "B0",
    *,
    judge: str = "judge",
    by_rule: bool = False,
    accepted: tuple[str, ...] = ("a",),
    categories: dict[str, str] | None = None,
    clusters: dict[str, str] | None = None,
    cost: CostOfPair | None = None,
) -> StrategySide:
    """A strategy under which a judge said of each pair a word in either order."""
    pairs = [
        judged(pair(key, accepted=accepted, cluster=(clusters or {}).get(key, "")), *words)
        for key, words in said.items()
    ]
    columns = in_columns(pairs, "cluster")
    made = made_by_rule(columns, plain_results(columns)) if by_rule else made_by_one_order(columns)
    return side_of(
        columns,
        made,
        judge=judge,
        strategy=name,
        keys=list(said),
        category=[(categories or {}).get(key, "") for key in said],
        stands_for=name,
        cost=cost or CostOfPair(),
    )
