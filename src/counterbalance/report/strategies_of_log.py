"""Strategies of a log as sides of a comparison, by the log's own verdicts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.compare.strategy_side import (
    CostOfPair,
    Made,
    StrategySide,
    made_by_one_order,
    made_by_rule,
    side_of,
)
from counterbalance.dispositions.disposition import STABLE
from counterbalance.dispositions.from_attempts import pairs_from_attempts
from counterbalance.dispositions.strategy_columns import plain_results
from counterbalance.importers.collected import ALL, SOURCE
from counterbalance.importers.stands_for import STANDS_FOR, StandsFor
from counterbalance.measures.upstream.llmbar import FIRST_ROUND

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from counterbalance.dispositions.attempt_columns import ClusterKind
    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.importers.collected import LogGroup
    from counterbalance.importers.loading import ImportedLog

__all__ = ["BOTH_ORDERS", "strategies_of_log", "usual_baseline"]

BOTH_ORDERS = "{}, both orders"
"""What a strategy is called where both orders are asked and a disagreement becomes a tie."""
_AVERAGED = (
    "A strategy that asks once is averaged over both orders of the log: a pair on which one order"
    " agrees with the reference counts by half."
)
_UNNAMED = "as logged"


def strategies_of_log(
    log: ImportedLog, cluster: ClusterKind = "cluster"
) -> tuple[list[StrategySide], list[str]]:
    """Return the strategies of a log, one side for each judge and strategy.

    Parameters
    ----------
    log : ImportedLog
        Read by judge, strategy and subset; subsets are the categories.
    cluster : ClusterKind
        Unit of uncertainty.

    Returns
    -------
    tuple[list[StrategySide], list[str]]
        The sides, and what must be said of them in sentences.
    """
    columns = pairs_from_attempts(log.collected.columns, cluster)
    groups = {
        group: pairs
        for group, pairs in zip(log.collected.groups, columns, strict=True)
        if group.verdict_by == SOURCE and pairs.n_pairs
    }
    known = STANDS_FOR.get(log.log_format.name, {})
    shown = [g for g in groups if not g.strategy.endswith(FIRST_ROUND)]
    baseline = usual_baseline([(known.get(g.strategy), _name(g)) for g in shown])
    parts: dict[tuple[str, str], list[StrategySide]] = {}
    for group in shown:
        meant = known.get(group.strategy)
        # What only the baseline is asked: how its own two orders fare under the rule of S1.
        for side in _sides(group, groups, meant, with_both=_name(group) == baseline):
            parts.setdefault((side.judge, side.strategy), []).append(side)
    notes = [_AVERAGED] if any(pairs.is_in_two_orders.any() for pairs in groups.values()) else []
    notes += [
        f"{name}: {meant.why}."
        for name, meant in known.items()
        if meant.why and any(group.strategy == name for group in shown)
    ]
    return [_joined(found) for _, found in sorted(parts.items())], notes


def usual_baseline(found: Iterable[tuple[StandsFor | None, str]]) -> str | None:
    """Return the strategy to compare with when nobody names one: B0, or the only one there is."""
    names = dict(reversed([(name, meant) for meant, name in found]))
    plain = [name for name, meant in names.items() if meant is not None and meant.strategy == "B0"]
    if len(plain) == 1:
        return plain[0]
    return next(iter(names)) if len(names) == 1 else None


def _name(group: LogGroup) -> str:
    return _UNNAMED if group.strategy in {ALL, ""} else group.strategy


def _sides(
    group: LogGroup,
    groups: Mapping[LogGroup, PairColumns],
    meant: StandsFor | None,
    *,
    with_both: bool,
) -> Iterator[StrategySide]:
    """Yield a group as one call would have it, and with the rule of S1."""
    pairs = groups[group]
    before = 0 if meant is None else meant.calls_before
    once: float | None = 1.0 + before
    if meant is not None and meant.asks_twice:
        first = group._replace(strategy=group.strategy + FIRST_ROUND)
        once = _calls_of_two_rounds(groups.get(first))
    is_loose = meant is not None and meant.is_loose
    yield side_of(
        pairs,
        made_by_one_order(pairs),
        judge=group.judge,
        strategy=_name(group),
        keys=[str(code) for code in pairs.pair.tolist()],
        category=_categories(group, pairs),
        stands_for="" if meant is None else meant.strategy,
        is_loose=is_loose,
        cost=CostOfPair(once),
    )
    is_asked_twice = meant is not None and meant.asks_twice
    if with_both and not is_asked_twice and pairs.is_in_two_orders.any():
        yield side_of(
            pairs,
            made_by_rule(pairs, plain_results(pairs)),
            judge=group.judge,
            strategy=BOTH_ORDERS.format(_name(group)),
            keys=[str(code) for code in pairs.pair.tolist()],
            category=_categories(group, pairs),
            stands_for="" if meant is None else meant.both_orders,
            is_loose=is_loose,
            cost=CostOfPair(2.0 + before),
        )


def _calls_of_two_rounds(first: PairColumns | None) -> float | None:
    """Return two calls, and one more for the share of pairs whose orders disagree at first."""
    if first is None:
        return None
    two = first.has_two_verdicts
    return 2.0 + float((two & ~first.is_any_of(STABLE)).sum() / two.sum()) if two.any() else None


def _categories(group: LogGroup, pairs: PairColumns) -> Sequence[str]:
    if group.subset not in {ALL, ""}:
        return [group.subset] * pairs.n_pairs
    names = pairs.table.categories
    return [names[code] for code in pairs.table.category[pairs.pair].tolist()]


def _joined(parts: Sequence[StrategySide]) -> StrategySide:
    """Return the parts of one strategy as one side: a log may hold a file for each subset."""
    made = [part.made for part in parts]
    sizes = [part.n_pairs for part in parts]
    calls = [part.cost.calls for part in parts]
    known = [each for each in calls if each is not None]
    mean = float(np.average(known, weights=sizes)) if len(known) == len(calls) else None
    return replace(
        parts[0],
        keys=[key for part in parts for key in part.keys],
        cluster=np.concatenate([part.cluster for part in parts]),
        category=[name for part in parts for name in part.category],
        is_referenced=np.concatenate([part.is_referenced for part in parts]),
        accepts_ties=any(part.accepts_ties for part in parts),
        made=Made(
            credit=np.concatenate([each.credit for each in made]),
            is_known=np.concatenate([each.is_known for each in made]),
            tie=np.concatenate([each.tie for each in made]),
            is_made_tie=np.concatenate([each.is_made_tie for each in made]),
        ),
        is_stable=np.concatenate([part.is_stable for part in parts]),
        is_disagreeing=np.concatenate([part.is_disagreeing for part in parts]),
        has_two_verdicts=np.concatenate([part.has_two_verdicts for part in parts]),
        cost=CostOfPair(mean),
    )
