"""Every measure and test of one group, under the settings of the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.items.frames import Order
from counterbalance.measures.adjusted_rate import NOT_ASKED, no_rate
from counterbalance.measures.agreement import (
    agreement_both,
    agreement_in_order,
    kappa_in_order,
    kappa_orders,
)
from counterbalance.measures.exploratory import agreement_twins, marginal_tests
from counterbalance.measures.few_labels import few_label_win_rates
from counterbalance.measures.one_order import (
    is_in_one_order,
    order_effect_between_pairs,
    order_tests_between_pairs,
)
from counterbalance.measures.position import (
    bias_position,
    first_slot_rate,
    position_consistency,
    position_consistency_all,
    preference_fairness,
    preference_fairness_shi,
    primacy_recency_test,
)
from counterbalance.measures.repetition import (
    order_excess_disagreement,
    repetition_disagreement,
    repetition_stability,
)
from counterbalance.measures.strengths import order_beside_strengths
from counterbalance.measures.tested import TestResult, pairs_share_clusters
from counterbalance.measures.win_rates import (
    no_win_rate,
    tie_rate,
    why_no_win_rate,
    win_rate_a,
    win_rate_a_in_order,
    win_rate_a_stable,
)
from counterbalance.statistics.binomial import binomial_test

if TYPE_CHECKING:
    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.measures.estimate import Estimate

__all__ = ["exploratory_results", "group_measures", "group_tests"]


def group_measures(
    pairs: PairColumns,
    *,
    baseline: str | None,
    level: float = 0.95,
) -> list[Estimate]:
    """Compute every measure of one group.

    Parameters
    ----------
    pairs : PairColumns
        All planned pairs of the group.
    baseline : str | None
        System that is candidate a throughout, if declared.
    level : float
        Nominal coverage of the intervals.

    Returns
    -------
    list[Estimate]
        In the order that reports show them; undefined ones included, with their reasons. Where
        all were shown in one order only, what can be said of the order by comparing pairs.
    """
    estimates = [
        measure(pairs, level)
        for measure in (
            position_consistency,
            position_consistency_all,
            preference_fairness,
            preference_fairness_shi,
            first_slot_rate,
            bias_position,
            tie_rate,
            repetition_stability,
            repetition_disagreement,
            order_excess_disagreement,
        )
    ]
    for missing in (False, True):
        estimates += [
            agreement_in_order(pairs, order, level, missing_is_wrong=missing) for order in Order
        ]
        estimates.append(agreement_both(pairs, level, missing_is_wrong=missing))
    estimates += [kappa_in_order(pairs, order, level) for order in Order]
    estimates.append(kappa_orders(pairs, level))
    estimates += _win_rates(pairs, baseline, level)
    estimates.append(no_rate(NOT_ASKED, level))
    if is_in_one_order(pairs):
        estimates.append(order_effect_between_pairs(pairs, level))
    return estimates


def _win_rates(pairs: PairColumns, baseline: str | None, level: float) -> list[Estimate]:
    reason = why_no_win_rate(pairs, baseline)
    if reason is not None:
        names = ("win_rate_a", "win_rate_a_forward", "win_rate_a_reversed", "win_rate_a_stable")
        return [no_win_rate(name, reason, level) for name in names]
    return [
        win_rate_a(pairs, level),
        *(win_rate_a_in_order(pairs, order, level) for order in Order),
        win_rate_a_stable(pairs, level),
        *few_label_win_rates(pairs, level),
    ]


def group_tests(pairs: PairColumns) -> list[TestResult]:
    """Run the tests that this group's design allows.

    Parameters
    ----------
    pairs : PairColumns
        All planned pairs of the group.

    Returns
    -------
    list[TestResult]
        The sign test of primacy against recency; only where every pair was shown exactly once, the
        binomial test of the first slot; and where all were shown in one order only, the tests that
        compare the pairs shown in either.
    """
    sign = primacy_recency_test(pairs)
    tests = [
        TestResult(
            name="primacy_recency",
            hypothesis="order disagreements go to the first and to the second slot alike",
            p_value=sign.p_value,
            numerator=sign.n_plus,
            denominator=sign.n_discordant,
            counted="clusters that lean to the first slot, of those that lean",
            undefined=None if sign.undefined is None else sign.undefined.sentence,
        )
    ]
    shown_once = bool((pairs.planned.sum(axis=0) <= 1).all())
    first, second = (int(counts.sum()) for counts in pairs.slot_counts()[:2])
    chosen = first + second
    counted = "verdicts for the first slot, of those that choose a slot"
    hypothesis = "verdicts that choose a slot choose the first and the second alike"
    if shown_once:
        once = binomial_test(first, chosen)
        p_value = once.p_value
        why = None if once.undefined is None else once.undefined.sentence
        cautions = pairs_share_clusters(pairs.cluster)
    else:
        p_value, cautions = None, ()
        why = "Pairs were shown more than once, so their verdicts are matched, not independent."
    tests.append(
        TestResult("first_slot", hypothesis, p_value, first, chosen, counted, why, cautions)
    )
    if is_in_one_order(pairs):
        tests += order_tests_between_pairs(pairs)
    return tests


def exploratory_results(
    pairs: PairColumns, level: float = 0.95
) -> tuple[list[Estimate], list[TestResult]]:
    """Compute what no protocol can plan: second opinions, shown in full and as data.

    Parameters
    ----------
    pairs : PairColumns
        All planned pairs of the group.
    level : float
        Nominal coverage of the intervals.

    Returns
    -------
    tuple[list[Estimate], list[TestResult]]
        Measures and tests.
    """
    order_measures, order_tests = order_beside_strengths(pairs, level)
    return (
        [*agreement_twins(pairs, level), *order_measures],
        [*marginal_tests(pairs), *order_tests],
    )
