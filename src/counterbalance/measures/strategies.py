"""How often a strategy's results agree with the reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.dispositions.codes import NONE
from counterbalance.dispositions.strategy_columns import VALUE_VERDICT
from counterbalance.measures.agreement import is_accepted
from counterbalance.measures.estimate import Estimate, clustered
from counterbalance.statistics.clustered_proportion import cluster_proportion

if TYPE_CHECKING:
    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.dispositions.strategy_columns import StrategyColumns

__all__ = ["strategy_agreement"]


def strategy_agreement(
    pairs: PairColumns,
    results: StrategyColumns,
    level: float = 0.95,
    *,
    missing_is_wrong: bool = False,
) -> Estimate:
    """Share of pairs whose strategy result is in the accepted reference set.

    Parameters
    ----------
    pairs : PairColumns
        The pairs.
    results : StrategyColumns
        The strategy's result for each, in the same sequence.
    level : float
        Nominal coverage of the interval.
    missing_is_wrong : bool
        Count a pair without a result as a disagreement instead of leaving it out.

    Returns
    -------
    Estimate
        In [0, 1].

    Notes
    -----
    **Unit of analysis**: the pair; intervals over clusters.
    **Numerator**: a, b, tie or neither in the accepted set; ties that the rule made count as ties.
    **Denominator**: pairs with a reference and a result (or, where missing is wrong, all with a
    reference). A reference of insufficient evidence alone can be met by no strategy result.
    **Undefined** when no pair counts.

    References
    ----------
    .. [1] L. Zheng et al., NeurIPS 2023 (agreement); sets of accepted verdicts are this product's.
    """
    verdict = VALUE_VERDICT[results.value]
    counted = pairs.accepted > 0
    if not missing_is_wrong:
        counted &= verdict != NONE
    hits = counted & is_accepted(verdict, pairs.accepted)
    name = "strategy_agreement" + ("_all" if missing_is_wrong else "")
    proportion = cluster_proportion(hits, counted, pairs.cluster, level)
    return clustered(name, proportion, "pair", "more results are in the accepted reference set")
