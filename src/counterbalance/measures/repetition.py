"""Repetition noise, and what the order adds to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from counterbalance.items.frames import Order, Verdict
from counterbalance.measures.estimate import Estimate, clustered
from counterbalance.measures.group import JudgedPair, repetitions_of, verdicts_in
from counterbalance.statistics.repetition import (
    excess_disagreement,
    modal_share,
    repeat_disagreement,
)

__all__ = ["order_excess_disagreement", "repetition_disagreement", "repetition_stability"]

Cluster = Callable[[JudgedPair], str]

_CATEGORIES = list(Verdict)
_FEWEST_REPEATS = 2


def repetition_stability(
    pairs: Sequence[JudgedPair], cluster: Cluster, level: float = 0.95
) -> Estimate:
    """Mean share of repetitions that give the most frequent verdict, as published.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The group; pairs that were not repeated do not count.
    cluster : Cluster
        Names a pair's cluster.
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
    units = _units(pairs, cluster)
    result = modal_share(
        [counts for counts, _, _ in units],
        [planned for _, planned, _ in units],
        [name for _, _, name in units],
        level,
    )
    means = "repetitions of the same question agree more"
    estimate = clustered(
        "repetition_stability", result.mean, "pair and order", means, "pairs and orders"
    )
    return _with_design(estimate, pairs)


def repetition_disagreement(
    pairs: Sequence[JudgedPair], cluster: Cluster, level: float = 0.95
) -> Estimate:
    """Chance that two repetitions of the same question give different verdicts.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The group; pairs that were not repeated do not count.
    cluster : Cluster
        Names a pair's cluster.
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
    units = _units(pairs, cluster)
    result = repeat_disagreement(
        [counts for counts, _, _ in units], [name for _, _, name in units], level
    )
    means = "repetitions of the same question disagree more"
    estimate = clustered(
        "repeat_disagreement", result.mean, "pair and order", means, "pairs and orders"
    )
    return _with_design(estimate, pairs)


def order_excess_disagreement(
    pairs: Sequence[JudgedPair], cluster: Cluster, level: float = 0.95
) -> Estimate:
    """Disagreement between the orders beyond the disagreement of repetitions within an order.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The group; pairs that were not repeated in both orders do not count.
    cluster : Cluster
        Names a pair's cluster.
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
    first, second = (
        [_counts(verdicts_in(shown, order)) for shown in repetitions_of(pairs, order)]
        for order in Order
    )
    result = excess_disagreement(first, second, [cluster(judged) for judged in pairs], level)
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


def _units(pairs: Sequence[JudgedPair], cluster: Cluster) -> list[tuple[list[int], int, str]]:
    """Return verdict counts, planned repetitions and cluster of each repeated pair and order."""
    return [
        (_counts(verdicts_in(shown, order)), len(shown), cluster(judged))
        for order in Order
        for judged, shown in zip(pairs, repetitions_of(pairs, order), strict=True)
        if len(shown) >= _FEWEST_REPEATS
    ]


def _with_design(estimate: Estimate, pairs: Sequence[JudgedPair]) -> Estimate:
    """Say how often and at which temperature was repeated: the number means nothing without."""
    repeated = [
        shown
        for order in Order
        for shown in repetitions_of(pairs, order)
        if len(shown) >= _FEWEST_REPEATS
    ]
    if not repeated:
        return estimate
    times = sorted({len(shown) for shown in repeated})
    said = f"Each order was asked {' or '.join(map(str, times))} times"
    overrides = {shown[0].presentation.temperature for shown in repeated} - {None}
    if overrides:
        temperatures = " and ".join(f"{t:g}" for t in sorted(filter(None, overrides)))
        said += f" at temperature {temperatures}, another setting than that of the dispositions"
    return replace(estimate, cautions=(*estimate.cautions, f"{said}."))


def _counts(verdicts: Sequence[Verdict | None]) -> list[int]:
    return [sum(1 for v in verdicts if v is category) for category in _CATEGORIES]
