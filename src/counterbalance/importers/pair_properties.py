"""What rows of logs say of their pairs, in columns; every word a code in order of appearance."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeVar, overload

import numpy as np

from counterbalance.dispositions.attempt_columns import PairTable, SystemPair
from counterbalance.dispositions.codes import accepted_bits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.importers.judgment import Judgment
    from counterbalance.items.frames import Verdict

__all__ = ["Codes", "OfPair", "PairName", "PairProperties", "pair_id"]

_Word = TypeVar("_Word", bound=Hashable)
PairName: TypeAlias = tuple[str, str, str, str]
"""Subset, item and both candidates."""
OfPair: TypeAlias = tuple[str, float]
"""Cluster, empty where the item stands alone, and consequence."""


class Codes(dict[_Word, int]):
    """Codes for words, given out in order of appearance."""

    def __missing__(self, word: _Word) -> int:
        code = self[word] = len(self)
        return code


class _PairIds(Sequence[str]):
    """Ids of pairs, written when they are asked for: few ever are."""

    def __init__(self, names: list[PairName]) -> None:
        self._names = names

    def __len__(self) -> int:
        return len(self._names)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [pair_id(name) for name in self._names[place]]
        return pair_id(self._names[place])


def pair_id(name: PairName) -> str:
    """Return what a pair is called: subset, item and both candidates."""
    subset, item, a, b = name
    return f"{subset}: {item}: {a} | {b}" if subset else f"{item}: {a} | {b}"


class PairProperties:
    """What rows say of their pairs; the first row that names a pair is believed."""

    def __init__(self) -> None:
        self.conflicts: dict[str, None] = {}
        self._items = Codes[tuple[str, str]]()
        self._clusters = Codes[tuple[str, str]]()
        self._systems = Codes[SystemPair]()
        self._categories = Codes[str]()
        self._bits: dict[tuple[Verdict, ...], int] = {(): 0}
        self._item, self._cluster = array("i"), array("i")
        self._system, self._category = array("i"), array("i")
        self._accepted, self._consequence = array("B"), array("d")
        self._identical = array("B")

    def take(self, pair: int, row: Judgment) -> None:
        """Keep what the row says of a pair that is new; notice where it contradicts a known one."""
        if pair < len(self._item):
            if self._accepted[pair] != self.bits(row.reference):
                self.conflicts.setdefault(pair_id((row.subset, row.item, row.a, row.b)))
            return
        self.add((row,), (row.item,), ((row.cluster, row.consequence),))

    def bits(self, reference: tuple[Verdict, ...]) -> int:
        """Return accepted verdicts as bits."""
        bits = self._bits.get(reference)
        if bits is None:
            bits = self._bits[reference] = accepted_bits(reference)
        return bits

    def add(self, rows: Sequence[Judgment], items: Sequence[str], own: Sequence[OfPair]) -> None:
        """Keep what rows say of the next pairs: a row, its item, cluster and consequence for each.

        Rows may be one object many times over.
        """
        codes, clusters = self._items, self._clusters
        keys = [(row.subset, item) for row, item in zip(rows, items, strict=True)]
        named = [
            (key[0], cluster) if cluster else key
            for key, (cluster, _) in zip(keys, own, strict=True)
        ]
        self._item.extend([codes.setdefault(key, len(codes)) for key in keys])
        self._cluster.extend([clusters.setdefault(key, len(clusters)) for key in named])
        self._consequence.extend([consequence for _, consequence in own])
        ids = [*map(id, rows)]
        known = {key: self._codes_of(row) for key, row in dict(zip(ids, rows, strict=True)).items()}
        told = [*map(known.__getitem__, ids)]
        for place, column in enumerate(
            (self._system, self._category, self._accepted, self._identical)
        ):
            column.extend([each[place] for each in told])

    def _codes_of(self, row: Judgment) -> tuple[int, int, int, bool]:
        systems = (row.system_a, ""), (row.system_b, "")
        category = self._categories[row.category]
        return self._systems[systems], category, self.bits(row.reference), row.identical

    def conflicting(self, pairs: NDArray[np.int32], bits: NDArray[np.uint8]) -> list[int]:
        """Return the places at which accepted verdicts are not those of a known pair."""
        held = np.frombuffer(self._accepted, np.uint8)
        found: list[int] = np.flatnonzero(held[pairs] != bits).tolist()
        return found

    def table(self, pairs: list[PairName]) -> PairTable:
        """Return the table of all pairs, given their keys in order of their codes."""
        return PairTable(
            ids=_PairIds(pairs),
            item=np.array(self._item, dtype=np.int32),
            cluster=np.array(self._cluster, dtype=np.int32),
            systems=np.array(self._system, dtype=np.int32),
            category=np.array(self._category, dtype=np.int32),
            accepted=np.array(self._accepted, dtype=np.uint8),
            consequence=np.array(self._consequence, dtype=np.float64),
            is_identical=np.array(self._identical, dtype=np.bool_),
            system_pairs=tuple(self._systems),
            categories=tuple(self._categories),
        )
