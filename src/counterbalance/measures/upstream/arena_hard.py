"""Arena-Hard's ``show_result.py``: the share of wins of the model, strong verdicts three times."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import NONE, STRENGTHS, VERDICTS
from counterbalance.items.frames import Verdict
from counterbalance.measures.upstream.figure import share
from counterbalance.measures.upstream.source_rows import by_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.measures.upstream.figure import SourceFigure
    from counterbalance.measures.upstream.source_rows import SourceRows

__all__ = ["figures"]

_STRONG = 3
_CREDITS = {Verdict.B: 1.0, Verdict.TIE: 0.5}
_CREDIT = np.array([_CREDITS.get(verdict, 0.0) for verdict in VERDICTS])


def figures(rows: SourceRows) -> Iterator[SourceFigure]:
    """Compute the score of a model (candidate b) against the baseline, before any style control.

    Parameters
    ----------
    rows : SourceRows
        Rows of one model, judge and category.

    Yields
    ------
    SourceFigure
        One share.

    Notes
    -----
    **Unit of analysis**: the game; one with a strong verdict (``>>``) stands for three.
    **Numerator**: games won by the model and half the ties, so weighted.
    **Denominator**: games, so weighted, of rows whose two games both have a label.
    """
    lines = by_line(rows)
    is_complete = (lines.verdicts != NONE).all(axis=0)
    verdicts, row = lines.verdicts[:, is_complete], lines.row[:, is_complete]
    weight = np.where(rows.strength[row] == STRENGTHS.index("much"), _STRONG, 1)
    won = float((weight * _CREDIT[verdicts]).sum())
    yield share("weighted_score", won, int(weight.sum()), "share", ("win_rate_a",))
