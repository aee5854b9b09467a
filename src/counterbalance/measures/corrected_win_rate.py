"""The win rate that people would give all pairs, from those they judged and a judge's verdicts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scipy.special import stdtrit

from counterbalance.measures.estimate import Estimate, undefined
from counterbalance.statistics.prediction_powered import prediction_powered_mean

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from counterbalance.statistics.prediction_powered import PredictionPoweredMean

__all__ = ["CorrectedPart", "corrected_win_rate"]


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
    means = "people prefer candidate a more often"
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
