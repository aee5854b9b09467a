"""FastChat ``<judge>_single.jsonl``: a rating of one answer in each row, -1 where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.importers.bench_folder import bench_of, turn_item
from counterbalance.importers.fields import found, identifier, judge_and_prompt, number
from counterbalance.importers.judgment import Rating, Reject
from counterbalance.importers.log_format import Container, Holds, LogFormat, Shape
from counterbalance.importers.rows import json_lines
from counterbalance.importers.unread_reply import unread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes

__all__ = ["FORMAT"]

_KEYS = ("question_id", "model", "judge", "judgment", "score")
_NONE_FOUND = -1


def _read(file: LogFile, notes: Notes) -> Iterator[Row]:
    notes.add("FastChat ratings: each answer was rated alone, so no order could sway the judge.")
    subset = bench_of(file.inside)
    for line, row in json_lines(file):
        if isinstance(row, Reject):
            yield row
        elif missing := [key for key in _KEYS if key not in row]:
            yield Reject(line, "the row lacks a key", missing[0])
        else:
            yield _rating(line, row, subset)


def _rating(line: int, row: dict[str, Any], subset: str) -> Row:
    judged = judge_and_prompt(row["judge"])
    if judged is None:
        return Reject(line, "judge is neither a name nor a list of names", found(row["judge"]))
    judge, strategy = judged
    item = turn_item(row, strategy)
    system = identifier(row["model"])
    if item is None or system is None:
        what = found(row["question_id"], row.get("turn"), row["model"])
        return Reject(line, "question, turn and model cannot be told", what)
    score = number(row["score"])
    if score is None:
        return Reject(line, "the score is no number", found(row["score"]))
    reply = row["judgment"] if isinstance(row["judgment"], str) else None
    rated = score != _NONE_FOUND
    return Rating(
        line=line,
        item=item,
        system=system,
        judge=judge,
        value=score if rated else None,
        strategy=strategy,
        subset=subset,
        reason="" if rated else unread(reply).kind.value,
        reply=reply or "",
    )


FORMAT = LogFormat(
    name="fastchat-single",
    title="FastChat ratings of single answers (<judge>_single.jsonl)",
    shapes=(Shape(Container.JSON_LINES, frozenset(_KEYS)),),
    holds=Holds.RATINGS,
    read=_read,
    advice="Ratings show nothing about order; the verdicts are in <judge>_pair.jsonl.",
)
