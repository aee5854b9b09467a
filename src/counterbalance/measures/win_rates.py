"""How often the baseline wins, per order and averaged over both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import NONE, ORDERS, VERDICTS
from counterbalance.dispositions.disposition import Disposition
from counterbalance.items.frames import Order, Verdict
from counterbalance.measures.bounded import credit_mean
from counterbalance.measures.estimate import Estimate, clustered, undefined
from counterbalance.statistics.clustered_proportion import cluster_proportion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.dispositions.pair_columns import PairColumns

__all__ = [
    "mean_credit_a",
    "no_win_rate",
    "tie_rate",
    "why_no_win_rate",
    "win_rate_a",
    "win_rate_a_in_order",
    "win_rate_a_stable",
]

_MEANS_A = "candidate a wins more often"
_CREDITS = {Verdict.A: 1.0, Verdict.TIE: 0.5}
_CREDIT = np.array([*(_CREDITS.get(verdict, 0.0) for verdict in VERDICTS), 0.0])
"""Win of candidate a by verdict code; the last entry serves the code of no verdict."""


def why_no_win_rate(pairs: PairColumns, baseline: str | None) -> str | None:
    """Return why these pairs have no win rate, or None when they have one.

    Parameters
    ----------
    pairs : PairColumns
        The group.
    baseline : str | None
        The system that the protocol declares as candidate a.

    Returns
    -------
    str | None
        One sentence: no declared baseline, several system pairs, or a baseline that is not a.
    """
    if baseline is None:
        return "No baseline is declared, so a is not one system throughout."
    compared = {pairs.table.system_pairs[code] for code in np.unique(pairs.systems)}
    if len(compared) > 1:
        return f"The pairs compare {len(compared)} different pairs of systems or versions."
    if any(a[0] != baseline for a, _ in compared):
        return f"Candidate a is not the declared baseline {baseline!r}."
    return None


def win_rate_a(pairs: PairColumns, level: float = 0.95) -> Estimate:
    """Share of wins of candidate a, half the ties included, averaged over the two orders.

    Parameters
    ----------
    pairs : PairColumns
        The group, of one system pair.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        In [0, 1].

    Notes
    -----
    **Unit of analysis**: the pair; intervals over clusters.
    **Numerator**: for each pair the mean over both orders of 1 for a win of a, 1/2 for a tie and
    0 for anything else.
    **Denominator**: pairs whose orders both have a verdict.
    **Undefined** when no pair has two verdicts, and over more than one system pair.

    References
    ----------
    .. [1] L. Zheng et al., "Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena", NeurIPS 2023
       (win rate with half ties); averaging over both orders is this product's.
    """
    result = credit_mean(
        mean_credit_a(pairs), pairs.has_two_verdicts, pairs.cluster, level, parts=4
    )
    return clustered("win_rate_a", result, "pair", _MEANS_A)


def mean_credit_a(pairs: PairColumns) -> NDArray[np.float64]:
    """Return the mean credit of candidate a over both orders of each pair; 0 without verdicts."""
    forward, reversed_ = (_CREDIT[pairs.verdict(order)] for order in ORDERS)
    return np.where(pairs.has_two_verdicts, (forward + reversed_) / 2, 0.0)


def win_rate_a_in_order(pairs: PairColumns, order: Order, level: float = 0.95) -> Estimate:
    """Share of wins of candidate a, half the ties included, in one display order.

    Parameters
    ----------
    pairs : PairColumns
        The group, of one system pair.
    order : Order
        The display order.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        In [0, 1]; the difference between the orders is not a quality of the systems.

    Notes
    -----
    **Unit of analysis**: the pair; intervals over clusters.
    **Numerator**: 1 for a win of a, 1/2 for a tie.
    **Denominator**: pairs with a verdict in this order.
    **Undefined** when no pair has one, and over more than one system pair.

    References
    ----------
    .. [1] L. Zheng et al., NeurIPS 2023 (win rate with half ties).
    """
    verdict = pairs.verdict(order)
    result = credit_mean(_CREDIT[verdict], verdict != NONE, pairs.cluster, level, parts=2)
    return clustered(f"win_rate_a_{order}", result, "pair", _MEANS_A)


def win_rate_a_stable(pairs: PairColumns, level: float = 0.95) -> Estimate:
    """Share of stable wins that go to candidate a.

    Parameters
    ----------
    pairs : PairColumns
        The group, of one system pair.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        In [0, 1]; says nothing of the pairs that are not stable.

    Notes
    -----
    **Unit of analysis**: the pair; intervals over clusters.
    **Numerator**: stable_a.
    **Denominator**: stable_a and stable_b.
    **Undefined** when no pair has a stable winner, and over more than one system pair.

    References
    ----------
    .. [1] L. Zheng et al., NeurIPS 2023 (a winner needs both orders).
    """
    result = cluster_proportion(
        pairs.is_any_of({Disposition.STABLE_A}),
        pairs.is_any_of({Disposition.STABLE_A, Disposition.STABLE_B}),
        pairs.cluster,
        level,
    )
    return clustered("win_rate_a_stable", result, "pair", _MEANS_A)


def tie_rate(pairs: PairColumns, level: float = 0.95) -> Estimate:
    """Share of explicit ties among all verdicts.

    Parameters
    ----------
    pairs : PairColumns
        The group.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        In [0, 1]; ties that a rule makes out of disagreement do not count.

    Notes
    -----
    **Unit of analysis**: the pair, whose verdicts are matched; intervals over clusters.
    **Numerator**: tie verdicts of main presentations.
    **Denominator**: verdicts of main presentations.
    **Undefined** when there is no verdict.

    References
    ----------
    .. [1] E. L. Korn, B. I. Graubard, Survey Methodology 24 (1998) 193-201 (the interval).
    """
    by_verdict = pairs.verdicts.sum(axis=0)
    ties = by_verdict[:, VERDICTS.index(Verdict.TIE)]
    result = cluster_proportion(ties, by_verdict.sum(axis=1), pairs.cluster, level)
    return clustered("tie_rate", result, "pair", "the judge calls more ties", "verdicts")


def no_win_rate(name: str, reason: str, level: float) -> Estimate:
    """Return a win rate that has no meaning for these pairs."""
    return undefined(name, "pair", _MEANS_A, reason, level)
