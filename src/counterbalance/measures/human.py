"""What people said in a blind review: among themselves, and against a judge."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance import statistics
from counterbalance.items.frames import Verdict
from counterbalance.measures.estimate import Estimate, beyond_chance, clustered

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from counterbalance.items.frames import Order
    from counterbalance.items.item import PairId
    from counterbalance.statistics.rater_agreement import RaterAgreement

__all__ = [
    "SPLIT",
    "HumanAnswer",
    "credit",
    "human_alpha",
    "judge_human_agreement",
    "judge_human_kappa",
    "majority",
    "panel",
]

SPLIT = "split"
"""Class of a pair on which no verdict has more than half of the reviewers."""
_CREDITS = {Verdict.A: 1.0, Verdict.TIE: 0.5}
_VERDICTS = tuple(Verdict)
_MEANS_ALIKE = "judge and people say the same more often"


@dataclass(frozen=True, slots=True)
class HumanAnswer:
    """The answer of one reviewer to one showing of a pair.

    Attributes
    ----------
    reviewer : str
        Who.
    pair_id : PairId
        The pair.
    order : Order
        How it was shown.
    is_repeat : bool
        Whether it was the second showing, in the exchanged order.
    verdict : Verdict
        What it says of the candidates.
    """

    reviewer: str
    pair_id: PairId
    order: Order
    is_repeat: bool
    verdict: Verdict


def credit(verdict: Verdict) -> float:
    """Return what a verdict counts in a win rate of candidate a: 1, half for a tie, else 0."""
    return _CREDITS.get(verdict, 0.0)


def majority(answers: Iterable[HumanAnswer]) -> Verdict | None:
    """Return the verdict that more than half of the reviewers of one pair gave.

    Parameters
    ----------
    answers : Iterable[HumanAnswer]
        First showings of one pair, one for each reviewer.

    Returns
    -------
    Verdict | None
        None where no verdict has more than half.

    Notes
    -----
    **Unit of analysis**: the pair.
    **Denominator**: reviewers who answered it; "cannot judge" is a verdict like any other.
    **Undefined** without an answer, and where reviewers are split.

    References
    ----------
    .. [1] The rule that also reduces repetitions of a judge: docs/reference/protocol.md.
    """
    counts = Counter(answer.verdict for answer in answers)
    for verdict, n in counts.items():
        if 2 * n > counts.total():
            return verdict
    return None


def panel(
    answers: Sequence[HumanAnswer],
    reviewers: Sequence[str],
    clusters: Mapping[PairId, Hashable],
    level: float = 0.95,
) -> RaterAgreement:
    """Measure how far reviewers agree with one another.

    Parameters
    ----------
    answers : Sequence[HumanAnswer]
        First showings.
    reviewers : Sequence[str]
        Everybody, in the order of the result.
    clusters : Mapping[PairId, Hashable]
        Cluster of each pair.
    level : float
        Nominal coverage of the intervals.

    Returns
    -------
    RaterAgreement
        Alpha of the panel and Cohen's kappa of every two reviewers.

    Notes
    -----
    **Unit of analysis**: the pair; intervals of the panel over clusters.
    **Denominator**: pairs with two answers; for two reviewers, pairs that both answered.
    **Undefined** when no pair has two answers, or one verdict was used throughout.

    References
    ----------
    .. [1] J. Cohen, Educational and Psychological Measurement 20 (1960) 37-46.
    .. [2] A. F. Hayes, K. Krippendorff, Communication Methods and Measures 1 (2007) 77-89.
    """
    said = {(a.pair_id, a.reviewer): a.verdict for a in answers}
    pairs = list(dict.fromkeys(answer.pair_id for answer in answers))
    return statistics.rater_agreement(
        [[said.get((pair, name)) for name in reviewers] for pair in pairs],
        _VERDICTS,
        [clusters[pair] for pair in pairs],
        level,
    )


def human_alpha(found: RaterAgreement) -> Estimate:
    """Agreement among reviewers beyond chance: Krippendorff's alpha of their verdicts.

    Parameters
    ----------
    found : RaterAgreement
        From `panel`.

    Returns
    -------
    Estimate
        At most 1; numerator None.

    Notes
    -----
    **Unit of analysis**: the pair; intervals over clusters.
    **Denominator**: pairs with at least two answers.
    **Undefined** when no pair has two answers, or one verdict was used throughout.

    References
    ----------
    .. [1] A. F. Hayes, K. Krippendorff, Communication Methods and Measures 1 (2007) 77-89.
    """
    means = "reviewers agree more than shuffled answers would"
    return beyond_chance("human_alpha", found.krippendorff, means)


def judge_human_agreement(
    verdicts: Sequence[tuple[Verdict, Verdict | None]],
    clusters: Sequence[Hashable],
    level: float = 0.95,
) -> Estimate:
    """Share of pairs on which a judge says what most reviewers say.

    Parameters
    ----------
    verdicts : Sequence[tuple[Verdict, Verdict | None]]
        For each pair the judge's verdict and that of `majority`.
    clusters : Sequence[Hashable]
        Cluster of each pair.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        In [0, 1].

    Notes
    -----
    **Unit of analysis**: the pair; intervals over clusters.
    **Numerator**: both verdicts are the same.
    **Denominator**: the pairs given on which reviewers have a majority. Of a random sample of
    stable pairs it speaks for all of them; of selected pairs, for those only.
    **Undefined** when no pair counts.

    References
    ----------
    .. [1] L. Zheng et al., "Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena", NeurIPS 2023
       (agreement of judge and majority).
    """
    is_counted = np.array([human is not None for _, human in verdicts], dtype=np.bool_)
    is_same = np.array([judge is human for judge, human in verdicts], dtype=np.bool_)
    codes = _codes(clusters)
    result = statistics.cluster_proportion(
        is_same & is_counted, is_counted, np.array(codes, np.int64), level
    )
    return clustered("judge_human_agreement", result, "pair", _MEANS_ALIKE)


def judge_human_kappa(
    verdicts: Sequence[tuple[Verdict, Verdict | None]],
    clusters: Sequence[Hashable],
    level: float = 0.95,
) -> Estimate:
    """Cohen's kappa between a judge and most reviewers.

    Parameters
    ----------
    verdicts : Sequence[tuple[Verdict, Verdict | None]]
        For each pair the judge's verdict and that of `majority`.
    clusters : Sequence[Hashable]
        Cluster of each pair.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        At most 1; numerator None.

    Notes
    -----
    **Unit of analysis**: the pair.
    **Denominator**: the pairs given on which reviewers have a majority.
    **Undefined** when no pair counts, or both used one and the same verdict throughout.

    References
    ----------
    .. [1] J. Cohen, Educational and Psychological Measurement 20 (1960) 37-46.
    """
    table = [[0] * len(_VERDICTS) for _ in _VERDICTS]
    counted = set()
    for (judge, human), cluster in zip(verdicts, clusters, strict=True):
        if human is not None:
            table[_VERDICTS.index(judge)][_VERDICTS.index(human)] += 1
            counted.add(cluster)
    result = statistics.cohen_kappa(table, level)
    cautions = []
    if len(counted) < result.n_units:
        cautions.append(
            f"The interval takes pairs as independent; {result.n_units} pairs share"
            f" {len(counted)} clusters."
        )
    if result.kappa is not None and result.interval_undefined is not None:
        cautions.append(f"No interval: {result.interval_undefined.sentence}")
    return Estimate(
        name="judge_human_kappa",
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
        n_clusters=len(counted),
        cautions=tuple(cautions),
    )


def _codes(clusters: Sequence[Hashable]) -> list[int]:
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(cluster, len(numbers)) for cluster in clusters]
