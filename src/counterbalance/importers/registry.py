"""Every log format that can be read, in the order that detection tries them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from counterbalance.importers.log_format import LogFormat

__all__ = ["FORMATS"]

_HOMES = (
    "fastchat_pair.FORMAT",
    "alpaca_eval.FORMAT",
    "alpaca_eval.OUTPUTS",
    "alpaca_eval.LEADERBOARD",
    "alpaca_eval.WEIGHTS",
    "judging_the_judges.PAIRS",
    "judging_the_judges.METRICS",
    "judging_the_judges.TABLES",
    "llmbar.FORMAT",
    "llmbar.PAIRS",
    "llmbar.STATISTICS",
    "position_bias_analyzer_files.COMPARED",
    "position_bias_analyzer_files.INPUTS",
    "position_bias_analyzer.FORMAT",
    "position_bias_analyzer_files.RUN_LOG",
    "position_bias_analyzer_files.WIN_RATES",
    "position_bias_analyzer_files.TEXTS",
    "position_bias_analyzer_files.FIGURES",
    "position_bias_analyzer_files.PICKLE",
    "fastchat_single.FORMAT",
    "lmarena.FORMAT",
    "lmarena.VOTES",
    "mt_bench_votes.FORMAT",
    "arena_hard.FORMAT",
    "judgebench.FORMAT",
    "judgebench.PAIRS",
    "faireval.FORMAT",
    "faireval_review.FORMAT",
    "faireval_review.ANSWERS",
    "faireval_review.QUESTIONS",
    "fastchat_files.REFERENCES",
    "fastchat_files.ANSWERS",
    "fastchat_files.QUESTIONS",
    "fastchat_files.PROMPTS",
    "arena_hard_files.ANSWERS",
    "arena_hard_files.QUESTIONS",
    "arena_hard_files.SETTINGS",
    "arena_hard_files.LEADERBOARD",
    "openai_batch.FORMAT",
    "anthropic_batch.FORMAT",
    "promptfoo.FORMAT",
    "inspect_log.FORMAT",
    "deepeval.FORMAT",
    "mlflow_assessments.FORMAT",
    "preference_sets.REWARDBENCH_2",
    "preference_sets.REWARDBENCH",
    "preference_sets.CONVERSATIONS",
    "preference_sets.STANDARD",
    "preference_sets.IMPLICIT",
)
"""More particular formats stand before more general ones."""


class _Formats(Sequence["LogFormat"]):
    """Formats by their homes; each is imported when it is come to, as most logs are of one."""

    def __len__(self) -> int:
        return len(_HOMES)

    @overload
    def __getitem__(self, place: int) -> LogFormat: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[LogFormat]: ...

    def __getitem__(self, place: int | slice) -> LogFormat | Sequence[LogFormat]:
        if isinstance(place, slice):
            return [_at(home) for home in _HOMES[place]]
        return _at(_HOMES[place])


def _at(home: str) -> LogFormat:
    module, name = home.split(".")
    known: LogFormat = getattr(import_module(f"counterbalance.importers.formats.{module}"), name)
    return known


FORMATS: Sequence[LogFormat] = _Formats()
