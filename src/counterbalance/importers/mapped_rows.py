"""Rows of any table to judgments or ratings, as a mapping says; what does not fit is a reject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterbalance.importers.fields import found
from counterbalance.importers.judgment import Judgment, Rating, Reject
from counterbalance.importers.mapped_names import PairNames
from counterbalance.importers.mapped_verdicts import (
    VerdictReader,
    calls_of,
    margin_of,
    text_in,
)
from counterbalance.importers.word_lists import spelled, word_of
from counterbalance.importers.word_lookup import getter, number_in, references
from counterbalance.protocol.verdict_format import compiled_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.importers.batch_calls import Call as BatchedCall
    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_format import Notes
    from counterbalance.importers.mapped_verdicts import MappedCall
    from counterbalance.importers.mapping import Mapping
    from counterbalance.importers.word_lookup import ShownNames
    from counterbalance.items.frames import Verdict

__all__ = ["RowReader"]

_NO_JUDGE = "judge"
_WORDS = ("judge", "strategy", "subset", "cluster", "category")
_NOT_COMPARED = (
    "The mapping names no columns that must be the same in both orders (rows.same), so the log"
    " cannot show whether anything but the order differed."
)
_NO_REFERENCE = "A reference that is none of the words of the mapping counts as none."


class RowReader:
    """Reads rows one at a time; made once for a mapping.

    Parameters
    ----------
    mapping : Mapping
        The mapping.
    notes : Notes
        Takes what a reader of the results must know.
    """

    def __init__(self, mapping: Mapping, notes: Notes) -> None:
        self._notes = notes
        paths = mapping.columns.model_dump(exclude_none=True)
        self._columns = {name: getter(path) for name, path in paths.items()}
        self._item = self._columns["item"]
        self._where = [(p, getter(p), spelled(w)) for p, w in mapping.rows.where.items()]
        self._same = [getter(path) for path in mapping.rows.same]
        self._splits = [
            (getter(split.column), compiled_pattern(split.pattern)) for split in mapping.split
        ]
        fixed = mapping.fixed.model_dump(exclude_none=True)
        self._constants = {"judge": _NO_JUDGE} | {
            name: value for name, value in fixed.items() if name in _WORDS
        }
        self._words = [(n, self._columns[n]) for n in _WORDS if n in self._columns]
        self._holds_ratings = mapping.holds_ratings
        self._names = PairNames(mapping, self._columns)
        self._verdicts = VerdictReader(mapping, notes)
        self._accepts = references(mapping.reference)
        self._calls = calls_of(mapping, self._columns)
        if not self._same and mapping.knows_order:
            notes.add(_NOT_COMPARED)

    def rows(
        self, line: int, row: dict[str, Any], batched: BatchedCall | None = None
    ) -> Iterator[Row]:
        """Yield what a row tells of.

        Parameters
        ----------
        line : int
            Where it stands.
        row : dict[str, Any]
            The row.
        batched : BatchedCall | None
            The call of a batch that the row stands for; None for any other row.

        Yields
        ------
        Row
            One judgment for each call, one rating, or a reject.
        """
        for read, pattern in self._splits:
            matched = pattern.fullmatch(word_of(read(row)) or "")
            if matched is None:
                yield Reject(line, "a value does not fit the mapping's split", found(read(row)))
                return
            row = {**row, **{k: v for k, v in matched.groupdict().items() if v is not None}}
        for path, read, allowed in self._where:
            if word_of(read(row)) not in allowed:
                yield Reject(line, "the mapping leaves the row out", found(path, read(row)))
                return
        item = word_of(self._item(row))
        if not item:
            yield Reject(line, "the item has no id", found(self._item(row)))
        elif self._holds_ratings:
            yield self._rating(line, row, item)
        else:
            for call in self._calls:
                asked = call if batched is None else call._replace(batched=batched)
                yield self._judgment(line, row, item, asked)

    def _words_of(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return the words that stand in columns, and the fixed ones beside them."""
        words = self._constants.copy()
        for name, read in self._words:
            word = word_of(read(row))
            if word:
                words[name] = word
        return words

    def _rating(self, line: int, row: dict[str, Any], item: str) -> Row:
        score = number_in(self._value(row, "score"))
        words = self._words_of(row)
        return Rating(
            line=line,
            item=item,
            system=word_of(self._value(row, "system")) or "unnamed",
            judge=words["judge"],
            value=score,
            strategy=words.get("strategy", ""),
            subset=words.get("subset", ""),
            reason="" if score is not None else "the score is no number",
            reply=text_in(self._value(row, "reply")),
        )

    def _value(self, row: dict[str, Any], name: str) -> object:
        read = self._columns.get(name)
        return None if read is None else read(row)

    def _judgment(self, line: int, row: dict[str, Any], item: str, call: MappedCall) -> Row:
        named = self._names.of(line, row, call.order)
        if isinstance(named, Reject):
            return named
        outcome = self._verdicts.outcome(line, row, call, named)
        if isinstance(outcome, Reject):
            return outcome
        more = self._words_of(row)
        more |= named.systems or self._names.systems(row, named.names)
        for name in call.texts:
            more[name] = text_in(call.values[name](row))
        problem = self._add_numbers(line, row, more)
        if problem is not None:
            return problem
        self._add_rest(row, call, named.names, more)
        reading = self._verdicts.reading if "verdict" in call.values else None
        order = named.names.order
        return Judgment(line, item, named.a, named.b, order, outcome, reading=reading, **more)

    def _add_numbers(self, line: int, row: dict[str, Any], more: dict[str, Any]) -> Reject | None:
        if "repetition" in self._columns:
            value = self._columns["repetition"](row)
            repetition = number_in(value or 0)
            if repetition is None or repetition < 0 or not repetition.is_integer():
                return Reject(line, "the repetition is no whole number", found(value))
            more["repetition"] = int(repetition)
        if "consequence" in self._columns:
            consequence = number_in(self._columns["consequence"](row))
            more["consequence"] = 1.0 if consequence is None else consequence
        return None

    def _add_rest(
        self, row: dict[str, Any], call: MappedCall, names: ShownNames, more: dict[str, Any]
    ) -> None:
        if "reference" in self._columns:
            more["reference"] = self._reference(row, names)
        if call.has_margin:
            more["margin"] = margin_of(row, call, names)
        if self._same:
            more["setting"] = "\x1f".join([found(read(row)) for read in self._same])

    def _reference(self, row: dict[str, Any], names: ShownNames) -> tuple[Verdict, ...]:
        word = word_of(self._columns["reference"](row))
        if word == "":
            return ()
        accepted = None if word is None else self._accepts(word, names)
        if accepted is None:
            self._notes.add(_NO_REFERENCE)
            return ()
        return accepted
