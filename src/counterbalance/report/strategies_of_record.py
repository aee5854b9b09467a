"""Strategies of a record as sides of a comparison: what each made of the pairs, at what price."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from counterbalance.compare.strategy_side import (
    CostOfPair,
    StrategySide,
    made_by_one_order,
    made_by_rule,
    side_of,
)
from counterbalance.compare.strategy_table import StrategyPlan, strategy_table
from counterbalance.dispositions.strategy_columns import plain_results, strategy_columns
from counterbalance.measures.cost import spent_on
from counterbalance.measures.from_judged import pairs_from_judged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from counterbalance.compare.strategy_table import StrategyTable
    from counterbalance.dispositions.evidence import GroupId, PresentationEvidence
    from counterbalance.measures.group import JudgedPair
    from counterbalance.report.evidence import Evidence

__all__ = ["strategies_of_record", "table_of_record"]


def strategies_of_record(evidence: Evidence) -> tuple[list[StrategySide], list[str]]:
    """Return the strategies of a record, one side for each judge, labelling and strategy.

    Parameters
    ----------
    evidence : Evidence
        What the record holds; held-out pairs are left out.

    Returns
    -------
    tuple[list[StrategySide], list[str]]
        The sides, and what must be said of them in sentences.
    """
    sides = [
        side for group, pairs in evidence.groups.items() for side in _plain(group, pairs, evidence)
    ]
    sides += [side for judge in _judges(evidence) for side in _calibrated(judge, evidence)]
    notes = []
    if evidence.protocol.orders.assignment == "both":
        notes.append(
            "B0 is averaged over both orders: a pair on which one order agrees with the reference"
            " counts by half."
        )
    if evidence.held_out:
        notes.append("Held-out pairs are not compared, whether or not they were opened.")
    return sides, notes


def table_of_record(evidence: Evidence) -> StrategyTable | None:
    """Compare the strategies of a record with one call as it is.

    Parameters
    ----------
    evidence : Evidence
        What the record holds; held-out pairs are left out.

    Returns
    -------
    StrategyTable | None
        None where nothing was planned.
    """
    sides, notes = strategies_of_record(evidence)
    if not sides:
        return None
    plan = StrategyPlan("B0", evidence.protocol.analysis.confidence_level, None)
    return strategy_table(sides, plan, notes)


def _judges(evidence: Evidence) -> list[str]:
    return list(dict.fromkeys(group.judge for group in evidence.groups))


def _name(group: GroupId, evidence: Evidence) -> str:
    """Return a judge's name; with the labels where there are several labellings."""
    has_several = len(evidence.protocol.labellings) > 1
    return f"{group.judge}, labels {group.labelling}" if has_several else group.judge


def _plain(
    group: GroupId, judged: Sequence[JudgedPair], evidence: Evidence
) -> Iterator[StrategySide]:
    """Yield one call as it is, and both orders with a tie where they disagree."""
    pairs = pairs_from_judged(judged, evidence.protocol.analysis.cluster)
    cost = cost_of_pair([shown for each in judged for _, shown in each.main()], judged)
    has_both = evidence.protocol.orders.assignment == "both"
    side = side_of(
        pairs,
        made_by_one_order(pairs),
        judge=_name(group, evidence),
        strategy="B0",
        keys=[each.pair.id for each in judged],
        category=[each.pair.item.category for each in judged],
        stands_for="B0",
        cost=_halved(cost) if has_both else cost,
    )
    yield side
    if has_both:
        made = made_by_rule(pairs, plain_results(pairs))
        yield replace(side, strategy="S1", stands_for="S1", made=made, cost=cost)


def _calibrated(judge: str, evidence: Evidence) -> Iterator[StrategySide]:
    """Yield label log-odds averaged over orders and labellings, where they were planned."""
    results = evidence.calibrated(judge)
    groups = {g: pairs for g, pairs in evidence.groups.items() if g.judge == judge}
    if not results or not groups:
        return
    group, judged = next(iter(groups.items()))
    pairs = pairs_from_judged(judged, evidence.protocol.analysis.cluster)
    found = strategy_columns([results[each.pair.id] for each in judged])
    shown = [s for pairs in groups.values() for each in pairs for _, s in each.main()]
    yield side_of(
        pairs,
        made_by_rule(pairs, found),
        judge=_name(group, evidence),
        strategy=found.strategy,
        keys=[each.pair.id for each in judged],
        category=[each.pair.item.category for each in judged],
        cost=cost_of_pair(shown, judged),
    )


def cost_of_pair(shown: Iterable[PresentationEvidence], pairs: Sequence[object]) -> CostOfPair:
    """Return what a pair takes on average, retries and failed calls included.

    Parameters
    ----------
    shown : Iterable[PresentationEvidence]
        Every presentation that the strategy rests on, once.
    pairs : Sequence[object]
        The pairs that the cost is shared out among.

    Returns
    -------
    CostOfPair
        Without dollars where the cost of any call is not known.
    """
    spent = spent_on(attempt for each in shown for attempt in each.attempts)
    n = len(pairs)
    if not n or not spent.calls:
        return CostOfPair()
    whole = spent.cost_usd if spent.is_whole else None
    return CostOfPair(
        calls=spent.calls / n,
        dollars=None if whole is None else whole / n,
        why_no_dollars="" if whole is not None else "unknown" if spent.priced else "unpriced",
        seconds_per_call=spent.seconds / spent.timed if spent.timed else None,
    )


def _halved(cost: CostOfPair) -> CostOfPair:
    """Return the cost of one order where both were asked."""
    return replace(
        cost,
        calls=None if cost.calls is None else cost.calls / 2,
        dollars=None if cost.dollars is None else cost.dollars / 2,
    )
