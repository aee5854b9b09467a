"""What the rules of a gate are about: any measure of a report, shares of pairs, and b's lead."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from counterbalance.dispositions.disposition import IN_TWO_ORDERS, TWO_VERDICTS, Disposition
from counterbalance.measures.catalogue import group_measures
from counterbalance.measures.estimate import clustered
from counterbalance.statistics.clustered_proportion import cluster_proportion

if TYPE_CHECKING:
    from collections.abc import Collection

    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.measures.estimate import Estimate
    from counterbalance.protocol.gate_section import GateShare

__all__ = ["SHARES", "gated_measures", "pair_share"]

SHARES: dict[GateShare, tuple[frozenset[Disposition], frozenset[Disposition]]] = {
    "order_disagreement": (frozenset({Disposition.ORDER_DISAGREEMENT}), TWO_VERDICTS),
    "tie_transition": (frozenset({Disposition.TIE_TRANSITION}), TWO_VERDICTS),
    "abstention_transition": (frozenset({Disposition.ABSTENTION_TRANSITION}), TWO_VERDICTS),
    "incomplete": (frozenset({Disposition.INCOMPLETE}), IN_TWO_ORDERS),
    "refused": (frozenset({Disposition.REFUSED}), IN_TWO_ORDERS),
    "unstable": (frozenset({Disposition.UNSTABLE}), IN_TWO_ORDERS),
    "coverage": (TWO_VERDICTS, IN_TWO_ORDERS),
}
"""What each share counts, and out of what: changes of verdict out of pairs with two verdicts,
missing verdicts out of all pairs that were planned in two orders."""


def gated_measures(
    names: Collection[str], pairs: PairColumns, *, baseline: str | None, level: float
) -> dict[str, Estimate]:
    """Return what rules of one confidence are about, for one group.

    Parameters
    ----------
    names : Collection[str]
        Names of measures of the report, of shares of pairs, or ``lead_of_b``.
    pairs : PairColumns
        The group.
    baseline : str | None
        System that is candidate a throughout, if declared.
    level : float
        Nominal two-sided coverage of the intervals.

    Returns
    -------
    dict[str, Estimate]
        By name. ``lead_of_b`` is the win rate of b less that of a, which is 1 - 2 `win_rate_a`.

    Notes
    -----
    **Unit of analysis**: the pair; intervals over clusters.
    **Denominator**: that of each measure.
    **Undefined** when its denominator is empty, with the reason.
    """
    found: dict[str, Estimate] = {
        name: pair_share(name, pairs, level) for name in SHARES if name in names
    }
    others = [name for name in names if name not in found]
    if others:
        estimates = group_measures(pairs, baseline=baseline, level=level)
        measured = {each.name: each for each in estimates}
        found |= {
            name: _lead(measured["win_rate_a"]) if name == "lead_of_b" else measured[name]
            for name in others
        }
    return found


def pair_share(name: GateShare, pairs: PairColumns, level: float) -> Estimate:
    """Return the share of pairs that end in certain dispositions.

    Parameters
    ----------
    name : GateShare
        A name of `SHARES`.
    pairs : PairColumns
        The group.
    level : float
        Nominal two-sided coverage of the interval.

    Returns
    -------
    Estimate
        In [0, 1].

    Notes
    -----
    **Unit of analysis**: the pair; intervals over clusters.
    **Numerator** and **denominator**: pairs in the dispositions that `SHARES` names.
    **Undefined** when the denominator is empty.
    """
    counted, among = SHARES[name]
    result = cluster_proportion(
        pairs.is_any_of(counted), pairs.is_any_of(among), pairs.cluster, level
    )
    of = "pairs with two verdicts" if among == TWO_VERDICTS else "pairs planned in two orders"
    return clustered(name, result, "pair", f"more of the {of} end so")


def _lead(win_rate: Estimate) -> Estimate:
    def turned(share: float | None) -> float | None:
        return None if share is None else 1 - 2 * share

    numerator = win_rate.numerator
    return replace(
        win_rate,
        name="lead_of_b",
        value=turned(win_rate.value),
        numerator=None if numerator is None else win_rate.denominator - 2 * numerator,
        low=turned(win_rate.high),
        high=turned(win_rate.low),
        positive_means="candidate b is ahead of the baseline",
    )
