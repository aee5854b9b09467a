"""Limits of a confidence interval, read from resamples of clusters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from counterbalance.errors import StatisticsError
from counterbalance.statistics.arguments import valid_bounds, valid_share
from counterbalance.statistics.clustered import FEW_CLUSTERS
from counterbalance.statistics.reasons import Caution, Undefined
from counterbalance.statistics.resampling import ClusterSums, Replicates, SmoothStatistic, resample

if TYPE_CHECKING:
    from counterbalance.statistics.arguments import Floats

__all__ = ["BootstrapMethod", "ResamplePlan", "ResampledLimits"]

BootstrapMethod: TypeAlias = Literal["studentised", "percentile"]

_METHODS = ("studentised", "percentile")
# Percentile limits cover too little below this many clusters, simulated: 89 % at 10, 93 % at 20.
_ENOUGH_FOR_PERCENTILES = 50


@dataclass(frozen=True, slots=True)
class ResampledLimits:
    """What the resamples say about the spread of the estimate."""

    se: float | None = None
    low: float | None = None
    high: float | None = None
    n_without_value: int | None = None
    cautions: tuple[Caution, ...] = ()
    undefined: Undefined | None = None


@dataclass(frozen=True, slots=True)
class ResamplePlan:
    """How to resample, checked before anything is drawn."""

    generator: np.random.Generator
    n_replicates: int
    method: BootstrapMethod
    level: float
    bounds: tuple[float, float] | None

    def __post_init__(self) -> None:
        """Refuse a plan that cannot be carried out."""
        if problem := _problem(self.generator, self.method):
            raise StatisticsError(problem)
        valid_share("confidence_level", self.level)
        valid_bounds(self.bounds)
        if self.n_replicates != int(self.n_replicates) or self.n_beyond < 1:
            fewest = math.ceil(2 / (1 - self.level)) - 1
            message = f"n_replicates is {self.n_replicates}; this level takes at least {fewest}"
            raise StatisticsError(message)

    @property
    def n_beyond(self) -> int:
        """How many resamples make up one tail, the limit among them."""
        rounding = 1e-9
        return math.floor((self.n_replicates + 1) * (1 - self.level) / 2 + rounding)

    def limits(self, sums: ClusterSums, statistic: SmoothStatistic) -> ResampledLimits:
        """Return the limits, or why the clusters do not allow any."""
        if sums.n_clusters == 1:
            return ResampledLimits(undefined=Undefined.ONE_CLUSTER)
        if sums.n_clusters < FEW_CLUSTERS:
            return ResampledLimits(undefined=Undefined.TOO_FEW_CLUSTERS)
        if sums.rows.shape[0] == 1:
            return ResampledLimits(undefined=Undefined.NO_VARIATION)
        found = resample(sums, statistic, self.generator, self.n_replicates)
        if found.se == 0:
            return ResampledLimits(undefined=Undefined.NO_VARIATION)
        low, high = self._read(found)
        return self._checked(found, low, high, sums.n_clusters)

    def _read(self, found: Replicates) -> tuple[float, float]:
        """Return the limits as they stand; infinite where resamples do not hold them."""
        if self.method == "percentile":
            return self._tails(found.values)
        with np.errstate(divide="ignore", invalid="ignore"):
            below, above = self._tails((found.values - found.value) / found.ses)
        return found.value - above * found.se, found.value - below * found.se

    def _tails(self, values: Floats) -> tuple[float, float]:
        """Return the value that ends either tail; what has no value counts against both."""
        is_missing = np.isnan(values)
        lowest = np.where(is_missing, -np.inf, values)
        highest = np.where(is_missing, np.inf, values)
        below, above = self.n_beyond - 1, self.n_replicates - self.n_beyond
        return (
            float(np.partition(lowest, below)[below]),
            float(np.partition(highest, above)[above]),
        )

    def _checked(
        self, found: Replicates, low: float, high: float, n_clusters: int
    ) -> ResampledLimits:
        """Return the limits within the bounds, or why they are none."""
        n_without = int(np.isnan(found.values).sum())
        least, greatest = self.bounds or (-math.inf, math.inf)
        inside = max(low, least), min(high, greatest)
        if not (math.isfinite(inside[0]) and math.isfinite(inside[1])):
            reason = Undefined.UNSTABLE_RESAMPLES
            return ResampledLimits(se=found.se, n_without_value=n_without, undefined=reason)
        if inside[0] >= inside[1]:
            reason = Undefined.NO_VARIATION
            return ResampledLimits(se=found.se, n_without_value=n_without, undefined=reason)
        is_narrow = self.method == "percentile" and n_clusters < _ENOUGH_FOR_PERCENTILES
        cautions = (
            *((Caution.PERCENTILE_NARROW,) if is_narrow else ()),
            *((Caution.CUT_AT_BOUND,) if inside != (low, high) else ()),
        )
        return ResampledLimits(found.se, *inside, n_without, cautions)


def _problem(generator: object, method: str) -> str | None:
    """Return what is wrong with the source of draws or the way to read them."""
    if not isinstance(generator, np.random.Generator):
        return f"generator is a {type(generator).__name__}; pass numpy's default_rng(seed)"
    if method not in _METHODS:
        return f"method is {method!r}; choose 'studentised' or 'percentile'"
    return None
