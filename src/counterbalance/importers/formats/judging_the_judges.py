"""Files of the study judging-the-judges: its raw verdicts are not published, so none holds any."""

from __future__ import annotations

from counterbalance.importers.log_format import Container, Holds, LogFormat, Shape

__all__ = ["METRICS", "PAIRS", "TABLES"]

PAIRS = LogFormat(
    name="judging-the-judges-pairs",
    title="pairs of judging-the-judges (controlled_pairs.jsonl, llmbar.jsonl)",
    shapes=(
        Shape(
            Container.JSON_LINES,
            frozenset({"id", "question", "response_a", "response_b", "human_preference"}),
        ),
    ),
    holds=Holds.PAIRS,
    advice="Judge them: write them as a pair file (docs/reference/pair-files.md).",
)

METRICS = LogFormat(
    name="judging-the-judges-metrics",
    title="aggregates of judging-the-judges (*_metrics.json)",
    shapes=(
        Shape(
            Container.JSON_OBJECT,
            frozenset({"model", "strategy", "benchmark", "n_instances", "verdict_distribution"}),
        ),
    ),
    holds=Holds.AGGREGATES,
    advice="A tie in them may be a tie, a disagreement of the orders or a reply that could not be"
    " read: only the raw verdicts could tell.",
)

TABLES = LogFormat(
    name="judging-the-judges-tables",
    title="a published table of judging-the-judges",
    shapes=(
        Shape(Container.TABLE, frozenset({"Model", "Baseline", "Pos. Swap", "Rubric"})),
        Shape(Container.TABLE, frozenset({"Model", "Strategy", "Position Bias", "Style Bias"})),
    ),
    holds=Holds.AGGREGATES,
    advice="`counterbalance tables` audits published tables.",
)
