"""How the odds of being right differ between two judges: for a given pair, and on average."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.compare.outcomes import OUTCOMES, why_not_compared
from counterbalance.statistics.random_intercepts import MixedLogit, mixed_logit

if TYPE_CHECKING:
    from counterbalance.compare.comparison import Comparison
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


def judge_odds(comparison: Comparison, level: float = 0.95) -> tuple[JudgeOdds, ...]:
    """Fit a logit with random intercepts to each yes-or-no measure of a comparison.

    Parameters
    ----------
    comparison : Comparison
        Two sides with the pairs that they share.
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
    sides = comparison.first, comparison.second
    found = []
    for difference, _ in comparison.differences:
        name = difference.measure
        if name in ODDS_MEASURES and why_not_compared(name, *sides) is None:
            fit = _fitted(comparison, name, level)
            found.append(JudgeOdds(sides[0].name, sides[1].name, name, fit))
    return tuple(found)


def _fitted(comparison: Comparison, measure: ComparedMeasure, level: float) -> MixedLogit:
    matched = comparison.matched
    sides = (comparison.first, matched.first), (comparison.second, matched.second)
    outcomes = [OUTCOMES[measure].of(side.pairs) for side, _ in sides]
    known = np.logical_and(
        *(found.is_known[rows] for found, (_, rows) in zip(outcomes, sides, strict=True))
    )
    values = [found.values[rows][known] for found, (_, rows) in zip(outcomes, sides, strict=True)]
    clusters = comparison.second.pairs.cluster[matched.second][known]
    n = int(known.sum())
    groups = {"pair": np.tile(np.arange(n), 2)}
    if len(np.unique(clusters)) < n:
        groups["cluster"] = np.tile(clusters, 2)
    return mixed_logit(
        np.concatenate(values),
        np.repeat([[0.0], [1.0]], n, axis=0),
        [comparison.second.name],
        groups,
        "cluster" if "cluster" in groups else "pair",
        level,
    )
