"""Agreement beyond chance: what all its coefficients share, whatever they mean by chance.

Observed agreement, chance agreement and what each unit adds to both come in; the coefficient with
its standard error over clusters goes out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import stdtrit

from counterbalance.statistics.arguments import cluster_codes, count_matrix, valid_share
from counterbalance.statistics.clustered import cluster_mean
from counterbalance.statistics.reasons import Caution, Undefined

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from counterbalance.statistics.arguments import Counts, Floats

__all__ = ["Agreements", "Panel", "PanelAgreement", "chance_corrected", "panel_of"]

# A unit with fewer ratings has nobody to agree with.
_FEWEST = 2
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class PanelAgreement:
    """One coefficient of agreement beyond chance, with the marginal it depends on.

    Attributes
    ----------
    coefficient : str
        ``gwet_ac1``, ``fleiss_kappa``, ``krippendorff_alpha`` or ``conger_kappa``.
    n_units : int
        Units with at least one rating.
    n_compared : int
        Units with at least two ratings: those that observed agreement is over.
    n_ratings : int
        Ratings on the units that the coefficient uses.
    category_counts : tuple[int, ...]
        Those ratings by category.
    category_shares : tuple[float, ...] | None
        Share of each category in chance agreement; None without ratings.
    observed_agreement : float | None
        Share of equal pairs of ratings.
    expected_agreement : float | None
        The same by chance, as the coefficient understands chance.
    value : float | None
        Agreement beyond chance, at most 1.
    se : float | None
        Standard error over clusters; None when nothing varies.
    degrees_of_freedom : float | None
        Of the t quantile.
    low : float | None
        Lower limit; below -1 where ratings are missing and few agree.
    high : float | None
        Upper limit, at most 1.
    confidence_level : float
        Nominal coverage.
    n_clusters : int
        Clusters that the units come from.
    cautions : tuple[Caution, ...]
        What the interval leans on.
    undefined : Undefined | None
        Why there is no value; None when there is one.
    interval_undefined : Undefined | None
        Why there are no limits; None when there are.
    """

    coefficient: str
    n_units: int
    n_compared: int
    n_ratings: int
    category_counts: tuple[int, ...]
    category_shares: tuple[float, ...] | None
    observed_agreement: float | None
    expected_agreement: float | None
    value: float | None
    se: float | None
    degrees_of_freedom: float | None
    low: float | None
    high: float | None
    confidence_level: float
    n_clusters: int
    cautions: tuple[Caution, ...]
    undefined: Undefined | None
    interval_undefined: Undefined | None


@dataclass(frozen=True, slots=True)
class Panel:
    """Units that a coefficient uses, checked.

    Attributes
    ----------
    rows : Floats
        Units x categories: ratings of the unit in the category.
    ratings : Floats
        Ratings of each unit.
    clusters : Counts
        Cluster of each unit.
    level : float
        Nominal coverage of the limits.
    """

    rows: Floats
    ratings: Floats
    clusters: Counts
    level: float

    @property
    def is_compared(self) -> Floats:
        """1 for each unit with two ratings or more, else 0."""
        return (self.ratings >= _FEWEST).astype(np.float64)

    @property
    def shares(self) -> Floats:
        """Of each unit, the share of its ratings by category."""
        return np.asarray(self.rows / self.ratings[:, np.newaxis], dtype=np.float64)

    @property
    def agreeing(self) -> Floats:
        """Of each unit, the share of its pairs of ratings that are equal; 0 without a pair."""
        pairs = np.maximum(self.ratings * (self.ratings - 1), 1)
        return np.asarray((self.rows * (self.rows - 1)).sum(axis=1) / pairs, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Agreements:
    """Observed and chance agreement as one coefficient understands them.

    A pull is, by unit, the derivative in the weight of that unit, times the number of units.

    Attributes
    ----------
    shares : Floats
        Share of each category in chance agreement.
    observed : float
        Observed agreement.
    observed_pull : Floats
        What each unit adds to it.
    expected : float
        Chance agreement.
    expected_pull : Floats
        What each unit adds to it.
    finite : float
        Factor on disagreement that corrects for few ratings; 1 where there is none.
    """

    shares: Floats
    observed: float
    observed_pull: Floats
    expected: float
    expected_pull: Floats
    finite: float = 1.0


def panel_of(
    counts: ArrayLike,
    clusters: Sequence[Hashable] | NDArray[np.generic] | None,
    confidence_level: float,
    fewest: int = 1,
) -> Panel:
    """Return the units that have at least so many ratings, with their clusters."""
    matrix = count_matrix("counts", counts).astype(np.float64)
    codes = cluster_codes(clusters, len(matrix))
    level = valid_share("confidence_level", confidence_level)
    kept = matrix.sum(axis=1) >= fewest
    return Panel(matrix[kept], matrix[kept].sum(axis=1), codes[kept], level)


def chance_corrected(
    coefficient: str, panel: Panel, agreements: Agreements | None
) -> PanelAgreement:
    """Return what the agreements define; none of them where no unit has two ratings."""
    reason = _no_value(panel, agreements)
    value = None
    interval = _Interval(undefined=reason)
    if agreements is not None and reason is None:
        ratio = (1 - agreements.observed) / (1 - agreements.expected)
        value = 1 - agreements.finite * ratio
        pulls = agreements.observed_pull - ratio * agreements.expected_pull
        interval = _interval(value, pulls / (1 - agreements.expected), panel)
    # Chance agreement as printed carries the correction, so that value, observed and it fit.
    counted = None if agreements is None else 1 - (1 - agreements.expected) / agreements.finite
    return PanelAgreement(
        coefficient=coefficient,
        n_units=len(panel.rows),
        n_compared=int(panel.is_compared.sum()),
        n_ratings=int(panel.ratings.sum()),
        category_counts=tuple(int(count) for count in panel.rows.sum(axis=0)),
        category_shares=None if agreements is None else tuple(agreements.shares.tolist()),
        observed_agreement=None if agreements is None else agreements.observed,
        expected_agreement=counted,
        value=value,
        se=interval.se,
        degrees_of_freedom=interval.degrees_of_freedom,
        low=interval.low,
        high=interval.high,
        confidence_level=panel.level,
        n_clusters=len(np.unique(panel.clusters)),
        cautions=interval.cautions,
        undefined=reason,
        interval_undefined=interval.undefined,
    )


def _no_value(panel: Panel, agreements: Agreements | None) -> Undefined | None:
    """Return why there is no coefficient, None when there is one."""
    if not len(panel.rows):
        return Undefined.NO_OBSERVATIONS
    if agreements is None:
        return Undefined.TOO_FEW_RATINGS
    if agreements.expected >= 1 - _ROUNDING:
        return Undefined.EXPECTED_AGREEMENT_ONE
    return None


@dataclass(frozen=True, slots=True)
class _Interval:
    """Limits of a coefficient, or why there are none."""

    se: float | None = None
    degrees_of_freedom: float | None = None
    low: float | None = None
    high: float | None = None
    cautions: tuple[Caution, ...] = ()
    undefined: Undefined | None = None


def _interval(value: float, pulls: Floats, panel: Panel) -> _Interval:
    """Return t limits from what each unit adds to the coefficient, at most 1."""
    if float(np.abs(pulls).max()) <= _ROUNDING:
        one = len(np.unique(panel.clusters)) == 1
        return _Interval(undefined=Undefined.ONE_CLUSTER if one else Undefined.NO_VARIATION)
    mean = cluster_mean(pulls, panel.clusters, panel.level)
    # Where the sums of all clusters cancel, what is left of the error is rounding.
    is_cancelled = mean.se is not None and mean.se <= _ROUNDING * float(np.abs(pulls).max())
    if mean.se is None or mean.degrees_of_freedom is None or is_cancelled:
        return _Interval(undefined=mean.interval_undefined or Undefined.NO_VARIATION)
    half = float(stdtrit(mean.degrees_of_freedom, 0.5 + panel.level / 2)) * mean.se
    # Only above: where ratings are missing, a coefficient may fall below -1.
    high = min(1.0, value + half)
    cautions = mean.cautions + ((Caution.CUT_AT_BOUND,) if high < value + half else ())
    return _Interval(mean.se, mean.degrees_of_freedom, value - half, high, cautions)
