"""Numbers counted on the answers of a log while its rows go by, so that no text is kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import NONE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from counterbalance.importers.judgment import Judgment

__all__ = ["TextCounter", "TextCounts"]

_REMEMBERED = 4096
"""Texts whose counts are kept at hand: a baseline's answer comes back with every other system."""


@dataclass(frozen=True, slots=True, eq=False)
class TextCounts:
    """Numbers of both answers of each pair.

    Attributes
    ----------
    values : NDArray[np.int64]
        By side (a, b), pair (its code) and number; -1 where the log does not hold the text.
    """

    values: NDArray[np.int64]


class TextCounter:
    """Counts the answers of each pair the first time that a row shows them.

    Parameters
    ----------
    count : Callable[[str], tuple[int, ...]]
        Takes a text and returns numbers, always as many.
    n_numbers : int
        How many.
    takes_characters : bool
        Whether the one number is the length in characters, which some logs tell without the text.
    """

    def __init__(
        self,
        count: Callable[[str], tuple[int, ...]],
        n_numbers: int,
        *,
        takes_characters: bool = False,
    ) -> None:
        self._count = lru_cache(_REMEMBERED)(count)
        self._missing = (NONE,) * n_numbers
        self._takes_characters = takes_characters
        self._found: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}

    def take(self, pair: int, row: Judgment) -> None:
        """Count the answers of a pair that is new, or whose texts were not seen before."""
        if pair in self._found and self._missing not in self._found[pair]:
            return
        texts = None if row.texts is None else row.texts()
        if texts is not None:
            self._found[pair] = self._count(texts[0]), self._count(texts[1])
        elif self._takes_characters and row.length_a is not None and row.length_b is not None:
            self._found[pair] = (row.length_a,), (row.length_b,)

    def counts(self, n_pairs: int) -> TextCounts:
        """Return the numbers of all pairs."""
        values = np.full((2, n_pairs, len(self._missing)), NONE, dtype=np.int64)
        for pair, sides in self._found.items():
            values[0, pair], values[1, pair] = sides
        return TextCounts(values)
