"""FastChat ``<judge>_pair.jsonl``: two games in each row, winners already named as models.

Game 1 shows ``model_1`` as Assistant A, game 2 shows ``model_2`` there. ``error`` means that no
label was found in the reply. A row that was derived from single scores (it has ``m1_score``) tells
of no pairwise call.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from counterbalance.importers.exchange import settings_of
from counterbalance.importers.judgment import Judgment, Reject, source_outcome
from counterbalance.importers.log_format import Container, LogFormat, Shape
from counterbalance.importers.reading import Reading
from counterbalance.importers.rows import json_lines
from counterbalance.importers.sides import shown_pair, slot_of
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
_ANSWERS = re.compile(
    r"\[The Start of Assistant A's Answer\]\n(?P<a>.*?)\n\[The End of Assistant A's Answer\]"
    r".*?\[The Start of Assistant B's Answer\]\n(?P<b>.*?)\n\[The End of Assistant B's Answer\]",
    re.DOTALL,
)


def _read(file: LogFile, notes: Notes) -> Iterator[Row]:
    for line, row in json_lines(file):
        if isinstance(row, Reject):
            yield row
        elif missing := [key for key in _KEYS if key not in row]:
            yield Reject(line, "the row lacks a key", missing[0])
        elif "m1_score" in row:
            yield Reject(line, "the row was derived from single scores: no pairwise call was made")
        else:
            yield from _games(line, row, notes)


def _games(line: int, row: dict[str, Any], notes: Notes) -> Iterator[Row]:
    systems = str(row["model_1"]), str(row["model_2"])
    prompts = str(row.get("g1_user_prompt") or ""), str(row.get("g2_user_prompt") or "")
    settings = settings_of(prompts, _answers(prompts[0]))
    if not any(settings):
        notes.add("The prompts could not be compared between the two orders.")
    judge, strategy = _judge(row["judge"])
    a, b, _ = shown_pair(*systems)
    for game, shown in enumerate((systems, systems[::-1])):
        winner = row[f"g{game + 1}_winner"]
        _, _, order = shown_pair(*shown)
        outcome = _outcome(winner, systems, a, order)
        if outcome is None:
            yield Reject(line, "the winner is none of model_1, model_2, tie, error", str(winner))
            continue
        yield Judgment(
            line=line,
            item=_item(row),
            a=a,
            b=b,
            order=order,
            outcome=outcome,
            judge=judge,
            strategy=strategy,
            cluster=str(row["question_id"]),
            system_a=a,
            system_b=b,
            setting=settings[game],
            reply=str(row.get(f"g{game + 1}_judgment") or ""),
            prompt=prompts[game],
            reading=_BRACKET,
        )


def _item(row: dict[str, Any]) -> str:
    turn = row.get("turn", 1)
    return f"{row['question_id']}" if turn == 1 else f"{row['question_id']} turn {turn}"


def _judge(value: object) -> tuple[str, str]:
    """Return judge and prompt name; the judge is a list of both, or a name alone."""
    if isinstance(value, list):
        names = [str(part) for part in value]
        return names[0] if names else "", " ".join(names[1:])
    return str(value), ""


def _answers(prompt: str) -> tuple[str, str]:
    found = _ANSWERS.search(prompt)
    return (found["a"], found["b"]) if found else ("", "")


def _outcome(winner: object, systems: tuple[str, str], a: str, order: Order) -> Outcome | None:
    if winner == "tie":
        return source_outcome(OutcomeKind.TIE)
    if winner == "error":
        return source_outcome(OutcomeKind.UNPARSED)
    if winner not in {"model_1", "model_2"}:
        return None
    system = systems[winner == "model_2"]
    return source_outcome(slot_of(Side.A if system == a else Side.B, order))


FORMAT = LogFormat(
    name="fastchat-pair",
    title="FastChat pairwise judgments (<judge>_pair.jsonl)",
    shapes=(Shape(Container.JSON_LINES, frozenset(_KEYS)),),
    read=_read,
    upstream={
        "fastchat_show_result": "rows with an error are left out, and a disagreement of the two"
        " orders counts as a tie",
    },
)
