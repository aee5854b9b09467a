"""Arena-Hard ``model_judgment/<judge>/<model>.jsonl``, v0.1 and v2: two games in each row.

Game 1 shows the baseline as A, game 2 the model. Scores are five-step labels of the slots, as the
judge wrote them. v0.1 does not name its baseline: it is called ``baseline`` here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.importers.bench_folder import bench_of
from counterbalance.importers.exchange import Marks, settings_between
from counterbalance.importers.fields import found, identifier
from counterbalance.importers.five_levels import FIVE_LEVELS, without_label
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
from counterbalance.importers.sides import shown_pair
from counterbalance.importers.unread_reply import NO_REPLY
from counterbalance.parsing.outcome import Outcome, OutcomeKind
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.verdict_format import VerdictFormat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes

__all__ = ["FORMAT"]

_MARKS = (
    Marks(
        "<|The Start of Assistant A's Answer|>\n",
        "\n<|The End of Assistant A's Answer|>\n\n<|The Start of Assistant B's Answer|>\n",
        "\n<|The End of Assistant B's Answer|>",
    ),
)
_LETTERS = Labelling(first="A", second="B")
_READING = Reading(VerdictFormat(format="bracket5", tie="tie"), _LETTERS)
_LENIENT = Reading(VerdictFormat(format="bracket5", tie="tie", lenient=True), _LETTERS)
"""v2 takes a label in single brackets where there is none in double ones."""

_UNNAMED = "baseline"
_MOST_GAMES = 2
_NOT_NAMED = (
    "Arena-Hard v0.1: the rows do not name the baseline that the model was compared with; it is"
    f' called "{_UNNAMED}" here.'
)
_NOT_COMPARED = (
    "Arena-Hard: some prompts could not be compared between the two games, so it is not known"
    " whether only the order differed there."
)


def _read(file: LogFile, notes: Notes) -> Iterator[Row]:
    bench = bench_of(file.inside)
    for line, row in json_lines(file):
        if isinstance(row, Reject):
            yield row
        else:
            yield from _games(line, row, bench, notes)


def _games(line: int, row: dict[str, Any], bench: str, notes: Notes) -> Iterator[Row]:
    item = identifier(row.get("uid", row.get("question_id")))
    model, judge = identifier(row.get("model")), identifier(row.get("judge"))
    baseline = identifier(row.get("baseline", _UNNAMED))
    if item is None or model is None or judge is None or baseline is None or baseline == model:
        what = found(row.get("uid", row.get("question_id")), judge, model, baseline)
        yield Reject(line, "question, judge, model and baseline cannot be told", what)
        return
    games = row.get("games")
    if not isinstance(games, list) or not 1 <= len(games) <= _MOST_GAMES:
        yield Reject(line, "the row holds neither one game nor two", found(games))
        return
    prompts = [_prompt(game) for game in games]
    settings = settings_between((prompts[0], prompts[-1]), _MARKS) if prompts[1:] else ("", "")
    _note(row, settings, notes)
    category = identifier(row.get("category")) or ""
    reading = _LENIENT if "baseline" in row else _READING
    for index, game in enumerate(games):
        outcome = _outcome(game)
        shown = (baseline, model) if index == 0 else (model, baseline)
        a, b, order = shown_pair(*shown, (baseline,))
        call = Judgment(
            line=line,
            item=item,
            a=a,
            b=b,
            order=order,
            outcome=NOTHING if isinstance(outcome, str) else outcome,
            judge=judge,
            subset=category or bench,
            cluster=item,
            category=category,
            system_a=a,
            system_b=b,
            setting=settings[index],
            reply=_reply(game) or "",
            prompt=prompts[index],
            reading=reading,
        )
        yield rejected(call, outcome, found(game)) if isinstance(outcome, str) else call


def _note(row: dict[str, Any], settings: tuple[str, str], notes: Notes) -> None:
    if "baseline" not in row:
        notes.add(_NOT_NAMED)
    if not settings[0]:
        notes.add(_NOT_COMPARED)


def _outcome(game: object) -> Outcome | str:
    """Return the outcome of a game, or what is wrong with it."""
    if game is None:
        return NO_REPLY
    if not isinstance(game, dict) or "score" not in game:
        return "the game has no score"
    score = game["score"]
    if score is None:
        return without_label(_reply(game))
    if not isinstance(score, str):
        return "the score is no label"
    known = FIVE_LEVELS.get(score)
    return source_outcome(OutcomeKind.OFF_SCALE) if known is None else known


def _reply(game: object) -> str | None:
    """Return the judge's text: v0.1 keeps it as it is, v2 as the answer in an object."""
    reply = game.get("judgment") if isinstance(game, dict) else None
    if isinstance(reply, dict):
        reply = reply.get("answer")
    return reply if isinstance(reply, str) else None


def _prompt(game: object) -> str:
    """Return the prompt as one text: v0.1 keeps the user's part, v2 all messages."""
    if not isinstance(game, dict):
        return ""
    prompt = game.get("user_prompt", game.get("prompt"))
    if isinstance(prompt, list):
        contents = [part.get("content") if isinstance(part, dict) else None for part in prompt]
        texts = [text for text in contents if isinstance(text, str)]
        return "\n\n".join(texts) if len(texts) == len(contents) else ""
    return prompt if isinstance(prompt, str) else ""


FORMAT = LogFormat(
    name="arena-hard",
    title="Arena-Hard judgments, v0.1 and v2 (model_judgment/<judge>/<model>.jsonl)",
    shapes=(
        Shape(Container.JSON_LINES, frozenset({"uid", "model", "judge", "games"})),
        Shape(Container.JSON_LINES, frozenset({"question_id", "model", "judge", "games"})),
    ),
    read=_read,
    upstream={
        "weighted_score": "wins of the model (b) and half the ties, over the games of rows whose"
        " two games have a label: a verdict with >> counts three times, and a disagreement of the"
        " two orders as half a win; ours is win_rate_a, for the baseline",
    },
)
