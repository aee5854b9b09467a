"""How the odds of being right differ between two judges: for a given pair, and on average."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.compare.outcomes import OUTCOMES, why_not_compared
from counterbalance.statistics.random_intercepts import MixedLogit, mixed_logit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.compare.matching import Matched
    from counterbalance.compare.side import Side
    from counterbalance.protocol.sections import ComparedMeasure

__all__ = ["ODDS_MEASURES", "JudgeOdds", "judge_odds"]

ODDS_MEASURES: tuple[ComparedMeasure, ...] = tuple(
    name for name, kind in OUTCOMES.items() if kind.is_binary
)
"""Measures that a pair either meets or does not, so that there are odds."""


@dataclass(frozen=True, slots=True)
class JudgeOdds:
    """Odds of the second side against those of the first.

    Attributes
    ----------
    first : str
        Name of the side that is compared with.
    second : str
        Name of the side that is compared.
    measure : ComparedMeasure
        What is more or less likely.
    fit : MixedLogit
        Its second coefficient, conditional and marginal, is the second side's.
    """

    first: str
    second: str
    measure: ComparedMeasure
    fit: MixedLogit


def judge_odds(
    sides: tuple[Side, Side],
    matched: Matched,
    measures: Sequence[ComparedMeasure],
    level: float = 0.95,
) -> tuple[JudgeOdds, ...]:
    """Fit a logit with random intercepts to each yes-or-no measure of a comparison.

    Parameters
    ----------
    sides : tuple[Side, Side]
        First and second.
    matched : Matched
        The pairs that they share.
    measures : Sequence[ComparedMeasure]
        What is compared; only those that a pair either meets or does not have odds.
    level : float
        Nominal coverage of the intervals.

    Returns
    -------
    tuple[JudgeOdds, ...]
        One for each such measure that both sides have.

    Notes
    -----
    The conditional odds ratio is that of one given pair; the marginal one that of averages over
    pairs. They differ where pairs differ in difficulty, and neither may be printed as the other.

    **Unit of analysis**: the pair on one side; intercepts for pairs and, where several pairs share
    one, for clusters.
    **Denominator**: two for each shared pair that both sides say something of.
    **Undefined** as `statistics.mixed_logit`.

    References
    ----------
    .. [1] J. M. Neuhaus, J. D. Kalbfleisch, W. W. Hauck, International Statistical Review 59 (1991)
       25-35.
    """
    return tuple(
        JudgeOdds(sides[0].name, sides[1].name, name, _fitted(sides, matched, name, level))
        for name in measures
        if name in ODDS_MEASURES and why_not_compared(name, *sides) is None
    )


def _fitted(
    sides: tuple[Side, Side], matched: Matched, measure: ComparedMeasure, level: float
) -> MixedLogit:
    rows = matched.first, matched.second
    outcomes = [OUTCOMES[measure].of(side.pairs) for side in sides]
    known = np.logical_and(*(o.is_known[r] for o, r in zip(outcomes, rows, strict=True)))
    values = [o.values[r][known] for o, r in zip(outcomes, rows, strict=True)]
    clusters = sides[1].pairs.cluster[matched.second][known]
    n = int(known.sum())
    groups = {"pair": np.tile(np.arange(n), 2)}
    if len(np.unique(clusters)) < n:
        groups["cluster"] = np.tile(clusters, 2)
    return mixed_logit(
        np.concatenate(values),
        np.repeat([[0.0], [1.0]], n, axis=0),
        [sides[1].name],
        groups,
        "cluster" if "cluster" in groups else "pair",
        level,
    )
