"""The other files of FastChat's judge: questions, answers, reference answers and prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.importers.log_format import Container, Holds, LogFormat, Shape

if TYPE_CHECKING:
    from counterbalance.importers.log_format import Sample

__all__ = ["ANSWERS", "PROMPTS", "QUESTIONS", "REFERENCES"]

_ANSWER_KEYS = frozenset({"question_id", "answer_id", "model_id", "choices"})
_WHERE = "The judge's verdicts are in model_judgment/<judge>_pair.jsonl: name that file."


def _is_reference(sample: Sample) -> bool:
    return "reference_answer" in sample.name.split("/")


REFERENCES = LogFormat(
    name="fastchat-references",
    title="reference answers of FastChat (reference_answer/<judge>.jsonl)",
    shapes=(Shape(Container.JSON_LINES, _ANSWER_KEYS, _is_reference),),
    holds=Holds.ANSWERS,
    advice=f"They were shown to the judge of math, reasoning and coding questions. {_WHERE}",
)
ANSWERS = LogFormat(
    name="fastchat-answers",
    title="answers of one model, as FastChat and Arena-Hard v0.1 write them",
    shapes=(Shape(Container.JSON_LINES, _ANSWER_KEYS),),
    holds=Holds.ANSWERS,
    advice=_WHERE,
)
QUESTIONS = LogFormat(
    name="fastchat-questions",
    title="questions of MT-Bench or another FastChat benchmark (question.jsonl)",
    shapes=(Shape(Container.JSON_LINES, frozenset({"question_id", "category", "turns"})),),
    holds=Holds.QUESTIONS,
    advice=_WHERE,
)
PROMPTS = LogFormat(
    name="fastchat-prompts",
    title="judge prompts of FastChat (judge_prompts.jsonl)",
    shapes=(
        Shape(
            Container.JSON_LINES,
            frozenset({"name", "type", "system_prompt", "prompt_template", "output_format"}),
        ),
    ),
    holds=Holds.REPORT,
    advice=_WHERE,
)
