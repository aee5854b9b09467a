"""How far verdicts agree with a reference, and the two orders with each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from counterbalance.dispositions.disposition import verdicts_of
from counterbalance.items.frames import Order, Verdict
from counterbalance.measures.estimate import Estimate, clustered
from counterbalance.measures.group import JudgedPair
from counterbalance.statistics.agreement import cohen_kappa
from counterbalance.statistics.clustered_proportion import cluster_proportion

__all__ = ["agreement_both", "agreement_in_order", "kappa_in_order", "kappa_orders"]

Cluster = Callable[[JudgedPair], str]

_MEANS = "more verdicts are in the accepted reference set"
_REPEATED = "The interval takes pairs as independent; {n} pairs share {g} clusters."


def agreement_in_order(
    pairs: Sequence[JudgedPair],
    order: Order,
    cluster: Cluster,
    level: float = 0.95,
    *,
    missing_is_wrong: bool = False,
) -> Estimate:
    """Share of pairs whose verdict in one order is in the accepted reference set.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The group.
    order : Order
        The display order.
    cluster : Cluster
        Names a pair's cluster.
    level : float
        Nominal coverage of the interval.
    missing_is_wrong : bool
        Count a planned order without verdict as a disagreement instead of leaving it out.

    Returns
    -------
    Estimate
        In [0, 1].

    Notes
    -----
    **Unit of analysis**: the pair; intervals over clusters.
    **Numerator**: verdict in the accepted set.
    **Denominator**: pairs with a reference and a verdict (or, where missing is wrong, with a
    reference and this order planned).
    **Undefined** when no pair counts.

    References
    ----------
    .. [1] L. Zheng et al., NeurIPS 2023 (agreement); sets of accepted verdicts are this product's.
    """
    hits, counted = [], []
    for judged in pairs:
        reference, verdict = judged.pair.reference, judged.verdict(order)
        is_planned = order in judged.result.cells
        counts = reference is not None and is_planned and (missing_is_wrong or verdict is not None)
        counted.append(int(counts))
        hits.append(int(counts and reference is not None and verdict in reference.accepted))
    name = f"agreement_{order}" + ("_all" if missing_is_wrong else "")
    clusters = [cluster(judged) for judged in pairs]
    return clustered(name, cluster_proportion(hits, counted, clusters, level), "pair", _MEANS)


def agreement_both(
    pairs: Sequence[JudgedPair],
    cluster: Cluster,
    level: float = 0.95,
    *,
    missing_is_wrong: bool = False,
) -> Estimate:
    """Share of pairs whose verdicts in both orders are in the accepted reference set.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The group.
    cluster : Cluster
        Names a pair's cluster.
    level : float
        Nominal coverage of the interval.
    missing_is_wrong : bool
        Count a pair without two verdicts as a disagreement instead of leaving it out.

    Returns
    -------
    Estimate
        In [0, 1].

    Notes
    -----
    **Unit of analysis**: the pair; intervals over clusters.
    **Numerator**: both verdicts in the accepted set.
    **Denominator**: pairs with a reference and two verdicts (or planned in two orders).
    **Undefined** when no pair counts.

    References
    ----------
    .. [1] S. Tan et al., "JudgeBench", ICLR 2025 (both orders must be right).
    """
    hits, counted = [], []
    for judged in pairs:
        reference, both = judged.pair.reference, verdicts_of(judged.result)
        in_two_orders = len(judged.result.cells) == len(Order)
        counts = reference is not None and in_two_orders and (missing_is_wrong or both is not None)
        counted.append(int(counts))
        hits.append(
            int(
                counts
                and reference is not None
                and both is not None
                and all(verdict in reference.accepted for verdict in both)
            )
        )
    name = "agreement_both" + ("_all" if missing_is_wrong else "")
    clusters = [cluster(judged) for judged in pairs]
    return clustered(name, cluster_proportion(hits, counted, clusters, level), "pair", _MEANS)


def kappa_in_order(
    pairs: Sequence[JudgedPair], order: Order, cluster: Cluster, level: float = 0.95
) -> Estimate:
    """Cohen's kappa between the verdicts of one order and the reference.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The group.
    order : Order
        The display order.
    cluster : Cluster
        Names a pair's cluster, to say when pairs are not independent.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        At most 1; numerator None.

    Notes
    -----
    **Unit of analysis**: the pair.
    **Denominator**: pairs with a verdict and a reference of exactly one verdict.
    **Undefined** when no pair counts, or both used one and the same category throughout.

    References
    ----------
    .. [1] J. Cohen, Educational and Psychological Measurement 20 (1960) 37-46.
    """
    rated = [
        (next(iter(reference.accepted)), verdict, cluster(judged))
        for judged in pairs
        if (reference := judged.pair.reference) is not None
        and len(reference.accepted) == 1
        and (verdict := judged.verdict(order)) is not None
    ]
    return _kappa(f"kappa_{order}", rated, level)


def kappa_orders(pairs: Sequence[JudgedPair], cluster: Cluster, level: float = 0.95) -> Estimate:
    """Cohen's kappa between the verdicts of the two orders, in the candidate frame.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The group.
    cluster : Cluster
        Names a pair's cluster, to say when pairs are not independent.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        At most 1; numerator None.

    Notes
    -----
    **Unit of analysis**: the pair.
    **Denominator**: pairs whose orders both have a verdict.
    **Undefined** when no pair counts, or both orders used one and the same category throughout.

    References
    ----------
    .. [1] J. Cohen, Educational and Psychological Measurement 20 (1960) 37-46.
    """
    rated = [
        (*both, cluster(judged))
        for judged in pairs
        if (both := verdicts_of(judged.result)) is not None
    ]
    return _kappa("kappa_orders", rated, level)


def _kappa(name: str, rated: Sequence[tuple[Verdict, Verdict, str]], level: float) -> Estimate:
    categories = list(Verdict)
    table = [
        [sum(1 for x, y, _ in rated if (x, y) == (row, column)) for column in categories]
        for row in categories
    ]
    result = cohen_kappa(table, level)
    n_clusters = len({c for _, _, c in rated})
    cautions = []
    if n_clusters < len(rated):
        cautions.append(_REPEATED.format(n=len(rated), g=n_clusters))
    if result.kappa is not None and result.interval_undefined is not None:
        cautions.append(f"No interval: {result.interval_undefined.sentence}")
    return Estimate(
        name=name,
        value=result.kappa,
        numerator=None,
        denominator=result.n_units,
        low=result.low,
        high=result.high,
        level=level,
        method="none" if result.low is None else "fleiss_cohen_everitt",
        unit="pair",
        positive_means="more agreement than the marginals alone would give",
        undefined=None if result.undefined is None else result.undefined.sentence,
        n_clusters=n_clusters,
        cautions=tuple(cautions),
    )
