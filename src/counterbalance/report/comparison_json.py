"""Comparisons as a JSON value in the published schema; its keys are a promise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.report.comparison_text import conclusion_sentence
from counterbalance.report.family import family_value
from counterbalance.report.odds_text import odds_value
from counterbalance.report.panel_text import panel_value

if TYPE_CHECKING:
    from counterbalance.compare.comparison import Comparison, Comparisons
    from counterbalance.compare.difference import Difference
    from counterbalance.compare.moves import Moves
    from counterbalance.compare.side import Side
    from counterbalance.compare.verdict import Conclusion
    from counterbalance.measures.estimate import Estimate

__all__ = ["SCHEMA", "comparisons_value", "difference_value", "moves_value", "side_value"]

SCHEMA = "counterbalance.compare/1"


def comparisons_value(found: Comparisons) -> dict[str, Any]:
    """Return comparisons in schema ``counterbalance.compare/1``."""
    return {
        "schema": SCHEMA,
        "declared": found.plan.is_declared,
        "level": found.plan.level,
        "matched_by": found.plan.by,
        "comparisons": [_comparison(comparison) for comparison in found.comparisons],
        "panels": [panel_value(panel) for panel in found.panels],
        "odds": [odds_value(odds) for odds in found.odds],
        "family": family_value(found.family),
        "warnings": list(found.notes),
    }


def _comparison(comparison: Comparison) -> dict[str, Any]:
    matched, attribution = comparison.matched, comparison.attribution
    return {
        "first": side_value(comparison.first),
        "second": side_value(comparison.second),
        "pairs": {
            "first": matched.n_first,
            "second": matched.n_second,
            "shared": matched.n_shared,
            "only_first": matched.n_only_first,
            "only_second": matched.n_only_second,
            "other_texts": matched.n_other_texts,
            "changed": matched.n_changed,
        },
        "attribution": {
            "cause": attribution.cause.value,
            "sentence": attribution.sentence,
            "settings": [
                {"name": c.name, "first": c.first, "second": c.second} for c in attribution.changes
            ],
            "systems": list(attribution.systems),
        },
        "measures": {
            found.measure: difference_value(found, concluded)
            for found, concluded in comparison.differences
        },
        "dispositions": moves_value(comparison.moves),
        "by_references": {
            side: {estimate.name: _estimate(estimate) for estimate in estimates}
            for side, estimates in zip(("first", "second"), comparison.corrected, strict=True)
        },
    }


def _estimate(found: Estimate) -> dict[str, Any]:
    return {
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "level": found.level,
        "denominator": found.denominator,
        "method": found.method,
        "undefined": found.undefined,
        "cautions": list(found.cautions),
    }


def side_value(side: Side) -> dict[str, Any]:
    """Return what one side is called."""
    return {"name": side.name, "judge": side.judge, "labelling": side.labelling}


def difference_value(found: Difference, concluded: Conclusion) -> dict[str, Any]:
    """Return one difference with all that it rests on, and what it comes to."""
    left = found.left_out
    return {
        "first": found.first,
        "second": found.second,
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "level": found.level,
        "method": found.method,
        "strict": {"low": found.strict_low, "high": found.strict_high, "level": found.strict_level},
        "p_value": found.p_value,
        "p_method": found.p_method,
        "adjusted": concluded.adjusted,
        "gained": found.n_gained,
        "lost": found.n_lost,
        "common": found.n_common,
        "clusters": found.n_clusters,
        "left_out": {
            "not_eligible": left.not_eligible,
            "no_verdict_first": left.no_verdict_first,
            "no_verdict_second": left.no_verdict_second,
            "no_verdict_both": left.no_verdict_both,
        },
        "if_all_had_come": {"least": found.least, "most": found.most},
        "verdict": concluded.verdict.value,
        "margin": concluded.margin,
        "margin_declared": concluded.is_declared,
        "pairs_needed": concluded.pairs_needed,
        "could_be_undone": concluded.could_be_undone,
        "sentence": conclusion_sentence(found, concluded),
        "positive_means": found.positive_means,
        "undefined": found.undefined,
        "interval_undefined": found.interval_undefined,
        "p_undefined": found.p_undefined,
        "cautions": list(found.cautions),
    }


def moves_value(found: Moves) -> dict[str, Any]:
    """Return the table of dispositions, first side by second, and the ids of what moved."""
    return {
        "labels": list(found.labels),
        "cells": [list(row) for row in found.cells],
        "moved": list(found.moved),
    }
