"""The other files of Arena-Hard: questions, answers, settings and leaderboards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.importers.log_format import Container, Holds, LogFormat, Shape

if TYPE_CHECKING:
    from counterbalance.importers.log_format import Sample

__all__ = ["ANSWERS", "LEADERBOARD", "QUESTIONS", "SETTINGS"]

_WHERE = "The judge's verdicts are in model_judgment/<judge>/<model>.jsonl: name that file."
_FIRST_SETTINGS = ("judge_model", "bench_name", "name", "temperature")


def _is_settings(sample: Sample) -> bool:
    word, colon, _ = str(sample.first).partition(":")
    is_yaml = sample.name.lower().endswith((".yaml", ".yml"))
    return is_yaml and bool(colon) and word in _FIRST_SETTINGS


ANSWERS = LogFormat(
    name="arena-hard-answers",
    title="answers of one model to Arena-Hard (model_answer/<model>.jsonl)",
    shapes=(Shape(Container.JSON_LINES, frozenset({"uid", "ans_id", "model", "messages"})),),
    holds=Holds.ANSWERS,
    advice=_WHERE,
)
QUESTIONS = LogFormat(
    name="arena-hard-questions",
    title="questions of Arena-Hard (question.jsonl)",
    shapes=(Shape(Container.JSON_LINES, frozenset({"uid", "category", "prompt"})),),
    holds=Holds.QUESTIONS,
    advice=_WHERE,
)
SETTINGS = LogFormat(
    name="arena-hard-settings",
    title="settings of an Arena-Hard run (config/*.yaml)",
    shapes=(Shape(Container.LINES, frozenset(), _is_settings),),
    holds=Holds.REPORT,
    advice=_WHERE,
)
LEADERBOARD = LogFormat(
    name="arena-hard-leaderboard",
    title="leaderboard of Arena-Hard",
    shapes=(Shape(Container.TABLE, frozenset({"model", "score", "rating_q025", "rating_q975"})),),
    holds=Holds.AGGREGATES,
    advice=f"It holds win rates, not verdicts. {_WHERE}",
)
