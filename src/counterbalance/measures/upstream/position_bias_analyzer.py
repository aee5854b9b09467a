"""Position-Bias-Analyzer: figures of a run from the letters in its rows, as the program counts.

A letter is a slot: A the one shown first, B the second, C a tie, D neither, N none found.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import NONE, ORDERS, OUTCOMES, VERDICTS, outcome_code
from counterbalance.items.frames import Verdict
from counterbalance.measures.upstream.figure import SourceFigure, counted, share
from counterbalance.parsing.outcome import OutcomeKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from counterbalance.dispositions.codes import Booleans
    from counterbalance.measures.upstream.source_rows import SourceRows

__all__ = ["choice_pairs", "figures", "modal_counts", "repetition_figures"]

_LETTERS = "ABCDN"
_A, _B, _C, _D, _N = range(len(_LETTERS))
_LETTER_OF = np.full(len(OUTCOMES), _N, dtype=np.int8)
for _code, _kind in (
    (_A, OutcomeKind.FIRST),
    (_B, OutcomeKind.SECOND),
    (_C, OutcomeKind.TIE),
    (_D, OutcomeKind.NEITHER),
):
    _LETTER_OF[outcome_code(_kind)] = _code
_IS_FAILED = np.array([name.startswith(OutcomeKind.FAILED.value) for name in OUTCOMES])
_CONSISTENT = ("AB", "BA", "CC")
_PRIMACY = ("AA", "AC", "CA")
_RECENCY = ("BB", "BC", "CB")
_COUNTED = "ABC"
_POINTS = {Verdict.A: 0.0, Verdict.B: 1.0, Verdict.TIE: 0.5}
_POINT = np.array([*(_POINTS.get(verdict, np.nan) for verdict in VERDICTS), np.nan])


class _Run:
    """Rows of one run: each row's letter and that of the other order, and its pairs."""

    def __init__(self, rows: SourceRows) -> None:
        self.rows = rows
        self.letter = _LETTER_OF[rows.outcome]
        self.pair, self.first_row, self.at = np.unique(
            rows.pair, return_index=True, return_inverse=True
        )
        letters = np.full((len(ORDERS), self.pair.size), NONE, dtype=np.int8)
        letters[rows.order, self.at] = self.letter
        self.other = letters[1 - rows.order, self.at]
        """Letter of each row's other order; -1 where the run has no such row."""

    @property
    def is_called_consistent(self) -> Booleans:
        """Rows that ``log.txt`` counts: also those whose other order has no letter."""
        known = np.isin(self.letter, (_A, _B, _C))
        fits = np.array([_B, _A, _C, NONE, NONE])[self.letter] == self.other
        is_called: Booleans = known & (fits | np.isin(self.other, (_N, NONE)))
        return is_called

    def choices(self) -> list[str]:
        """Both letters of each pair, those of the row that stands first in front."""
        mine, other = self.letter[self.first_row].tolist(), self.other[self.first_row].tolist()
        return [_LETTERS[a] + _LETTERS[b] for a, b in zip(mine, other, strict=True)]

    def models(self, pairs: NDArray[np.int32]) -> list[str]:
        """Name the system of each pair that is compared with the reference candidate."""
        systems = self.rows.pairs.system_pairs
        return [systems[code][1][0] for code in self.rows.pairs.systems[pairs].tolist()]

    def tasks(self) -> list[str]:
        """Name the task of each pair."""
        categories = self.rows.pairs.categories
        return [categories[code] for code in self.rows.pairs.category[self.pair].tolist()]


def choice_pairs(rows: SourceRows) -> Counter[str]:
    """Count pairs by the letters of both rows, those of the row that stands first in front.

    Parameters
    ----------
    rows : SourceRows
        Rows of one run.

    Returns
    -------
    Counter[str]
        Such as ``BB`` for a pair whose second slot won twice; N stands for no letter, or no row.
    """
    return Counter(_Run(rows).choices())


def figures(rows: SourceRows) -> Iterator[SourceFigure]:
    """Compute what the program writes and prints of one run.

    Parameters
    ----------
    rows : SourceRows
        Rows of one record or cache.

    Yields
    ------
    SourceFigure
        Under the program's names.

    Notes
    -----
    **Unit of analysis**: the row (one order of a pair) for the figures of ``log.txt`` and the win
    rates, the pair for the others.
    **Denominator**: as each sentence of the format says; pairs with one letter are in some of them
    by half.
    """
    run = _Run(rows)
    n = rows.n_rows
    yield counted("log_consistent_rows", int(run.is_called_consistent.sum()), n)
    yield counted("log_extracted_rows", int((run.letter != _N).sum()), n)
    yield counted("log_failed_to_respond", int(_IS_FAILED[rows.outcome].sum()), n)
    choices = run.choices()
    counts = Counter(choices)
    complete = sum(k for pair, k in counts.items() if set(pair) <= set(_COUNTED))
    missing = sum(pair.count("N") * k for pair, k in counts.items())
    consistent = sum(counts[pair] for pair in _CONSISTENT)
    ours = ("position_consistency",)
    yield share("positional_consistency", consistent, complete, "share", ours)
    yield _preference_score(run, choices)
    read = 2 * sum(k for pair, k in counts.items() if "N" not in pair)
    yield share("extraction_successful_rate", read, read + missing, "share")
    yield from _win_rates(run)


def _preference_score(run: _Run, choices: list[str]) -> SourceFigure:
    """Return the program's mean over models and tasks, combinations without a pair included."""
    models, tasks = run.models(run.pair), run.tasks()
    counts: Counter[tuple[str, str, bool]] = Counter()
    for model, task, pair in zip(models, tasks, choices, strict=True):
        if pair in _PRIMACY or pair in _RECENCY:
            counts[model, task, pair in _RECENCY] += 1
    n_models, per_task = len(set(models)), Counter(tasks)
    scores = []
    for task in sorted(per_task):
        for model in sorted(set(models)):
            primacy, recency = counts[model, task, False], counts[model, task, True]
            raw = (recency**2 - primacy**2) / (primacy + recency) if primacy + recency else 0.0
            scores.append(raw / (per_task[task] / n_models))
    value = sum(scores) / len(scores)
    ours = ("preference_fairness_shi", "preference_fairness")
    name = "positional_preference_score"
    return SourceFigure(name, value, None, len(scores), "score", ours)


def _win_rates(run: _Run) -> Iterator[SourceFigure]:
    is_called = run.is_called_consistent
    models = np.array(run.models(run.rows.pair[is_called]), dtype=object)
    points = _POINT[run.rows.verdict[is_called]]
    for model in dict.fromkeys(models.tolist()):
        won = points[models == model]
        yield share(f"win+halfdraw[{model}]", float(won.sum()), won.size, "share")


def modal_counts(rows: SourceRows) -> tuple[NDArray[np.int64], int]:
    """Count for each pair and order how often its most frequent letter came.

    Parameters
    ----------
    rows : SourceRows
        Rows of several repetitions.

    Returns
    -------
    tuple[NDArray[np.int64], int]
        One count for each pair and order, rows without a letter left out; number of repetitions.
    """
    shown = rows.pair.astype(np.int64) * len(ORDERS) + rows.order
    keys, at = np.unique(shown, return_inverse=True)
    by_letter = np.bincount(
        at * len(_LETTERS) + _LETTER_OF[rows.outcome], minlength=keys.size * len(_LETTERS)
    ).reshape(keys.size, len(_LETTERS))
    return by_letter[:, :_N].max(axis=1, initial=0), np.unique(rows.repetition).size


def repetition_figures(rows: SourceRows) -> Iterator[SourceFigure]:
    """Compute what the program makes of several repetitions of one judge.

    Parameters
    ----------
    rows : SourceRows
        Rows of all repetitions.

    Yields
    ------
    SourceFigure
        Nothing for a single repetition.

    Notes
    -----
    **Unit of analysis**: the pair and order.
    **Denominator**: repetitions of every pair and order, rows without a letter included; at least
    1 / repetitions, so that it cannot be compared between numbers of repetitions.
    """
    most, n_repetitions = modal_counts(rows)
    if n_repetitions > 1:
        ours = ("repetition_stability",)
        total = most.size * n_repetitions
        yield share("repetition_consistency", int(most.sum()), total, "share", ours)
