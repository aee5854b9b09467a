"""FairEval ``review/review_<m1>_<m2>_human.txt``: one verdict of people on each line, no ids.

Line i is about question i of ``question.jsonl``. Other files of the benchmark stand here, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.importers.fields import found
from counterbalance.importers.judgment import Judgment, Reject
from counterbalance.importers.log_format import Container, Holds, LogFormat, Shape
from counterbalance.importers.rows import lines
from counterbalance.importers.votes import ORDER_UNKNOWN, vote_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes, Sample

__all__ = ["ANSWERS", "FORMAT", "QUESTIONS"]

_ONE, _TWO = "CHATGPT", "VICUNA13B"
_WINNERS = {_ONE: "model_a", _TWO: "model_b", "TIE": "tie"}
_BY_LINE = (
    "FairEval people's verdicts: the lines have no ids; line i is taken for question i of"
    " question.jsonl."
)
_WHERE = "The verdicts are in review/: name a file there."


def _read(file: LogFile, notes: Notes) -> Iterator[Row]:
    notes.add(_BY_LINE)
    notes.add(ORDER_UNKNOWN)
    for line, text in lines(file):
        if isinstance(text, Reject):
            yield text
            continue
        winner = _WINNERS.get(text.strip())
        vote = vote_of(_ONE, _TWO, winner) if winner else None
        if vote is None:
            yield Reject(line, f"the verdict is none of {', '.join(_WINNERS)}", found(text))
            continue
        a, b, order, outcome = vote
        yield Judgment(
            line=line,
            item=str(line),
            a=a,
            b=b,
            order=order,
            outcome=outcome,
            judge="people",
            cluster=str(line),
            system_a=a,
            system_b=b,
        )


def _is_review(sample: Sample) -> bool:
    return str(sample.first).strip() in _WINNERS


FORMAT = LogFormat(
    name="faireval-review",
    title="FairEval verdicts of people, one on each line (review_<m1>_<m2>_human.txt)",
    shapes=(Shape(Container.LINES, frozenset(), _is_review),),
    read=_read,
    advice="They tell what people preferred, not how order sways.",
)
ANSWERS = LogFormat(
    name="faireval-answers",
    title="answers of one model, as FairEval and the Vicuna benchmark write them",
    shapes=(Shape(Container.JSON_LINES, frozenset({"answer_id", "question_id", "text"})),),
    holds=Holds.ANSWERS,
    advice=_WHERE,
)
QUESTIONS = LogFormat(
    name="faireval-questions",
    title="questions of FairEval or the Vicuna benchmark (question.jsonl)",
    shapes=(Shape(Container.JSON_LINES, frozenset({"question_id", "text", "category"})),),
    holds=Holds.QUESTIONS,
    advice=_WHERE,
)
