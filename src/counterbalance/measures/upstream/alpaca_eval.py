"""AlpacaEval's leaderboard: the mean preference for the model, in percent, and what it counts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import NONE, ORDERS, VERDICTS
from counterbalance.items.frames import Order, Verdict
from counterbalance.measures.upstream.figure import SourceFigure, counted, share

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from counterbalance.measures.upstream.source_rows import SourceRows

__all__ = ["figures", "preferences"]

_N_INSTRUCTIONS = 805
_FEWEST = 795
"""Files of the leaderboard lack up to a few rows, and their lengths are divided by 805."""
_ONE_ROW = "A standard error needs two rows with a preference."


def preferences(rows: SourceRows) -> NDArray[np.float64]:
    """Return the preference for the model (candidate b) of each row that has one.

    Parameters
    ----------
    rows : SourceRows
        Rows of one model.

    Returns
    -------
    NDArray[np.float64]
        From 0 (the baseline) to 1; exactly the source's preference less 1.
    """
    is_reversed = rows.order == ORDERS.index(Order.REVERSED)
    logged = np.where(is_reversed, 1.5 + rows.margin, 1.5 - rows.margin)
    found: NDArray[np.float64] = logged[~np.isnan(logged)] - 1
    return found


def figures(rows: SourceRows) -> Iterator[SourceFigure]:
    """Compute the columns of a leaderboard that follow from annotations alone.

    Parameters
    ----------
    rows : SourceRows
        Rows of one judge and one model.

    Yields
    ------
    SourceFigure
        Under AlpacaEval's names.

    Notes
    -----
    **Unit of analysis**: the instruction, shown in one order.
    **Denominator**: rows with a preference; of `avg_length` the 805 instructions of the set.
    """
    found = preferences(rows)
    n = found.size
    draws, losses, wins = (
        int((rows.verdict == VERDICTS.index(verdict)).sum())
        for verdict in (Verdict.TIE, Verdict.A, Verdict.B)
    )
    ours = ("win_rate_a_forward", "win_rate_a_reversed")
    yield share("win_rate", float(found.sum()), n, "percent", ours)
    yield _standard_error(found)
    yield counted("n_wins", wins, n)
    yield counted("n_wins_base", losses, n)
    yield counted("n_draws", draws, n)
    yield counted("n_total", n, rows.n_rows)
    yield share("discrete_win_rate", wins + draws / 2, n, "percent", ours)
    known = rows.length_b[rows.length_b != NONE]
    n_set = _N_INSTRUCTIONS if _FEWEST <= known.size <= _N_INSTRUCTIONS else known.size
    if n_set:
        total = int(known.sum())
        yield SourceFigure("avg_length", total // n_set, total, n_set, "score")


def _standard_error(found: NDArray[np.float64]) -> SourceFigure:
    name = "standard_error"
    if found.size < 2:  # noqa: PLR2004 (rows that a spread needs)
        return SourceFigure(name, None, None, found.size, "score", undefined=_ONE_ROW)
    value = 100 * float(found.std(ddof=1)) / math.sqrt(found.size)
    return SourceFigure(name, value, None, found.size, "score")
