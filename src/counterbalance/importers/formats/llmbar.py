"""LLMBar ``evaluators/<judge>/<strategy>/result.json``: both orders of each pair in one element.

The last object of ``results`` holds the verdicts: ``swap = False`` shows output_1 as "Output (a)",
``swap = True`` shows output_2 there; ``winner`` already names the output. Lists before it are texts
that both orders were given (metrics, a reference answer). Swap strategies ask once in each order,
and once more where the two disagree. Rating strategies score each output alone: the two winners
that they write are made from the scores and tell of no order.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from counterbalance.errors import one_line
from counterbalance.importers.exchange import settings_of
from counterbalance.importers.item_names import item_named
from counterbalance.importers.judgment import (
    NOTHING,
    Judgment,
    Rating,
    Reject,
    rejected,
    source_outcome,
)
from counterbalance.importers.log_format import Container, Holds, LogFormat, Shape
from counterbalance.importers.reading import Reading
from counterbalance.importers.rows import array_rows
from counterbalance.importers.sides import shown_pair, slot_of
from counterbalance.importers.unread_reply import unread
from counterbalance.items.frames import Order, Side, Verdict
from counterbalance.measures.upstream.llmbar import FIRST_ROUND
from counterbalance.parsing.outcome import Outcome, OutcomeKind
from counterbalance.protocol.labelling import Labelling
from counterbalance.protocol.verdict_format import VerdictFormat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes

__all__ = ["FORMAT", "PAIRS", "STATISTICS"]

_OUTPUTS = ("output_1", "output_2")
_TEXTS = ("input", *_OUTPUTS)
_GAMES = (
    ("swap = False", shown_pair(*_OUTPUTS)[2]),
    ("swap = True", shown_pair(*_OUTPUTS[::-1])[2]),
)
_SIDES = {"1": Side.A, "2": Side.B}
_OUTCOMES = {
    (winner, order): source_outcome(slot_of(side, order))
    for winner, side in _SIDES.items()
    for order in Order
}
_ACCEPTED: dict[int, tuple[Verdict, ...]] = {1: (Verdict.A,), 2: (Verdict.B,)}

_LABELS = Labelling(first="(a)", second="(b)")
_BARE = Reading(
    VerdictFormat(format="regex", pattern=r"(?:^|\n) ?Output (?P<label>\([ab]\))"), _LABELS
)
_EXPLAINED = Reading(
    VerdictFormat(format="regex", pattern=r"Output (?P<label>\([ab]\)) is better"), _LABELS
)
_FILTERED = "content management policy"
_LONGEST_SCORE = 15
_NO_ROOM = "0 is less than the minimum of"
_DEBATE = "\n# Debate between"
_SHARED = ("both orders were given the same auxiliary texts",) * 2

_NO_PROMPTS = (
    "LLMBar keeps no prompts, except in the second round of Swap strategies: that nothing but the"
    " order differed cannot be checked in the log."
)
_TWO_ROUNDS = (
    "Swap strategies ask in both orders, and once more where the two disagree. Their group holds"
    " the final verdicts; the group with (first round) holds the first ones, and where these agree"
    " the same calls stand in both groups."
)
_RATED = (
    "Rating strategies score each output alone: their scores are ratings without a display order."
    " The two winners in the log are made from them, and equal scores are written there as if the"
    " orders disagreed."
)
_SAME_TEXTS = (
    "Some pairs hold the same text twice, and the judge was asked about them all the same."
)
_NO_PLACE = (
    "The path does not name the judge and the strategy (evaluators/JUDGE/STRATEGY/result.json)."
)
_NO_LABEL = "Some rows have no label 1 or 2: they have no reference."


class _Place(NamedTuple):
    """What the path says of all rows of a file."""

    judge: str
    strategy: str
    subset: str


class _Item(NamedTuple):
    """What all judgments of one row share."""

    line: int
    place: _Place
    name: str
    cluster: str
    outputs: tuple[str, str]
    reference: tuple[Verdict, ...]


def _read(file: LogFile, notes: Notes) -> Iterator[Row]:
    place = _place(file, notes)
    for line, row in array_rows(file):
        if not isinstance(row, dict):
            yield Reject(line, "the row is no object", type(row).__name__)
        elif missing := [key for key in _TEXTS if not isinstance(row.get(key), str)]:
            yield Reject(line, "a text of the row is missing or no text", missing[0])
        else:
            yield from _rounds(_item(line, row, place, notes), row.get("results"), notes)


def _place(file: LogFile, notes: Notes) -> _Place:
    parts = PurePosixPath(file.inside).parts
    if "evaluators" in parts[:-3]:
        at = len(parts) - 1 - parts[::-1].index("evaluators")
        if at + 3 < len(parts) and at:
            return _Place(parts[at + 1], parts[at + 2], parts[at - 1])
    notes.add(_NO_PLACE)
    return _Place("unknown judge", "", "")


def _item(line: int, row: dict[str, Any], place: _Place, notes: Notes) -> _Item:
    prompt, one, two = (row[key] for key in _TEXTS)
    if one == two:
        notes.add(_SAME_TEXTS)
    label = row.get("label")
    reference = _ACCEPTED.get(label, ()) if type(label) is int else ()
    if not reference:
        notes.add(_NO_LABEL)
    name = item_named("\0".join((prompt, one, two)))
    return _Item(line, place, name, item_named(prompt), (one, two), reference)


def _rounds(item: _Item, results: object, notes: Notes) -> Iterator[Row]:
    if not isinstance(results, list) or not results or not isinstance(results[-1], dict):
        yield Reject(item.line, "results does not end with verdicts", type(results).__name__)
        return
    if "score_1" in results[-1] or "score_2" in results[-1]:
        notes.add(_RATED)
        yield from _ratings(item, results[-1])
        return
    notes.add(_NO_PROMPTS)
    rounds = [element for element in results if isinstance(element, dict)]
    settings = _SHARED if len(rounds) < len(results) else ("", "")
    strategy = item.place.strategy
    is_swap = strategy.startswith("Swap") or len(rounds) > 1
    if is_swap:
        notes.add(_TWO_ROUNDS)
        yield from _games(item, rounds[0], strategy + FIRST_ROUND, _EXPLAINED, settings)
    is_explained = "CoT" in strategy or (is_swap and len(rounds) == 1)
    yield from _games(item, rounds[-1], strategy, _EXPLAINED if is_explained else _BARE, settings)


def _games(
    item: _Item,
    games: dict[str, Any],
    strategy: str,
    reading: Reading,
    settings: tuple[str, str],
) -> Iterator[Row]:
    prompts = _prompt(games, 0), _prompt(games, 1)
    if all(prompts):
        cut = prompts[0].partition(_DEBATE)[0], prompts[1].partition(_DEBATE)[0]
        settings = settings_of(cut, item.outputs, settings)
    for place, (key, order) in enumerate(_GAMES):
        game = games.get(key)
        told = game if isinstance(game, dict) else {}
        reply, finish = _completion(told)
        outcome = _outcome(told["winner"], order, reply, finish) if "winner" in told else None
        call = Judgment(
            line=item.line,
            item=item.name,
            a=_OUTPUTS[0],
            b=_OUTPUTS[1],
            order=order,
            outcome=outcome or NOTHING,
            judge=item.place.judge,
            strategy=strategy,
            subset=item.place.subset,
            cluster=item.cluster,
            reference=item.reference,
            setting=settings[place],
            reply=reply,
            finish="content_filter" if finish == _FILTERED else finish,
            prompt=prompts[place],
            reading=reading,
            length_a=len(item.outputs[0]),
            length_b=len(item.outputs[1]),
            texts=lambda: item.outputs,
        )
        if outcome is not None:
            yield call
        elif "winner" in told:
            yield rejected(call, 'the winner is none of "1", "2", null', one_line(told["winner"]))
        else:
            yield rejected(call, "the row lacks the verdict of an order", key)


def _prompt(games: dict[str, Any], place: int) -> str:
    game = games.get(_GAMES[place][0])
    prompt = game.get("prompt") if isinstance(game, dict) else None
    return prompt if isinstance(prompt, str) else ""


def _completion(game: dict[str, Any]) -> tuple[str, str]:
    """Return the reply and why it stopped; empty where the log keeps neither."""
    return _generation(game.get("completion"))


def _generation(value: object) -> tuple[str, str]:
    match value:
        case [str(text), str(finish)]:
            return text, finish
        case [str(text), *_] | str(text):
            return text, ""
        case _:
            return "", ""


def _outcome(winner: object, order: Order, reply: str, finish: str) -> Outcome | None:
    """Return the source's verdict in slot terms; None for a winner that it never writes."""
    if winner is not None:
        return _OUTCOMES.get((winner, order)) if isinstance(winner, str) else None
    if finish == _FILTERED:
        return source_outcome(OutcomeKind.REFUSED)
    if finish.startswith(_NO_ROOM):
        return source_outcome(OutcomeKind.TOO_LONG)
    if finish == "length":
        return source_outcome(OutcomeKind.TRUNCATED)
    return unread(reply)


def _ratings(item: _Item, scores: dict[str, Any]) -> Iterator[Rating]:
    for system, side in zip(_OUTPUTS, (Verdict.A, Verdict.B), strict=True):
        reply, finish = _generation(scores.get(f"score_{system[-1]}"))
        value, reason = _score(reply, finish)
        yield Rating(
            line=item.line,
            item=item.name,
            system=system,
            judge=item.place.judge,
            value=value,
            strategy=item.place.strategy,
            subset=item.place.subset,
            reason=reason,
            reply=reply,
            preferred=side in item.reference if item.reference else None,
        )


def _score(reply: str, finish: str) -> tuple[float | None, str]:
    digits = reply.strip()
    if digits.removeprefix("-").isdecimal() and len(digits) <= _LONGEST_SCORE:
        return float(digits), ""
    if finish == _FILTERED:
        return None, "refused"
    return None, "the reply is no whole number" if digits else "empty"


FORMAT = LogFormat(
    name="llmbar",
    title="LLMBar judgments (evaluators/<judge>/<strategy>/result.json)",
    shapes=(Shape(Container.JSON_ARRAY, frozenset({*_TEXTS, "results"})),),
    read=_read,
    advice="judge, strategy and subset are taken from the folders above result.json.",
    upstream={
        "correct_False": "verdicts of the order that shows output_1 first which equal the label,"
        " of all rows: a missing verdict counts as wrong; for Rating, an equal or missing score"
        " becomes a verdict",
        "correct_True": "the same with output_2 shown first; an equal score becomes the other"
        " verdict",
        "correct_average": "mean of the two, in percent",
        "correct_both": "rows right in both orders, of all rows: ours leaves out rows without both"
        " verdicts, its _all variant does not",
        "equal": "rows with the same verdict in both orders, of all rows: two missing verdicts"
        " count as the same",
        "kappa_False": "defective: published as agreement with the label, but output_2 and a"
        " missing verdict are coded 0 while the label is 1 or 2, so that label 2 can never match;"
        " ours is kappa_forward",
        "kappa_True": "the same slip in the other order; ours is kappa_reversed",
        "kappa_average": "mean of the two kappas with that slip",
        "kappa_agreement": "agreement of the two orders with output_2 and a missing verdict taken"
        " for one; ours is kappa_orders",
    },
)

PAIRS = LogFormat(
    name="llmbar-dataset",
    title="an LLMBar data set (dataset.json)",
    shapes=(Shape(Container.JSON_ARRAY, frozenset({*_TEXTS, "label"})),),
    holds=Holds.PAIRS,
    advice="The judgments are in evaluators/JUDGE/STRATEGY/result.json; to judge the pairs"
    " yourself, write them as a pair file (docs/reference/pair-files.md).",
)

STATISTICS = LogFormat(
    name="llmbar-statistics",
    title="LLMBar statistics (statistics.json)",
    shapes=(
        Shape(
            Container.JSON_OBJECT,
            frozenset({"correct_False", "correct_True", "correct_both", "equal"}),
        ),
    ),
    holds=Holds.AGGREGATES,
    advice="Name the result.json beside it; the kappas here come from a slip of the label codes.",
)
