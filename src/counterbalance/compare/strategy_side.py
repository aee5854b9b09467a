"""One strategy of one judge as a side of a comparison: what it made of each pair, at what price."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import CELL_VERDICT, NONE, VERDICTS, accepted_bits
from counterbalance.dispositions.disposition import STABLE, Disposition
from counterbalance.dispositions.strategy_columns import VALUE_VERDICT
from counterbalance.items.frames import Verdict
from counterbalance.measures.agreement import is_accepted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from counterbalance.dispositions.codes import Booleans
    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.dispositions.strategy_columns import StrategyColumns

__all__ = ["CostOfPair", "Made", "StrategySide", "made_by_one_order", "made_by_rule", "side_of"]

_TIE = VERDICTS.index(Verdict.TIE)


@dataclass(frozen=True, slots=True)
class CostOfPair:
    """What one pair takes under a strategy.

    Attributes
    ----------
    calls : float | None
        Calls; None where it is not known.
    dollars : float | None
        Money; None where it is not known of every call.
    why_no_dollars : str
        ``unpriced``, or ``unknown`` where some calls have a cost; empty for a log.
    seconds_per_call : float | None
        Mean duration of a call; None where none was timed.
    """

    calls: float | None = None
    dollars: float | None = None
    why_no_dollars: str = ""
    seconds_per_call: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """What a strategy made of each pair, a row each.

    Attributes
    ----------
    credit : NDArray[np.float64]
        How far the result agrees with the reference, from 0 to 1: a half where one of two orders
        does, if a strategy asks in one order and both are at hand; 0 where it is not known.
    is_known : Booleans
        Whether there is a result.
    tie : NDArray[np.float64]
        How far the result is a tie, from 0 to 1.
    is_made_tie : Booleans
        Whether the rule made the result out of orders that disagree.
    """

    credit: NDArray[np.float64]
    is_known: Booleans
    tie: NDArray[np.float64]
    is_made_tie: Booleans


@dataclass(frozen=True, slots=True, eq=False)
class StrategySide:
    """One strategy of one judge.

    Attributes
    ----------
    judge : str
        Name of the judge.
    strategy : str
        What the strategy is called.
    stands_for : str
        The strategy of the source study that it is, or resembles; empty where it is none of them.
    is_loose : bool
        Whether it only resembles it.
    keys : Sequence[str]
        What makes a row the same pair on another side.
    cluster : NDArray[np.int32]
        Unit of uncertainty of each row.
    category : Sequence[str]
        Category of each row; empty for none.
    is_referenced : Booleans
        Whether the pair has a reference.
    accepts_ties : bool
        Whether the reference of any pair accepts a tie.
    made : Made
        What the strategy made of each pair.
    is_stable : Booleans
        Whether both orders under the strategy say the same.
    is_disagreeing : Booleans
        Whether both have a verdict and these differ: a strict order disagreement, a tie or an
        abstention against something else.
    has_two_verdicts : Booleans
        Whether both have a verdict.
    cost : CostOfPair
        What one pair takes.
    compared_with : str
        The judge whose baseline it is compared with, where that is another one: a panel is compared
        with its first member. Empty for the same.
    """

    judge: str
    strategy: str
    stands_for: str
    is_loose: bool
    keys: Sequence[str]
    cluster: NDArray[np.int32]
    category: Sequence[str]
    is_referenced: Booleans
    accepts_ties: bool
    made: Made
    is_stable: Booleans
    is_disagreeing: Booleans
    has_two_verdicts: Booleans
    cost: CostOfPair
    compared_with: str = ""

    @property
    def name(self) -> str:
        """Judge and strategy, as texts call the side."""
        return f"{self.judge}, {self.strategy}"

    @property
    def n_pairs(self) -> int:
        """Number of pairs."""
        return len(self.keys)

    @property
    def is_binary(self) -> bool:
        """Whether every known result either agrees or does not."""
        return bool(np.isin(self.made.credit[self.made.is_known], (0.0, 1.0)).all())


def made_by_one_order(pairs: PairColumns) -> Made:
    """Return what one call makes of a pair, averaged over the orders that are at hand.

    Parameters
    ----------
    pairs : PairColumns
        The pairs as they were judged.

    Returns
    -------
    Made
        What a call in an order that is drawn by a coin makes of the pair on average. A pair has a
        result where every planned order has a verdict and the orders differ in nothing else.
    """
    verdicts = CELL_VERDICT[pairs.cells]
    is_planned = pairs.cells != NONE
    n_orders = is_planned.sum(axis=0)
    is_known = (n_orders > 0) & ((verdicts != NONE) | ~is_planned).all(axis=0)
    is_known &= ~pairs.is_confounded & ~pairs.is_any_of({Disposition.IDENTICAL})
    hits = np.array([is_accepted(verdict, pairs.accepted) for verdict in verdicts])
    share = np.maximum(n_orders, 1)
    return Made(
        credit=np.where(is_known, (hits & is_planned).sum(axis=0) / share, 0.0),
        is_known=is_known,
        tie=np.where(is_known, ((verdicts == _TIE) & is_planned).sum(axis=0) / share, 0.0),
        is_made_tie=np.zeros(pairs.n_pairs, dtype=np.bool_),
    )


def made_by_rule(pairs: PairColumns, results: StrategyColumns) -> Made:
    """Return what a strategy's rule made of each pair.

    Parameters
    ----------
    pairs : PairColumns
        The pairs, for their references.
    results : StrategyColumns
        The strategy's results, in the same sequence.

    Returns
    -------
    Made
        Each result agrees with the reference or does not.
    """
    verdict = VALUE_VERDICT[results.value]
    is_known = (verdict != NONE) & ~pairs.is_any_of({Disposition.IDENTICAL})
    return Made(
        credit=(is_known & is_accepted(verdict, pairs.accepted)).astype(np.float64),
        is_known=is_known,
        tie=(is_known & (verdict == _TIE)).astype(np.float64),
        is_made_tie=results.from_disagreement,
    )


_UNKNOWN = CostOfPair()


def side_of(
    pairs: PairColumns,
    made: Made,
    *,
    judge: str,
    strategy: str,
    keys: Sequence[str],
    category: Sequence[str],
    stands_for: str = "",
    is_loose: bool = False,
    cost: CostOfPair = _UNKNOWN,
) -> StrategySide:
    """Return one strategy of one judge with the dispositions under it.

    Parameters
    ----------
    pairs : PairColumns
        The pairs as they were judged.
    made : Made
        What the strategy made of them.
    judge : str
        Name of the judge.
    strategy : str
        What the strategy is called.
    keys : Sequence[str]
        What makes a row the same pair on another side.
    category : Sequence[str]
        Category of each row.
    stands_for : str
        The strategy of the source study that it is, or resembles.
    is_loose : bool
        Whether it only resembles it.
    cost : CostOfPair
        What one pair takes.

    Returns
    -------
    StrategySide
        The side.
    """
    two = pairs.has_two_verdicts
    stable = pairs.is_any_of(STABLE)
    return StrategySide(
        judge=judge,
        strategy=strategy,
        stands_for=stands_for,
        is_loose=is_loose,
        keys=keys,
        cluster=pairs.cluster,
        category=category,
        is_referenced=pairs.accepted > 0,
        accepts_ties=bool((pairs.accepted & accepted_bits({Verdict.TIE})).any()),
        made=made,
        is_stable=stable,
        is_disagreeing=two & ~stable,
        has_two_verdicts=two,
        cost=cost,
    )
