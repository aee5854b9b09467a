"""Ratings of single answers in columns, for the figures that sources make of them."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import NONE
from counterbalance.importers.pair_properties import Codes
from counterbalance.measures.upstream.source_rows import RatingColumns

if TYPE_CHECKING:
    from counterbalance.importers.judgment import Rating

__all__ = ["RatingRows"]


class RatingRows:
    """Takes ratings one at a time."""

    def __init__(self) -> None:
        self._names, self._systems = Codes[tuple[str, str, str]](), Codes[str]()
        self._name, self._file, self._line = array("i"), array("i"), array("q")
        self._system, self._value, self._preferred = array("i"), array("d"), array("b")

    def take(self, file: int, row: Rating) -> None:
        """Take one rating.

        Parameters
        ----------
        file : int
            Place of its file.
        row : Rating
            What the importer made of it.
        """
        self._name.append(self._names[row.judge, row.strategy, row.subset])
        self._file.append(file)
        self._line.append(row.line)
        self._system.append(self._systems[row.system])
        self._value.append(float("nan") if row.value is None else row.value)
        self._preferred.append(NONE if row.preferred is None else row.preferred)

    def columns(self) -> RatingColumns:
        """Return every rating that was taken."""
        return RatingColumns(
            names=tuple(self._names),
            systems=tuple(self._systems),
            name=np.array(self._name, dtype=np.int32),
            file=np.array(self._file, dtype=np.int32),
            line=np.array(self._line, dtype=np.int64),
            system=np.array(self._system, dtype=np.int32),
            value=np.array(self._value, dtype=np.float64),
            preferred=np.array(self._preferred, dtype=np.int8),
        )
