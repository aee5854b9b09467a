"""Words of a log to outcomes and accepted verdicts, as a mapping says; looked up, never guessed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, cast

from counterbalance.importers.fields import number
from counterbalance.importers.judgment import source_outcome
from counterbalance.importers.sides import slot_of
from counterbalance.importers.word_lists import words_by_class
from counterbalance.items.frames import Order, Side, Slot, Verdict
from counterbalance.parsing.outcome import FailureKind, OutcomeKind
from counterbalance.presentations.order import side_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from counterbalance.importers.word_lists import ReferenceWords, VerdictWords
    from counterbalance.parsing.outcome import Outcome

__all__ = ["ShownNames", "getter", "number_in", "outcome_without_verdict", "references", "winners"]

_UNDECIDED = frozenset({"tie", "neither", "insufficient"})
_SIDES = ("a", "b")
_Strength: TypeAlias = Literal["much", "slightly"] | None


class ShownNames(NamedTuple):
    """The two names of a row, in the frame of the log and in the canonical one.

    Attributes
    ----------
    given : tuple[str, str]
        Names as the log's a and b, or first and second.
    a : str
        Canonical candidate ``a``.
    order : Order | None
        Display order of the canonical pair; None where it is unknown.
    """

    given: tuple[str, str]
    a: str
    order: Order | None

    def side(self, name: str) -> Side:
        """Return the canonical side of a name."""
        return Side.A if name == self.a else Side.B


def getter(path: str) -> Callable[[Any], Any]:
    """Return a function that finds a value in a row.

    Parameters
    ----------
    path : str
        A column, or names and numbers with dots between.

    Returns
    -------
    Callable[[Any], Any]
        Gives None where nothing stands at the path. A column whose own name has dots comes first.

    Examples
    --------
    >>> getter("games.1.score")({"games": [{}, {"score": "A>B"}]})
    'A>B'
    """
    if "." not in path:
        return lambda row: row.get(path)
    parts = [(part, int(part) if part.isdecimal() else -1) for part in path.split(".")]

    def at_path(row: Any) -> Any:  # noqa: ANN401 (any JSON value)
        if path in row:
            return row[path]
        value: Any = row
        for name, place in parts:
            if isinstance(value, dict):
                value = value.get(name)
            elif isinstance(value, list) and 0 <= place < len(value):
                value = value[place]
            else:
                return None
        return value

    return at_path


def number_in(value: object) -> float | None:
    """Return a number, also one that a cell writes as text; None for anything else."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    return number(value)


def outcome_without_verdict(kind: str) -> Outcome:
    """Return the outcome for one of the classes that are no verdict."""
    failure = FailureKind.LOST if kind == "failed" else None
    return source_outcome(OutcomeKind(kind), failure=failure)


def _fixed(name: str) -> Outcome:
    """Return the outcome of a class that is the same whichever candidate stands where."""
    side, _, strength = name.partition("_")
    if side in {"first", "second"}:
        return source_outcome(OutcomeKind(side), strength=cast("_Strength", strength or None))
    return (
        source_outcome(OutcomeKind(name)) if name in _UNDECIDED else outcome_without_verdict(name)
    )


def winners(words: VerdictWords) -> Callable[[str, ShownNames], Outcome | None]:
    """Return what finds the outcome that a word stands for.

    Parameters
    ----------
    words : VerdictWords
        From the mapping.

    Returns
    -------
    Callable[[str, ShownNames], Outcome | None]
        Takes a word and the names of the row; None for a word that the mapping does not list.
    """
    sides: dict[tuple[str, Side, Order | None], Outcome] = {}
    fixed: dict[str, Outcome] = {}
    of_candidates: dict[str, tuple[int, _Strength]] = {}
    for word, name in words_by_class(words).items():
        side, _, strength = name.partition("_")
        if side in _SIDES:
            of_candidates[word] = _SIDES.index(side), cast("_Strength", strength or None)
        else:
            fixed[word] = _fixed(name)

    def won(word: str, names: ShownNames) -> Outcome | None:
        known = fixed.get(word)
        if known is not None:
            return known
        if words.names and word in names.given:
            return source_outcome(slot_of(names.side(word), names.order))
        place = of_candidates.get(word)
        if place is None:
            return None
        key = word, names.side(names.given[place[0]]), names.order
        if key not in sides:
            sides[key] = source_outcome(slot_of(key[1], names.order), strength=place[1])
        return sides[key]

    return won


def references(words: ReferenceWords) -> Callable[[str, ShownNames], tuple[Verdict, ...] | None]:
    """Return what finds the verdicts that a reference accepts; None for a word not listed."""
    classes = words_by_class(words)

    def accepted(word: str, names: ShownNames) -> tuple[Verdict, ...] | None:
        if words.names and word in names.given:
            return (Verdict(names.side(word).value),)
        name = classes.get(word)
        if name is None:
            return None
        if name in _UNDECIDED:
            return (Verdict(name),)
        if name in _SIDES:
            return (Verdict(names.side(names.given[_SIDES.index(name)]).value),)
        return None if names.order is None else (Verdict(side_in(Slot(name), names.order).value),)

    return accepted
