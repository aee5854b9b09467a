"""One hypothesis test with everything that must travel with its p-value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["TestResult", "pairs_share_clusters"]


@dataclass(frozen=True, slots=True)
class TestResult:
    """One hypothesis test of a group.

    Attributes
    ----------
    name : str
        ``primacy_recency``, ``first_slot``, ``order_between_pairs`` or
        ``order_between_pairs_ties``.
    hypothesis : str
        What is tested, in words.
    p_value : float | None
        Two-sided, before any correction.
    numerator : int
        Count one way.
    denominator : int
        Counts both ways.
    counted : str
        What the two numbers count, in words.
    undefined : str | None
        Why there is no p-value.
    cautions : tuple[str, ...]
        What the p-value leans on, in sentences.
    """

    __test__ = False

    name: str
    hypothesis: str
    p_value: float | None
    numerator: int
    denominator: int
    counted: str
    undefined: str | None
    cautions: tuple[str, ...] = ()


def pairs_share_clusters(clusters: NDArray[np.int32]) -> tuple[str, ...]:
    """Return the caution of a test that takes pairs as independent, if they are not all apart."""
    n_clusters = int(np.count_nonzero(np.bincount(clusters)))
    if n_clusters == clusters.size:
        return ()
    return (f"It takes pairs as independent; {clusters.size} pairs share {n_clusters} clusters.",)
