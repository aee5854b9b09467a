"""Rows of any table to judgments or ratings, as a mapping says; what does not fit is a reject.

Most rows of a large log say the same as many others in all columns but a few (the item, the reply,
a score): what such columns came to is kept, and only the few are read again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from counterbalance.importers.fields import found
from counterbalance.importers.judgment import NOTHING, Judgment, Rating, Reject, rejected
from counterbalance.importers.mapped_names import PairNames
from counterbalance.importers.mapped_verdicts import (
    VerdictReader,
    calls_of,
    margin_of,
    text_in,
)
from counterbalance.importers.row_values import values_at
from counterbalance.importers.word_lists import spelled, word_of
from counterbalance.importers.word_lookup import getter, number_in, references
from counterbalance.protocol.verdict_format import compiled_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from counterbalance.importers.batch_calls import Call as BatchedCall
    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_format import Notes
    from counterbalance.importers.mapped_verdicts import MappedCall
    from counterbalance.importers.mapping import Mapping
    from counterbalance.importers.reading import Reading
    from counterbalance.importers.word_lookup import ShownNames
    from counterbalance.items.frames import Order, Verdict
    from counterbalance.parsing.outcome import Outcome

    Read: TypeAlias = Callable[[Any], Any]

__all__ = ["OwnWords", "RowReader", "SharedCall", "told_of_pair"]

_NO_JUDGE = "judge"
_SHARED = ("judge", "strategy", "subset", "category")
_WORDS = (*_SHARED, "cluster")
_OWN = ("item", "cluster", "consequence", "reply", "finish", "prompt", "margin")
_SCORES = ("score_first", "score_second", "score_a", "score_b")
_MOST_KEPT = 10_000
_NOT_COMPARED = (
    "The mapping names no columns that must be the same in both orders (rows.same), so the log"
    " cannot show whether anything but the order differed."
)
_NO_REFERENCE = "A reference that is none of the words of the mapping counts as none."


class SharedCall(NamedTuple):
    """What a call has in common with the calls of all rows that say the same."""

    names: ShownNames
    a: str
    b: str
    order: Order | None
    outcome: Outcome | Reject
    reading: Reading | None
    more: dict[str, Any]

    def judgment(self, line: int = 0, item: str = "", **own: Any) -> Judgment | Reject:  # noqa: ANN401
        """Return the judgment of a row, given what is its own; a reject without an outcome."""
        more = self.more | own if own else self.more
        outcome = NOTHING if isinstance(self.outcome, Reject) else self.outcome
        made = Judgment(
            line, item, self.a, self.b, self.order, outcome, reading=self.reading, **more
        )
        if isinstance(self.outcome, Reject):
            return rejected(made, self.outcome.reason, self.outcome.found)
        return made


_Calls: TypeAlias = "tuple[tuple[MappedCall, SharedCall | Reject], ...]"


class OwnWords:
    """What a row has of its own, beside its item and its texts.

    Parameters
    ----------
    mapping : Mapping
        The mapping.
    columns : dict[str, Read]
        What reads each column that the mapping names.
    """

    def __init__(self, mapping: Mapping, columns: dict[str, Read]) -> None:
        self._same = [getter(path) for path in mapping.rows.same]
        self._cluster = columns.get("cluster")
        self._consequence = columns.get("consequence")
        self.has_setting = bool(self._same)
        self.is_of_pair = self._cluster is not None or self._consequence is not None

    def of_pair(self, row: dict[str, Any]) -> tuple[str, float]:
        """Return the cluster, empty where there is none, and the consequence."""
        cluster = None if self._cluster is None else self._cluster(row)
        return told_of_pair(cluster, None if self._consequence is None else self._consequence(row))

    def setting(self, row: dict[str, Any]) -> str:
        """Return all that must be the same in both orders."""
        return "\x1f".join([found(read(row)) for read in self._same])


def told_of_pair(cluster: object, consequence: object) -> tuple[str, float]:
    """Return what two values say of a pair: its cluster, empty without one, and consequence."""
    told = number_in(consequence)
    return word_of(cluster) or "", 1.0 if told is None else told


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
        self._splits = [
            (getter(split.column), compiled_pattern(split.pattern)) for split in mapping.split
        ]
        fixed = mapping.fixed.model_dump(exclude_none=True)
        self._constants = {"judge": _NO_JUDGE} | {
            name: value for name, value in fixed.items() if name in _WORDS
        }
        self._words = [(n, self._columns[n]) for n in _SHARED if n in self._columns]
        self.own = OwnWords(mapping, self._columns)
        """What rows that say the same have of their own."""
        self._holds_ratings = mapping.holds_ratings
        self._names = PairNames(mapping, self._columns)
        self._verdicts = VerdictReader(mapping, notes)
        self._accepts = references(mapping.reference)
        self._calls = calls_of(mapping, self._columns)
        self.telling = tuple(sorted(set(_telling_columns(mapping))))
        """Columns by which rows say the same."""
        self._told = values_at(self.telling)
        # A verdict that is read out of a reply or out of scores is every row's own.
        self.keeps = not mapping.verdict.from_scores and all(
            "verdict" in call.values for call in self._calls
        )
        """Whether rows that say the same share anything."""
        self._kept: dict[tuple[Any, ...], _Calls | Reject] = {}
        if not self.own.has_setting and mapping.knows_order:
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
        calls = self.calls_told(row) if batched is None else self._read_calls(row, batched)
        item = word_of(self._item(row))
        if isinstance(calls, Reject):
            yield Reject(line, calls.reason, calls.found)
        elif not item:
            yield Reject(line, "the item has no id", found(self._item(row)))
        elif self._holds_ratings:
            yield self._rating(line, row, item)
        else:
            for call, shared in calls:
                if isinstance(shared, Reject):
                    yield Reject(line, shared.reason, shared.found)
                else:
                    yield self._judgment(line, row, item, call, shared)

    def calls_told(self, row: dict[str, Any]) -> _Calls | Reject:
        """Return what the calls of a row share with those of rows that say the same.

        Parameters
        ----------
        row : dict[str, Any]
            The row.

        Returns
        -------
        _Calls | Reject
            Each call with what it shares; a reject that stands for the row.
        """
        if not self.keeps:
            return self._read_calls(row)
        told = self._told(row)
        # Types belong to the key: True and 1 are one key, and two words.
        key = told, tuple(map(type, told))
        try:
            known = self._kept.get(key)
        except TypeError:  # a list or an object
            return self._read_calls(row)
        if known is None:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            known = self._kept[key] = self._read_calls(row)
        return known

    def _read_calls(
        self, row: dict[str, Any], batched: BatchedCall | None = None
    ) -> _Calls | Reject:
        for path, read, allowed in self._where:
            if word_of(read(row)) not in allowed:
                return Reject(0, "the mapping leaves the row out", found(path, read(row)))
        if self._holds_ratings:
            return ()
        calls = self._calls
        if batched is not None:
            calls = [call._replace(batched=batched) for call in calls]
        return tuple((call, self._shared(row, call)) for call in calls)

    def _shared(self, row: dict[str, Any], call: MappedCall) -> SharedCall | Reject:
        named = self._names.of(0, row, call.order)
        if isinstance(named, Reject):
            return named
        outcome = self._verdicts.outcome(0, row, call, named)
        if isinstance(outcome, Reject) and named.names.order is None:
            return outcome
        more = self._words_of(row)
        more |= named.systems or self._names.systems(row, named.names)
        if "repetition" in self._columns:
            value = self._columns["repetition"](row)
            repetition = number_in(value or 0)
            if repetition is None or repetition < 0 or not repetition.is_integer():
                return Reject(0, "the repetition is no whole number", found(value))
            more["repetition"] = int(repetition)
        if "reference" in self._columns:
            more["reference"] = self._reference(row, named.names)
        reading = self._verdicts.reading if "verdict" in call.values else None
        names = named.names
        return SharedCall(names, named.a, named.b, names.order, outcome, reading, more)

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

    def _judgment(
        self, line: int, row: dict[str, Any], item: str, call: MappedCall, shared: SharedCall
    ) -> Judgment | Reject:
        own: dict[str, Any] = {name: text_in(call.values[name](row)) for name in call.texts}
        if call.has_margin:
            own["margin"] = margin_of(row, call, shared.names)
        if self.own.has_setting:
            own["setting"] = self.own.setting(row)
        if self.own.is_of_pair:
            cluster, own["consequence"] = self.own.of_pair(row)
            if cluster:
                own["cluster"] = cluster
        return shared.judgment(line, item, **own)

    def _reference(self, row: dict[str, Any], names: ShownNames) -> tuple[Verdict, ...]:
        word = word_of(self._columns["reference"](row))
        if word == "":
            return ()
        accepted = None if word is None else self._accepts(word, names)
        if accepted is None:
            self._notes.add(_NO_REFERENCE)
            return ()
        return accepted


def _telling_columns(mapping: Mapping) -> list[str]:
    """Return all columns but those that are a row's own: equal there, rows say the same."""
    told = mapping.columns.model_dump(exclude_none=True, exclude={*_OWN, *_SCORES})
    columns = [*told.values(), *mapping.rows.where, *(flag.column for flag in mapping.flags)]
    for game in mapping.games:
        columns += [game.verdict] if game.verdict is not None else []
        columns += [flag.column for flag in game.flags]
    return columns
