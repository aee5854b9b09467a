"""Rates among pairs of like lengths: what can be seen of length without any model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.measures.bounded import credit_mean
from counterbalance.measures.estimate import Estimate, clustered
from counterbalance.measures.preferences import PARTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from counterbalance.dispositions.codes import Booleans

__all__ = ["LengthBand", "LengthCoverage", "coverage_of", "length_bands", "matched_rate"]

_MEANS = "the system is preferred to the baseline more often"
_NEAR = 1.1
_FAR = 2.0
_BANDS = (
    ("under half as long", 0.0, 1 / _FAR),
    ("shorter", 1 / _FAR, 1 / _NEAR),
    ("within a tenth", 1 / _NEAR, _NEAR),
    ("longer", _NEAR, _FAR),
    ("over twice as long", _FAR, np.inf),
)
"""Length of the system's answer over the baseline's: name, from, to."""
_MATCHED = "within a tenth"


@dataclass(frozen=True, slots=True)
class LengthBand:
    """Pairs whose lengths stand in a like ratio.

    Attributes
    ----------
    name : str
        How long the system's answers are beside the baseline's.
    n_pairs : int
        Pairs.
    rate : Estimate
        Raw rate of the system among them.
    """

    name: str
    n_pairs: int
    rate: Estimate


@dataclass(frozen=True, slots=True)
class LengthCoverage:
    """What lengths the pairs of one system have.

    Attributes
    ----------
    mean_own : float
        Mean length of the system's answers, in the declared unit.
    mean_baseline : float
        The same of the baseline's.
    n_longer : int
        Pairs in which the system's answer is the longer.
    n_equal : int
        Pairs of equal length.
    n_shorter : int
        Pairs in which it is the shorter.
    scale : float | None
        Standard deviation of the differences, which they are divided by; None with one pair.
    """

    mean_own: float
    mean_baseline: float
    n_longer: int
    n_equal: int
    n_shorter: int
    scale: float | None

    @property
    def is_one_sided(self) -> bool:
        """Whether equal length is at or beyond the edge of what was seen."""
        return not self.n_equal and not (self.n_longer and self.n_shorter)


def coverage_of(own: NDArray[np.int64], baseline: NDArray[np.int64]) -> LengthCoverage:
    """Return what lengths there are.

    Parameters
    ----------
    own : NDArray[np.int64]
        Length of the system's answer in each pair, at least one.
    baseline : NDArray[np.int64]
        Length of the baseline's.

    Returns
    -------
    LengthCoverage
        In the unit of the lengths.
    """
    difference = own - baseline
    return LengthCoverage(
        mean_own=float(own.mean()),
        mean_baseline=float(baseline.mean()),
        n_longer=int((difference > 0).sum()),
        n_equal=int((difference == 0).sum()),
        n_shorter=int((difference < 0).sum()),
        scale=float(difference.std(ddof=1)) if difference.size > 1 else None,
    )


def length_bands(
    credit: NDArray[np.float64],
    own: NDArray[np.int64],
    baseline: NDArray[np.int64],
    clusters: NDArray[np.int32],
    level: float,
) -> tuple[LengthBand, ...]:
    """Return the raw rate of a system by how long its answers are beside the baseline's.

    Parameters
    ----------
    credit : NDArray[np.float64]
        Of the system, from 0 to 1, for each pair.
    own : NDArray[np.int64]
        Length of its answers.
    baseline : NDArray[np.int64]
        Length of the baseline's.
    clusters : NDArray[np.int32]
        Code of the unit of uncertainty.
    level : float
        Nominal coverage of the intervals.

    Returns
    -------
    tuple[LengthBand, ...]
        Every band, shortest first, with pairs or without; they add up to all pairs.

    Notes
    -----
    **Unit of analysis**: the pair; intervals over clusters.
    **Denominator**: the pairs of the band.
    **Undefined** in a band without pairs.

    References
    ----------
    .. [1] W. G. Cochran, "The effectiveness of adjustment by subclassification in removing bias in
       observational studies", Biometrics 24 (1968) 295-313. doi:10.2307/2528036
    """
    return tuple(
        LengthBand(name, int(here.sum()), _rate(f"rate {name}", credit, here, clusters, level))
        for name, here in _places(own, baseline)
    )


def matched_rate(
    credit: NDArray[np.float64],
    own: NDArray[np.int64],
    baseline: NDArray[np.int64],
    clusters: NDArray[np.int32],
    level: float,
) -> Estimate:
    """Return the raw rate among pairs whose lengths are within a tenth of each other.

    Parameters
    ----------
    credit : NDArray[np.float64]
        Of the system, from 0 to 1, for each pair.
    own : NDArray[np.int64]
        Length of its answers.
    baseline : NDArray[np.int64]
        Length of the baseline's.
    clusters : NDArray[np.int32]
        Code of the unit of uncertainty.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        In [0, 1]; it speaks of these pairs, which may be easier or harder than the others.

    Notes
    -----
    **Unit of analysis**: the pair; interval over clusters.
    **Denominator**: pairs of like length.
    **Undefined** when there is none.

    References
    ----------
    .. [1] W. G. Cochran, Biometrics 24 (1968) 295-313.
    """
    here = next(found for name, found in _places(own, baseline) if name == _MATCHED)
    return _rate("win_rate_matched_length", credit, here, clusters, level)


def _places(own: NDArray[np.int64], baseline: NDArray[np.int64]) -> Iterator[tuple[str, Booleans]]:
    # Two empty answers are of one length; against an empty one any other is over twice as long.
    both = (own == 0) & (baseline == 0)
    ratio = np.where(both, 1.0, own / np.where(baseline == 0, 0.1, baseline))
    for name, low, high in _BANDS:
        if name == _MATCHED:
            yield name, (ratio >= low) & (ratio <= high)
        elif high <= 1:
            yield name, (ratio >= low) & (ratio < high)
        else:
            yield name, (ratio > low) & (ratio <= high)


def _rate(
    name: str,
    credit: NDArray[np.float64],
    here: Booleans,
    clusters: NDArray[np.int32],
    level: float,
) -> Estimate:
    result = credit_mean(np.where(here, credit, 0.0), here, clusters, level, parts=PARTS)
    return clustered(name, result, "pair", _MEANS)
