"""The strategies that a protocol can name: nine to compare, and a few more, as rows of data."""

from __future__ import annotations

from typing import Any, Literal

from counterbalance.protocol.strategies.strategy import ALL_JUDGES

__all__ = ["CALIBRATED", "CATALOGUE", "NINE", "StrategyName"]

CALIBRATED = "balanced_calibration"
"""The one name that stands for no calls of its own: it averages what is asked anyhow."""

StrategyName = Literal[
    "B0", "S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "calibrated_orders", "calibrated_labels",
    "calibrated_scores", "multiple_evidence", "escalation", "balanced_calibration",
]  # fmt: skip
"""Every name that a protocol can list."""

NINE = ("B0", "S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8")
"""The strategies that the source study compared."""

CATALOGUE: dict[str, dict[str, Any]] = {
    "B0": {"title": "plain: one call in one seeded order"},
    "S1": {
        "title": "swap: both orders, a tie where they disagree",
        "orders": "both",
        "rule": "agree_or_tie",
    },
    "S2": {
        "title": "temperatures: the same judge at three, majority",
        "temperatures": [0.0, 0.5, 1.0],
        "rule": "majority",
    },
    "S3": {
        "title": "panel: judges of different families, majority",
        "panel": ALL_JUDGES,
        "rule": "majority",
    },
    "S4": {"title": "rubric: five criteria scored, the verdict apart", "prompts": ["rubric"]},
    "S5": {"title": "reasoning: reasons first, the verdict last", "prompts": ["reasoning"]},
    "S6": {"title": "reference: guided by the known good answer", "prompts": ["reference"]},
    "S7": {
        "title": "S1 + S3 + S4: a panel with the rubric in both orders, majority",
        "prompts": ["rubric"],
        "orders": "both",
        "panel": ALL_JUDGES,
        "rule": "majority",
    },
    "S8": {
        "title": "S1 + S4 + S5: reasoning and rubric in one prompt, both orders",
        "prompts": ["rubric_reasoning"],
        "orders": "both",
        "rule": "agree_or_tie",
    },
    "calibrated_orders": {
        "title": "label log-odds averaged over both orders",
        "orders": "both",
        "rule": "mean_log_odds",
    },
    "calibrated_labels": {
        "title": "label log-odds averaged over both orders and exchanged labels",
        "orders": "both",
        "labels": "exchanged",
        "rule": "mean_log_odds",
    },
    "calibrated_scores": {
        "title": "scores averaged over both orders",
        "prompts": ["scores"],
        "orders": "both",
        "rule": "mean_scores",
    },
    "multiple_evidence": {
        "title": "three sampled replies, evidence before scores, scores averaged",
        "prompts": ["scores"],
        "temperatures": [1.0],
        "repetitions": 3,
        "rule": "mean_scores",
    },
    "escalation": {
        "title": "a stronger judge where the first disagrees with itself",
        "orders": "both",
        "rule": "escalate",
    },
}
"""What each name stands for; a key that is not here has its default."""
