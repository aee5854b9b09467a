"""FastChat's ``show_result.py --mode pairwise-all``: wins, losses and ties of each model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import N_VERDICTS, NONE, VERDICTS
from counterbalance.items.frames import Verdict
from counterbalance.measures.upstream.figure import share
from counterbalance.measures.upstream.source_rows import by_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.measures.upstream.figure import SourceFigure
    from counterbalance.measures.upstream.source_rows import SourceRows

__all__ = ["figures"]

_A, _B = VERDICTS.index(Verdict.A), VERDICTS.index(Verdict.B)


def figures(rows: SourceRows) -> Iterator[SourceFigure]:
    """Compute the table that FastChat prints.

    Parameters
    ----------
    rows : SourceRows
        Rows of one file, all its models, prompts and turns.

    Yields
    ------
    SourceFigure
        Three for each model, the model in brackets.

    Notes
    -----
    **Unit of analysis**: the row (a pair in both orders).
    **Numerator**: rows whose two games name the model (or the other one) as winner; everything
    else, a disagreement of the orders included, is a tie, and half a win in the adjusted rate.
    **Denominator**: rows of the model whose games both have a verdict.
    """
    lines = by_line(rows)
    is_complete = (lines.verdicts != NONE).all(axis=0)
    forward, backward = lines.verdicts[:, is_complete]
    n_pairs = len(rows.pairs.system_pairs)
    result = np.where(forward == backward, forward, N_VERDICTS)
    systems = rows.pairs.systems[lines.pair[is_complete]].astype(np.int64)
    n_results = N_VERDICTS + 1
    table = np.bincount(systems * n_results + result, minlength=n_pairs * n_results)
    totals: dict[str, list[int]] = {}
    for ((a, _), (b, _)), counts in zip(
        rows.pairs.system_pairs, table.reshape(n_pairs, n_results).tolist(), strict=True
    ):
        for name, won, lost in ((a, _A, _B), (b, _B, _A)):
            found = totals.setdefault(name, [0, 0, 0])
            found[0] += counts[won]
            found[1] += counts[lost]
            found[2] += sum(counts) - counts[won] - counts[lost]
    for name, (wins, losses, ties) in sorted(totals.items()):
        n = wins + losses + ties
        if n:
            yield share(f"win_rate[{name}]", wins, n, "share")
            yield share(f"loss_rate[{name}]", losses, n, "share")
            yield share(f"win_rate_adjusted[{name}]", wins + ties / 2, n, "share")
