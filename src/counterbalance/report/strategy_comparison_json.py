"""The comparison of strategies as a JSON value in the published schema; its keys are a promise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.report.family import family_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.compare.advice import Advice
    from counterbalance.compare.priors import Prior
    from counterbalance.compare.strategy_table import StrategyRow, StrategyTable, Tested

__all__ = ["SCHEMA", "strategies_value"]

SCHEMA = "counterbalance.strategies/1"


def strategies_value(
    table: StrategyTable, advice: Sequence[Advice], prior: Prior | None = None
) -> dict[str, Any]:
    """Return a comparison of strategies in schema ``counterbalance.strategies/1``."""
    plan = table.plan
    return {
        "schema": SCHEMA,
        "baseline": plan.baseline,
        "declared": plan.family_size is not None,
        "level": plan.level,
        "margin": plan.margin,
        "strategies": [_row(row) for row in table.rows],
        "differences": [_tested(test) for test in table.tests],
        "family": family_value(table.family),
        "categories": [_tested(test) for test in table.by_category],
        "consistency": [_tested(test) for test in table.consistency],
        "frontier": {
            "unit": table.cost_unit or None,
            "points": [
                {
                    "name": each.point.name,
                    "cost": each.point.cost,
                    "agreement": each.point.agreement,
                    "beaten_by": each.beaten_by or None,
                }
                for each in table.points
            ],
        },
        "advice": [
            {
                "judge": each.judge,
                "situation": each.situation.value,
                "strategy": each.strategy,
                "sentence": each.sentence,
                "evidence": list(each.evidence),
                "more_pairs": each.more_pairs,
            }
            for each in advice
        ],
        "prior": None if prior is None else _prior(prior),
        "warnings": list(table.notes),
    }


def _row(row: StrategyRow) -> dict[str, Any]:
    side, found = row.side, row.agreement
    return {
        "judge": side.judge,
        "strategy": side.strategy,
        "stands_for": side.stands_for or None,
        "loosely": side.is_loose,
        "pairs": side.n_pairs,
        "agreement": {
            "value": found.estimate,
            "numerator": found.numerator,
            "denominator": found.denominator,
            "low": found.low,
            "high": found.high,
            "level": found.confidence_level,
            "method": found.method,
            "undefined": None if found.undefined is None else found.undefined.sentence,
        },
        "stable": {"numerator": row.stable, "denominator": row.two_verdicts},
        "orders_differ": {"numerator": row.disagreeing, "denominator": row.two_verdicts},
        "tie_share": row.tie_share,
        "ties_by_rule": row.made_ties,
        "no_result": row.n_undecided,
        "calls_per_pair": side.cost.calls,
        "cost_per_pair_usd": side.cost.dollars,
        "seconds_per_call": side.cost.seconds_per_call,
    }


def _tested(test: Tested) -> dict[str, Any]:
    found = test.found
    return {
        "judge": found.judge,
        "strategy": found.strategy,
        "baseline": found.baseline,
        "figure": found.figure,
        "category": found.category,
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "level": found.level,
        "method": found.method,
        "p_value": found.p_value,
        "p_method": found.p_method,
        "adjusted": test.adjusted,
        "found": test.is_found,
        "gained": found.n_gained,
        "lost": found.n_lost,
        "common": found.n_common,
        "clusters": found.n_clusters,
        "missing": found.n_missing,
        "if_all_had_come": {"least": found.least, "most": found.most},
        "detectable": test.detectable,
        "more_pairs": test.more_needed,
        "undefined": found.undefined,
        "p_undefined": found.p_undefined,
    }


def _prior(prior: Prior) -> dict[str, Any]:
    return {
        "name": prior.name,
        "somebody_elses": True,
        "source": prior.source,
        "advice": [{"situation": a, "advice": b} for a, b in prior.advice],
        "remarks": list(prior.remarks),
    }
