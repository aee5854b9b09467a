"""Rows of any table to judgments or ratings, as a mapping says; what does not fit is a reject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from counterbalance.importers.fields import found
from counterbalance.importers.judgment import Judgment, Rating, Reject, source_outcome
from counterbalance.importers.mapping import CALL_COLUMNS
from counterbalance.importers.reading import Reading
from counterbalance.importers.sides import in_display_order, shown_pair, slot_of
from counterbalance.importers.word_lists import spellings, word_of
from counterbalance.importers.word_lookup import (
    ShownNames,
    getter,
    number_in,
    outcome_without_verdict,
    references,
    winners,
)
from counterbalance.items.frames import Order
from counterbalance.parsing.outcome import OutcomeKind
from counterbalance.parsing.parser import parse_reply
from counterbalance.presentations.reply import Reply
from counterbalance.protocol.verdict_format import compiled_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from counterbalance.importers.batch_calls import Call as BatchedCall
    from counterbalance.importers.judgment import Row
    from counterbalance.importers.log_format import Notes
    from counterbalance.importers.mapping import Flag, Mapping
    from counterbalance.importers.word_lists import Words
    from counterbalance.items.frames import Verdict
    from counterbalance.parsing.outcome import Outcome

    _Read: TypeAlias = Callable[[Any], Any]

__all__ = ["RowReader"]

_NO_JUDGE = "judge"
_NOT_RAISED = frozenset({"", "0", "false", "no", "none", "null"})
_NOT_COMPARED = (
    "The mapping names no columns that must be the same in both orders (rows.same), so the log"
    " cannot show whether anything but the order differed."
)
_BY_OUR_PARSER = "The log has no verdicts of its own: the replies were read by our parser."
_NO_REFERENCE = "A reference that is none of the words of the mapping counts as none."


class _RaisedFlag(NamedTuple):
    """A column that tells why there is no verdict."""

    read: _Read
    words: frozenset[str]
    outcome: Outcome


class _Call(NamedTuple):
    """What one call of a row is read with."""

    order: Order | None
    values: dict[str, _Read]
    flags: tuple[_RaisedFlag, ...]
    batched: BatchedCall | None = None


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
        self._mapping = mapping
        self._notes = notes
        columns = mapping.columns.model_dump(exclude_none=True)
        self._columns = {name: getter(path) for name, path in columns.items()}
        self._where = [(p, getter(p), _spelled(w)) for p, w in mapping.rows.where.items()]
        self._same = [getter(path) for path in mapping.rows.same]
        self._splits = [
            (getter(split.column), compiled_pattern(split.pattern)) for split in mapping.split
        ]
        self._orders = dict.fromkeys(
            _spelled(mapping.order.forward), Order.FORWARD
        ) | dict.fromkeys(_spelled(mapping.order.reversed), Order.REVERSED)
        self._won = winners(mapping.verdict)
        self._accepts = references(mapping.reference)
        self._baselines = frozenset(() if mapping.baseline is None else (mapping.baseline,))
        read = mapping.reading
        self._reading = None if read is None else Reading(read.verdict, read.labels)
        self._calls = self._calls_of(mapping)
        if not self._same and mapping.knows_order:
            notes.add(_NOT_COMPARED)

    def _calls_of(self, mapping: Mapping) -> list[_Call]:
        own = {name: self._columns[name] for name in CALL_COLUMNS if name in self._columns}
        if not mapping.games:
            return [_Call(mapping.fixed.order, own, _flags(mapping.flags))]
        return [
            _Call(
                game.order,
                own | {
                    name: getter(path)
                    for name in CALL_COLUMNS
                    if (path := getattr(game, name)) is not None
                },
                _flags((*game.flags, *mapping.flags)),
            )
            for game in mapping.games
        ]  # fmt: skip

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
        item = self._word(row, "item")
        if not item:
            yield Reject(line, "the item has no id", found(self._value(row, "item")))
        elif self._mapping.holds_ratings:
            yield self._rating(line, row, item)
        else:
            for call in self._calls:
                yield self._judgment(line, row, item, call._replace(batched=batched))

    def _value(self, row: dict[str, Any], name: str) -> Any:  # noqa: ANN401 (any JSON value)
        read = self._columns.get(name)
        return None if read is None else read(row)

    def _word(self, row: dict[str, Any], name: str) -> str:
        read = self._columns.get(name)
        value = None if read is None else word_of(read(row))
        return value or getattr(self._mapping.fixed, name, None) or ""

    def _rating(self, line: int, row: dict[str, Any], item: str) -> Row:
        value = self._value(row, "score")
        score = number_in(value)
        return Rating(
            line=line,
            item=item,
            system=self._word(row, "system"),
            judge=self._word(row, "judge") or _NO_JUDGE,
            value=score,
            strategy=self._word(row, "strategy"),
            subset=self._word(row, "subset"),
            reason="" if score is not None else "the score is no number",
            reply=_text(self._value(row, "reply")),
        )

    def _judgment(self, line: int, row: dict[str, Any], item: str, call: _Call) -> Row:
        named = self._names(line, row, call)
        if isinstance(named, Reject):
            return named
        a, b, names = named
        repetition = number_in(self._value(row, "repetition") or 0)
        if repetition is None or repetition < 0 or not repetition.is_integer():
            what = found(self._value(row, "repetition"))
            return Reject(line, "the repetition is no whole number", what)
        outcome = self._outcome(line, row, call, names)
        if isinstance(outcome, Reject):
            return outcome
        systems = self._systems(row, names)
        consequence = number_in(self._value(row, "consequence"))
        return Judgment(
            line=line,
            item=item,
            a=a,
            b=b,
            order=names.order,
            outcome=outcome,
            judge=self._word(row, "judge") or _NO_JUDGE,
            strategy=self._word(row, "strategy"),
            subset=self._word(row, "subset"),
            repetition=int(repetition),
            cluster=self._word(row, "cluster"),
            category=self._word(row, "category"),
            system_a=systems[0],
            system_b=systems[1],
            reference=self._reference(row, names),
            consequence=1.0 if consequence is None else consequence,
            setting="\x1f".join([found(read(row)) for read in self._same]),
            margin=_margin(row, call, names),
            reply=_text(_value(row, call, "reply")),
            finish=_text(_value(row, call, "finish")),
            prompt=_text(_value(row, call, "prompt")),
            reading=self._reading if "verdict" in call.values else None,
        )

    def _names(
        self, line: int, row: dict[str, Any], call: _Call
    ) -> tuple[str, str, ShownNames] | Reject:
        """Return canonical names, and those of the row with the order."""
        if "first" in self._columns:
            given = self._word(row, "first"), self._word(row, "second")
            order: Order | None = Order.FORWARD
        else:
            given = self._word(row, "a"), self._word(row, "b")
            if not any(given) and "a" not in self._columns:
                given = "a", "b"
            order = call.order
        if not all(given) or given[0] == given[1]:
            return Reject(line, "two different candidates cannot be told", found(*given))
        if "order" in self._columns:
            told = word_of(self._columns["order"](row))
            order = self._orders.get(told or "") if told is not None else None
            if order is None:
                reason = "the order is none of those that the mapping lists"
                return Reject(line, reason, found(self._columns["order"](row)))
        if order is None:
            a, b, _ = shown_pair(*given, self._baselines)
            return a, b, ShownNames(given, a, None)
        a, b, canonical = shown_pair(*in_display_order(*given, order), self._baselines)
        return a, b, ShownNames(given, a, canonical)

    def _systems(self, row: dict[str, Any], names: ShownNames) -> tuple[str, str]:
        """Return the generators of the canonical candidates."""
        if "system_first" in self._columns and names.order is not None:
            shown = self._word(row, "system_first"), self._word(row, "system_second")
            return in_display_order(*shown, names.order)
        if "system_a" in self._columns:
            given = self._word(row, "system_a"), self._word(row, "system_b")
        elif "a" in self._columns or "first" in self._columns:
            given = names.given
        else:
            return "", ""
        return given if names.given[0] == names.a else given[::-1]

    def _outcome(
        self, line: int, row: dict[str, Any], call: _Call, names: ShownNames
    ) -> Outcome | Reject:
        if call.batched is not None and call.batched.outcome is not None:
            return call.batched.outcome
        raised = next((f for f in call.flags if _is_raised(f.read(row), f.words)), None)
        if raised is not None:
            return raised.outcome
        if self._mapping.verdict.from_scores:
            return self._by_scores(line, row, call, names)
        if "verdict" not in call.values:
            return self._by_our_parser(row, call)
        return self._by_word(line, call.values["verdict"](row), names)

    def _by_word(self, line: int, value: object, names: ShownNames) -> Outcome | Reject:
        word = word_of(value)
        known = None if word is None else self._won(word, names)
        if known is not None:
            return known
        if word != "":
            return Reject(line, "the verdict is none of those that the mapping lists", found(value))
        return self._missing(line, value)

    def _missing(self, line: int, value: object) -> Outcome | Reject:
        meaning = self._mapping.verdict.missing
        if meaning == "reject":
            return Reject(line, "the row has no verdict", found(value))
        return outcome_without_verdict(meaning)

    def _by_our_parser(self, row: dict[str, Any], call: _Call) -> Outcome:
        self._notes.add(_BY_OUR_PARSER)
        reading = self._reading
        if reading is None:  # the mapping was refused without one
            return outcome_without_verdict("unparsed")
        reply = Reply(_text(_value(row, call, "reply")), _text(_value(row, call, "finish")))
        if call.batched is not None and call.batched.reply is not None:
            reply = call.batched.reply
        return parse_reply(reading.verdict_format, reading.labelling, reply)

    def _by_scores(
        self, line: int, row: dict[str, Any], call: _Call, names: ShownNames
    ) -> Outcome | Reject:
        margin = _margin(row, call, names)
        if margin is None:
            return self._missing(line, None)
        if margin == 0:
            return source_outcome(OutcomeKind.TIE)
        return source_outcome(OutcomeKind.FIRST if margin > 0 else OutcomeKind.SECOND)

    def _reference(self, row: dict[str, Any], names: ShownNames) -> tuple[Verdict, ...]:
        word = self._word(row, "reference")
        if not word:
            return ()
        accepted = self._accepts(word, names)
        if accepted is None:
            self._notes.add(_NO_REFERENCE)
            return ()
        return accepted


def _margin(row: dict[str, Any], call: _Call, names: ShownNames) -> float | None:
    """Return how clearly the first slot won."""
    margin = number_in(_value(row, call, "margin"))
    if margin is not None:
        return margin
    first, second = (number_in(_value(row, call, f"score_{n}")) for n in ("first", "second"))
    if first is not None and second is not None:
        return first - second
    a, b = (number_in(_value(row, call, f"score_{n}")) for n in ("a", "b"))
    if a is None or b is None:
        return None
    is_first = slot_of(names.side(names.given[0]), names.order) is OutcomeKind.FIRST
    return a - b if is_first else b - a


def _value(row: dict[str, Any], call: _Call, name: str) -> Any:  # noqa: ANN401 (any JSON value)
    read = call.values.get(name)
    return None if read is None else read(row)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _is_raised(value: object, words: frozenset[str]) -> bool:
    word = word_of(value)
    if words:
        return word in words
    return bool(value) if word is None else word.lower() not in _NOT_RAISED


def _spelled(words: Words) -> frozenset[str]:
    return frozenset(spelling for word in words for spelling in spellings(word))


def _flags(flags: tuple[Flag, ...]) -> tuple[_RaisedFlag, ...]:
    return tuple(
        _RaisedFlag(
            getter(flag.column), _spelled(flag.values), outcome_without_verdict(flag.outcome)
        )
        for flag in flags
    )
