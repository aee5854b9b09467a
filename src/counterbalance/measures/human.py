"""What people said in a blind review: among themselves, against a judge, and in its place."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import stdtrit

from counterbalance.items.frames import Verdict
from counterbalance.measures.estimate import Estimate, clustered, undefined
from counterbalance.statistics.agreement import cohen_kappa
from counterbalance.statistics.clustered_proportion import cluster_proportion
from counterbalance.statistics.prediction_powered import prediction_powered_mean
from counterbalance.statistics.rater_agreement import rater_agreement

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from counterbalance.items.frames import Order
    from counterbalance.items.item import PairId
    from counterbalance.statistics.prediction_powered import PredictionPoweredMean
    from counterbalance.statistics.rater_agreement import RaterAgreement

__all__ = [
    "SPLIT",
    "CorrectedPart",
    "HumanAnswer",
    "corrected_win_rate",
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
    return rater_agreement(
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
    alpha = found.krippendorff
    return Estimate(
        name="human_alpha",
        value=alpha.value,
        numerator=None,
        denominator=alpha.n_compared,
        low=alpha.low,
        high=alpha.high,
        level=alpha.confidence_level,
        method="none" if alpha.low is None else "linearised_over_clusters",
        unit="pair",
        positive_means="reviewers agree more than shuffled answers would",
        undefined=None if alpha.undefined is None else alpha.undefined.sentence,
        n_clusters=alpha.n_clusters,
    )


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
    result = cluster_proportion(is_same & is_counted, is_counted, np.array(codes, np.int64), level)
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
    result = cohen_kappa(table, level)
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


@dataclass(frozen=True, slots=True)
class CorrectedPart:
    """One part of the pairs: those selected for a reason, or the stable ones.

    Attributes
    ----------
    labels : tuple[float | None, ...]
        Mean credit by the reviewers of each pair that was to be reviewed; None where nobody
        answered.
    predictions : tuple[float, ...]
        The judge's credit for the same pairs; 0 throughout for selected ones, where none is used.
    unlabelled : tuple[float, ...]
        The judge's credit for the other pairs of the part.
    clusters : tuple[Hashable, ...]
        Cluster of each pair, reviewed ones first.
    """

    labels: tuple[float | None, ...]
    predictions: tuple[float, ...]
    unlabelled: tuple[float, ...]
    clusters: tuple[Hashable, ...]

    @property
    def size(self) -> int:
        """Pairs of the part."""
        return len(self.labels) + len(self.unlabelled)


def corrected_win_rate(
    selected: CorrectedPart, stable: CorrectedPart, level: float = 0.95
) -> Estimate:
    r"""Win rate of candidate a that people would give all pairs, from those they judged.

    Parameters
    ----------
    selected : CorrectedPart
        Pairs that were all to be reviewed.
    stable : CorrectedPart
        Stable pairs, of which a random sample was.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        In [0, 1].

    Notes
    -----
    The two parts are strata with :math:`N_1` and :math:`N_2` pairs. In the first, people judged
    every pair, so its mean is theirs; in the second it is the PPI++ mean, which takes the judge's
    verdicts of all pairs and corrects them by the sample. The result is
    :math:`(N_1 \hat\theta_1 + N_2 \hat\theta_2) / (N_1 + N_2)`, its variance the sum of the
    squared shares times the variances, its limits t limits with the smaller of both degrees of
    freedom. It corrects this judge on these pairs, and carries over to no other.

    **Unit of analysis**: the pair; errors over clusters, taken as independent between the parts.
    **Numerator**: none; a pair counts 1 for a, 1/2 for a tie, 0 otherwise, averaged over reviewers.
    **Denominator**: selected and stable pairs.
    **Undefined** while a case is not answered (those left are no random part of them), without a
    sample of stable pairs where there are any, and without a pair.

    References
    ----------
    .. [1] A. N. Angelopoulos, J. C. Duchi, T. Zrnic, "PPI++: efficient prediction-powered
       inference", arXiv:2311.01453 (2023).
    .. [2] A. Fisch et al., "Stratified prediction-powered inference for hybrid language model
       evaluation", NeurIPS 2024, arXiv:2406.04291.
    """
    means = "people prefer candidate a (the baseline) more often"
    if reason := _why_uncorrected(selected, stable):
        return undefined("win_rate_a_corrected", "pair", means, reason, level)
    parts = [(part.size, _mean(part, level)) for part in (selected, stable) if part.size]
    total = sum(size for size, _ in parts)
    value = sum(size * (found.estimate or 0.0) for size, found in parts) / total
    cautions = list(dict.fromkeys(c.sentence for _, found in parts for c in found.cautions))
    low, high = _limits(parts, total, value, level)
    if low is None:
        reasons = {f.interval_undefined for _, f in parts if f.interval_undefined is not None}
        cautions += [f"No interval: {reason.sentence}" for reason in sorted(reasons)]
    return Estimate(
        name="win_rate_a_corrected",
        value=value,
        numerator=None,
        denominator=total,
        low=low,
        high=high,
        level=level,
        method="none" if low is None else "stratified_ppi",
        unit="pair",
        positive_means=means,
        n_clusters=len({*selected.clusters, *stable.clusters}),
        cautions=tuple(cautions),
    )


def _why_uncorrected(selected: CorrectedPart, stable: CorrectedPart) -> str | None:
    open_cases = sum(label is None for label in (*selected.labels, *stable.labels))
    if open_cases:
        return (
            f"{open_cases} of {len(selected.labels) + len(stable.labels)} cases have no answer, and"
            " those that have one are no random part of them."
        )
    if stable.size and not stable.labels:
        return f"No sample of the {stable.size} stable pairs was reviewed."
    return None if selected.size + stable.size else "There is no pair to judge."


def _mean(part: CorrectedPart, level: float) -> PredictionPoweredMean:
    n = len(part.labels)
    return prediction_powered_mean(
        [label for label in part.labels if label is not None],
        list(part.predictions),
        list(part.unlabelled),
        clusters=list(part.clusters[:n]),
        unlabelled_clusters=list(part.clusters[n:]),
        confidence_level=level,
    )


def _limits(
    parts: Sequence[tuple[int, PredictionPoweredMean]], total: int, value: float, level: float
) -> tuple[float, float] | tuple[None, None]:
    """Return t limits within [0, 1]; none where a part has no error of its own."""
    variance, freedom = 0.0, math.inf
    for size, found in parts:
        if found.interval_undefined is not None or found.se is None:
            return None, None
        variance += (size / total * found.se) ** 2
        freedom = min(freedom, found.degrees_of_freedom or 0.0)
    half = float(stdtrit(freedom, 0.5 + level / 2)) * math.sqrt(variance)
    return max(0.0, value - half), min(1.0, value + half)


def _codes(clusters: Sequence[Hashable]) -> list[int]:
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(cluster, len(numbers)) for cluster in clusters]
