"""How far verdicts agree with a reference, and the two orders with each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import N_VERDICTS, NONE, ORDERS
from counterbalance.dispositions.disposition import STABLE
from counterbalance.items.frames import Order
from counterbalance.measures.estimate import Estimate, clustered
from counterbalance.statistics.agreement import cohen_kappa
from counterbalance.statistics.clustered_proportion import cluster_proportion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.dispositions.codes import Booleans
    from counterbalance.dispositions.pair_columns import PairColumns

__all__ = [
    "ONLY_VERDICT",
    "agreement_both",
    "agreement_in_order",
    "agreement_stable",
    "is_accepted",
    "kappa_in_order",
    "kappa_orders",
]

_MEANS = "more verdicts are in the accepted reference set"
ONLY_VERDICT: NDArray[np.int8] = np.full(2**N_VERDICTS, NONE, dtype=np.int8)
ONLY_VERDICT[1 << np.arange(N_VERDICTS)] = np.arange(N_VERDICTS)
"""Verdict code of a set of exactly one accepted verdict, by the set's bits."""
_REPEATED = "The interval takes pairs as independent; {n} pairs share {g} clusters."


def agreement_in_order(
    pairs: PairColumns,
    order: Order,
    level: float = 0.95,
    *,
    missing_is_wrong: bool = False,
) -> Estimate:
    """Share of pairs whose verdict in one order is in the accepted reference set.

    Parameters
    ----------
    pairs : PairColumns
        The group.
    order : Order
        The display order.
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
    verdict = pairs.verdict(order)
    counted = pairs.cells[ORDERS.index(order)] != NONE if missing_is_wrong else verdict != NONE
    counted &= pairs.accepted > 0
    hits = counted & is_accepted(verdict, pairs.accepted)
    name = f"agreement_{order}" + ("_all" if missing_is_wrong else "")
    return clustered(name, cluster_proportion(hits, counted, pairs.cluster, level), "pair", _MEANS)


def agreement_both(
    pairs: PairColumns,
    level: float = 0.95,
    *,
    missing_is_wrong: bool = False,
) -> Estimate:
    """Share of pairs whose verdicts in both orders are in the accepted reference set.

    Parameters
    ----------
    pairs : PairColumns
        The group.
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
    counted = pairs.is_in_two_orders if missing_is_wrong else pairs.has_two_verdicts
    counted &= pairs.accepted > 0
    hits = counted & pairs.has_two_verdicts
    for order in ORDERS:
        hits &= is_accepted(pairs.verdict(order), pairs.accepted)
    name = "agreement_both" + ("_all" if missing_is_wrong else "")
    return clustered(name, cluster_proportion(hits, counted, pairs.cluster, level), "pair", _MEANS)


def agreement_stable(pairs: PairColumns, level: float = 0.95) -> Estimate:
    """Share of stable pairs whose verdict is in the accepted reference set.

    Parameters
    ----------
    pairs : PairColumns
        The group.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        In [0, 1].

    Notes
    -----
    Stable says that a verdict survived the exchange of places; this says how often it was right
    all the same. It leaves out what was not stable, so it is no agreement of the judge.

    **Unit of analysis**: the pair; intervals over clusters.
    **Numerator**: the verdict of both orders is in the accepted set.
    **Denominator**: stable pairs with a reference.
    **Undefined** when no pair counts.

    References
    ----------
    .. [1] S. Tan et al., "JudgeBench", ICLR 2025 (both orders must be right).
    """
    counted = pairs.is_any_of(STABLE) & (pairs.accepted > 0)
    hits = counted & is_accepted(pairs.verdict(Order.FORWARD), pairs.accepted)
    found = cluster_proportion(hits, counted, pairs.cluster, level)
    return clustered("agreement_stable", found, "pair", _MEANS)


def is_accepted(verdict: NDArray[np.int8], accepted: NDArray[np.uint8]) -> Booleans:
    """Tell whether each verdict is among the accepted ones, which are given as bits."""
    bits = accepted >> np.maximum(verdict, 0).astype(np.uint8)
    found: Booleans = (verdict != NONE) & (bits & 1).astype(np.bool_)
    return found


def kappa_in_order(pairs: PairColumns, order: Order, level: float = 0.95) -> Estimate:
    """Cohen's kappa between the verdicts of one order and the reference.

    Parameters
    ----------
    pairs : PairColumns
        The group.
    order : Order
        The display order.
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
    verdict = pairs.verdict(order)
    return _kappa(f"kappa_{order}", pairs, ONLY_VERDICT[pairs.accepted], verdict, level)


def kappa_orders(pairs: PairColumns, level: float = 0.95) -> Estimate:
    """Cohen's kappa between the verdicts of the two orders, in the candidate frame.

    Parameters
    ----------
    pairs : PairColumns
        The group.
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
    forward, reversed_ = (
        np.where(pairs.has_two_verdicts, pairs.verdict(order), np.int8(NONE)) for order in ORDERS
    )
    return _kappa("kappa_orders", pairs, forward, reversed_, level)


def _kappa(
    name: str,
    pairs: PairColumns,
    first: NDArray[np.int8],
    second: NDArray[np.int8],
    level: float,
) -> Estimate:
    is_rated = (first != NONE) & (second != NONE)
    at = first[is_rated] * N_VERDICTS + second[is_rated]
    table = np.bincount(at, minlength=N_VERDICTS**2).reshape(N_VERDICTS, N_VERDICTS)
    result = cohen_kappa(table, level)
    n_rated = int(is_rated.sum())
    n_clusters = int(np.count_nonzero(np.bincount(pairs.cluster[is_rated])))
    cautions = []
    if n_clusters < n_rated:
        cautions.append(_REPEATED.format(n=n_rated, g=n_clusters))
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
