"""MT-Bench's ``compute_agreement.py``: how often two votes on one pair say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import OUTCOMES, VERDICTS
from counterbalance.items.frames import Verdict
from counterbalance.measures.upstream.figure import share
from counterbalance.parsing.outcome import OutcomeKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from counterbalance.measures.upstream.figure import SourceFigure
    from counterbalance.measures.upstream.source_rows import SourceRows

__all__ = ["figures"]

_A, _B, _TIE, _N_VOTES = range(4)
_HUMAN, _GPT4 = "expert", "gpt-4"
_CONFLICTING = OUTCOMES.index(OutcomeKind.CONFLICTING)
_TURNS = ("turn 1", "turn 2")


def figures(rows: SourceRows) -> Iterator[SourceFigure]:
    """Compute the agreement of people with each other, and of GPT-4 with people.

    Parameters
    ----------
    rows : SourceRows
        All votes.

    Yields
    ------
    SourceFigure
        For each turn, with ties and without; only what the votes allow.

    Notes
    -----
    **Unit of analysis**: two votes on one pair and turn; votes of authors are left out.
    **Numerator**: two votes for the same answer, or two ties of any kind: two bad answers and two
    verdicts of GPT-4 that contradict each other are ties here.
    **Denominator**: all such twos; without ties those of which neither is a tie. A pair with many
    voters counts as often as it has twos of them.
    """
    votes = _votes(rows)
    people, gpt4 = (_table(rows, votes, judge) for judge in (_HUMAN, _GPT4))
    gpt4[gpt4.sum(axis=1) > 1] = 0  # the program stops at a second vote
    categories = rows.pairs.categories
    for turn in _TURNS:
        if turn not in categories:
            continue
        is_here = rows.pairs.category == categories.index(turn)
        for label, kept in (("with tie", (_A, _B, _TIE)), ("without tie", (_A, _B))):
            human, other = people[is_here][:, kept], gpt4[is_here][:, kept]
            pairs = human * (human - 1) // 2
            n_human = human.sum(axis=1)
            total = n_human * (n_human - 1) // 2
            if total.any():
                name = f"agreement[human, human, {turn}, {label}]"
                yield share(name, int(pairs.sum()), int(total.sum()), "share")
            n_both = int((other.sum(axis=1) * n_human).sum())
            if n_both:
                name = f"agreement[gpt4-pair, human, {turn}, {label}]"
                yield share(name, int((other * human).sum()), n_both, "share")


def _votes(rows: SourceRows) -> NDArray[np.int8]:
    """Return what each row votes for; -1 for nothing."""
    verdict = rows.verdict
    codes = {_A: (Verdict.A,), _B: (Verdict.B,), _TIE: (Verdict.TIE, Verdict.NEITHER)}
    found = np.full(rows.n_rows, -1, dtype=np.int8)
    for vote, verdicts in codes.items():
        found[np.isin(verdict, [VERDICTS.index(v) for v in verdicts])] = vote
    found[rows.outcome == _CONFLICTING] = _TIE
    return found


def _table(rows: SourceRows, votes: NDArray[np.int8], judge: str) -> NDArray[np.int64]:
    """Count for each pair the votes of one kind of judge."""
    is_theirs = np.array([name[0].startswith(judge) for name in rows.names], dtype=np.bool_)
    chosen = is_theirs[rows.name] & (votes >= 0)
    at = rows.pair[chosen].astype(np.int64) * _N_VOTES + votes[chosen]
    size = rows.pairs.n_pairs * _N_VOTES
    return np.bincount(at, minlength=size).reshape(rows.pairs.n_pairs, _N_VOTES)
