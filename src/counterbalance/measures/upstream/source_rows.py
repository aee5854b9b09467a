"""The rows of a log as its source wrote them: figures of sources are made of rows, not of pairs."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from counterbalance.dispositions.codes import NONE, ORDERS, UNKNOWN_ORDER, VERDICT_OF

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.dispositions.attempt_columns import PairTable
    from counterbalance.dispositions.codes import Booleans

__all__ = ["RatingColumns", "RowName", "SourceRows", "TwoOrders", "by_line"]

RowName = tuple[str, str, str]
"""Judge, strategy and subset."""


@dataclass(frozen=True, slots=True, eq=False)
class RatingColumns:
    """Scores of single answers, a row each.

    Attributes
    ----------
    names : tuple[RowName, ...]
        Judges, strategies and subsets.
    systems : tuple[str, ...]
        Whose answers.
    name : NDArray[np.int32]
        Place in `names`.
    file : NDArray[np.int32]
        Which of the files the row stood in.
    line : NDArray[np.int64]
        Line of that file.
    system : NDArray[np.int32]
        Place in `systems`.
    value : NDArray[np.float64]
        The score; NaN where there is none.
    preferred : NDArray[np.int8]
        1 where the log's reference prefers this answer, 0 where it prefers the other, -1 where it
        does not say.
    """

    names: tuple[RowName, ...]
    systems: tuple[str, ...]
    name: NDArray[np.int32]
    file: NDArray[np.int32]
    line: NDArray[np.int64]
    system: NDArray[np.int32]
    value: NDArray[np.float64]
    preferred: NDArray[np.int8]

    def where(self, chosen: Booleans | NDArray[np.int64]) -> RatingColumns:
        """Return some of the rows."""
        return replace(self, **_chosen(self, chosen))


@dataclass(frozen=True, slots=True, eq=False)
class SourceRows:
    """Verdicts of a log's source, a row for each judgment, in the sequence of the log.

    Attributes
    ----------
    pairs : PairTable
        What is known of each pair.
    names : tuple[RowName, ...]
        Judges, strategies and subsets.
    ratings : RatingColumns
        Scores of single answers beside the verdicts.
    name : NDArray[np.int32]
        Place in `names`.
    file : NDArray[np.int32]
        Which of the files the row stood in.
    line : NDArray[np.int64]
        Line of that file.
    pair : NDArray[np.int32]
        Place in `pairs`.
    order : NDArray[np.int8]
        0 forward, 1 reversed, 2 not recorded.
    repetition : NDArray[np.int32]
        Counted from 0.
    outcome : NDArray[np.int8]
        Place in `codes.OUTCOMES`, in slot terms.
    strength : NDArray[np.int8]
        Place in `codes.STRENGTHS`.
    margin : NDArray[np.float64]
        How clearly the first slot won; NaN where unknown.
    length_a : NDArray[np.int32]
        Characters of candidate a; -1 where unknown.
    length_b : NDArray[np.int32]
        Characters of candidate b; -1 where unknown.
    """

    pairs: PairTable
    names: tuple[RowName, ...]
    ratings: RatingColumns
    name: NDArray[np.int32]
    file: NDArray[np.int32]
    line: NDArray[np.int64]
    pair: NDArray[np.int32]
    order: NDArray[np.int8]
    repetition: NDArray[np.int32]
    outcome: NDArray[np.int8]
    strength: NDArray[np.int8]
    margin: NDArray[np.float64]
    length_a: NDArray[np.int32]
    length_b: NDArray[np.int32]

    @property
    def n_rows(self) -> int:
        """Number of verdict rows."""
        return self.line.size

    @property
    def verdict(self) -> NDArray[np.int8]:
        """Verdict code of each row in the candidate frame; -1 where there is none."""
        return VERDICT_OF[self.order, self.outcome]

    def where(
        self, chosen: NDArray[np.int64], ratings: NDArray[np.int64] | None = None
    ) -> SourceRows:
        """Return some of the rows, and some of the ratings; all of those unless chosen."""
        found = self.ratings if ratings is None else self.ratings.where(ratings)
        return replace(self, ratings=found, **_chosen(self, chosen))


def _chosen(
    rows: RatingColumns | SourceRows, chosen: Booleans | NDArray[np.int64]
) -> dict[str, Any]:
    columns = ((f.name, getattr(rows, f.name)) for f in fields(rows))
    return {name: column[chosen] for name, column in columns if isinstance(column, np.ndarray)}


@dataclass(frozen=True, slots=True, eq=False)
class TwoOrders:
    """Source rows that hold both orders of a pair: one entry for each line.

    Attributes
    ----------
    pair : NDArray[np.int32]
        The pair of each line.
    verdicts : NDArray[np.int8]
        Verdict code by order (2) and line, in the candidate frame; -1 where there is none.
    row : NDArray[np.int64]
        Place in the rows by order (2) and line; -1 where the line has no judgment in that order.
    """

    pair: NDArray[np.int32]
    verdicts: NDArray[np.int8]
    row: NDArray[np.int64]

    @property
    def n_lines(self) -> int:
        """Number of lines."""
        return self.pair.size


def by_line(rows: SourceRows) -> TwoOrders:
    """Put the judgments of each line beside each other.

    Parameters
    ----------
    rows : SourceRows
        Rows of one file whose lines hold one pair each.

    Returns
    -------
    TwoOrders
        By line, ascending.
    """
    lines, first, at = np.unique(rows.line, return_index=True, return_inverse=True)
    row = np.full((len(ORDERS), lines.size), NONE, dtype=np.int64)
    is_known = rows.order != UNKNOWN_ORDER
    places = np.flatnonzero(is_known)
    row[rows.order[places], at[places]] = places
    verdicts = np.where(row == NONE, np.int8(NONE), rows.verdict[row])
    return TwoOrders(rows.pair[first], verdicts.astype(np.int8), row)
