"""How far one strategy agrees more with the references than another, on the pairs both decided."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.compare.verdict import POWER
from counterbalance.statistics.mcnemar_planning import (
    mcnemar_detectable_difference,
    mcnemar_sample_size,
)
from counterbalance.statistics.mean_planning import mean_detectable_difference, mean_sample_size
from counterbalance.statistics.paired_difference import paired_difference
from counterbalance.statistics.paired_means import paired_mean_difference
from counterbalance.statistics.proportions import wilson_interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from counterbalance.compare.strategy_side import StrategySide
    from counterbalance.statistics.paired_difference import PairedDifference
    from counterbalance.statistics.paired_means import PairedMeanDifference

__all__ = ["Figure", "StrategyDifference", "detectable", "pairs_needed", "strategy_difference"]

Figure = str
"""What is compared: ``agreement`` with the reference, or ``stable``: both orders say the same."""


@dataclass(frozen=True, slots=True)
class StrategyDifference:
    """One strategy less another, with all that it rests on.

    Attributes
    ----------
    figure : Figure
        ``agreement`` or ``stable``.
    judge : str
        Name of the judge, the same on both sides.
    strategy : str
        What is compared.
    baseline : str
        What it is compared with.
    category : str | None
        Part of the pairs; None for all of them.
    value : float | None
        Difference, from -1 to 1.
    low : float | None
        Lower limit.
    high : float | None
        Upper limit.
    level : float
        Nominal coverage of the interval.
    method : str
        How the interval was made.
    p_value : float | None
        Two-sided, before any correction.
    p_method : str
        Of which test.
    n_gained : int
        Pairs on which the strategy does better.
    n_lost : int
        Pairs on which the baseline does better.
    n_common : int
        Pairs that both decided: the denominator.
    n_clusters : int
        Clusters that these come in.
    n_missing : int
        Shared pairs that could count and that one of them or both left without a result.
    least : float | None
        The difference if every missing result had turned out for the baseline.
    most : float | None
        The difference if every one had turned out for the strategy.
    is_binary : bool
        Whether each pair either agrees or does not on both sides.
    spread : float | None
        Standard deviation of one pair's difference among its like, clusters taken into account.
    undefined : str | None
        Why there is no value, in a sentence.
    p_undefined : str | None
        Why there is no p-value, in a sentence.
    """

    figure: Figure
    judge: str
    strategy: str
    baseline: str
    category: str | None
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
    n_missing: int
    least: float | None
    most: float | None
    is_binary: bool
    spread: float | None
    undefined: str | None
    p_undefined: str | None

    @property
    def name(self) -> str:
        """What the family of tests calls it."""
        where = "" if self.category is None else f", {self.category or '(no category)'}"
        return f"{self.judge}: {self.strategy} against {self.baseline}{where}"

    @property
    def crowding(self) -> float:
        """How many times as many pairs it takes because pairs share clusters; at least 1."""
        if not self.is_binary or self.spread is None or self.value is None or not self.n_common:
            return 1.0
        alone = (self.n_gained + self.n_lost) / self.n_common - self.value**2
        is_crowded = self.n_clusters < self.n_common and alone > 0
        return max(1.0, self.spread**2 / alone) if is_crowded else 1.0


def strategy_difference(
    strategy: StrategySide,
    baseline: StrategySide,
    figure: Figure = "agreement",
    *,
    categories: Sequence[str] | None = None,
    named: str | None = None,
    level: float = 0.95,
) -> StrategyDifference:
    """Compare two strategies of one judge on the pairs that both decided.

    Parameters
    ----------
    strategy : StrategySide
        What is compared.
    baseline : StrategySide
        What it is compared with.
    figure : Figure
        ``agreement`` or ``stable``.
    categories : Sequence[str] | None
        Only pairs of these categories; None for all.
    named : str | None
        What this part of the pairs is called.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    StrategyDifference
        Strategy less baseline.

    Notes
    -----
    Where each pair agrees or does not, `statistics.paired_difference`: McNemar's mid-p and Tango's
    interval, or the cluster-robust t where pairs share clusters. Where a pair may agree by half,
    `statistics.paired_mean_difference`.

    **Unit of analysis**: the pair; intervals over clusters.
    **Denominator**: shared pairs that both decided, for agreement those with a reference.
    **Undefined** when there is none.
    """
    rows = _shared_rows(strategy, baseline, categories)
    found = [
        _values(side, figure, row) for side, row in zip((strategy, baseline), rows, strict=True)
    ]
    eligible = found[0][2] & found[1][2]
    known = eligible & found[0][1] & found[1][1]
    values = found[0][0][known], found[1][0][known]
    clusters = strategy.cluster[rows[0]][known]
    is_binary = all(bool(np.isin(value, (0.0, 1.0)).all()) for value in values)
    result: PairedDifference | PairedMeanDifference = (
        paired_difference(*values, clusters, level)
        if is_binary
        else paired_mean_difference(*values, clusters, level, bounds=(0, 1))
    )
    least, most = _bounds(found, eligible)
    p_method = getattr(result, "p_method", "cluster_robust_t")
    return StrategyDifference(
        figure=figure,
        judge=strategy.judge,
        strategy=strategy.strategy,
        baseline=_named(baseline, strategy),
        category=named,
        value=result.estimate,
        low=result.low,
        high=result.high,
        level=level,
        method=result.method,
        p_value=result.p_value,
        p_method="none" if result.p_value is None else p_method,
        n_gained=result.n_gained,
        n_lost=result.n_lost,
        n_common=int(known.sum()),
        n_clusters=result.n_clusters,
        n_missing=int((eligible & ~known).sum()),
        least=least,
        most=most,
        is_binary=is_binary,
        spread=_spread(values, result.se),
        undefined=None if result.undefined is None else result.undefined.sentence,
        p_undefined=None if result.p_undefined is None else result.p_undefined.sentence,
    )


def _named(baseline: StrategySide, strategy: StrategySide) -> str:
    """Return the name of a baseline; with its judge where that is another one."""
    if baseline.judge == strategy.judge:
        return baseline.strategy
    return f"{baseline.strategy} of {baseline.judge}"


_Values = tuple["NDArray[np.float64]", "NDArray[np.bool_]", "NDArray[np.bool_]"]


def _shared_rows(
    strategy: StrategySide, baseline: StrategySide, categories: Sequence[str] | None
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the row of each shared pair on both sides: joined by key, never by position."""
    places = {key: row for row, key in enumerate(baseline.keys)}
    rows = [
        (row, places[key])
        for row, key in enumerate(strategy.keys)
        if key in places and (categories is None or strategy.category[row] in categories)
    ]
    here, there = np.array(rows, dtype=np.intp).reshape(-1, 2).T
    return here, there


def _values(side: StrategySide, figure: Figure, rows: NDArray[np.intp]) -> _Values:
    """Return each pair's number, whether it has one, and whether it could have one."""
    if figure == "stable":
        could = np.ones(rows.size, dtype=np.bool_)
        return side.is_stable[rows].astype(np.float64), side.has_two_verdicts[rows], could
    known = side.made.is_known[rows]
    return side.made.credit[rows], known, side.is_referenced[rows]


def _bounds(
    found: Sequence[_Values], eligible: NDArray[np.bool_]
) -> tuple[float | None, float | None]:
    """Put the missing results at whatever makes the difference smallest, then largest."""
    n = int(eligible.sum())
    if not n:
        return None, None
    (least, most), (least_base, most_base) = (
        [float(np.where(known, value, bound)[eligible].sum()) for bound in (0.0, 1.0)]
        for value, known, _ in found
    )
    return (least - most_base) / n, (most - least_base) / n


def _spread(
    values: tuple[NDArray[np.float64], NDArray[np.float64]], se: float | None
) -> float | None:
    differences = values[0] - values[1]
    if differences.size <= 1:
        return None
    spread = float(differences.std(ddof=1)) if se is None else se * math.sqrt(differences.size)
    return spread or None


def detectable(
    found: StrategyDifference, error_rate: float, n_pairs: int | None = None
) -> float | None:
    """Return the smallest difference that as many pairs like these detect.

    Parameters
    ----------
    found : StrategyDifference
        A difference between two strategies.
    error_rate : float
        Two-sided rate of one test, its share of the family's.
    n_pairs : int | None
        Another number of pairs like these; None for as many.

    Returns
    -------
    float | None
        With a power of 80 %; None where it cannot be computed from these pairs.

    Notes
    -----
    The share of pairs on which both differ is taken at its upper 95 % limit: few pairs tell little
    of it. Where a difference of that whole share would still be missed, it is the smallest one that
    is found when every pair that differs speaks for the same strategy.
    """
    if not found.n_common:
        return None
    n_pairs = found.n_common if n_pairs is None else n_pairs
    if not found.is_binary:
        if found.spread is None:
            return None
        return mean_detectable_difference(n_pairs, found.spread, POWER, error_rate).difference
    share = wilson_interval(found.n_gained + found.n_lost, found.n_common).high
    n = int(n_pairs / found.crowding)
    if share is None or not n:
        return None
    found_at = mcnemar_detectable_difference(n, share, POWER, error_rate).difference
    return _where_all_differ_alike(n, share, error_rate) if found_at is None else found_at


_HALVINGS = 30


def _where_all_differ_alike(n: int, share: float, error_rate: float) -> float | None:
    """Return what is found at the least share of differing pairs at which anything is found."""
    # So few were seen to differ that even if all of them spoke for one strategy it would be missed.
    low, high, found = share, 1.0, None
    for _ in range(_HALVINGS):
        tried = mcnemar_detectable_difference(n, high, POWER, error_rate).difference
        if tried is None:
            break
        found = tried
        middle = (low + high) / 2
        if mcnemar_detectable_difference(n, middle, POWER, error_rate).difference is None:
            low = middle
        else:
            high = middle
    return found


def pairs_needed(
    found: StrategyDifference, error_rate: float, margin: float | None = None
) -> int | None:
    """Return how many pairs like these would find a difference of the margin.

    Parameters
    ----------
    found : StrategyDifference
        A difference between two strategies.
    error_rate : float
        Two-sided rate of one test, its share of the family's.
    margin : float | None
        Smallest difference that matters; None for one as large as was seen.

    Returns
    -------
    int | None
        With a power of 80 %; None where nothing was seen that could be found.
    """
    wanted = abs(found.value or 0.0) if margin is None else margin
    if not wanted or not found.n_common:
        return None
    if not found.is_binary:
        if found.spread is None:
            return None
        return mean_sample_size(wanted, found.spread, POWER, error_rate).n_units
    seen = (found.n_gained + found.n_lost) / found.n_common
    upper = wilson_interval(found.n_gained + found.n_lost, found.n_common).high
    share = max(wanted, seen if upper is None else upper)
    alone = mcnemar_sample_size(wanted, share, POWER, error_rate).n_units
    return None if alone is None else math.ceil(alone * found.crowding)
