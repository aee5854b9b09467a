"""How far verdicts follow the candidate, and how far the slot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from counterbalance.dispositions.disposition import STABLE, TWO_VERDICTS, Disposition
from counterbalance.items.frames import Slot
from counterbalance.measures.bounded import signed_mean
from counterbalance.measures.estimate import Estimate, clustered
from counterbalance.measures.group import JudgedPair, slot_counts
from counterbalance.statistics.clustered_proportion import cluster_proportion
from counterbalance.statistics.sign_test import SignTest, sign_test

__all__ = [
    "bias_position",
    "first_slot_rate",
    "position_consistency",
    "position_consistency_all",
    "preference_fairness",
    "preference_fairness_shi",
    "primacy_recency_test",
]

Cluster = Callable[[JudgedPair], str]

_NOT_IN_TWO_ORDERS = frozenset({Disposition.IDENTICAL, Disposition.SINGLE_ORDER})


def position_consistency(
    pairs: Sequence[JudgedPair], cluster: Cluster, level: float = 0.95
) -> Estimate:
    """Share of pairs with two verdicts whose verdict is the same in both orders.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The group.
    cluster : Cluster
        Names a pair's cluster.
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
    return _consistency("position_consistency", pairs, cluster, level, TWO_VERDICTS)


def position_consistency_all(
    pairs: Sequence[JudgedPair], cluster: Cluster, level: float = 0.95
) -> Estimate:
    """Share of all pairs planned in two orders whose verdict is the same in both.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The group.
    cluster : Cluster
        Names a pair's cluster.
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
    in_two_orders = frozenset(Disposition) - _NOT_IN_TWO_ORDERS
    return _consistency("position_consistency_all", pairs, cluster, level, in_two_orders)


def _consistency(
    name: str,
    pairs: Sequence[JudgedPair],
    cluster: Cluster,
    level: float,
    counted: frozenset[Disposition],
) -> Estimate:
    found = [judged.result.disposition for judged in pairs]
    result = cluster_proportion(
        [int(d in counted and d in STABLE) for d in found],
        [int(d in counted) for d in found],
        [cluster(judged) for judged in pairs],
        level,
    )
    of = "pairs with two verdicts" if counted == TWO_VERDICTS else "all planned pairs"
    return clustered(name, result, "pair", f"more of {of} keep their verdict")


def preference_fairness(
    pairs: Sequence[JudgedPair], cluster: Cluster, level: float = 0.95
) -> Estimate:
    """Excess of recency over primacy among pairs with two verdicts.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The group.
    cluster : Cluster
        Names a pair's cluster.
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
    signs = {"recency": 1, "primacy": -1}
    result = signed_mean(
        [
            signs[j.result.detail] if j.result.disposition is Disposition.ORDER_DISAGREEMENT else 0
            for j in pairs
        ],
        [int(j.result.disposition in TWO_VERDICTS) for j in pairs],
        [cluster(j) for j in pairs],
        level,
    )
    return clustered("preference_fairness", result, "pair", "the second slot is favoured")


def preference_fairness_shi(
    pairs: Sequence[JudgedPair], cluster: Cluster, level: float = 0.95
) -> Estimate:
    """Preference fairness as published: a one-sided tie counts as full primacy or recency.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The group.
    cluster : Cluster
        Names a pair's cluster.
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
    result = signed_mean(
        [_shi_sign(judged) for judged in pairs],
        [int(judged.result.disposition not in _NOT_IN_TWO_ORDERS) for judged in pairs],
        [cluster(judged) for judged in pairs],
        level,
    )
    return clustered("preference_fairness_shi", result, "pair", "the second slot is favoured")


def _shi_sign(judged: JudgedPair) -> int:
    result = judged.result
    if result.disposition is Disposition.ORDER_DISAGREEMENT:
        return 1 if result.detail == "recency" else -1
    if result.disposition is Disposition.TIE_TRANSITION:
        return 1 if result.detail.endswith(Slot.SECOND) else -1
    return 0


def first_slot_rate(pairs: Sequence[JudgedPair], cluster: Cluster, level: float = 0.95) -> Estimate:
    """Share of verdicts for the first slot among verdicts that choose a slot.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The group.
    cluster : Cluster
        Names a pair's cluster.
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
    .. [1] E. L. Korn, B. I. Graubard, Survey Methodology 24 (1998) 193-201 (the interval).
    """
    counts = [slot_counts(judged) for judged in pairs]
    result = cluster_proportion(
        [first for first, _, _ in counts],
        [first + second for first, second, _ in counts],
        [cluster(judged) for judged in pairs],
        level,
    )
    return clustered(
        "first_slot_rate", result, "pair", "the first slot wins more often", "verdicts"
    )


def bias_position(pairs: Sequence[JudgedPair], cluster: Cluster, level: float = 0.95) -> Estimate:
    """Share of verdicts for the first slot minus the share for the second.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The group.
    cluster : Cluster
        Names a pair's cluster.
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
    .. [1] E. L. Korn, B. I. Graubard, Survey Methodology 24 (1998) 193-201 (the interval).
    """
    counts = [slot_counts(judged) for judged in pairs]
    result = signed_mean(
        [first - second for first, second, _ in counts],
        [verdicts for _, _, verdicts in counts],
        [cluster(judged) for judged in pairs],
        level,
    )
    return clustered("bias_position", result, "pair", "the first slot is favoured", "verdicts")


def primacy_recency_test(pairs: Sequence[JudgedPair], cluster: Cluster) -> SignTest:
    """Test exactly whether order disagreements go to the first and the second slot alike.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The group.
    cluster : Cluster
        Names a pair's cluster.

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
    leanings: Counter[str] = Counter()
    for judged in pairs:
        if judged.result.disposition is Disposition.ORDER_DISAGREEMENT:
            leanings[cluster(judged)] += 1 if judged.result.detail == "primacy" else -1
    signs = [leaning > 0 for leaning in leanings.values() if leaning]
    return sign_test(sum(signs), len(signs) - sum(signs))
