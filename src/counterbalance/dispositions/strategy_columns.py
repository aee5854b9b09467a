"""Results of a strategy in bulk: what its rule makes of each pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

import numpy as np

from counterbalance.dispositions.codes import CELLS, DISPOSITIONS, NONE, VERDICTS
from counterbalance.dispositions.disposition import Disposition
from counterbalance.dispositions.strategy_result import Value, plain_rule
from counterbalance.items.frames import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.dispositions.strategy_result import StrategyResult

__all__ = ["VALUES", "VALUE_VERDICT", "StrategyColumns", "plain_results", "strategy_columns"]

VALUES: tuple[Value, ...] = get_args(Value)
"""Results by code."""
VALUE_VERDICT: NDArray[np.int8] = np.array(
    [VERDICTS.index(Verdict(value)) if value != "none" else NONE for value in VALUES],
    dtype=np.int8,
)
"""Verdict code of each result; -1 of none."""


@dataclass(frozen=True, slots=True, eq=False)
class StrategyColumns:
    """The results of one strategy, a row for each pair in the sequence of its `PairColumns`.

    Attributes
    ----------
    strategy : str
        Which strategy.
    value : NDArray[np.int8]
        Place in `VALUES`.
    from_disagreement : NDArray[np.bool_]
        Whether the rule made the value out of orders that disagree.
    """

    strategy: str
    value: NDArray[np.int8]
    from_disagreement: NDArray[np.bool_]

    @property
    def counts(self) -> dict[str, int]:
        """Pairs by result."""
        found = np.bincount(self.value, minlength=len(VALUES)).tolist()
        return dict(zip(VALUES, found, strict=True))


def _plain_rules() -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    rules = [[plain_rule(found, cell) for cell in (*CELLS, None)] for found in DISPOSITIONS]
    values = [[VALUES.index(result.value) for result in row] for row in rules]
    made = [[result.from_disagreement for result in row] for row in rules]
    return np.array(values, dtype=np.int8), np.array(made, dtype=np.bool_)


_PLAIN = _plain_rules()
"""Value and flag by disposition and by the cell of a single order."""


def plain_results(pairs: PairColumns) -> StrategyColumns:
    """Return what the plain rule makes of each pair, by the rule of a single pair.

    Parameters
    ----------
    pairs : PairColumns
        The group.

    Returns
    -------
    StrategyColumns
        Named by the first pair: ``B0`` where it was shown in one order, else ``S1``.
    """
    # Where one order was planned, the others have no cell, which is the lowest code.
    situation = pairs.disposition, pairs.cells.max(axis=0)
    value, made = (table[situation] for table in _PLAIN)
    is_single = pairs.is_any_of({Disposition.SINGLE_ORDER})
    return StrategyColumns("B0" if is_single[:1].any() else "S1", value, made)


def strategy_columns(results: Sequence[StrategyResult]) -> StrategyColumns:
    """Return results that were made one by one in bulk.

    Parameters
    ----------
    results : Sequence[StrategyResult]
        Of one strategy, one or more.

    Returns
    -------
    StrategyColumns
        In the same sequence.
    """
    return StrategyColumns(
        results[0].strategy,
        np.array([VALUES.index(result.value) for result in results], dtype=np.int8),
        np.array([result.from_disagreement for result in results], dtype=np.bool_),
    )
