"""Cells of the grid under a cap: what so many pairs and repetitions take, and what they tell."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scipy.special import ndtri

from counterbalance.compare.strategy_difference import detectable
from counterbalance.compare.verdict import POWER
from counterbalance.statistics.allocation import Costs, best_allocation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from counterbalance.compare.pilot import Arm
    from counterbalance.compare.pilot_spread import PilotSpread
    from counterbalance.compare.strategy_difference import StrategyDifference
    from counterbalance.protocol.prices_section import Price
    from counterbalance.statistics.allocation import Design

__all__ = ["NOT_REPEATED", "Cell", "Planned", "cells_of"]

_MOST_REPEATS = 9
_FEWEST_CLUSTERS = 2
_SHARES = (0.1, 0.25, 0.5, 0.75, 1.0)
"""Parts of the clusters that cells are listed of, beside the most that the cap pays."""
NOT_REPEATED = (
    "No pair of the pilot was decided twice, so what repetitions would bring cannot be told."
)
"""Why a cell with repetitions has no standard error."""
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the grid.

    Attributes
    ----------
    n_pairs : int
        Pairs that are judged.
    n_repeats : int
        Decisions on each.
    n_calls : float
        Calls that these take, without retries.
    dollars : float | None
        What they cost; None for unpriced.
    fits : bool | None
        Whether the cap pays for it; None for unpriced.
    standard_error : float | None
        Of the agreement, by the spread of the pilot.
    half_width : float | None
        Half the width of the interval around the agreement.
    detectable : float | None
        Smallest distance of the agreement from a given rate that is found with a power of 80 %.
    difference : float | None
        Smallest difference from the baseline's agreement that is found with a power of 80 %, both
        judged on these pairs and corrected over the planned comparisons.
    undefined : str | None
        Why there is no standard error, in a sentence.
    """

    n_pairs: int
    n_repeats: int
    n_calls: float
    dollars: float | None
    fits: bool | None
    standard_error: float | None
    half_width: float | None
    detectable: float | None
    difference: float | None
    undefined: str | None = None


@dataclass(frozen=True, slots=True)
class Planned:
    """The study that money is sought for.

    Attributes
    ----------
    cluster_sizes : Sequence[int]
        Pairs with a reference in each cluster.
    prices : Mapping[str, Price]
        Price of each judge, by name.
    differences : Mapping[tuple[str, str], StrategyDifference]
        What the pilot shows of each judge and strategy against the baseline.
    level : float
        Nominal coverage of intervals.
    family_size : int
        Comparisons with the baseline that are corrected together.
    as_batches : bool
        Whether the prices are those of batches.
    """

    cluster_sizes: Sequence[int]
    prices: Mapping[str, Price]
    differences: Mapping[tuple[str, str], StrategyDifference]
    level: float = 0.95
    family_size: int = 1
    as_batches: bool = False

    @property
    def per_cluster(self) -> int:
        """Pairs of a cluster of ordinary size."""
        return max(1, round(sum(self.cluster_sizes) / len(self.cluster_sizes)))


def cells_of(
    cap: float, arm: Arm, each: float | None, spread: PilotSpread, planned: Planned
) -> Iterator[Cell]:
    """Yield the cells of one judge and strategy.

    Parameters
    ----------
    cap : float
        Most dollars that may be spent.
    arm : Arm
        The judge and strategy as the pilot shows them.
    each : float | None
        Price of a decision; None for unpriced.
    spread : PilotSpread
        Where the pilot's decisions vary.
    planned : Planned
        Pairs and comparisons of the study.

    Yields
    ------
    Cell
        By number of repetitions, then by number of pairs.
    """
    n_clusters = len(planned.cluster_sizes)
    listed = {max(_FEWEST_CLUSTERS, round(share * n_clusters)) for share in _SHARES}
    for repeats in range(1, _MOST_REPEATS + 1):
        paid = set() if each is None else _paid(cap, repeats * each, spread, planned)
        sizes = {n for n in listed | paid if n <= n_clusters}
        if repeats > 1 and not spread.is_repeated:
            # Nothing is known of these: one cell says so, and what it would cost.
            sizes = {max(sizes, default=n_clusters)}
        for size in sorted(sizes):
            design = _design(size, repeats, spread, planned)
            if design is not None:
                yield _cell(cap, arm, each, design, spread, planned)


def _paid(cap: float, each: float, spread: PilotSpread, planned: Planned) -> set[int]:
    """Return the most clusters that the cap pays."""
    found = best_allocation(
        cap,
        Costs(0.0, each, 1),
        spread.planned,
        planned.per_cluster,
        len(planned.cluster_sizes),
        most_repeats=1,
    )
    return {design.n_clusters for design in found.designs}


def _design(n_clusters: int, repeats: int, spread: PilotSpread, planned: Planned) -> Design | None:
    found = best_allocation(
        1.0,
        Costs(0.0, 0.0, 1),
        spread.planned,
        planned.per_cluster,
        n_clusters,
        most_repeats=repeats,
        power=POWER,
        error_rate=round(1 - planned.level, 12),
    )
    return found.designs[-1] if found.designs else None


def _cell(
    cap: float,
    arm: Arm,
    each: float | None,
    design: Design,
    spread: PilotSpread,
    planned: Planned,
) -> Cell:
    # Clusters differ in size; together they hold no more pairs than there are.
    pairs = min(design.n_clusters * planned.per_cluster, sum(planned.cluster_sizes))
    decisions = pairs * design.n_repeats
    dollars = None if each is None else decisions * each
    cell = Cell(
        n_pairs=pairs,
        n_repeats=design.n_repeats,
        n_calls=decisions * arm.calls_per_decision,
        dollars=dollars,
        fits=None if dollars is None else dollars <= cap * (1 + _ROUNDING),
        standard_error=None,
        half_width=None,
        detectable=None,
        difference=None,
    )
    if design.n_repeats > 1 and not spread.is_repeated:
        return replace(cell, undefined=NOT_REPEATED)
    error = design.variance**0.5
    against = planned.differences.get((arm.judge, arm.strategy))
    rate = (1 - planned.level) / planned.family_size
    return replace(
        cell,
        standard_error=error,
        half_width=-float(ndtri((1 - planned.level) / 2)) * error,
        detectable=design.detectable_difference,
        difference=None
        if against is None or design.n_repeats > 1
        else detectable(against, rate, pairs),
    )
