"""How far the judges of one record or log agree with one another, all of them together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.dispositions.strategy_columns import VALUES, plain_results
from counterbalance.statistics.dawid_skene import DawidSkene, dawid_skene
from counterbalance.statistics.rater_agreement import RaterAgreement, rater_agreement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.compare.side import Side

__all__ = ["Panel", "panels"]

_NONE = "none"
_CATEGORIES = tuple(value for value in VALUES if value != _NONE)


@dataclass(frozen=True, slots=True)
class Panel:
    """Judges under one labelling, on the pairs that all of them were shown.

    Attributes
    ----------
    labelling : str
        The labelling; the source's words for a log.
    judges : tuple[str, ...]
        The judges, in the sequence of the ratings.
    agreement : RaterAgreement
        Conger's kappa, Gwet's AC1 and Krippendorff's alpha of all, Cohen's kappa of each two, and
        how often each judge gave each result.
    latent : DawidSkene
        What the pairs would be, and how often each judge would be right, if judges erred
        independently of one another: a sensitivity analysis, and no reference.
    """

    labelling: str
    judges: tuple[str, ...]
    agreement: RaterAgreement
    latent: DawidSkene


def panels(sides: Sequence[Side], level: float = 0.95) -> tuple[Panel, ...]:
    """Measure agreement of the judges under each labelling.

    Parameters
    ----------
    sides : Sequence[Side]
        All sides of a record or log.
    level : float
        Nominal coverage of the intervals.

    Returns
    -------
    tuple[Panel, ...]
        One for each labelling that two judges or more share.

    Notes
    -----
    **Unit of analysis**: the pair, rated by each judge with its strategy result (S1, or B0 for one
    order); intervals over clusters, for two judges over pairs.
    **Denominator**: pairs that every judge was shown; a pair without a result is a missing rating.
    **Undefined** when no pair has two ratings, or when chance agreement is 1.

    References
    ----------
    .. [1] K. L. Gwet, British Journal of Mathematical and Statistical Psychology 61 (2008) 29-48.
    .. [2] A. P. Dawid, A. M. Skene, Applied Statistics 28 (1979) 20-28.
    """
    found = []
    for labelling in dict.fromkeys(side.labelling for side in sides):
        members = [side for side in sides if side.labelling == labelling]
        if len(members) > 1:
            found.append(_panel(labelling, members, level))
    return tuple(found)


def _panel(labelling: str, sides: Sequence[Side], level: float) -> Panel:
    rated = [
        dict(zip(side.keys, plain_results(side.pairs).value.tolist(), strict=True))
        for side in sides
    ]
    first = sides[0]
    clusters = dict(zip(first.keys, first.pairs.cluster.tolist(), strict=True))
    shared = [key for key in clusters if all(key in ratings for ratings in rated)]
    rows = [
        [None if (value := VALUES[r[key]]) == _NONE else value for r in rated] for key in shared
    ]
    agreement = rater_agreement(rows, _CATEGORIES, [clusters[key] for key in shared], level)
    latent = dawid_skene(rows, _CATEGORIES)
    return Panel(labelling, tuple(side.judge for side in sides), agreement, latent)
