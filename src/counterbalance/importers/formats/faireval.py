"""FairEval ``review_<m1>_<m2>_<judge>_mec<k>_bpc<0|1>.json``: k replies in each order per row.

``review`` holds the replies with the first answer shown first, ``review_bpc`` those with the second
shown first. A reply ends in two lines with the scores of Assistant 1 and 2. ``score`` is the mean
over all of them, and must follow from the replies.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from counterbalance.importers.fields import found, identifier, number
from counterbalance.importers.judgment import Judgment, Reject, source_outcome
from counterbalance.importers.log_format import Container, LogFormat, Shape
from counterbalance.importers.rows import json_lines
from counterbalance.importers.sides import shown_pair
from counterbalance.parsing.outcome import OutcomeKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes
    from counterbalance.parsing.outcome import Outcome

__all__ = ["FORMAT"]

_KEYS = ("question_id", "review", "review_bpc", "score")
_NAME = re.compile(
    r"review_(?P<one>[^_]+)_(?P<two>[^_]+)_(?P<judge>[^_]+)_mec(?P<k>\d{1,9})_bpc(?P<bpc>[01])\.json"
)
_MOST_REPLIES = 1000
_FAR = 1e-6
_DROPPED = (
    "FairEval: replies without two scores are dropped by the program; they are counted as unparsed"
    " where the file's name tells how many were asked for (mec<k>), and missing elsewhere."
)
_MAYBE_ONE_ORDER = (
    "FairEval: one published version of FairEval.py asks for review_bpc without exchanging the"
    " answers and exchanges the scores all the same. The log keeps no prompt, so it cannot be told"
    " whether the second order was ever shown."
)


@dataclass(frozen=True, slots=True)
class _Run:
    """What the name of the file tells."""

    systems: tuple[str, str] = ("answer 1", "answer 2")
    judge: str = "judge not named"
    strategy: str = ""
    n_replies: int = 0
    is_balanced: bool = False


def _read(file: LogFile, notes: Notes) -> Iterator[Row]:
    run = _run(file)
    notes.add(_DROPPED)
    for line, row in json_lines(file):
        if isinstance(row, Reject):
            yield row
        elif missing := [key for key in _KEYS if key not in row]:
            yield Reject(line, "the row lacks a key", missing[0])
        else:
            if row["review_bpc"]:
                notes.add(_MAYBE_ONE_ORDER)
            yield from _replies(line, row, run)


def _run(file: LogFile) -> _Run:
    named = _NAME.fullmatch(file.inside.rsplit("/", 1)[-1])
    if named is None or named["one"] == named["two"]:
        return _Run()
    return _Run(
        systems=(named["one"], named["two"]),
        judge=named["judge"],
        strategy=f"mec{named['k']} bpc{named['bpc']}",
        n_replies=min(int(named["k"]), _MOST_REPLIES),
        is_balanced=named["bpc"] == "1",
    )


def _replies(line: int, row: dict[str, Any], run: _Run) -> Iterator[Row]:
    item = identifier(row["question_id"])
    forward, backward = _texts(row["review"]), _texts(row["review_bpc"])
    if item is None or forward is None or backward is None:
        what = found(row["question_id"], row["review"], row["review_bpc"])
        yield Reject(line, "question_id is no id, or a review no list of replies", what)
        return
    orders = [_scored(forward), _scored(backward)]
    if any(scores is None for replies in orders for _, scores in replies):
        yield Reject(line, "a reply does not end in two lines with scores")
        return
    if not _follows(row["score"], orders):
        yield Reject(line, "the score is not the mean over the replies", found(row["score"]))
        return
    for index, replies in enumerate(orders):
        a, b, order = shown_pair(*(run.systems if index == 0 else run.systems[::-1]))
        n_asked = run.n_replies if index == 0 or run.is_balanced else 0
        dropped = [("", None)] * (n_asked - len(replies))
        for repetition, (reply, scores) in enumerate([*replies, *dropped]):
            margin = scores[0] - scores[1] if scores else None
            yield Judgment(
                line=line,
                item=item,
                a=a,
                b=b,
                order=order,
                outcome=_outcome(margin),
                judge=run.judge,
                strategy=run.strategy,
                repetition=repetition,
                cluster=item,
                system_a=a,
                system_b=b,
                margin=margin,
                reply=reply,
            )


def _texts(value: object) -> list[str] | None:
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
        return value
    return None


def _scored(replies: list[str]) -> list[tuple[str, tuple[float, float] | None]]:
    return [(reply, _scores(reply)) for reply in replies]


def _scores(reply: str) -> tuple[float, float] | None:
    """Read a reply by the program's own rule: the numbers that end its last two lines."""
    try:
        first, second = (float(line.rsplit(":", 1)[-1]) for line in reply.split("\n")[-2:])
    except ValueError:
        return None
    return first, second


def _follows(score: object, orders: list[list[tuple[str, tuple[float, float] | None]]]) -> bool:
    """Say whether a row's score is the mean of its replies' scores, second order exchanged."""
    means = [number(value) for value in score] if isinstance(score, list) else []
    exchanged = [scores[::-1] for _, scores in orders[1] if scores]
    pairs = [scores for _, scores in orders[0] if scores] + exchanged
    if len(means) != len(("first", "second")) or not pairs:
        return False
    return all(
        mean is not None and abs(mean - sum(pair[i] for pair in pairs) / len(pairs)) < _FAR
        for i, mean in enumerate(means)
    )


def _outcome(margin: float | None) -> Outcome:
    if margin is None:
        return source_outcome(OutcomeKind.UNPARSED)
    if margin == 0:
        return source_outcome(OutcomeKind.TIE)
    return source_outcome(OutcomeKind.FIRST if margin > 0 else OutcomeKind.SECOND)


FORMAT = LogFormat(
    name="faireval",
    title="FairEval judge outputs (review_<m1>_<m2>_<judge>_mec<k>_bpc<0|1>.json)",
    shapes=(
        Shape(Container.JSON_LINES, frozenset(_KEYS)),
        Shape(Container.JSON_OBJECT, frozenset(_KEYS)),
    ),
    read=_read,
    upstream={
        "win_rate": "questions whose mean score over all replies in both orders is higher for the"
        " system: a disagreement of the orders is averaged and not seen; ours is win_rate_a",
        "tie_rate": "questions with equal mean scores",
    },
)
