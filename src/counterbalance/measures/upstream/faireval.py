"""FairEval's combined verdict: one for each question, from the mean score over all replies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import ORDERS
from counterbalance.items.frames import Order
from counterbalance.measures.upstream.figure import share

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.measures.upstream.figure import SourceFigure
    from counterbalance.measures.upstream.source_rows import SourceRows

__all__ = ["figures"]

_EQUAL = 1e-9
"""Means over replies whose scores add up to the same differ by less than this."""


def figures(rows: SourceRows) -> Iterator[SourceFigure]:
    """Compute how often each answer has the higher mean score.

    Parameters
    ----------
    rows : SourceRows
        Rows of one file.

    Yields
    ------
    SourceFigure
        A win rate for each system, and the rate of equal means.

    Notes
    -----
    **Unit of analysis**: the question.
    **Numerator**: questions whose mean score over all replies in both orders is higher.
    **Denominator**: questions with a reply that could be read.
    """
    has_scores = ~np.isnan(rows.margin)
    pair, at = np.unique(rows.pair[has_scores], return_inverse=True)
    is_reversed = rows.order[has_scores] == ORDERS.index(Order.REVERSED)
    margin = rows.margin[has_scores]
    total = np.bincount(at, weights=np.where(is_reversed, -margin, margin), minlength=pair.size)
    mean = total / np.maximum(np.bincount(at, minlength=pair.size), 1)
    names = {rows.pairs.system_pairs[code] for code in rows.pairs.systems[pair].tolist()}
    for (a, _), (b, _) in sorted(names):
        is_here = np.array(
            [
                rows.pairs.system_pairs[code] == ((a, ""), (b, ""))
                for code in rows.pairs.systems[pair].tolist()
            ],
            dtype=np.bool_,
        )
        n, means = int(is_here.sum()), mean[is_here]
        yield share(f"win_rate[{a}]", int((means > _EQUAL).sum()), n, "share", ("win_rate_a",))
        yield share(f"win_rate[{b}]", int((means < -_EQUAL).sum()), n, "share")
        yield share("tie_rate", int((abs(means) <= _EQUAL).sum()), n, "share")
