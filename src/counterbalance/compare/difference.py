"""The difference of one measure between two sides, on the pairs that both can say something of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.compare.outcomes import OUTCOMES, why_not_compared
from counterbalance.statistics.paired_difference import PairedDifference, paired_difference
from counterbalance.statistics.paired_means import paired_mean_difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from counterbalance.compare.matching import Matched
    from counterbalance.compare.outcomes import PairOutcomes
    from counterbalance.compare.side import Side
    from counterbalance.dispositions.codes import Booleans
    from counterbalance.protocol.sections import ComparedMeasure
    from counterbalance.statistics.paired_means import PairedMeanDifference
    from counterbalance.statistics.reasons import Caution

__all__ = ["Difference", "LeftOut", "difference"]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Shared pairs that a difference is not about, by reason.

    Attributes
    ----------
    not_eligible : int
        Pairs that were not planned so on both sides that they could count.
    why_not_eligible : str
        What that means, in words.
    no_verdict_first : int
        Eligible pairs that only the first side says nothing of.
    no_verdict_second : int
        Eligible pairs that only the second side says nothing of.
    no_verdict_both : int
        Eligible pairs that neither says anything of.
    """

    not_eligible: int
    why_not_eligible: str
    no_verdict_first: int
    no_verdict_second: int
    no_verdict_both: int

    @property
    def n_missing(self) -> int:
        """Eligible pairs without a verdict on either side or both."""
        return self.no_verdict_first + self.no_verdict_second + self.no_verdict_both


@dataclass(frozen=True, slots=True)
class Difference:
    """Second side less first, with all that it rests on.

    ``n_common + left_out.n_missing + left_out.not_eligible`` is the number of shared pairs.

    Attributes
    ----------
    measure : ComparedMeasure
        What is compared.
    first : float | None
        The measure on the first side, over the common pairs.
    second : float | None
        The same on the second side.
    value : float | None
        Second less first.
    low : float | None
        Lower limit.
    high : float | None
        Upper limit.
    level : float
        Nominal coverage of the interval.
    method : str
        How the interval was made; ``none`` without one.
    p_value : float | None
        Two-sided, before any correction.
    p_method : str
        Of which test; ``none`` without one.
    n_gained : int
        Pairs on which the second side has the larger number: those that it alone gets right.
    n_lost : int
        Pairs on which the first side has the larger number.
    n_common : int
        Pairs that both say something of: the denominator.
    n_clusters : int
        Clusters that these come in.
    spread : float | None
        Standard error times the root of the common pairs: the standard deviation of one pair among
        its like, from which the pairs needed follow.
    strict_low : float | None
        Lower limit at the level that holds for all comparisons of the family at once.
    strict_high : float | None
        Upper limit at that level.
    strict_level : float
        That level: one minus the error rate over the size of the family.
    least : float | None
        Smallest value that the missing verdicts, had they come, could have led to.
    most : float | None
        Largest such value.
    left_out : LeftOut
        Shared pairs that do not count.
    positive_means : str
        What a difference above 0 says.
    undefined : str | None
        Why there is no value, in a sentence.
    interval_undefined : str | None
        Why there is no interval.
    p_undefined : str | None
        Why there is no p-value.
    cautions : tuple[str, ...]
        What the interval leans on, in sentences.
    """

    measure: ComparedMeasure
    first: float | None
    second: float | None
    value: float | None
    low: float | None
    high: float | None
    level: float
    method: str
    p_value: float | None
    p_method: str
    n_gained: int
    n_lost: int
    n_common: int
    n_clusters: int
    spread: float | None
    strict_low: float | None
    strict_high: float | None
    strict_level: float
    least: float | None
    most: float | None
    left_out: LeftOut
    positive_means: str
    undefined: str | None = None
    interval_undefined: str | None = None
    p_undefined: str | None = None
    cautions: tuple[str, ...] = ()

    @property
    def discordant_share(self) -> float | None:
        """Share of the common pairs on which the sides differ."""
        return (self.n_gained + self.n_lost) / self.n_common if self.n_common else None


def difference(
    measure: ComparedMeasure,
    sides: tuple[Side, Side],
    matched: Matched,
    level: float = 0.95,
    family_size: int = 1,
) -> Difference:
    """Compare two sides by one measure.

    Parameters
    ----------
    measure : ComparedMeasure
        What is compared.
    sides : tuple[Side, Side]
        First and second.
    matched : Matched
        The pairs that they share.
    level : float
        Nominal coverage of the interval.
    family_size : int
        Comparisons of the family, for the limits that hold for all of them at once.

    Returns
    -------
    Difference
        Second less first.

    Notes
    -----
    Successes go to `statistics.paired_difference`, which takes Tango's interval and McNemar's mid-p
    where no two pairs share a cluster and the cluster-robust t otherwise; other numbers to
    `statistics.paired_mean_difference`. Clusters are those of the second side.

    **Unit of analysis**: the pair, once on each side; intervals over clusters.
    **Denominator**: shared pairs that both sides say something of.
    **Undefined** when there is none, or when a measure has no meaning for one of the sides.
    """
    kind = OUTCOMES[measure]
    found = tuple(
        _rows(kind.of(side.pairs), rows)
        for side, rows in zip(sides, (matched.first, matched.second), strict=True)
    )
    eligible = found[0].is_eligible & found[1].is_eligible
    known = found[0].is_known & found[1].is_known
    left_out = LeftOut(
        not_eligible=int((~eligible).sum()),
        why_not_eligible=kind.left_out,
        no_verdict_first=int((eligible & ~found[0].is_known & found[1].is_known).sum()),
        no_verdict_second=int((eligible & found[0].is_known & ~found[1].is_known).sum()),
        no_verdict_both=int((eligible & ~found[0].is_known & ~found[1].is_known).sum()),
    )
    clusters = sides[1].pairs.cluster[matched.second][known]
    values = found[1].values[known], found[0].values[known]
    reason = why_not_compared(measure, *sides)
    if reason is not None:
        known = np.zeros_like(known)
        clusters, values = clusters[:0], (values[0][:0], values[1][:0])
        left_out = LeftOut(matched.n_shared, "not compared", 0, 0, 0)
    strict_level = 1 - (1 - level) / family_size
    result = _compared(values, clusters, level, kind.bounds, is_binary=kind.is_binary)
    strict = (
        result
        if family_size == 1
        else _compared(values, clusters, strict_level, kind.bounds, is_binary=kind.is_binary)
    )
    least, most = (None, None) if reason else _bounds(found, eligible, kind.bounds)
    return Difference(
        measure=measure,
        first=result.second,
        second=result.first,
        value=result.estimate,
        low=result.low,
        high=result.high,
        level=level,
        method=result.method,
        p_value=result.p_value,
        p_method=result.p_method,
        n_gained=result.n_gained,
        n_lost=result.n_lost,
        n_common=int(known.sum()),
        n_clusters=result.n_clusters,
        spread=_spread(values, result.se),
        strict_low=strict.low,
        strict_high=strict.high,
        strict_level=strict_level,
        least=least,
        most=most,
        left_out=left_out,
        positive_means=kind.larger_means,
        undefined=reason or result.undefined,
        interval_undefined=None if reason else result.interval_undefined,
        p_undefined=reason or result.p_undefined,
        cautions=() if reason else result.cautions,
    )


def _rows(outcomes: PairOutcomes, rows: NDArray[np.intp]) -> PairOutcomes:
    return type(outcomes)(
        outcomes.values[rows], outcomes.is_eligible[rows], outcomes.is_known[rows]
    )


@dataclass(frozen=True, slots=True)
class _Compared:
    """What both kinds of comparison have in common; here the second side comes first."""

    first: float | None
    second: float | None
    estimate: float | None
    se: float | None
    low: float | None
    high: float | None
    method: str
    p_value: float | None
    p_method: str
    n_gained: int
    n_lost: int
    n_clusters: int
    undefined: str | None
    interval_undefined: str | None
    p_undefined: str | None
    cautions: tuple[str, ...]


def _compared(
    values: tuple[NDArray[np.float64], NDArray[np.float64]],
    clusters: NDArray[np.int32],
    level: float,
    bounds: tuple[float, float],
    *,
    is_binary: bool,
) -> _Compared:
    result = (
        paired_difference(*values, clusters, level)
        if is_binary
        else paired_mean_difference(*values, clusters, level, bounds=bounds)
    )
    first, second = _means(result)
    return _Compared(
        first=first,
        second=second,
        estimate=result.estimate,
        se=result.se,
        low=result.low,
        high=result.high,
        method=result.method,
        p_value=result.p_value,
        p_method=_p_method(result),
        n_gained=result.n_gained,
        n_lost=result.n_lost,
        n_clusters=result.n_clusters,
        undefined=None if result.undefined is None else result.undefined.sentence,
        interval_undefined=(
            None if result.interval_undefined is None else result.interval_undefined.sentence
        ),
        p_undefined=None if result.p_undefined is None else result.p_undefined.sentence,
        cautions=_sentences(result.cautions),
    )


def _means(
    result: PairedDifference | PairedMeanDifference,
) -> tuple[float | None, float | None]:
    if isinstance(result, PairedDifference):
        return result.first_share, result.second_share
    return result.first_mean, result.second_mean


def _p_method(result: PairedDifference | PairedMeanDifference) -> str:
    if isinstance(result, PairedDifference):
        return result.p_method
    return "none" if result.p_value is None else "cluster_robust_t"


def _sentences(cautions: Sequence[Caution]) -> tuple[str, ...]:
    return tuple(caution.sentence for caution in cautions)


def _spread(
    values: tuple[NDArray[np.float64], NDArray[np.float64]], se: float | None
) -> float | None:
    """Return the standard deviation of a pair among its like; None where nothing varies."""
    differences = values[0] - values[1]
    if differences.size <= 1:
        return None
    spread = float(differences.std(ddof=1)) if se is None else se * math.sqrt(differences.size)
    return spread or None


def _bounds(
    found: tuple[PairOutcomes, ...], eligible: Booleans, bounds: tuple[float, float]
) -> tuple[float | None, float | None]:
    """Put the missing verdicts at whatever makes the difference smallest, then largest."""
    n = int(eligible.sum())
    if not n:
        return None, None
    (least_first, most_first), (least_second, most_second) = (
        [np.where(side.is_known, side.values, bound)[eligible].sum() for bound in bounds]
        for side in found
    )
    return float(least_second - most_first) / n, float(most_second - least_first) / n
