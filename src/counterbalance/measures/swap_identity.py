"""Why swapping helps or not: the exact identity between one call and both orders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.dispositions.codes import NONE
from counterbalance.dispositions.strategy_columns import VALUE_VERDICT
from counterbalance.measures.agreement import is_accepted

if TYPE_CHECKING:
    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.dispositions.strategy_columns import StrategyColumns

__all__ = ["SwapIdentity", "swap_identity"]


@dataclass(frozen=True, slots=True)
class SwapIdentity:
    """What a tie on disagreement changes, in pairs that have a reference and both results.

    Attributes
    ----------
    pairs : int
        Pairs counted.
    agree : int
        Pairs whose two orders say the same.
    right_on_agree : int
        Pairs among them whose verdict is accepted.
    disagree : int
        Pairs whose two orders disagree, so that the rule makes a tie.
    tie_right : int
        Pairs among them for which a tie is accepted.
    first_right : int
        Pairs among them for which the first call alone is accepted.
    one_call_right : int
        Accepted results of the one call, over all pairs counted.
    both_right : int
        Accepted results of both orders, over all pairs counted.
    """

    pairs: int
    agree: int
    right_on_agree: int
    disagree: int
    tie_right: int
    first_right: int
    one_call_right: int
    both_right: int

    @property
    def gain(self) -> int:
        """Pairs that both orders gain over the one call."""
        return self.both_right - self.one_call_right

    @property
    def holds(self) -> bool:
        """Whether the gain is exactly ties accepted less first calls accepted, on disagreements.

        It is where the one call is one of the two; a call made anew can differ.
        """
        return self.gain == self.tie_right - self.first_right


def swap_identity(
    pairs: PairColumns, one_call: StrategyColumns, both: StrategyColumns
) -> SwapIdentity:
    r"""Split the difference between both orders and one call into where it can come from.

    Parameters
    ----------
    pairs : PairColumns
        The pairs.
    one_call : StrategyColumns
        Results of one order as it is.
    both : StrategyColumns
        Results of both orders with a tie where they disagree, in the same sequence.

    Returns
    -------
    SwapIdentity
        Counts, from which every share follows.

    Notes
    -----
    With :math:`a` the share of pairs whose orders agree, :math:`q` the share of right verdicts
    among them, :math:`t` the share of disagreements for which a tie is right and :math:`r` that for
    which the first call is right: both orders are right in :math:`a q + (1 - a) t`, one call in
    :math:`a q + (1 - a) r`, and the difference is :math:`(1 - a)(t - r)`, without any assumption.

    **Unit of analysis**: the pair.
    **Denominator**: pairs with a reference for which both strategies have a result.
    **Undefined** never: counts of no pairs are 0.

    References
    ----------
    .. [1] This product's own; it is the law of total probability over whether the orders agree.
    """
    alone, together = VALUE_VERDICT[one_call.value], VALUE_VERDICT[both.value]
    counted = (pairs.accepted > 0) & (alone != NONE) & (together != NONE)
    alone_right = counted & is_accepted(alone, pairs.accepted)
    both_right = counted & is_accepted(together, pairs.accepted)
    disagree = counted & both.from_disagreement
    agree = counted & ~both.from_disagreement
    return SwapIdentity(
        pairs=int(counted.sum()),
        agree=int(agree.sum()),
        right_on_agree=int((agree & both_right).sum()),
        disagree=int(disagree.sum()),
        tie_right=int((disagree & both_right).sum()),
        first_right=int((disagree & alone_right).sum()),
        one_call_right=int(alone_right.sum()),
        both_right=int(both_right.sum()),
    )
