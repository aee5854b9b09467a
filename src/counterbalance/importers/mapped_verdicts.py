"""What one call of a row ended as, as a mapping says: by a word, by scores, or by our parser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from counterbalance.importers.fields import found
from counterbalance.importers.judgment import Reject, source_outcome
from counterbalance.importers.mapping import CALL_COLUMNS
from counterbalance.importers.reading import Reading, read_again, read_reply
from counterbalance.importers.sides import slot_of
from counterbalance.importers.word_lists import spelled, word_of
from counterbalance.importers.word_lookup import (
    getter,
    number_in,
    outcome_without_verdict,
    winners,
)
from counterbalance.items.frames import Order
from counterbalance.parsing.outcome import OutcomeKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from counterbalance.importers.batch_calls import Call as BatchedCall
    from counterbalance.importers.log_format import Notes
    from counterbalance.importers.mapped_names import Named
    from counterbalance.importers.mapping import Flag, Mapping
    from counterbalance.importers.word_lookup import ShownNames
    from counterbalance.parsing.outcome import Outcome

    Read: TypeAlias = Callable[[Any], Any]

__all__ = ["MappedCall", "VerdictReader", "calls_of", "margin_of", "text_in"]

_TEXTS = ("reply", "finish", "prompt")
_MARGINS = ("margin", "score_first", "score_a")
_NOT_RAISED = frozenset({"", "0", "false", "no", "none", "null"})
_BY_OUR_PARSER = "The log has no verdicts of its own: the replies were read by our parser."


class _RaisedFlag(NamedTuple):
    """A column that tells why there is no verdict."""

    read: Read
    words: frozenset[str]
    outcome: Outcome


class MappedCall(NamedTuple):
    """What one call of a row is read with.

    Attributes
    ----------
    order : Order | None
        Its order, where no column tells it.
    values : dict[str, Read]
        What reads each of its columns.
    texts : tuple[str, ...]
        Those of its columns that are kept as they stand.
    has_margin : bool
        Whether columns give a margin.
    flags : tuple[_RaisedFlag, ...]
        What tells why there is no verdict.
    batched : BatchedCall | None
        The call of a batch that the row stands for.
    """

    order: Order | None
    values: dict[str, Read]
    texts: tuple[str, ...]
    has_margin: bool
    flags: tuple[_RaisedFlag, ...]
    batched: BatchedCall | None = None


def calls_of(mapping: Mapping, columns: dict[str, Read]) -> list[MappedCall]:
    """Return the calls that each row tells of.

    Parameters
    ----------
    mapping : Mapping
        The mapping.
    columns : dict[str, Read]
        What reads each column that the mapping names.

    Returns
    -------
    list[MappedCall]
        One, or one for each game.
    """
    own = {name: columns[name] for name in CALL_COLUMNS if name in columns}
    if not mapping.games:
        order = Order.FORWARD if mapping.columns.first else mapping.fixed.order
        return [_call(order, own, mapping.flags)]
    return [
        _call(
            game.order,
            own | {
                name: getter(path)
                for name in CALL_COLUMNS
                if (path := getattr(game, name)) is not None
            },
            (*game.flags, *mapping.flags),
        )
        for game in mapping.games
    ]  # fmt: skip


def _call(order: Order | None, values: dict[str, Read], flags: tuple[Flag, ...]) -> MappedCall:
    texts = tuple(name for name in _TEXTS if name in values)
    raised = tuple(
        _RaisedFlag(
            getter(flag.column), spelled(flag.values), outcome_without_verdict(flag.outcome)
        )
        for flag in flags
    )
    has_margin = any(name in values for name in _MARGINS)
    return MappedCall(order, values, texts, has_margin, raised)


class VerdictReader:
    """Reads outcomes; made once for a mapping.

    Parameters
    ----------
    mapping : Mapping
        The mapping.
    notes : Notes
        Takes what a reader of the results must know.
    """

    def __init__(self, mapping: Mapping, notes: Notes) -> None:
        self._words = mapping.verdict
        self._notes = notes
        self._won = winners(mapping.verdict)
        read = mapping.reading
        self.reading = None if read is None else Reading(read.verdict, read.labels)
        """How our parser reads replies; None when it does not."""

    def outcome(
        self, line: int, row: dict[str, Any], call: MappedCall, named: Named
    ) -> Outcome | Reject:
        """Return what a call ended as.

        Parameters
        ----------
        line : int
            Where the row stands.
        row : dict[str, Any]
            The row.
        call : MappedCall
            Which of its calls.
        named : Named
            The pair.

        Returns
        -------
        Outcome | Reject
            A reject for a word that the mapping does not list.
        """
        if call.batched is not None and call.batched.outcome is not None:
            return call.batched.outcome
        for flag in call.flags:
            if _is_raised(flag.read(row), flag.words):
                return flag.outcome
        if self._words.from_scores:
            return self._by_scores(line, row, call, named.names)
        if "verdict" not in call.values:
            return self._by_our_parser(row, call)
        return self._by_word(line, call.values["verdict"](row), named)

    def _by_word(self, line: int, value: object, named: Named) -> Outcome | Reject:
        known = named.outcomes.get(value) if type(value) is str else None
        if known is not None:
            return known
        word = word_of(value)
        won = None if word is None else self._won(word, named.names)
        if won is not None:
            if type(value) is str:
                named.outcomes[value] = won
            return won
        if word != "":
            return Reject(line, "the verdict is none of those that the mapping lists", found(value))
        return self._missing(line, value)

    def _missing(self, line: int, value: object) -> Outcome | Reject:
        if self._words.missing == "reject":
            return Reject(line, "the row has no verdict", found(value))
        return outcome_without_verdict(self._words.missing)

    def _by_our_parser(self, row: dict[str, Any], call: MappedCall) -> Outcome:
        self._notes.add(_BY_OUR_PARSER)
        reading = self.reading
        if reading is None:  # the mapping was refused without one
            return outcome_without_verdict("unparsed")
        if call.batched is not None and call.batched.reply is not None:
            return read_reply(reading, call.batched.reply)
        finish = text_in(call.values["finish"](row)) if "finish" in call.values else ""
        return read_again(reading, text_in(call.values["reply"](row)), finish)

    def _by_scores(
        self, line: int, row: dict[str, Any], call: MappedCall, names: ShownNames
    ) -> Outcome | Reject:
        margin = margin_of(row, call, names)
        if margin is None:
            return self._missing(line, None)
        if margin == 0:
            return source_outcome(OutcomeKind.TIE)
        return source_outcome(OutcomeKind.FIRST if margin > 0 else OutcomeKind.SECOND)


def margin_of(row: dict[str, Any], call: MappedCall, names: ShownNames) -> float | None:
    """Return how clearly the first slot won, from a margin or two scores; None where unknown."""
    numbers = {
        name: number_in(read(row)) for name, read in call.values.items() if name not in _TEXTS
    }
    margin = numbers.get("margin")
    if margin is not None:
        return margin
    first, second = numbers.get("score_first"), numbers.get("score_second")
    if first is not None and second is not None:
        return first - second
    a, b = numbers.get("score_a"), numbers.get("score_b")
    if a is None or b is None:
        return None
    is_first = slot_of(names.side(names.given[0]), names.order) is OutcomeKind.FIRST
    return a - b if is_first else b - a


def text_in(value: object) -> str:
    """Return a text as it stands; empty for anything else."""
    return value if isinstance(value, str) else ""


def _is_raised(value: object, words: frozenset[str]) -> bool:
    word = word_of(value)
    if words:
        return word in words
    return bool(value) if word is None else word.lower() not in _NOT_RAISED
