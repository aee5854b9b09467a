"""What planned pairs can tell apart, before anything is spent: differences, and what they assume.

Without a pilot the share of pairs on which two sides differ is assumed, at several values, and
pairs are taken as independent. A pilot record gives both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.compare.difference import difference
from counterbalance.compare.matching import match
from counterbalance.compare.outcomes import OUTCOMES
from counterbalance.compare.pairing import pairs_of_judges
from counterbalance.compare.verdict import POWER, crowding
from counterbalance.dispositions.codes import N_VERDICTS, ORDERS, VERDICTS
from counterbalance.items.frames import Verdict
from counterbalance.measures.win_rates import why_no_win_rate
from counterbalance.statistics.mcnemar_planning import (
    mcnemar_detectable_difference,
    mcnemar_sample_size,
)
from counterbalance.statistics.mean_planning import mean_detectable_difference
from counterbalance.statistics.proportions import wilson_interval
from counterbalance.statistics.variance_components import variance_components

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from counterbalance.compare.side import Side
    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.protocol.sections import ComparedMeasure

__all__ = ["ASSUMED_SHARES", "Detectable", "PlannedPairs", "WinRateDetectable", "detectable"]

ASSUMED_SHARES = (0.05, 0.1, 0.2, 0.3)
"""Shares of pairs on which two sides differ that are tried where no pilot tells one."""
_WIDEST = 0.5
"""Standard deviation of a win: the largest it can be."""
_A, _TIE = VERDICTS.index(Verdict.A), VERDICTS.index(Verdict.TIE)


@dataclass(frozen=True, slots=True)
class PlannedPairs:
    """The pairs that will be judged, and how they will be compared.

    Attributes
    ----------
    n_pairs : int
        Pairs that will be judged: not identical, excluded or held out.
    n_referenced : int
        Those with a reference.
    cluster_sizes : tuple[int, ...]
        Pairs in each cluster.
    n_calls : int
        Presentations of each pair under one labelling.
    has_both_orders : bool
        Whether each is shown in both orders.
    error_rate : float
        One minus the confidence level.
    family_size : int
        Declared tests; the error rate is divided among them.
    """

    n_pairs: int
    n_referenced: int
    cluster_sizes: tuple[int, ...]
    n_calls: int
    has_both_orders: bool
    error_rate: float = 0.05
    family_size: int = 1

    def n_for(self, measure: ComparedMeasure) -> int:
        """Return the pairs that a measure can be about."""
        if measure in {"agreement_both", "strategy_agreement"}:
            return self.n_referenced
        return self.n_pairs

    @property
    def shares_clusters(self) -> bool:
        """Whether two pairs share a cluster."""
        return len(self.cluster_sizes) < self.n_pairs

    @property
    def strict_rate(self) -> float:
        """Error rate of one test of the family at its strictest."""
        return self.error_rate / self.family_size


@dataclass(frozen=True, slots=True)
class Detectable:
    """The difference between two sides that planned pairs detect by one measure.

    Attributes
    ----------
    measure : ComparedMeasure
        What is compared.
    n_pairs : int
        Pairs that it can be about.
    discordant_share : float
        Share of pairs on which the sides differ: assumed, or the upper limit of a pilot.
    from_pilot : str
        The two sides of the pilot; empty where the share is assumed.
    crowding : float
        How many times as many pairs it takes because they share clusters; 1 where unknown.
    difference : float | None
        Smallest difference found with the power; None where none is.
    exact_power : float | None
        Power that McNemar's mid-p test really has there, for independent pairs.
    power : float
        Power asked for.
    error_rate : float
        Two-sided, after division among the family.
    margin : float | None
        Declared margin.
    pairs_for_margin : int | None
        Pairs that find a difference of the margin.
    undefined : str | None
        Why there is no difference, in a sentence.
    """

    measure: ComparedMeasure
    n_pairs: int
    discordant_share: float
    from_pilot: str
    crowding: float
    difference: float | None
    exact_power: float | None
    power: float
    error_rate: float
    margin: float | None
    pairs_for_margin: int | None
    undefined: str | None


@dataclass(frozen=True, slots=True)
class WinRateDetectable:
    """How far from one half a win rate must be to be told from it.

    Attributes
    ----------
    n_pairs : int
        Pairs that will be judged.
    spread : float
        Standard deviation of one pair among its like: the widest possible, or from a pilot.
    from_pilot : str
        The side of the pilot; empty where the spread is the widest possible.
    difference : float | None
        Distance from one half that is found with the power.
    power : float
        Power asked for.
    error_rate : float
        Two-sided.
    cluster : float | None
        Variance between clusters, from the pilot.
    unit : float | None
        Variance between pairs of a cluster.
    repeat : float | None
        Variance between presentations of a pair, both orders together.
    """

    n_pairs: int
    spread: float
    from_pilot: str
    difference: float | None
    power: float
    error_rate: float
    cluster: float | None
    unit: float | None
    repeat: float | None


def detectable(
    planned: PlannedPairs,
    measures: Sequence[ComparedMeasure],
    margins: Mapping[ComparedMeasure, float],
    pilot: Sequence[Side] = (),
) -> tuple[tuple[Detectable, ...], tuple[WinRateDetectable, ...]]:
    """Say what planned pairs can detect.

    Parameters
    ----------
    planned : PlannedPairs
        The pairs, and how they will be compared.
    measures : Sequence[ComparedMeasure]
        What will be compared; those that are no successes are left to the win rate.
    margins : Mapping[ComparedMeasure, float]
        Declared margins.
    pilot : Sequence[Side]
        Sides of an earlier record; empty for assumptions.

    Returns
    -------
    tuple[tuple[Detectable, ...], tuple[WinRateDetectable, ...]]
        Differences by measure and share; and distances of win rates from one half.

    Notes
    -----
    Shares and spreads of a pilot are themselves uncertain: the upper 95 % limit of the share is
    taken, and a small pilot is best not trusted for less.

    **Unit of analysis**: the pair.
    **Denominator**: pairs that will be judged, for agreement those with a reference.
    **Undefined** where even a difference as large as the share would be missed too often.

    References
    ----------
    .. [1] R. J. Connor, "Sample size for testing differences in proportions for the paired-sample
       design", Biometrics 43 (1987) 207-211. doi:10.2307/2531961
    """
    compared = [name for name in measures if OUTCOMES[name].is_binary]
    found = [
        _detectable(planned, name, share, crowd, where, margins.get(name))
        for name in compared
        for share, crowd, where in _shares(name, pilot)
    ]
    rates = tuple(_win_rates(planned, pilot))
    return tuple(found), rates if planned.has_both_orders else ()


def _shares(measure: ComparedMeasure, pilot: Sequence[Side]) -> Iterator[tuple[float, float, str]]:
    """Yield the shares that are tried: each comparison of the pilot, else assumed ones."""
    found = False
    for first, second in pairs_of_judges(pilot):
        shared = match(first, second)
        seen = difference(measure, (first, second), shared)
        limit = wilson_interval(seen.n_gained + seen.n_lost, seen.n_common).high
        if seen.n_common and limit is not None:
            found = True
            yield limit, crowding(seen), f"{second.name} against {first.name}"
    if not found:
        for share in ASSUMED_SHARES:
            yield share, 1.0, ""


def _detectable(
    planned: PlannedPairs,
    measure: ComparedMeasure,
    share: float,
    crowd: float,
    where: str,
    margin: float | None,
) -> Detectable:
    n, rate = planned.n_for(measure), planned.strict_rate
    # Pairs that share clusters tell as much as fewer that do not.
    plan = mcnemar_detectable_difference(int(n / crowd), share, POWER, rate)
    needed = None
    if margin is not None:
        alone = mcnemar_sample_size(margin, max(margin, share), POWER, rate).n_units
        needed = None if alone is None else int(np.ceil(alone * crowd))
    return Detectable(
        measure=measure,
        n_pairs=n,
        discordant_share=share,
        from_pilot=where,
        crowding=crowd,
        difference=plan.difference,
        exact_power=plan.exact_power,
        power=POWER,
        error_rate=rate,
        margin=margin,
        pairs_for_margin=needed,
        undefined=None if plan.undefined is None else plan.undefined.sentence,
    )


def _win_rates(planned: PlannedPairs, pilot: Sequence[Side]) -> Iterator[WinRateDetectable]:
    found = False
    for side in pilot:
        if why_no_win_rate(side.pairs, side.baseline) is not None:
            continue
        parts = _components(side.pairs)
        spread = _spread(planned, parts)
        if spread:
            found = True
            yield _win_rate(planned, spread, side.name, parts)
    if not found:
        yield _win_rate(planned, _WIDEST, "", (None, None, None))


_Components = tuple[float | None, float | None, float | None]


def _components(pairs: PairColumns) -> _Components:
    """Split the spread of single verdicts' credits into clusters, pairs and presentations."""
    by_pair = pairs.verdicts[: len(ORDERS)].sum(axis=0)
    credit = np.zeros(N_VERDICTS)
    credit[_A], credit[_TIE] = 1.0, 0.5
    times = by_pair.ravel()
    values = np.repeat(np.tile(credit, pairs.n_pairs), times)
    units = np.repeat(np.repeat(np.arange(pairs.n_pairs), N_VERDICTS), times)
    clusters = pairs.cluster[units]
    found = variance_components(values, units, clusters)
    return found.cluster.variance, found.unit.variance, found.repeat.variance


def _spread(planned: PlannedPairs, parts: _Components) -> float | None:
    """Return the standard deviation of a planned pair among its like; None where unknown."""
    if not planned.n_pairs or all(part is None for part in parts):
        return None
    cluster, unit, repeat = (part or 0.0 for part in parts)
    together = sum(size**2 for size in planned.cluster_sizes) / planned.n_pairs
    return float(np.sqrt(cluster * together + unit + repeat / planned.n_calls))


def _win_rate(
    planned: PlannedPairs, spread: float, where: str, parts: _Components
) -> WinRateDetectable:
    plan = mean_detectable_difference(planned.n_pairs, spread, POWER, planned.error_rate)
    cluster, unit, repeat = parts
    return WinRateDetectable(
        n_pairs=planned.n_pairs,
        spread=spread,
        from_pilot=where,
        difference=plan.difference,
        power=POWER,
        error_rate=planned.error_rate,
        cluster=cluster,
        unit=unit,
        repeat=repeat,
    )
