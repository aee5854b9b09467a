"""How often a strategy's results agree with the reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.measures.estimate import Estimate, clustered
from counterbalance.statistics.clustered_proportion import cluster_proportion

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from counterbalance.dispositions.strategy_result import StrategyResult
    from counterbalance.measures.group import JudgedPair

__all__ = ["strategy_agreement"]


def strategy_agreement(
    pairs: Sequence[JudgedPair],
    results: Sequence[StrategyResult],
    cluster: Callable[[JudgedPair], str],
    level: float = 0.95,
    *,
    missing_is_wrong: bool = False,
) -> Estimate:
    """Share of pairs whose strategy result is in the accepted reference set.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The pairs.
    results : Sequence[StrategyResult]
        The strategy's result for each, in the same sequence.
    cluster : Callable[[JudgedPair], str]
        Names a pair's cluster.
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
    hits, counted = [], []
    for judged, result in zip(pairs, results, strict=True):
        reference = judged.pair.reference
        counts = reference is not None and (missing_is_wrong or result.value != "none")
        counted.append(int(counts))
        is_hit = reference is not None and result.value in {v.value for v in reference.accepted}
        hits.append(int(counts and is_hit))
    name = "strategy_agreement" + ("_all" if missing_is_wrong else "")
    clusters = [cluster(judged) for judged in pairs]
    proportion = cluster_proportion(hits, counted, clusters, level)
    return clustered(name, proportion, "pair", "more results are in the accepted reference set")
