"""JudgeBench's accuracy: a sum over both orders decides whether a pair is right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import NONE, VERDICTS
from counterbalance.items.frames import Verdict
from counterbalance.measures.agreement import ONLY_VERDICT
from counterbalance.measures.upstream.figure import share
from counterbalance.measures.upstream.source_rows import by_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from counterbalance.measures.upstream.figure import SourceFigure
    from counterbalance.measures.upstream.source_rows import SourceRows

__all__ = ["PairScores", "figures", "pair_scores"]

_SOURCES = ("mmlu-pro", "livebench-reasoning", "livebench-math", "livecodebench")
_OTHER = np.full(len(VERDICTS) + 1, NONE, dtype=np.int8)
_OTHER[VERDICTS.index(Verdict.A)] = VERDICTS.index(Verdict.B)
_OTHER[VERDICTS.index(Verdict.B)] = VERDICTS.index(Verdict.A)


@dataclass(frozen=True, slots=True, eq=False)
class PairScores:
    """What JudgeBench makes of each pair.

    Attributes
    ----------
    score : NDArray[np.int64]
        Orders that agree with the label less orders that name the other response.
    source : tuple[str, ...]
        Where the pair comes from.
    """

    score: NDArray[np.int64]
    source: tuple[str, ...]


def pair_scores(rows: SourceRows) -> PairScores:
    """Add up both orders of each pair.

    Parameters
    ----------
    rows : SourceRows
        Rows of one file of outputs.

    Returns
    -------
    PairScores
        One entry for each pair of the file; a tie, a missing and an unread verdict add 0.
    """
    lines = by_line(rows)
    label = ONLY_VERDICT[rows.pairs.accepted[lines.pair]]
    agrees = (lines.verdicts == label) & (label != NONE)
    contradicts = (lines.verdicts == _OTHER[label]) & (_OTHER[label] != NONE)
    categories = rows.pairs.categories
    source = tuple(categories[code] for code in rows.pairs.category[lines.pair].tolist())
    return PairScores(agrees.sum(axis=0) - contradicts.sum(axis=0), source)


def figures(rows: SourceRows) -> Iterator[SourceFigure]:
    """Compute the accuracy that JudgeBench prints, for each of its sources and over all.

    Parameters
    ----------
    rows : SourceRows
        Rows of one file of outputs.

    Yields
    ------
    SourceFigure
        In percent.

    Notes
    -----
    **Unit of analysis**: the pair.
    **Numerator**: pairs whose orders agree with the label more often than they contradict it: one
    right order beside a tie or a missing verdict is enough.
    **Denominator**: all pairs of the source.
    """
    found = pair_scores(rows)
    is_right = found.score > 0
    for name in _SOURCES:
        is_from = np.array([source.startswith(name) for source in found.source], dtype=np.bool_)
        if is_from.any():
            n_right = int((is_right & is_from).sum())
            yield share(f"accuracy[{name}]", n_right, int(is_from.sum()), "percent")
    ours = ("agreement_both", "agreement_both_all")
    yield share("accuracy[overall]", int(is_right.sum()), is_right.size, "percent", ours)
