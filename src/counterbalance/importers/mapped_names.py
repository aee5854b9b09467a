"""Which two candidates a row is about, in which order, as a mapping says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from counterbalance.importers.fields import found
from counterbalance.importers.judgment import Reject
from counterbalance.importers.sides import in_display_order, shown_pair
from counterbalance.importers.word_lists import spelled, word_of
from counterbalance.importers.word_lookup import ShownNames
from counterbalance.items.frames import Order

if TYPE_CHECKING:
    from collections.abc import Callable

    from counterbalance.importers.mapping import Mapping
    from counterbalance.parsing.outcome import Outcome

    Read: TypeAlias = Callable[[Any], Any]

__all__ = ["Named", "PairNames"]

_MOST_SEEN = 100_000


class Named(NamedTuple):
    """A pair as rows name it; one object for all rows that name it alike.

    Attributes
    ----------
    a : str
        Canonical candidate ``a``.
    b : str
        Canonical candidate ``b``.
    names : ShownNames
        The names as they stand in the row, with the order.
    systems : dict[str, str]
        Generators, where the names are theirs.
    outcomes : dict[str, Outcome]
        Outcomes of words that were looked up for these names.
    """

    a: str
    b: str
    names: ShownNames
    systems: dict[str, str]
    outcomes: dict[str, Outcome]


class PairNames:
    """Reads names and order; made once for a mapping.

    Parameters
    ----------
    mapping : Mapping
        The mapping.
    columns : dict[str, Read]
        What reads each column that the mapping names.
    """

    def __init__(self, mapping: Mapping, columns: dict[str, Read]) -> None:
        self._pair = ("first", "second") if mapping.columns.first else ("a", "b")
        self._reads = tuple(columns.get(name, _nothing) for name in self._pair)
        self._fixed = mapping.fixed.a or "a", mapping.fixed.b or "b"
        self._order = columns.get("order")
        self._orders = dict.fromkeys(spelled(mapping.order.forward), Order.FORWARD) | dict.fromkeys(
            spelled(mapping.order.reversed), Order.REVERSED
        )
        self._baselines = frozenset(() if mapping.baseline is None else (mapping.baseline,))
        places = [("system_a", "system_b"), ("system_first", "system_second")]
        named = [pair for pair in places if pair[0] in columns]
        self._system_names = named[0] if named else places[0]
        self._systems = [columns.get(name, _nothing) for name in self._system_names]
        self._has_own_systems = bool(named)
        self._names_are_systems = self._pair[0] in columns and not named
        self._seen: dict[tuple[Any, ...], Named | Reject] = {}

    def of(self, line: int, row: dict[str, Any], order: Order | None) -> Named | Reject:
        """Return the pair of a row; most rows name one that was seen.

        Parameters
        ----------
        line : int
            Where the row stands.
        row : dict[str, Any]
            The row.
        order : Order | None
            Order of the call, where no column tells it.

        Returns
        -------
        Named | Reject
            A reject when names or order cannot be told.
        """
        one, other = self._reads[0](row), self._reads[1](row)
        told = None if self._order is None else self._order(row)
        try:
            # Types belong to the key: True and 1 are one key, and two words.
            key = one, other, told, type(one), type(other), type(told), order
            named = self._seen.get(key)
        except TypeError:  # a list or an object
            return self._new(line, (one, other), told, order)
        if named is None:
            if len(self._seen) >= _MOST_SEEN:
                self._seen.clear()
            named = self._seen[key] = self._new(line, (one, other), told, order)
        return Reject(line, named.reason, named.found) if isinstance(named, Reject) else named

    def systems(self, row: dict[str, Any], names: ShownNames) -> dict[str, str]:
        """Return the generators of the canonical candidates, from columns of their own, if any."""
        if not self._has_own_systems:
            return {}
        values = word_of(self._systems[0](row)) or "", word_of(self._systems[1](row)) or ""
        if self._system_names[0] == "system_a":
            a, b = values if names.given[0] == names.a else values[::-1]
        elif names.order is None:
            return {}
        else:
            a, b = in_display_order(*values, names.order)
        return {"system_a": a, "system_b": b}

    def _new(
        self, line: int, values: tuple[object, object], told: object, order: Order | None
    ) -> Named | Reject:
        defaults = self._fixed if self._pair[0] == "a" else ("", "")
        given = word_of(values[0]) or defaults[0], word_of(values[1]) or defaults[1]
        if self._order is not None:
            word = word_of(told)
            order = None if word is None else self._orders.get(word)
            if order is None:
                reason = "the order is none of those that the mapping lists"
                return Reject(line, reason, found(told))
        if not all(given) or given[0] == given[1]:
            return Reject(line, "two different candidates cannot be told", found(*given))
        shown = given if order is None else in_display_order(*given, order)
        a, b, canonical = shown_pair(*shown, self._baselines)
        names = ShownNames(given, a, None if order is None else canonical)
        systems = {"system_a": a, "system_b": b} if self._names_are_systems else {}
        return Named(a, b, names, systems, {})


def _nothing(row: object) -> None:  # noqa: ARG001 (stands for a column that is not there)
    return None
