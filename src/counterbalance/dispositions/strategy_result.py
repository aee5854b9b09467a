"""What a strategy's rule makes of a pair; beside the disposition, never in its place."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from counterbalance.dispositions.disposition import (
    Disposition,
    PairDisposition,
)
from counterbalance.items.frames import Order, Side, Slot
from counterbalance.presentations.order import side_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from counterbalance.dispositions.cell import Cell
    from counterbalance.dispositions.evidence import PairEvidence

__all__ = [
    "StrategyResult",
    "Value",
    "balanced_calibration",
    "plain_result",
    "plain_rule",
]

Value = Literal["a", "b", "tie", "neither", "none"]


@dataclass(frozen=True, slots=True)
class StrategyResult:
    """The result of one strategy for one pair.

    Attributes
    ----------
    strategy : str
        ``B0`` one order as it is, ``S1`` both orders with a tie where they disagree,
        ``balanced_calibration`` label log-odds averaged over orders and labellings; or the id of
        another strategy of the protocol.
    value : Value
        The winner, a tie, neither acceptable, or none.
    from_disagreement : bool
        Whether the rule made the value out of orders or votes that disagree.
    log_odds_a : float | None
        Mean natural log-odds of candidate a against b, where the strategy has one.
    score_a : float | None
        Mean score of candidate a less that of b, where the strategy has one.
    n_votes : int
        Votes that have a verdict.
    n_self_disagreeing : int
        Votes whose own two orders disagree, whatever the rule made of them.
    is_split : bool
        Whether the votes that have a verdict are not all the same.
    is_escalated : bool
        Whether the judge on call decided.
    """

    strategy: str
    value: Value
    from_disagreement: bool = False
    log_odds_a: float | None = None
    score_a: float | None = None
    n_votes: int = 0
    n_self_disagreeing: int = 0
    is_split: bool = False
    is_escalated: bool = False


_ROUNDING = 1e-9
"""Log-odds this near to 0 are rounding of equal probabilities, not a preference."""
_AGREED: dict[Disposition, Value] = {
    Disposition.STABLE_A: "a",
    Disposition.STABLE_B: "b",
    Disposition.TIE: "tie",
    Disposition.NEITHER: "neither",
}
_TIED_BY_RULE = frozenset({Disposition.ORDER_DISAGREEMENT, Disposition.TIE_TRANSITION})
_SINGLE: dict[str, Value] = {"a": "a", "b": "b", "tie": "tie", "neither": "neither"}


def plain_result(result: PairDisposition) -> StrategyResult:
    """Return what the plain rule makes of a pair: S1 with both orders, B0 with one.

    Parameters
    ----------
    result : PairDisposition
        The pair with its cells.

    Returns
    -------
    StrategyResult
        A tie that only the rule made carries ``from_disagreement``.
    """
    cells = tuple(result.cells.values())
    return plain_rule(result.disposition, cells[0].cell if len(cells) == 1 else None)


def plain_rule(disposition: Disposition, cell: Cell | None) -> StrategyResult:
    """Apply the plain rule: both orders with a tie where they disagree, or one order as it is.

    Parameters
    ----------
    disposition : Disposition
        The class of the pair.
    cell : Cell | None
        What the order says where only one was planned.

    Returns
    -------
    StrategyResult
        A tie that only the rule made carries ``from_disagreement``.
    """
    if disposition is Disposition.SINGLE_ORDER:
        return StrategyResult("B0", "none" if cell is None else _SINGLE.get(cell.value, "none"))
    if disposition in _TIED_BY_RULE:
        return StrategyResult("S1", "tie", from_disagreement=True)
    if disposition is Disposition.ABSTENTION_TRANSITION:
        return StrategyResult("S1", "none", from_disagreement=True)
    return StrategyResult("S1", _AGREED.get(disposition, "none"))


def balanced_calibration(groups: Sequence[PairEvidence]) -> StrategyResult:
    """Average label log-odds over both orders and all labellings of one pair and judge.

    An additive preference for a slot or for a label cancels in the mean, because each candidate
    stood in each slot and under each label equally often. What is left may be content, or noise:
    the result is never called stable.

    Parameters
    ----------
    groups : Sequence[PairEvidence]
        The pair's evidence under each labelling.

    Returns
    -------
    StrategyResult
        ``none`` unless every presentation of every labelling has both labels' probabilities.
    """
    means: list[float] = []
    for evidence in groups:
        by_order = [_mean_log_odds_a(evidence, order) for order in Order]
        if any(mean is None for mean in by_order):
            return StrategyResult("balanced_calibration", "none")
        means.extend(mean for mean in by_order if mean is not None)
    if not means:
        return StrategyResult("balanced_calibration", "none")
    mean = math.fsum(means) / len(means)
    value: Value = "tie" if abs(mean) < _ROUNDING else "a" if mean > 0 else "b"
    return StrategyResult("balanced_calibration", value, log_odds_a=mean)


def _mean_log_odds_a(evidence: PairEvidence, order: Order) -> float | None:
    odds = list(_log_odds_a(evidence, order))
    known = [value for value in odds if value is not None]
    return math.fsum(known) / len(known) if known and len(known) == len(odds) else None


def _log_odds_a(evidence: PairEvidence, order: Order) -> Iterable[float | None]:
    sign = 1.0 if side_in(Slot.FIRST, order) is Side.A else -1.0
    for shown in evidence.main.get(order, ()):
        odds = None if shown.decisive is None else shown.decisive.outcome.log_odds_first
        yield None if odds is None else sign * odds
