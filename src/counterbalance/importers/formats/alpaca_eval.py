"""AlpacaEval ``annotations.json``: one judgment in one display order for each instruction.

``preference`` runs from 1 (output_1, the baseline's) to 2 (output_2): 1.5, or 0 in old files, is a
draw and null a failure. It is written in terms of the outputs, whatever the display order was; the
order itself is not in the file. It is rebuilt by the program's seeded rule and used only where
replies that name a winner prove the rule; otherwise it stays unknown. Identical outputs are a draw
without a call.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, NamedTuple

from counterbalance.errors import one_line
from counterbalance.importers.formats.alpaca_eval_order import (
    FEWEST_CHECKED,
    Tally,
    is_exchanged,
    preferred_slot,
)
from counterbalance.importers.item_names import item_named
from counterbalance.importers.judgment import Judgment, Reject, source_outcome
from counterbalance.importers.log_format import Container, Holds, LogFormat, Shape
from counterbalance.importers.rows import array_rows
from counterbalance.importers.sides import shown_pair, slot_of
from counterbalance.importers.unread_reply import NO_REPLY
from counterbalance.items.frames import Order, Side, Slot
from counterbalance.parsing.outcome import Outcome, OutcomeKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes

__all__ = ["FORMAT", "LEADERBOARD", "OUTPUTS", "WEIGHTS"]

_TEXTS = ("instruction", "output_1", "output_2")
_KEYS = (*_TEXTS, "preference", "annotator")
_DRAW, _OLD_DRAW = 1.5, 0.0
_LEAST, _MOST = 1.0, 2.0

_ONE_ORDER = (
    "AlpacaEval shows each instruction in one order only, the same for every model: what looks like"
    " an effect of the order is a difference between instructions, and the instruction is the"
    " cluster."
)
_NOT_READ_AGAIN = (
    "AlpacaEval's judges name the outputs m and M, which differ in case only: replies are not read"
    " again, but checked against preference and order where they name a winner."
)
_NO_GENERATORS = (
    "Some rows do not name the generators (a cache of annotations): output_2 is told apart by its"
    " text."
)
_PROVED = (
    "{judge}: the display order is not in the log; it was rebuilt by the program's seeded rule,"
    " which fits all {tally.checked} replies that name a winner."
)
_CONTRADICTED = (
    "{judge}: the display order is unknown: the program's seeded rule fits only {tally.agreeing} of"
    " {tally.checked} replies that name a winner, so another seed or version was used."
)
_UNPROVED = (
    "{judge}: the display order is unknown: {tally.checked} replies name a winner, and at least"
    f" {FEWEST_CHECKED} must prove the program's seeded rule. Name further logs of this judge."
)


class _Annotation(NamedTuple):
    """A row whose fields have the right types."""

    line: int
    row: dict[str, Any]
    instruction: str
    outputs: tuple[str, str]
    judge: str
    preference: float | None


def _read(files: Sequence[LogFile], notes: Notes) -> Iterator[tuple[int, Row]]:
    proofs = _Proofs(files)
    notes.add(_ONE_ORDER)
    notes.add(_NOT_READ_AGAIN)
    proofs.tell(notes)
    for place, file in enumerate(files):
        for found in _annotations(file):
            if isinstance(found, Reject):
                yield place, found
            else:
                exchanged = None
                if proofs.holds(place, found.judge):
                    exchanged = is_exchanged(found.instruction)
                yield place, _judgment(found, exchanged, notes)


class _Proofs:
    """For which files and judges the seeded rule is proved, by reading all files once."""

    def __init__(self, files: Sequence[LogFile]) -> None:
        self._own: dict[tuple[int, str], Tally] = {}
        self._of_judge: dict[str, Tally] = {}
        for place, file in enumerate(files):
            for found in _annotations(file):
                if isinstance(found, _Annotation):
                    self._check(place, found)

    def _check(self, place: int, found: _Annotation) -> None:
        own = self._own.setdefault((place, found.judge), Tally())
        pooled = self._of_judge.setdefault(found.judge, Tally())
        if found.preference is None or found.preference == _DRAW:
            return
        slot = preferred_slot(found.row.get("raw_completion"))
        exchanged = is_exchanged(found.instruction)
        if slot is None or exchanged is None:
            return
        names_output_1 = (slot is Slot.FIRST) != exchanged
        agrees = names_output_1 == (found.preference < _DRAW)
        own.add(agrees=agrees)
        pooled.add(agrees=agrees)

    def holds(self, place: int, judge: str) -> bool:
        """Say whether the rule is proved by a file's own replies, or by those of its judge."""
        own = self._own[place, judge]
        return own.is_proof or (not own.is_contradicted and self._of_judge[judge].is_proof)

    def tell(self, notes: Notes) -> None:
        """Say for each judge what was proved."""
        told: dict[tuple[str, str], Tally] = {}
        for (place, judge), own in self._own.items():
            unknown = _CONTRADICTED if own.is_contradicted else _UNPROVED
            sentence = _PROVED if self.holds(place, judge) else unknown
            total = told.setdefault((sentence, judge), Tally())
            total.checked += own.checked
            total.agreeing += own.agreeing
        for (sentence, judge), tally in told.items():
            notes.add(sentence.format(judge=one_line(judge), tally=tally))


def _annotations(file: LogFile) -> Iterator[_Annotation | Reject]:
    for line, row in array_rows(file):
        fault = _fault(row)
        yield _annotation(line, row) if fault is None else Reject(line, *fault)


def _fault(row: object) -> tuple[str, str] | None:
    if not isinstance(row, dict):
        return "the row is no object", type(row).__name__
    for key in _TEXTS:
        if not isinstance(row.get(key), str):
            return "a text of the row is missing or no text", key
    if not isinstance(row.get("annotator"), str):
        return "the row names no annotator", type(row.get("annotator")).__name__
    return None if "preference" in row else ("the row has no preference", "")


def _annotation(line: int, row: dict[str, Any]) -> _Annotation | Reject:
    preference = row["preference"]
    if isinstance(preference, bool) or not isinstance(preference, (int, float, type(None))):
        return Reject(line, "the preference is no number", type(preference).__name__)
    if isinstance(preference, float) and math.isnan(preference):
        preference = None
    if preference == _OLD_DRAW:
        preference = _DRAW
    if preference is not None and not _LEAST <= preference <= _MOST:
        return Reject(line, "the preference is not from 1 to 2, 0 or null", one_line(preference))
    outputs = row["output_1"], row["output_2"]
    return _Annotation(line, row, row["instruction"], outputs, row["annotator"], preference)


def _judgment(found: _Annotation, exchanged: bool | None, notes: Notes) -> Judgment:  # noqa: FBT001
    row = found.row
    a, b, *systems = _names(found, notes)
    order = None
    if exchanged is not None:
        order = shown_pair(*((b, a) if exchanged else (a, b)), baselines=(a,))[2]
    completion = row.get("raw_completion")
    name = item_named(found.instruction)
    is_same = found.outputs[0] == found.outputs[1]
    return Judgment(
        line=found.line,
        item=name,
        a=a,
        b=b,
        order=order,
        outcome=_outcome(found.preference, order, completion),
        judge=found.judge,
        cluster=name,
        category=_text(row.get("dataset")),
        system_a=systems[0],
        system_b=systems[1],
        margin=_margin(found.preference, order),
        reply=_reply(completion),
        identical=is_same and completion is None and found.preference == _DRAW,
        length_a=len(found.outputs[0]),
        length_b=len(found.outputs[1]),
        texts=lambda: found.outputs,
    )


def _names(found: _Annotation, notes: Notes) -> tuple[str, str, str, str]:
    """Return the names of both candidates and of their generators."""
    systems = _text(found.row.get("generator_1")), _text(found.row.get("generator_2"))
    if all(systems):
        return *systems, *systems
    notes.add(_NO_GENERATORS)
    b = systems[1] or f"output_2 {item_named(found.outputs[1])}"
    return systems[0] or "output_1", b, *systems


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _outcome(preference: float | None, order: Order | None, completion: object) -> Outcome:
    if preference is None:
        if completion is None:
            return NO_REPLY
        return source_outcome(OutcomeKind.UNPARSED)
    if preference == _DRAW:
        return source_outcome(OutcomeKind.TIE)
    return source_outcome(slot_of(Side.A if preference < _DRAW else Side.B, order))


def _margin(preference: float | None, order: Order | None) -> float | None:
    """Return how far the preference is from a draw, exactly; positive for the first slot."""
    if preference is None:
        return None
    toward_a = _DRAW - preference
    return -toward_a if order is Order.REVERSED else toward_a


def _reply(completion: object) -> str:
    text = completion.get("text") if isinstance(completion, dict) else completion
    if isinstance(text, str):
        return text
    return "" if completion is None else json.dumps(completion, ensure_ascii=False)


FORMAT = LogFormat(
    name="alpaca-eval",
    title="AlpacaEval annotations (annotations.json)",
    shapes=(Shape(Container.JSON_ARRAY, frozenset(_KEYS)),),
    read_together=_read,
    advice="Files of one judge are read together, since replies in one prove the display order of"
    " all.",
    upstream={
        "win_rate": "mean of preference - 1 over rows with one, in percent, for generator_2: ours"
        " counts wins and half the draws, and for the baseline",
        "standard_error": "standard deviation of preference - 1 (n - 1) over the root of the rows,"
        " in percent points: as if instructions were independent draws and the judge had no error",
        "n_wins": "rows with a preference above 1.5: wins of generator_2",
        "n_wins_base": "rows with a preference below 1.5: wins of the baseline",
        "n_draws": "rows with a preference of exactly 1.5, identical outputs included, for which"
        " no call was made",
        "n_total": "rows with a preference; failures are left out",
        "discrete_win_rate": "wins of generator_2 and half the draws, of rows with a preference, in"
        " percent: identical outputs count as draws, and each pair was seen in one order only",
        "avg_length": "characters of output_2 over all instructions, rounded down: an instruction"
        " without a row counts as length 0",
    },
)

OUTPUTS = LogFormat(
    name="alpaca-eval-outputs",
    title="AlpacaEval outputs of one system (model_outputs.json)",
    shapes=(Shape(Container.JSON_ARRAY, frozenset({"instruction", "output", "generator"})),),
    holds=Holds.ANSWERS,
    advice="Name the annotations.json of the judge. To judge two systems yourself, write a pair"
    " file (docs/reference/pair-files.md).",
)

LEADERBOARD = LogFormat(
    name="alpaca-eval-leaderboard",
    title="an AlpacaEval leaderboard",
    shapes=(
        Shape(Container.TABLE, frozenset({"win_rate", "standard_error", "n_total", "avg_length"})),
    ),
    holds=Holds.AGGREGATES,
    advice="Name the annotations.json behind it.",
)

WEIGHTS = LogFormat(
    name="alpaca-eval-weights",
    title="weights of AlpacaEval's length-controlled win rate",
    shapes=(
        Shape(
            Container.TABLE,
            frozenset({"instruction_difficulty", "not_gamed_baseline.astype(float)"}),
        ),
    ),
    holds=Holds.AGGREGATES,
    advice="The fit cannot be repeated from it: it also needs the difficulty of each instruction.",
)
