"""Strategies of a record as sides of a comparison: what each made of the pairs, at what price."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.compare.strategy_side import (
    CostOfPair,
    StrategySide,
    made_by_one_order,
    made_by_rule,
    side_of,
)
from counterbalance.compare.strategy_table import StrategyPlan, strategy_table
from counterbalance.dispositions.disposition import STABLE
from counterbalance.dispositions.strategy_columns import plain_results, strategy_columns
from counterbalance.measures.cost import spent_on
from counterbalance.measures.from_judged import pairs_from_judged
from counterbalance.measures.group import JudgedPair
from counterbalance.protocol.strategies.catalogue import NINE
from counterbalance.report.answered_models import answered_otherwise
from counterbalance.report.probe_measures import has_answers
from counterbalance.report.silent_voters import silent_voters

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from counterbalance.compare.strategy_table import StrategyTable
    from counterbalance.dispositions.evidence import GroupId, PresentationEvidence
    from counterbalance.dispositions.strategy_evidence import StrategyEvidence
    from counterbalance.report.evidence import Evidence

__all__ = ["n_declared_strategies", "strategies_of_record", "table_of_record"]


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
    sides = [_declared(found, evidence) for found in evidence.strategies]
    if not evidence.strategies:
        sides = [
            side
            for group, pairs in evidence.groups.items()
            for side in _plain(group, pairs, evidence)
        ]
    sides += [side for judge in _judges(evidence) for side in _calibrated(judge, evidence)]
    notes = [*answered_otherwise(evidence), *silent_voters(evidence)]
    if evidence.strategies:
        notes.append(_ONE_ORDER)
    elif evidence.protocol.orders.assignment == "both":
        notes.append(
            "B0 is averaged over both orders: a pair on which one order agrees with the reference"
            " counts by half."
        )
    if evidence.held_out:
        notes.append("Held-out pairs are not compared, whether or not they were opened.")
    return sides, notes


_ONE_ORDER = (
    "A strategy that asks in one order was given a seeded one for each pair, half and half: its"
    " figure holds the luck of that draw. Calls that strategies share count in full for each."
)


def table_of_record(evidence: Evidence) -> StrategyTable | None:
    """Compare the strategies of a record with one call as it is.

    Parameters
    ----------
    evidence : Evidence
        What the record holds; held-out pairs are left out.

    Returns
    -------
    StrategyTable | None
        None where one call as it is (B0) is not among them, or every pair is a probe.
    """
    if not has_answers(evidence):
        return None
    sides, notes = strategies_of_record(evidence)
    if not any(side.strategy == "B0" for side in sides):
        return None
    plan = StrategyPlan("B0", evidence.protocol.analysis.confidence_level, None)
    return strategy_table(sides, plan, notes)


def n_declared_strategies(evidence: Evidence, sides: Sequence[StrategySide]) -> int | None:
    """Return how many comparisons with B0 a protocol declared before the data were seen.

    Parameters
    ----------
    evidence : Evidence
        What the record holds.
    sides : Sequence[StrategySide]
        Its strategies.

    Returns
    -------
    int | None
        None where it named no strategies, or did so after data were seen.
    """
    is_after = evidence.history.is_after_data or evidence.counts_beyond_rule
    if is_after or not evidence.strategies:
        return None
    return sum(side.strategy != "B0" for side in sides)


def _declared(found: StrategyEvidence, evidence: Evidence) -> StrategySide:
    """Return one strategy of the protocol with one judge or panel."""
    row = found.row
    unit = evidence.protocol.analysis.cluster
    voters = [
        pairs_from_judged([JudgedPair(each.result, each.evidence) for each in said], unit)
        for voter, said in found.voters.items()
        if not voter.is_on_call
    ]
    panel = list(dict.fromkeys(voter.judge for voter in row.voters if not voter.is_on_call))
    side = side_of(
        voters[0],
        made_by_rule(voters[0], strategy_columns(list(found.results))),
        judge=row.judge,
        strategy=row.strategy.id,
        keys=[pair.id for pair in found.pairs],
        category=[pair.item.category for pair in found.pairs],
        stands_for=row.strategy.id if row.strategy.id in NINE else "",
        cost=cost_of_pair(found.presentations(), found.pairs),
    )
    two = np.all([pairs.has_two_verdicts for pairs in voters], axis=0)
    stable = two & np.all([pairs.is_any_of(STABLE) for pairs in voters], axis=0)
    return replace(
        side,
        has_two_verdicts=two,
        is_stable=stable,
        is_disagreeing=two & ~stable,
        compared_with="" if row.judge == panel[0] else panel[0],
    )


def _judges(evidence: Evidence) -> list[str]:
    return list(dict.fromkeys(group.judge for group in evidence.groups))


def _name(group: GroupId, evidence: Evidence) -> str:
    """Return a judge's name; with the labels where there are several sides of one strategy."""
    has_several = len(evidence.protocol.labellings) > 1 and not evidence.strategies
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
