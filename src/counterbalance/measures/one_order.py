"""What one order for each pair can say of the order: pairs are compared, not a pair with itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from counterbalance import statistics
from counterbalance.dispositions.codes import NONE, ORDERS, VERDICTS
from counterbalance.dispositions.disposition import Disposition
from counterbalance.dispositions.pair_columns import winner_in
from counterbalance.items.frames import Slot, Verdict
from counterbalance.measures.estimate import Estimate
from counterbalance.measures.tested import TestResult, pairs_share_clusters

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.dispositions.codes import Booleans
    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.items.frames import Order

__all__ = ["is_in_one_order", "order_effect_between_pairs", "order_tests_between_pairs"]

_TIE = VERDICTS.index(Verdict.TIE)
_CREDITS = {Verdict.A: 1.0, Verdict.TIE: 0.5, Verdict.B: 0.0}
_CREDIT = np.array([_CREDITS.get(verdict, 0.0) for verdict in VERDICTS])
_IS_CHOICE = np.array([verdict in _CREDITS for verdict in VERDICTS])
_BETWEEN = (
    "Compared between different pairs: it holds only if which pairs were shown in which order was"
    " left to chance."
)


def is_in_one_order(pairs: PairColumns) -> bool:
    """Return whether each pair was shown in one order only, and of some it is known in which."""
    return bool(_is_single(pairs).any()) and not pairs.is_in_two_orders.any()


def _is_single(pairs: PairColumns) -> Booleans:
    is_known: Booleans = (pairs.cells[: len(ORDERS)] != NONE).sum(axis=0) == 1
    is_known &= pairs.is_any_of({Disposition.SINGLE_ORDER})
    return is_known


def order_effect_between_pairs(pairs: PairColumns, level: float = 0.95) -> Estimate:
    """How much more often candidate a wins where it is shown first than where it is shown second.

    Parameters
    ----------
    pairs : PairColumns
        The group; pairs shown in both orders do not count.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        In [-1, 1]; positive when the first slot is favoured. A difference of two shares, so without
        a numerator.

    Notes
    -----
    **Unit of analysis**: the pair, shown in one order; intervals over clusters, which may hold
    pairs of both orders. Different pairs are compared: unlike every measure of two orders this one
    confuses the order with whatever else differs between the pairs, unless orders were drawn at
    random.
    **Numerator**: none; share of wins of a, half the ties included, among pairs shown with a first,
    less the same share among pairs shown with b first.
    **Denominator**: pairs of one recorded order whose verdict is a, b or tie.
    **Undefined** when no such pair was shown with a first, or none with b first.

    References
    ----------
    .. [1] J. J. Gart, "An exact test for comparing matched proportions in crossover designs",
       Biometrika 56 (1969) 75-80 (the design); the interval is this product's.
    """
    shown = [_choice(pairs, order) for order in ORDERS]
    first, second = ((np.where(counts, _CREDIT[verdict], 0.0), counts) for verdict, counts in shown)
    result = statistics.cluster_difference(first, second, pairs.cluster, level, bounds=(-1.0, 1.0))
    cautions = [_BETWEEN, *(caution.sentence for caution in result.cautions)]
    if result.first is not None and result.second is not None:
        cautions.append(
            f"Candidate a won {result.first:.3f} of the {result.first_denominator:.0f} pairs that"
            f" showed it first, {result.second:.3f} of the {result.second_denominator:.0f} others."
        )
    if result.difference is not None and result.interval_undefined is not None:
        cautions.append(f"No interval: {result.interval_undefined.sentence}")
    return Estimate(
        name="order_effect_between_pairs",
        value=result.difference,
        numerator=None,
        denominator=result.first_denominator + result.second_denominator,
        low=result.low,
        high=result.high,
        level=level,
        method=result.method,
        unit="pair",
        positive_means="candidate a wins more often where it is shown first (between pairs)",
        undefined=None if result.undefined is None else result.undefined.sentence,
        n_clusters=result.n_clusters,
        cautions=tuple(cautions),
    )


def order_tests_between_pairs(pairs: PairColumns) -> list[TestResult]:
    """Test whether the first slot is favoured, by comparing pairs shown in either order.

    Parameters
    ----------
    pairs : PairColumns
        The group; pairs shown in both orders do not count.

    Returns
    -------
    list[TestResult]
        Mainland and Gart's exact test, which leaves ties out, and Prescott's, which counts them as
        half way.

    Notes
    -----
    **Unit of analysis**: the pair, shown in one order, taken as independent of the others.
    **Denominator**: pairs of one recorded order whose verdict chooses a slot; for Prescott's test
    ties as well.
    **Undefined** when an order has no such pair, or all chose one and the same candidate.

    References
    ----------
    .. [1] J. J. Gart, "An exact test for comparing matched proportions in crossover designs",
       Biometrika 56 (1969) 75-80.
    .. [2] R. J. Prescott, "The comparison of success rates in cross-over trials in the presence of
       an order effect", Applied Statistics 30 (1981) 9-15.
    """
    table = np.array([_row(pairs, order) for order in ORDERS])
    without_ties = table[:, [0, 2]]
    gart = statistics.mainland_gart_test(without_ties, "period")
    prescott = statistics.prescott_test(table, "period")
    counts = [counts for _, counts in (_choice(pairs, order) for order in ORDERS)]
    cautions = (_BETWEEN, *pairs_share_clusters(pairs.cluster[counts[0] | counts[1]]))
    hypothesis = "candidates win alike where they are shown first and where second (between pairs)"
    exact = TestResult(
        name="order_between_pairs",
        hypothesis=hypothesis,
        p_value=gart.p_value,
        numerator=int(without_ties[:, 0].sum()),
        denominator=gart.n_units,
        counted="pairs whose first slot won, of those whose verdict chooses a slot",
        undefined=None if gart.undefined is None else gart.undefined.sentence,
        cautions=cautions,
    )
    return [
        exact,
        replace(
            exact,
            name="order_between_pairs_ties",
            p_value=prescott.p_value,
            denominator=prescott.n_units,
            counted="pairs whose first slot won, of those with a verdict for a slot or a tie",
            undefined=None if prescott.undefined is None else prescott.undefined.sentence,
        ),
    ]


def _choice(pairs: PairColumns, order: Order) -> tuple[NDArray[np.int8], Booleans]:
    """Return each pair's verdict in this order, and whether it is one to compare."""
    verdict = pairs.verdict(order)
    counts: Booleans = _is_single(pairs) & (verdict != NONE) & _IS_CHOICE[verdict]
    return verdict, counts


def _row(pairs: PairColumns, order: Order) -> list[int]:
    """Count the pairs of one order whose first slot won, that tied, and whose second slot won."""
    verdict, counts = _choice(pairs, order)
    codes = (winner_in(Slot.FIRST, order), _TIE, winner_in(Slot.SECOND, order))
    return [int((counts & (verdict == code)).sum()) for code in codes]
