"""The reader of each format, by id."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from counterbalance.parsing.decision import decision
from counterbalance.parsing.formats.brackets import bracket5_marks, bracket_marks
from counterbalance.parsing.formats.json_object import is_whole_json, json_marks
from counterbalance.parsing.formats.logprob import logprob_outcome
from counterbalance.parsing.formats.markers import boxed_marks, result_marks
from counterbalance.parsing.formats.pattern import regex_marks
from counterbalance.parsing.formats.tag import tag_marks
from counterbalance.parsing.formats.words import choice_marks, number_marks
from counterbalance.parsing.reasoning import Region, final_region

if TYPE_CHECKING:
    from counterbalance.parsing.outcome import Outcome
    from counterbalance.parsing.task import FindMarks, Reader, Task
    from counterbalance.protocol.verdict_format import FormatId

__all__ = ["READERS"]


def _from_text(format_id: FormatId, find: FindMarks, task: Task) -> Outcome | None:
    if task.region.is_unclosed or task.region.is_blank:
        return None
    text = task.region.text
    return decision(task, format_id, task.full, text, find(task, text))


def _from_json(task: Task) -> Outcome | None:
    text = task.plain.text
    region = Region(text) if is_whole_json(text) else final_region(text)
    if region.is_unclosed:
        return None
    return decision(task, "json", task.plain, region.text, json_marks(task, region.text))


def _text_reader(format_id: FormatId, find: FindMarks) -> Reader:
    return partial(_from_text, format_id, find)


READERS: dict[FormatId, Reader] = {
    "bracket": _text_reader("bracket", bracket_marks),
    "bracket5": _text_reader("bracket5", bracket5_marks),
    "json": _from_json,
    "tag": _text_reader("tag", tag_marks),
    "choice": _text_reader("choice", choice_marks),
    "number": _text_reader("number", number_marks),
    "result": _text_reader("result", result_marks),
    "boxed": _text_reader("boxed", boxed_marks),
    "logprob": logprob_outcome,
    "regex": _text_reader("regex", regex_marks),
}
"""Each reads one format, and nothing else."""
