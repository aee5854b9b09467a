"""Repetition noise, and what the order adds to it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.measures.estimate import Estimate, clustered
from counterbalance.statistics.repetition import (
    excess_disagreement,
    modal_share,
    repeat_disagreement,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.dispositions.pair_columns import PairColumns

__all__ = ["order_excess_disagreement", "repetition_disagreement", "repetition_stability"]

_FEWEST_REPEATS = 2


def repetition_stability(pairs: PairColumns, level: float = 0.95) -> Estimate:
    """Mean share of repetitions that give the most frequent verdict, as published.

    Parameters
    ----------
    pairs : PairColumns
        The group; pairs that were not repeated do not count.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        Between one over the number of repetitions and 1, so not comparable across designs.

    Notes
    -----
    **Unit of analysis**: the pair in one order; intervals over clusters.
    **Numerator**: sum over units of the modal share; a missing verdict stays in its denominator.
    **Denominator**: units planned with two repetitions or more.
    **Undefined** when nothing was repeated.

    References
    ----------
    .. [1] L. Shi et al., "Judging the Judges: A Systematic Study of Position Bias in
       LLM-as-a-Judge", IJCNLP-AACL 2025 (repetition stability).
    """
    counts, planned, clusters = _units(pairs)
    result = modal_share(counts, planned, clusters, level)
    means = "repetitions of the same question agree more"
    estimate = clustered(
        "repetition_stability", result.mean, "pair and order", means, "pairs and orders"
    )
    return _with_design(estimate, pairs)


def repetition_disagreement(pairs: PairColumns, level: float = 0.95) -> Estimate:
    """Chance that two repetitions of the same question give different verdicts.

    Parameters
    ----------
    pairs : PairColumns
        The group; pairs that were not repeated do not count.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        In [0, 1]; named ``repeat_disagreement``.

    Notes
    -----
    **Unit of analysis**: the pair in one order; intervals over clusters.
    **Numerator**: sum over units of the share of unequal pairs of repetitions (unbiased).
    **Denominator**: units with two verdicts or more.
    **Undefined** when nothing was repeated.

    References
    ----------
    .. [1] A. Agresti, "Categorical Data Analysis", 3rd ed., Wiley 2013 (Gini-Simpson index).
    """
    counts, _, clusters = _units(pairs)
    result = repeat_disagreement(counts, clusters, level)
    means = "repetitions of the same question disagree more"
    estimate = clustered(
        "repeat_disagreement", result.mean, "pair and order", means, "pairs and orders"
    )
    return _with_design(estimate, pairs)


def order_excess_disagreement(pairs: PairColumns, level: float = 0.95) -> Estimate:
    """Disagreement between the orders beyond the disagreement of repetitions within an order.

    Parameters
    ----------
    pairs : PairColumns
        The group; pairs that were not repeated in both orders do not count.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        Around 0 when the order adds nothing to the noise.

    Notes
    -----
    **Unit of analysis**: the pair; intervals over clusters.
    **Numerator**: sum over pairs of the disagreement across orders less the mean of the two
    disagreements within an order, verdicts in the candidate frame.
    **Denominator**: pairs with two verdicts or more in each order.
    **Undefined** when no pair was repeated in both orders.

    References
    ----------
    .. [1] W. Hoeffding, "A class of statistics with asymptotically normal distribution", Annals of
       Mathematical Statistics 19 (1948) 293-325 (U-statistics).
    """
    forward, reversed_ = pairs.repeats.verdicts
    result = excess_disagreement(forward, reversed_, pairs.cluster, level)
    estimate = clustered(
        "order_excess_disagreement", result.mean, "pair", "the order adds to the noise"
    )
    if result.cross_disagreement is None:
        return estimate
    said = (
        f"Across orders {result.cross_disagreement:.3f}; within forward"
        f" {result.within_first:.3f}, within reversed {result.within_second:.3f}."
    )
    return _with_design(replace(estimate, cautions=(*estimate.cautions, said)), pairs)


def _units(
    pairs: PairColumns,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Return verdict counts, planned repetitions and cluster of each repeated pair and order."""
    planned = pairs.repeats.planned
    is_unit = planned >= _FEWEST_REPEATS
    clusters = np.broadcast_to(pairs.cluster, planned.shape)
    return pairs.repeats.verdicts[is_unit], planned[is_unit], clusters[is_unit]


def _with_design(estimate: Estimate, pairs: PairColumns) -> Estimate:
    """Say how often and at which temperature was repeated: the number means nothing without."""
    times = [int(n) for n in np.unique(pairs.repeats.planned) if n >= _FEWEST_REPEATS]
    if not times:
        return estimate
    said = f"Each order was asked {' or '.join(map(str, times))} times"
    if pairs.repeats.temperatures:
        temperatures = " and ".join(f"{t:g}" for t in pairs.repeats.temperatures)
        said += f" at temperature {temperatures}, another setting than that of the dispositions"
    return replace(estimate, cautions=(*estimate.cautions, f"{said}."))
