"""How often the baseline wins, per order and averaged over both."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from counterbalance.dispositions.disposition import Disposition, verdicts_of
from counterbalance.items.frames import Order, Verdict
from counterbalance.measures.bounded import credit_mean
from counterbalance.measures.estimate import Estimate, clustered, undefined
from counterbalance.measures.group import JudgedPair, main_outcomes
from counterbalance.parsing.outcome import OutcomeKind
from counterbalance.statistics.clustered_proportion import cluster_proportion

__all__ = ["tie_rate", "why_no_win_rate", "win_rate_a", "win_rate_a_in_order", "win_rate_a_stable"]

Cluster = Callable[[JudgedPair], str]

_MEANS_A = "candidate a (the baseline) wins more often"
_CREDIT = {Verdict.A: 1.0, Verdict.TIE: 0.5}


def why_no_win_rate(pairs: Sequence[JudgedPair], baseline: str | None) -> str | None:
    """Return why these pairs have no win rate, or None when they have one.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The group.
    baseline : str | None
        The system that the protocol declares as candidate a.

    Returns
    -------
    str | None
        One sentence: no declared baseline, several system pairs, or a baseline that is not a.
    """
    if baseline is None:
        return "The protocol declares no baseline, so a is not one system throughout."
    compared = {tuple((c.system, c.version) for c in (j.pair.a, j.pair.b)) for j in pairs}
    if len(compared) > 1:
        return f"The pairs compare {len(compared)} different pairs of systems or versions."
    if any(a[0] != baseline for a, _ in compared):
        return f"Candidate a is not the declared baseline {baseline!r}."
    return None


def win_rate_a(pairs: Sequence[JudgedPair], cluster: Cluster, level: float = 0.95) -> Estimate:
    """Share of wins of candidate a, half the ties included, averaged over the two orders.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The group, of one system pair.
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
    **Numerator**: for each pair the mean over both orders of 1 for a win of a, 1/2 for a tie and
    0 for anything else.
    **Denominator**: pairs whose orders both have a verdict.
    **Undefined** when no pair has two verdicts, and over more than one system pair.

    References
    ----------
    .. [1] L. Zheng et al., "Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena", NeurIPS 2023
       (win rate with half ties); averaging over both orders is this product's.
    """
    both = [verdicts_of(judged.result) for judged in pairs]
    result = credit_mean(
        [0.0 if v is None else sum(_CREDIT.get(x, 0.0) for x in v) / 2 for v in both],
        [int(v is not None) for v in both],
        [cluster(judged) for judged in pairs],
        level,
        parts=4,
    )
    return clustered("win_rate_a", result, "pair", _MEANS_A)


def win_rate_a_in_order(
    pairs: Sequence[JudgedPair], order: Order, cluster: Cluster, level: float = 0.95
) -> Estimate:
    """Share of wins of candidate a, half the ties included, in one display order.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The group, of one system pair.
    order : Order
        The display order.
    cluster : Cluster
        Names a pair's cluster.
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
    verdicts = [judged.verdict(order) for judged in pairs]
    result = credit_mean(
        [0.0 if v is None else _CREDIT.get(v, 0.0) for v in verdicts],
        [int(v is not None) for v in verdicts],
        [cluster(judged) for judged in pairs],
        level,
        parts=2,
    )
    return clustered(f"win_rate_a_{order}", result, "pair", _MEANS_A)


def win_rate_a_stable(
    pairs: Sequence[JudgedPair], cluster: Cluster, level: float = 0.95
) -> Estimate:
    """Share of stable wins that go to candidate a.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The group, of one system pair.
    cluster : Cluster
        Names a pair's cluster.
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
    found = [judged.result.disposition for judged in pairs]
    result = cluster_proportion(
        [int(d is Disposition.STABLE_A) for d in found],
        [int(d in {Disposition.STABLE_A, Disposition.STABLE_B}) for d in found],
        [cluster(judged) for judged in pairs],
        level,
    )
    return clustered("win_rate_a_stable", result, "pair", _MEANS_A)


def tie_rate(pairs: Sequence[JudgedPair], cluster: Cluster, level: float = 0.95) -> Estimate:
    """Share of explicit ties among all verdicts.

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
    kinds = [[o.kind for _, o in main_outcomes(judged) if o.is_verdict] for judged in pairs]
    result = cluster_proportion(
        [k.count(OutcomeKind.TIE) for k in kinds],
        [len(k) for k in kinds],
        [cluster(judged) for judged in pairs],
        level,
    )
    return clustered("tie_rate", result, "pair", "the judge calls more ties", "verdicts")


def no_win_rate(name: str, reason: str, level: float) -> Estimate:
    """Return a win rate that has no meaning for these pairs."""
    return undefined(name, "pair", _MEANS_A, reason, level)
