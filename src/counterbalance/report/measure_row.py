"""A measure as one row of a table, with everything that must travel with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from counterbalance.measures.estimate import Estimate

__all__ = ["MEASURE_COLUMNS", "measure_row"]

MEASURE_COLUMNS = (
    "judge", "labelling", "strategy", "subset", "verdict_by", "held_out", "system_a", "system_b",
    "measure", "value", "numerator", "denominator", "low", "high", "level", "method", "unit",
    "counted", "positive_means", "undefined", "clusters", "cautions", "margin", "against_margin",
    "exploratory",
)  # fmt: skip
"""Columns of the table of measures; more may be added at the end."""


def measure_row(estimate: Estimate) -> dict[str, Any]:
    """Return what a measure's row holds of the measure itself, whatever group it is of."""
    return {
        "measure": estimate.name,
        "value": estimate.value,
        "numerator": estimate.numerator,
        "denominator": estimate.denominator,
        "low": estimate.low,
        "high": estimate.high,
        "level": estimate.level,
        "method": estimate.method,
        "unit": estimate.unit,
        "counted": estimate.counted,
        "positive_means": estimate.positive_means,
        "undefined": estimate.undefined,
        "clusters": estimate.n_clusters,
        "cautions": list(estimate.cautions),
    }
