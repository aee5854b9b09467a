"""MT-Bench votes on pairs of answers: people's, and GPT-4's with both orders already combined.

One vote in each row (``model_a``, ``model_b``, ``winner``), as JSONL, JSON array, CSV or Parquet.
Several people voted on the same pair: each is a judge of their own, so that two who differ are two
judges who differ and not one who contradicts itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.importers.answer_texts import ANSWER_COLUMNS, both_answers
from counterbalance.importers.bench_folder import turn_item
from counterbalance.importers.container_rows import container_rows
from counterbalance.importers.fields import found, identifier, judge_and_prompt
from counterbalance.importers.judgment import Judgment, Reject
from counterbalance.importers.log_format import Container, LogFormat, Shape
from counterbalance.importers.votes import ORDER_UNKNOWN, WINNERS, vote_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes

__all__ = ["FORMAT"]

_KEYS = ("question_id", "model_a", "model_b", "winner", "judge", "turn")
_COMBINED = (
    "MT-Bench: a winner of GPT-4 (the judge's name begins with gpt) was combined from two games;"
    ' "tie (inconsistent)" stands for two different verdicts and is read as conflicting, never as a'
    " tie. Which game said what is in gpt-4_pair.jsonl only."
)


def _read(file: LogFile, notes: Notes) -> Iterator[Row]:
    notes.add(ORDER_UNKNOWN)
    for line, row in container_rows(file, (*_KEYS, *ANSWER_COLUMNS)):
        if isinstance(row, Reject):
            yield row
        elif missing := [key for key in _KEYS if key not in row]:
            yield Reject(line, "the row lacks a key", missing[0])
        else:
            yield _vote(line, row, notes)


def _vote(line: int, row: dict[str, Any], notes: Notes) -> Row:
    judged = judge_and_prompt(row["judge"])
    if judged is None:
        return Reject(line, "judge is neither a name nor a list of names", found(row["judge"]))
    judge, strategy = judged
    if judge.startswith("gpt"):
        notes.add(_COMBINED)
    item = turn_item(row, strategy)
    model_a, model_b = identifier(row["model_a"]), identifier(row["model_b"])
    if item is None or model_a is None or model_b is None or model_a == model_b:
        what = found(row["question_id"], row["turn"], row["model_a"], row["model_b"])
        return Reject(line, "question, turn and two different models cannot be told", what)
    winner = row["winner"]
    vote = vote_of(model_a, model_b, winner) if isinstance(winner, str) else None
    if vote is None:
        return Reject(line, f"the winner is none of {', '.join(WINNERS)}", found(winner))
    a, b, order, outcome = vote
    return Judgment(
        line=line,
        item=item,
        a=a,
        b=b,
        order=order,
        outcome=outcome,
        judge=judge,
        strategy=strategy,
        cluster=str(row["question_id"]),
        category=f"turn {identifier(row['turn'])}",
        system_a=a,
        system_b=b,
        texts=both_answers(row, exchanged=a != model_a),
    )


FORMAT = LogFormat(
    name="mt-bench-votes",
    title="MT-Bench votes on pairs of answers (mt_bench_human_judgments)",
    shapes=tuple(
        Shape(container, frozenset(_KEYS))
        for container in (
            Container.JSON_LINES,
            Container.JSON_ARRAY,
            Container.PARQUET,
            Container.TABLE,
        )
    ),
    read=_read,
    upstream={
        "agreement": "two votes on one pair that say the same, of all such twos: ties of any kind"
        " are the same, two contradicting verdicts of GPT-4 are a tie, and a pair with many voters"
        " counts more; ours has no measure between judges in one group",
    },
    advice="They tell how far people agree, with each other and with a judge, not how order sways.",
)
