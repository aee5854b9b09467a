"""How far verdicts follow the candidate, and how far the slot."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import DETAILS, codes_where
from counterbalance.dispositions.disposition import (
    IN_TWO_ORDERS,
    STABLE,
    TWO_VERDICTS,
    Disposition,
)
from counterbalance.items.frames import Slot
from counterbalance.measures.estimate import Estimate, clustered
from counterbalance.statistics.clustered_proportion import cluster_proportion
from counterbalance.statistics.clustered_sign import cluster_sign_mean
from counterbalance.statistics.sign_test import SignTest, sign_test

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from counterbalance.dispositions.pair_columns import PairColumns

__all__ = [
    "bias_position",
    "first_slot_rate",
    "position_consistency",
    "position_consistency_all",
    "preference_fairness",
    "preference_fairness_shi",
    "primacy_recency_test",
]


def _signs(recency: set[str], primacy: set[str]) -> NDArray[np.int64]:
    """Return 1, -1 or 0 for each code of a detail."""
    return codes_where(DETAILS, recency).astype(np.int64) - codes_where(DETAILS, primacy)


_STRICT = _signs({"recency"}, {"primacy"})
_WITH_TIES = _signs(
    {"recency", *(d for d in DETAILS if d.endswith(f":{Slot.SECOND}"))},
    {"primacy", *(d for d in DETAILS if d.endswith(f":{Slot.FIRST}"))},
)
"""Signs where a one-sided tie counts for the slot that won in the other order."""


def position_consistency(pairs: PairColumns, level: float = 0.95) -> Estimate:
    """Share of pairs with two verdicts whose verdict is the same in both orders.

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
    **Unit of analysis**: the pair; intervals over clusters.
    **Numerator**: stable_a, stable_b, tie, neither, insufficient.
    **Denominator**: pairs whose orders both have a verdict.
    **Undefined** when no pair has two verdicts.

    References
    ----------
    .. [1] L. Shi et al., "Judging the Judges: A Systematic Study of Position Bias in
       LLM-as-a-Judge", IJCNLP-AACL 2025 (position consistency).
    """
    return _consistency("position_consistency", pairs, level, TWO_VERDICTS)


def position_consistency_all(pairs: PairColumns, level: float = 0.95) -> Estimate:
    """Share of all pairs planned in two orders whose verdict is the same in both.

    Parameters
    ----------
    pairs : PairColumns
        The group.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        In [0, 1]; a missing verdict counts as not consistent.

    Notes
    -----
    **Unit of analysis**: the pair; intervals over clusters.
    **Numerator**: stable_a, stable_b, tie, neither, insufficient.
    **Denominator**: pairs planned in two orders, with or without verdicts; not identical ones.
    **Undefined** when no pair was planned in two orders.

    References
    ----------
    .. [1] L. Shi et al., "Judging the Judges: A Systematic Study of Position Bias in
       LLM-as-a-Judge", IJCNLP-AACL 2025; the denominator is this product's.
    """
    return _consistency("position_consistency_all", pairs, level, IN_TWO_ORDERS)


def _consistency(
    name: str,
    pairs: PairColumns,
    level: float,
    counted: frozenset[Disposition],
) -> Estimate:
    result = cluster_proportion(
        pairs.is_any_of(counted & STABLE), pairs.is_any_of(counted), pairs.cluster, level
    )
    of = "pairs with two verdicts" if counted == TWO_VERDICTS else "all planned pairs"
    return clustered(name, result, "pair", f"more of {of} keep their verdict")


def preference_fairness(pairs: PairColumns, level: float = 0.95) -> Estimate:
    """Excess of recency over primacy among pairs with two verdicts.

    Parameters
    ----------
    pairs : PairColumns
        The group.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        In [-1, 1]; positive when the second slot is favoured.

    Notes
    -----
    **Unit of analysis**: the pair; intervals over clusters.
    **Numerator**: order disagreements by recency minus those by primacy; ties do not count.
    **Denominator**: pairs whose orders both have a verdict.
    **Undefined** when no pair has two verdicts.

    References
    ----------
    .. [1] L. Shi et al., "Judging the Judges: A Systematic Study of Position Bias in
       LLM-as-a-Judge", IJCNLP-AACL 2025 (preference fairness); here on strict disagreements only.
    """
    result = cluster_sign_mean(_STRICT[pairs.detail], pairs.has_two_verdicts, pairs.cluster, level)
    return clustered("preference_fairness", result, "pair", "the second slot is favoured")


def preference_fairness_shi(pairs: PairColumns, level: float = 0.95) -> Estimate:
    """Preference fairness as published: a one-sided tie counts as full primacy or recency.

    Parameters
    ----------
    pairs : PairColumns
        The group.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        In [-1, 1]; positive when the second slot is favoured.

    Notes
    -----
    The published ``recency * irr - primacy * ipr`` and its rescaling to [-1, 1] come to
    (recency - primacy) / n exactly.

    **Unit of analysis**: the pair; intervals over clusters.
    **Numerator**: pairs by recency minus pairs by primacy, one-sided ties included.
    **Denominator**: all pairs planned in two orders, those without verdicts included.
    **Undefined** when no pair was planned in two orders.

    References
    ----------
    .. [1] L. Shi et al., "Judging the Judges: A Systematic Study of Position Bias in
       LLM-as-a-Judge", IJCNLP-AACL 2025, and its code (Position-Bias-Analyzer).
    """
    result = cluster_sign_mean(
        _WITH_TIES[pairs.detail], pairs.is_any_of(IN_TWO_ORDERS), pairs.cluster, level
    )
    return clustered("preference_fairness_shi", result, "pair", "the second slot is favoured")


def first_slot_rate(pairs: PairColumns, level: float = 0.95) -> Estimate:
    """Share of verdicts for the first slot among verdicts that choose a slot.

    Parameters
    ----------
    pairs : PairColumns
        The group.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        In [0, 1]; 0.5 where no slot is favoured and both orders were shown.

    Notes
    -----
    **Unit of analysis**: the pair, whose verdicts are matched; intervals over clusters.
    **Numerator**: verdicts of main presentations for the first slot.
    **Denominator**: verdicts of main presentations for either slot.
    **Undefined** when no verdict chooses a slot.

    References
    ----------
    .. [1] T. Tango, Statistics in Medicine 17 (1998) 891-908 (the interval).
    """
    first, second, _ = pairs.slot_counts()
    sign = cluster_sign_mean(first - second, first + second, pairs.cluster, level)
    # The same quantity as the bias among these verdicts, so it has the same interval.
    result = replace(
        sign,
        estimate=_share(sign.estimate),
        numerator=float(first.sum()),
        se=None if sign.se is None else sign.se / 2,
        low=_share(sign.low),
        high=_share(sign.high),
        bounds=(0.0, 1.0),
    )
    return clustered(
        "first_slot_rate", result, "pair", "the first slot wins more often", "verdicts"
    )


def _share(sign: float | None) -> float | None:
    return None if sign is None else (1 + sign) / 2


def bias_position(pairs: PairColumns, level: float = 0.95) -> Estimate:
    """Share of verdicts for the first slot minus the share for the second.

    Parameters
    ----------
    pairs : PairColumns
        The group.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        In [-1, 1]; positive when the first slot is favoured.

    Notes
    -----
    **Unit of analysis**: the pair, whose verdicts are matched; intervals over clusters.
    **Numerator**: verdicts of main presentations for the first slot minus those for the second.
    **Denominator**: all verdicts of main presentations, ties and abstentions included.
    **Undefined** when there is no verdict.

    References
    ----------
    .. [1] T. Tango, Statistics in Medicine 17 (1998) 891-908 (the interval).
    """
    first, second, verdicts = pairs.slot_counts()
    result = cluster_sign_mean(first - second, verdicts, pairs.cluster, level)
    return clustered("bias_position", result, "pair", "the first slot is favoured", "verdicts")


def primacy_recency_test(pairs: PairColumns) -> SignTest:
    """Test exactly whether order disagreements go to the first and the second slot alike.

    Parameters
    ----------
    pairs : PairColumns
        The group.

    Returns
    -------
    SignTest
        ``n_plus`` counts clusters with more primacy than recency, ``n_minus`` the others.

    Notes
    -----
    Pairs of one cluster are not independent, so each cluster counts once, with the sign of its
    primacy less its recency. Where every pair is its own cluster this is the sign test over pairs.

    **Unit of analysis**: the cluster.
    **Denominator**: clusters whose order disagreements lean one way.
    **Undefined** when no cluster does.

    References
    ----------
    .. [1] W. J. Dixon, A. M. Mood, "The statistical sign test", JASA 41 (1946) 557-566.
    """
    leanings = np.bincount(pairs.cluster, weights=_STRICT[pairs.detail])
    return sign_test(int((leanings < 0).sum()), int((leanings > 0).sum()))
