"""Every log format that can be read, in the order that detection tries them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.importers.formats import (
    alpaca_eval,
    fastchat_pair,
    judging_the_judges,
    llmbar,
    position_bias_analyzer,
    position_bias_analyzer_files,
)

if TYPE_CHECKING:
    from counterbalance.importers.log_format import LogFormat

__all__ = ["FORMATS"]

FORMATS: tuple[LogFormat, ...] = (
    fastchat_pair.FORMAT,
    alpaca_eval.FORMAT,
    alpaca_eval.OUTPUTS,
    alpaca_eval.LEADERBOARD,
    alpaca_eval.WEIGHTS,
    judging_the_judges.PAIRS,
    judging_the_judges.METRICS,
    judging_the_judges.TABLES,
    llmbar.FORMAT,
    llmbar.PAIRS,
    llmbar.STATISTICS,
    position_bias_analyzer_files.COMPARED,
    position_bias_analyzer_files.INPUTS,
    position_bias_analyzer.FORMAT,
    position_bias_analyzer_files.RUN_LOG,
    position_bias_analyzer_files.WIN_RATES,
    position_bias_analyzer_files.TEXTS,
    position_bias_analyzer_files.FIGURES,
    position_bias_analyzer_files.PICKLE,
)
"""More particular formats stand before more general ones."""
