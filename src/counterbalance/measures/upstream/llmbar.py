"""LLMBar's ``evaluate.py``: agreement with the label in percent, and kappas with a slip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import NONE, VERDICTS
from counterbalance.items.frames import Verdict
from counterbalance.measures.agreement import ONLY_VERDICT
from counterbalance.measures.upstream.figure import SourceFigure, share
from counterbalance.measures.upstream.source_rows import by_line
from counterbalance.statistics.agreement import cohen_kappa

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from counterbalance.measures.upstream.source_rows import RatingColumns, SourceRows

__all__ = ["FIRST_ROUND", "Winners", "figures", "winners"]

FIRST_ROUND = " (first round)"
"""Ends the strategy of verdicts that a second round may have replaced: LLMBar reports the final."""
_A, _B = VERDICTS.index(Verdict.A), VERDICTS.index(Verdict.B)
_OUTPUTS = 2
_NO_RANGE = "One and the same code throughout: kappa has no value."


@dataclass(frozen=True, slots=True, eq=False)
class Winners:
    """What LLMBar takes for the winner of each row, as verdict codes; -1 where there is none.

    Attributes
    ----------
    forward : NDArray[np.int8]
        With output_1 shown first.
    backward : NDArray[np.int8]
        With output_2 shown first.
    label : NDArray[np.int8]
        By the reference.
    """

    forward: NDArray[np.int8]
    backward: NDArray[np.int8]
    label: NDArray[np.int8]


def winners(rows: SourceRows) -> Winners:
    """Return the winners of one file's final verdicts; of ratings those that LLMBar makes up.

    Parameters
    ----------
    rows : SourceRows
        Rows of one ``result.json``.

    Returns
    -------
    Winners
        One entry for each row of the source.
    """
    if rows.ratings.line.size:
        return _from_scores(rows.ratings)
    lines = by_line(rows)
    label = ONLY_VERDICT[rows.pairs.accepted[lines.pair]]
    return Winners(lines.verdicts[0], lines.verdicts[1], label)


def _from_scores(ratings: RatingColumns) -> Winners:
    """Turn scores into two winners as LLMBar does: a tie becomes output_2, then output_1."""
    lines, at = np.unique(ratings.line, return_inverse=True)
    score = np.full((_OUTPUTS, lines.size), np.nan)
    preferred = np.full((_OUTPUTS, lines.size), NONE, dtype=np.int8)
    names = [system for system in ratings.systems if system.startswith("output_")]
    place = np.array([names.index(s) if s in names else 0 for s in ratings.systems], dtype=np.int8)
    score[place[ratings.system], at] = ratings.value
    preferred[place[ratings.system], at] = ratings.preferred
    is_read = ~np.isnan(score).any(axis=0)
    forward = np.where(~is_read | (score[0] > score[1]), _A, _B)
    backward = np.where(~is_read | (score[1] > score[0]), _B, _A)
    label = np.select([preferred[0] == 1, preferred[1] == 1], [_A, _B], NONE)
    return Winners(*(codes.astype(np.int8) for codes in (forward, backward, label)))


def figures(rows: SourceRows) -> Iterator[SourceFigure]:
    """Compute what ``statistics.json`` holds.

    Parameters
    ----------
    rows : SourceRows
        Rows of one ``result.json`` with one strategy.

    Yields
    ------
    SourceFigure
        Under LLMBar's names.

    Notes
    -----
    **Unit of analysis**: the row of the source.
    **Denominator**: all rows; a missing verdict is a wrong one, and two missing ones are equal.
    **Kappas**: ``evaluate.py`` codes output_1 as 1 and anything else, no verdict included, as 0,
    while the label is 1 or 2: codes 0 and 2 never meet, so `kappa_False` and `kappa_True` do not
    measure agreement with the label.
    """
    if any(name[1].endswith(FIRST_ROUND) for name in (rows.names[code] for code in rows.name[:1])):
        return
    found = winners(rows)
    n = found.label.size
    right = found.forward == found.label, found.backward == found.label
    n_right = int(right[0].sum()), int(right[1].sum())
    same = int((found.forward == found.backward).sum())
    yield share("correct_False", n_right[0], n, "percent", ("agreement_forward",))
    yield share("correct_True", n_right[1], n, "percent", ("agreement_reversed",))
    yield share("correct_average", sum(n_right), 2 * n, "percent")
    yield share("correct_both", int((right[0] & right[1]).sum()), n, "percent", ("agreement_both",))
    yield share("equal", same, n, "percent", ("position_consistency",))
    is_one = [(codes == _A).astype(np.int64) for codes in (found.forward, found.backward)]
    label = np.select([found.label == _A, found.label == _B], [1, 2], 0)
    slips = [
        _kappa("kappa_False", is_one[0], label, "kappa_forward"),
        _kappa("kappa_True", is_one[1], label, "kappa_reversed"),
    ]
    yield from slips
    yield _average(slips)
    yield _kappa("kappa_agreement", is_one[0], is_one[1], "kappa_orders")


def _kappa(name: str, one: NDArray[np.int64], other: NDArray[np.int64], ours: str) -> SourceFigure:
    """Return Cohen's kappa of two codings with codes 0 to 2."""
    n_codes = 3
    table = np.bincount(one * n_codes + other, minlength=n_codes**2).reshape(n_codes, n_codes)
    result = cohen_kappa(table)
    undefined = None if result.kappa is not None else _NO_RANGE
    return SourceFigure(
        name, result.kappa, None, one.size, "score", (ours,), is_defective=True, undefined=undefined
    )


def _average(slips: list[SourceFigure]) -> SourceFigure:
    values = [slip.value for slip in slips if slip.value is not None]
    is_known = len(values) == len(slips)
    return SourceFigure(
        "kappa_average",
        sum(values) / len(values) if is_known else None,
        None,
        slips[0].denominator,
        "score",
        is_defective=True,
        undefined=None if is_known else _NO_RANGE,
    )
