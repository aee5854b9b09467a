"""Checks of arguments, shared by all statistics: what passes is an array or number to rely on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from counterbalance.errors import StatisticsError

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

__all__ = [
    "Counts",
    "Floats",
    "cluster_codes",
    "count_matrix",
    "count_problem",
    "count_vector",
    "float_vector",
    "length_problem",
    "square_counts",
    "valid_bounds",
    "valid_share",
]

Floats: TypeAlias = NDArray[np.float64]
Counts: TypeAlias = NDArray[np.int64]

_TABLE_DIMENSIONS = 2
_INTEGERS = "biu"
"""Kinds of NumPy numbers that are whole without looking at them."""
# Codes up to this many times the units are numbered by a table, which needs no sorting.
_SPARSEST = 8


def count_problem(name: str, count: float) -> str | None:
    """Return what is wrong with a count, None when it is a whole number from 0 up."""
    if count >= 0 and float(count).is_integer():
        return None
    return f"{name} is {count}; a count is a whole number from 0 up"


def length_problem(name: str, length: int, n_units: int) -> str | None:
    """Return what is wrong with the length of something that goes with the units."""
    if length == n_units:
        return None
    return f"{name} has {length} entries for {n_units} units; give one for each unit"


def valid_share(name: str, share: float) -> float:
    """Return the share as a plain float; refuse what is not strictly between 0 and 1."""
    if not 0.0 < share < 1.0:
        message = f"{name} is {share}; give a number between 0 and 1, such as 0.95"
        raise StatisticsError(message)
    return float(share)


def valid_bounds(bounds: tuple[float, float] | None) -> tuple[float, float] | None:
    """Return the bounds as plain floats; refuse a range that is empty or not finite."""
    if bounds is None:
        return None
    low, high = float(bounds[0]), float(bounds[1])
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        message = f"bounds are {bounds}; give two finite numbers, the lower one first"
        raise StatisticsError(message)
    return low, high


def float_vector(name: str, values: ArrayLike) -> Floats:
    """Return a one-dimensional float array; refuse other shapes, NaN and infinity."""
    vector = np.asarray(values, dtype=np.float64)
    if vector.ndim != 1:
        message = f"{name} has {vector.ndim} dimensions; give one number for each unit"
        raise StatisticsError(message)
    if not np.isfinite(vector).all():
        where = int(np.flatnonzero(~np.isfinite(vector))[0])
        message = f"{name}[{where}] is {vector[where]}; leave units without a value out, counted"
        raise StatisticsError(message)
    return vector


def count_vector(name: str, counts: ArrayLike) -> Counts:
    """Return a one-dimensional array of counts; refuse negative and fractional ones."""
    array = np.asarray(counts)
    vector = (
        array if array.dtype.kind in _INTEGERS and array.ndim == 1 else float_vector(name, array)
    )
    _refuse_no_counts(name, vector)
    return vector.astype(np.int64)


def count_matrix(name: str, counts: ArrayLike) -> Counts:
    """Return a units x categories array of counts; an empty list is no unit at all."""
    matrix = np.asarray(counts)
    if matrix.dtype.kind not in _INTEGERS:
        matrix = matrix.astype(np.float64)
    if matrix.size == 0 and matrix.ndim < _TABLE_DIMENSIONS:
        return np.zeros((0, 1), dtype=np.int64)
    if matrix.ndim != _TABLE_DIMENSIONS:
        message = f"{name} has {matrix.ndim} dimensions; give one row of category counts per unit"
        raise StatisticsError(message)
    _refuse_no_counts(name, matrix)
    return matrix.astype(np.int64)


def square_counts(name: str, counts: ArrayLike) -> Counts:
    """Return a categories x categories array of counts; an empty list is no unit at all."""
    matrix = count_matrix(name, counts)
    if matrix.size and matrix.shape[0] != matrix.shape[1]:
        message = f"{name} has {matrix.shape[0]} rows and {matrix.shape[1]} columns; give as many"
        raise StatisticsError(message)
    return matrix


def _refuse_no_counts(name: str, array: NDArray[np.number]) -> None:
    """Raise if any entry is negative, fractional or not finite."""
    bad = array < 0
    if array.dtype.kind not in _INTEGERS:
        bad |= ~(np.isfinite(array) & (array == np.floor(array)))
    if bad.any():
        message = f"{name} holds {array[bad][0]}; a count is a whole number from 0 up"
        raise StatisticsError(message)


def cluster_codes(
    clusters: Sequence[Hashable] | NDArray[np.generic] | None, n_units: int
) -> Counts:
    """Return a number from 0 up for each unit, equal where the cluster is; None: all apart."""
    if clusters is None:
        return np.arange(n_units, dtype=np.int64)
    if problem := length_problem("clusters", len(clusters), n_units):
        raise StatisticsError(problem)
    if isinstance(clusters, np.ndarray) and clusters.ndim == 1 and clusters.dtype != object:
        if _is_small(clusters):
            occurs = np.zeros(int(clusters.max(initial=0)) + 1, dtype=np.bool_)
            occurs[clusters] = True
            numbered: Counts = (np.cumsum(occurs, dtype=np.int64) - 1)[clusters]
            return numbered
        _, positions = np.unique(clusters, return_inverse=True)
        return np.asarray(positions, dtype=np.int64)
    # NumPy would turn 1 and "1" into one cluster and a tuple into a row; a dict does neither.
    numbers: dict[Hashable, int] = {}
    codes = [numbers.setdefault(cluster, len(numbers)) for cluster in clusters]
    return np.array(codes, dtype=np.int64)


def _is_small(codes: NDArray[np.generic]) -> bool:
    """Tell whether these are whole numbers from 0 up, and not many times more than there are."""
    if codes.dtype.kind not in "iu" or not codes.size:
        return False
    return bool(codes.min() >= 0) and int(codes.max()) <= _SPARSEST * codes.size
