"""LMArena battles: one vote of one person in each row; and the arena's raw vote log.

Battles (``winner``, or one column for each winner) do not say which answer stood on the left. The
raw log does: its votes are called leftvote and rightvote, and its first model stands on the left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.importers.answer_texts import ANSWER_COLUMNS, both_answers
from counterbalance.importers.container_rows import container_rows
from counterbalance.importers.fields import found, identifier
from counterbalance.importers.judgment import Judgment, Reject
from counterbalance.importers.log_format import Container, LogFormat, Shape
from counterbalance.importers.rows import json_lines
from counterbalance.importers.votes import ORDER_UNKNOWN, WINNERS, vote_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes, Sample

__all__ = ["FORMAT", "VOTES"]

_ONE_HOT = {
    "winner_model_a": "model_a",
    "winner_model_b": "model_b",
    "winner_tie": "tie",
}
_COLUMNS = frozenset(
    {"question_id", "id", "model_a", "model_b", "winner", "anony", "evaluation_session_id"}
    | _ONE_HOT.keys()
    | set(ANSWER_COLUMNS)
)
_SHOWN_ON_THE_CARD = frozenset(
    {"anony", "language", "tstamp", "judge_hash", "evaluation_session_id", "evaluation_order"}
)
_FLAGS = {1: True, 0: False, "1": True, "0": False, "1.0": True, "0.0": False}
_PEOPLE = "people"
_ANONYMOUS = {True: "anonymous", False: "names shown", "True": "anonymous", "False": "names shown"}
_ONE_HOT_TIES = (
    "LMArena: a table with one column for each winner counts both-bad votes among its ties."
)
_VOTE_WINNERS = {
    "leftvote": "model_a",
    "rightvote": "model_b",
    "tievote": "tie",
    "bothbad_vote": "tie (bothbad)",
}
_HEADINGS = ("<h3>Model A: ", "<h3>Model B: ", "### Model A: ", "### Model B: ")


def _read(file: LogFile, notes: Notes) -> Iterator[Row]:
    notes.add(ORDER_UNKNOWN)
    for line, row in container_rows(file, _COLUMNS):
        yield row if isinstance(row, Reject) else _battle(line, row, notes)


def _battle(line: int, row: dict[str, Any], notes: Notes) -> Row:
    model_a, model_b = identifier(row.get("model_a")), identifier(row.get("model_b"))
    if model_a is None or model_b is None or model_a == model_b:
        what = found(row.get("model_a"), row.get("model_b"))
        return Reject(line, "two different models cannot be told", what)
    winner = row["winner"] if "winner" in row else _one_hot(row, notes)
    vote = vote_of(model_a, model_b, winner) if isinstance(winner, str) else None
    if vote is None:
        return Reject(line, f"the winner is none of {', '.join(WINNERS)}", found(winner))
    a, b, order, outcome = vote
    anonymous = row.get("anony")
    return Judgment(
        line=line,
        item=identifier(row.get("question_id", row.get("id"))) or f"battle {line}",
        a=a,
        b=b,
        order=order,
        outcome=outcome,
        judge=_PEOPLE,
        strategy=_ANONYMOUS.get(anonymous, "") if isinstance(anonymous, (bool, str)) else "",
        cluster=identifier(row.get("evaluation_session_id")) or "",
        system_a=a,
        system_b=b,
        texts=both_answers(row, exchanged=a != model_a),
    )


def _one_hot(row: dict[str, Any], notes: Notes) -> str | list[object]:
    """Return the one winner whose column is set, or what stood in the columns."""
    notes.add(_ONE_HOT_TIES)
    values = [row.get(column) for column in _ONE_HOT]
    flags = [_FLAGS.get(v) if isinstance(v, (int, float, str)) else None for v in values]
    if None in flags or sum(map(bool, flags)) != 1:
        return values
    return next(name for name, flag in zip(_ONE_HOT.values(), flags, strict=True) if flag)


def _read_votes(file: LogFile, notes: Notes) -> Iterator[Row]:
    notes.add("LMArena votes: every pair was shown in one order only.")
    for line, row in json_lines(file):
        yield row if isinstance(row, Reject) else _vote(line, row)


def _vote(line: int, row: dict[str, Any]) -> Row:
    kind = row.get("type")
    winner = _VOTE_WINNERS.get(kind) if isinstance(kind, str) else None
    if winner is None:
        return Reject(line, "the row is no vote between two answers", found(kind))
    named = _named(row)
    if named is None:
        return Reject(line, "two different models cannot be told", found(row.get("models")))
    left, right, is_anonymous = named
    vote = vote_of(left, right, winner, in_order=True)
    if vote is None:
        return Reject(line, "the row is no vote between two answers", found(kind))
    a, b, order, outcome = vote
    return Judgment(
        line=line,
        item=_conversation(row) or f"vote {line}",
        a=a,
        b=b,
        order=order,
        outcome=outcome,
        judge=_PEOPLE,
        strategy=_ANONYMOUS[is_anonymous],
        system_a=a,
        system_b=b,
    )


def _named(row: dict[str, Any]) -> tuple[str, str, bool] | None:
    """Return the models on the left and right, and whether their names were hidden."""
    public, hidden = _two(row.get("models")), _two(row.get("states"))
    if public is None:
        return None
    shown = [_without_heading(name) if isinstance(name, str) else None for name in public]
    is_anonymous = shown[0] in {"", "Model A"}
    if is_anonymous:
        states = hidden or (None, None)
        shown = [
            identifier(state.get("model_name")) if isinstance(state, dict) else None
            for state in states
        ]
    left, right = shown
    if not left or not right or left == right:
        return None
    return left, right, is_anonymous


def _two(value: object) -> tuple[Any, Any] | None:
    return (value[0], value[1]) if isinstance(value, list) and len(value) == 2 else None  # noqa: PLR2004


def _without_heading(name: str) -> str:
    for heading in _HEADINGS:
        if name.startswith(heading):
            return name.removeprefix(heading).strip().removesuffix("</h3>")
    return name


def _conversation(row: dict[str, Any]) -> str | None:
    states = _two(row.get("states"))
    return identifier(states[0].get("conv_id")) if states and isinstance(states[0], dict) else None


def _from_the_arena(sample: Sample) -> bool:
    return not _SHOWN_ON_THE_CARD.isdisjoint(sample.keys)


def _from_the_log(sample: Sample) -> bool:
    return not sample.keys.isdisjoint({"models", "model"})


FORMAT = LogFormat(
    name="lmarena-battles",
    title="LMArena battles: votes of people on pairs of models",
    shapes=tuple(
        shape
        for container in (
            Container.JSON_LINES,
            Container.JSON_ARRAY,
            Container.TABLE,
            Container.PARQUET,
        )
        for shape in (
            Shape(container, frozenset({"model_a", "model_b", "winner"}), _from_the_arena),
            Shape(container, frozenset({"model_a", "model_b"} | _ONE_HOT.keys())),
        )
    ),
    read=_read,
    advice="Votes tell what people preferred; nothing about a judge, and nothing about order.",
)
VOTES = LogFormat(
    name="lmarena-votes",
    title="raw vote log of the arena (leftvote, rightvote, tievote, bothbad_vote)",
    shapes=(Shape(Container.JSON_LINES, frozenset({"tstamp", "type"}), _from_the_log),),
    read=_read_votes,
    advice="Each pair was shown in one order, so only the rate of the left answer can be told.",
)
