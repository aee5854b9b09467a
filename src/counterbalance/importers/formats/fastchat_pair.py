"""FastChat ``<judge>_pair.jsonl``: two games in each row, winners already named as models.

Game 1 shows ``model_1`` as Assistant A, game 2 shows ``model_2`` there. ``error`` means that no
label was found in the reply, or that no reply came. A row that was derived from single scores (it
has ``m1_score``) tells of no pairwise call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.importers.bench_folder import bench_of, turn_item
from counterbalance.importers.exchange import Marks, settings_between
from counterbalance.importers.fields import found, identifier, judge_and_prompt
from counterbalance.importers.judgment import (
    NOTHING,
    Judgment,
    Reject,
    rejected,
    source_outcome,
)
from counterbalance.importers.log_format import Container, LogFormat, Shape
from counterbalance.importers.reading import Reading
from counterbalance.importers.rows import json_lines
from counterbalance.importers.sides import shown_pair, slot_of
from counterbalance.importers.unread_reply import unread
from counterbalance.items.frames import Order, Side
from counterbalance.parsing.outcome import Outcome, OutcomeKind
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.verdict_format import VerdictFormat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes

__all__ = ["FORMAT"]

_BRACKET = Reading(VerdictFormat(format="bracket", tie="C"), Labelling(first="A", second="B"))
_KEYS = ("question_id", "model_1", "model_2", "g1_winner", "g2_winner", "judge")
_GAMES = (("g1_winner", "g1_judgment"), ("g2_winner", "g2_judgment"))
_MARKS = (
    Marks(
        "[The Start of Assistant A's Answer]\n",
        "\n[The End of Assistant A's Answer]\n\n[The Start of Assistant B's Answer]\n",
        "\n[The End of Assistant B's Answer]",
    ),
    Marks(
        "<|The Start of Assistant A's Conversation with User|>\n",
        "\n<|The End of Assistant A's Conversation with User|>\n\n\n"
        "<|The Start of Assistant B's Conversation with User|>\n",
        "\n<|The End of Assistant B's Conversation with User|>",
        ("\n### Assistant A:\n", "\n### Assistant B:\n"),
    ),
)
_NO_WINNER = "the winner is none of model_1, model_2, tie, error"
_NOT_COMPARED = (
    "FastChat pairs: some prompts could not be compared between the two games, so it is not known"
    " whether only the order differed there."
)


def _read(file: LogFile, notes: Notes) -> Iterator[Row]:
    subset = bench_of(file.inside)
    for line, row in json_lines(file):
        if isinstance(row, Reject):
            yield row
        elif missing := [key for key in _KEYS if key not in row]:
            yield Reject(line, "the row lacks a key", missing[0])
        elif "m1_score" in row:
            yield Reject(line, "the row was derived from single scores: no pairwise call was made")
        else:
            yield from _games(line, row, subset, notes)


def _games(line: int, row: dict[str, Any], subset: str, notes: Notes) -> Iterator[Row]:
    judged = judge_and_prompt(row["judge"])
    if judged is None:
        yield Reject(line, "judge is neither a name nor a list of names", found(row["judge"]))
        return
    judge, strategy = judged
    item = turn_item(row, strategy)
    one, two = identifier(row["model_1"]), identifier(row["model_2"])
    if item is None or one is None or two is None or one == two:
        what = found(row["question_id"], row.get("turn"), row["model_1"], row["model_2"])
        yield Reject(line, "question, turn and two different models cannot be told", what)
        return
    a, b, order = shown_pair(one, two)
    side_of_one = Side.A if a == one else Side.B
    prompts = _text(row, "g1_user_prompt") or "", _text(row, "g2_user_prompt") or ""
    settings = settings_between(prompts, _MARKS)
    if not settings[0]:
        notes.add(_NOT_COMPARED)
    for game, (winner_key, reply_key) in enumerate(_GAMES):
        shown = order if game == 0 else order.other
        reply = _text(row, reply_key)
        outcome = _outcome(row[winner_key], reply, side_of_one, shown)
        call = Judgment(
            line=line,
            item=item,
            a=a,
            b=b,
            order=shown,
            outcome=outcome or NOTHING,
            judge=judge,
            strategy=strategy,
            subset=subset,
            cluster=str(row["question_id"]),
            system_a=a,
            system_b=b,
            setting=settings[game],
            reply=reply or "",
            prompt=prompts[game],
            reading=_reading(outcome or NOTHING, reply),
        )
        if outcome is None:
            yield rejected(call, _NO_WINNER, found(row[winner_key]))
        else:
            yield call


def _text(row: dict[str, Any], key: str) -> str | None:
    value = row.get(key)
    return value if isinstance(value, str) else None


def _outcome(winner: object, reply: str | None, one: Side, order: Order) -> Outcome | None:
    """Return the outcome in slot terms; ``one`` is the side that ``model_1`` has in the pair."""
    match winner:
        case "model_1":
            return source_outcome(slot_of(one, order))
        case "model_2":
            return source_outcome(slot_of(one.other, order))
        case "tie":
            return source_outcome(OutcomeKind.TIE)
        case "error":
            return unread(reply)
        case _:
            return None


def _reading(outcome: Outcome, reply: str | None) -> Reading | None:
    """Read again what asked for labels; a verdict without any label came from a pair of scores."""
    if reply is None:
        return None
    has_label = "[[A]]" in reply or "[[B]]" in reply or "[[C]]" in reply
    return _BRACKET if has_label or not outcome.is_verdict else None


FORMAT = LogFormat(
    name="fastchat-pair",
    title="FastChat pairwise judgments (<judge>_pair.jsonl)",
    shapes=(Shape(Container.JSON_LINES, frozenset(_KEYS)),),
    read=_read,
    upstream={
        "win_rate": "rows whose two games name the model, of its rows without an error, over all"
        " prompts and turns: a disagreement of the two orders counts as a tie",
        "loss_rate": "the same for rows that name the other model",
        "win_rate_adjusted": "the same with half of what counts as a tie: order disagreements are"
        " half a win; ours is win_rate_a, with an interval over questions",
    },
)
