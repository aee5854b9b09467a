"""Second opinions on what the planned measures say: never planned, shown in full and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from counterbalance import statistics
from counterbalance.dispositions.codes import N_VERDICTS, NONE, ORDERS, VERDICTS
from counterbalance.items.frames import Verdict
from counterbalance.measures.agreement import ONLY_VERDICT
from counterbalance.measures.estimate import Estimate
from counterbalance.measures.tested import TestResult, pairs_share_clusters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.statistics.chance_corrected import PanelAgreement
    from counterbalance.statistics.marginal_homogeneity import SquareTableTest

__all__ = [
    "EXPLORATORY_MEASURES",
    "EXPLORATORY_TESTS",
    "LOG_ODDS_MEASURES",
    "agreement_twins",
    "marginal_tests",
]

LOG_ODDS_MEASURES = ("davidson_beaver_order",)
"""Measures without bounds: log-odds, 0 for even."""
EXPLORATORY_MEASURES = (
    *("ac1_forward", "ac1_reversed", "ac1_orders"),
    *("alpha_forward", "alpha_reversed", "alpha_orders"),
    *LOG_ODDS_MEASURES,
)
"""Measures that no protocol can plan."""
EXPLORATORY_TESTS = ("stuart_maxwell", "bhapkar", "davidson_beaver")
"""Tests that no protocol can plan."""

_ALWAYS_OFFERED = (VERDICTS.index(Verdict.A), VERDICTS.index(Verdict.B))
_OFFERED = "Taken as offered: {names}. AC1 depends on what was offered, used or not."
_MEANS = "more agreement than chance would give"


def agreement_twins(pairs: PairColumns, level: float = 0.95) -> list[Estimate]:
    """Measure what the kappas measure by two other understandings of chance.

    Parameters
    ----------
    pairs : PairColumns
        The group.
    level : float
        Nominal coverage of the intervals.

    Returns
    -------
    list[Estimate]
        Gwet's AC1 and Krippendorff's alpha of each order with the reference, and of both orders.

    Notes
    -----
    **Unit of analysis**: the pair; intervals over clusters.
    **Denominator**: as for the kappa of the same name.
    **Undefined** when no pair counts; alpha also when one category alone was used.

    References
    ----------
    .. [1] K. L. Gwet, British Journal of Mathematical and Statistical Psychology 61 (2008) 29-48.
    .. [2] K. Krippendorff, "Content Analysis", 4th ed., Sage 2018, chapter 12.
    """
    reference = ONLY_VERDICT[pairs.accepted]
    ratings = {order.value: (reference, pairs.verdict(order)) for order in ORDERS}
    forward, reversed_ = (
        np.where(pairs.has_two_verdicts, pairs.verdict(order), np.int8(NONE)) for order in ORDERS
    )
    ratings["orders"] = forward, reversed_
    kinds: tuple[tuple[str, Callable[..., PanelAgreement]], ...] = (
        ("ac1", statistics.gwet_ac1),
        ("alpha", statistics.krippendorff_alpha),
    )
    return [
        _twin(f"{name}_{what}", coefficient, first, second, pairs, level)
        for name, coefficient in kinds
        for what, (first, second) in ratings.items()
    ]


def _twin(
    name: str,
    coefficient: Callable[..., PanelAgreement],
    first: NDArray[np.int8],
    second: NDArray[np.int8],
    pairs: PairColumns,
    level: float,
) -> Estimate:
    is_rated = (first != NONE) & (second != NONE)
    one, two = first[is_rated], second[is_rated]
    columns = sorted({*_ALWAYS_OFFERED, *np.unique(np.concatenate([one, two])).tolist()})
    counts = np.stack([(one == code).astype(np.int8) + (two == code) for code in columns], axis=1)
    result = coefficient(counts, pairs.cluster[is_rated], level)
    cautions = [_OFFERED.format(names=", ".join(VERDICTS[code].value for code in columns))]
    cautions += [caution.sentence for caution in result.cautions]
    if result.value is not None and result.interval_undefined is not None:
        cautions.append(f"No interval: {result.interval_undefined.sentence}")
    return Estimate(
        name=name,
        value=result.value,
        numerator=None,
        denominator=result.n_compared,
        low=result.low,
        high=result.high,
        level=level,
        method="none" if result.low is None else "cluster_robust_t",
        unit="pair",
        positive_means=_MEANS,
        undefined=None if result.undefined is None else result.undefined.sentence,
        n_clusters=result.n_clusters,
        cautions=tuple(cautions),
    )


def marginal_tests(pairs: PairColumns) -> list[TestResult]:
    """Test whether both orders give each verdict equally often, in the candidate frame.

    Parameters
    ----------
    pairs : PairColumns
        The group.

    Returns
    -------
    list[TestResult]
        Stuart and Maxwell's test, and Bhapkar's; none where no pair was planned in two orders.

    Notes
    -----
    **Unit of analysis**: the pair, taken as independent of the others.
    **Denominator**: pairs whose orders both have a verdict.
    **Undefined** without such a pair, or when all orders agree.

    References
    ----------
    .. [1] A. Stuart, Biometrika 42 (1955) 412-416; A. E. Maxwell, British Journal of Psychiatry 116
       (1970) 651-655.
    .. [2] V. P. Bhapkar, JASA 61 (1966) 228-235.
    """
    if not pairs.is_in_two_orders.any():
        return []
    counted = pairs.has_two_verdicts
    forward, reversed_ = (pairs.verdict(order)[counted].astype(np.int64) for order in ORDERS)
    table = np.bincount(forward * N_VERDICTS + reversed_, minlength=N_VERDICTS**2)
    table = table.reshape(N_VERDICTS, N_VERDICTS)
    shared = pairs_share_clusters(pairs.cluster[counted])
    return list(_tests(table, shared))


def _tests(table: NDArray[np.int64], shared: tuple[str, ...]) -> Iterator[TestResult]:
    tests: tuple[tuple[str, Callable[..., SquareTableTest]], ...] = (
        ("stuart_maxwell", statistics.stuart_maxwell_test),
        ("bhapkar", statistics.bhapkar_test),
    )
    for name, test in tests:
        result = test(table)
        yield TestResult(
            name=name,
            hypothesis="both orders give each verdict equally often",
            p_value=result.p_value,
            numerator=result.n_discordant,
            denominator=result.n_units,
            counted="pairs whose orders say different things, of those with two verdicts",
            undefined=None if result.undefined is None else result.undefined.sentence,
            cautions=(*(caution.sentence for caution in result.cautions), *shared),
        )
