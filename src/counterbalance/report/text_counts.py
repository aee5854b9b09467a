"""Numbers counted on the answers that a run judged."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from counterbalance.measures.controls import Controls
    from counterbalance.measures.group import JudgedPair

__all__ = ["pair_counts"]


def pair_counts(pairs: Sequence[JudgedPair], controls: Controls) -> NDArray[np.int64]:
    """Count the answers of each pair.

    Parameters
    ----------
    pairs : Sequence[JudgedPair]
        The pairs of a group.
    controls : Controls
        What is asked for.

    Returns
    -------
    NDArray[np.int64]
        By side (a, b), pair and number.
    """
    count = lru_cache(maxsize=None)(controls.count())
    rows = [
        [count(each.pair.a.text) for each in pairs],
        [count(each.pair.b.text) for each in pairs],
    ]
    return np.array(rows, dtype=np.int64).reshape(2, len(pairs), controls.n_numbers)
