"""Several columns of codes as one key, so that rows can be sorted and compared at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["first_of_runs", "packed"]

_LARGEST = 2**63 - 1


def packed(*columns: tuple[NDArray[np.integer], int]) -> NDArray[np.int64]:
    """Return one number for each row, which sorts as the columns do from left to right.

    Parameters
    ----------
    *columns : tuple[NDArray[np.integer], int]
        Codes from 0 up, and the number of codes there are.

    Returns
    -------
    NDArray[np.int64]
        Equal where the rows are equal in all columns.

    Examples
    --------
    >>> packed((np.array([0, 1, 1]), 2), (np.array([2, 0, 2]), 3)).tolist()
    [2, 3, 5]
    """
    (codes, size), *rest = columns
    key = codes.astype(np.int64)
    for more, n_codes in rest:
        if size * n_codes > _LARGEST:
            # Too many possible keys to number: number those that occur.
            occurring, key = np.unique(key, return_inverse=True)
            size = occurring.size
        key = key * n_codes + more
        size *= n_codes
    return key


def first_of_runs(*columns: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return where each run of equal rows begins.

    Parameters
    ----------
    *columns : NDArray[np.integer]
        Columns of one length, equal rows beside one another.

    Returns
    -------
    NDArray[np.int64]
        Ascending places; none of no rows.

    Examples
    --------
    >>> first_of_runs(np.array([4, 4, 7, 9, 9])).tolist()
    [0, 2, 3]
    """
    begins = np.zeros(columns[0].size, dtype=np.bool_)
    begins[:1] = True
    for column in columns:
        begins[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(begins)
