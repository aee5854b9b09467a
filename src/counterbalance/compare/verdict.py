"""What a difference comes to, held against a margin: better, worse, equivalent, or cannot tell."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from counterbalance.compare.outcomes import OUTCOMES
from counterbalance.statistics.margins import MarginPlace, decide_margin
from counterbalance.statistics.mcnemar_planning import mcnemar_sample_size
from counterbalance.statistics.mean_planning import mean_sample_size
from counterbalance.statistics.proportions import wilson_interval

if TYPE_CHECKING:
    from counterbalance.compare.difference import Difference

__all__ = ["POWER", "Conclusion", "Verdict", "conclude", "crowding"]

POWER = 0.8
"""Power that the pairs needed are computed for; said beside every such number."""


class Verdict(StrEnum):
    """What a comparison ends in."""

    BETTER = "better"
    WORSE = "worse"
    HIGHER = "higher"
    LOWER = "lower"
    EQUIVALENT = "equivalent"
    CANNOT_TELL = "cannot_tell"
    NO_MARGIN = "no_margin"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What one difference comes to.

    Attributes
    ----------
    verdict : Verdict
        ``better`` or ``worse`` (the second side), ``higher`` or ``lower`` where neither is better,
        ``equivalent``, ``cannot_tell``; ``no_margin`` where none was given; ``refused`` where the
        difference cannot be put down to what is asked about.
    margin : float | None
        Smallest difference that matters.
    is_declared : bool
        Whether the protocol declared it before the data were seen.
    adjusted : float | None
        p-value corrected by Holm over the family.
    pairs_needed : int | None
        Where nothing can be told: pairs like these with which a difference of the margin would be
        found; None where it cannot be computed.
    could_be_undone : bool
        Whether the missing verdicts, had they come, could have led to another difference than this
        verdict stands for.
    """

    verdict: Verdict
    margin: float | None
    is_declared: bool
    adjusted: float | None
    pairs_needed: int | None
    could_be_undone: bool = False


def conclude(
    found: Difference,
    margin: float | None,
    *,
    adjusted: float | None,
    is_declared: bool,
    is_refused: bool,
) -> Conclusion:
    """Hold one difference against its margin.

    Parameters
    ----------
    found : Difference
        Second side less first.
    margin : float | None
        Smallest difference that matters; None where there is none.
    adjusted : float | None
        Its p-value after the correction over the family.
    is_declared : bool
        Whether the margin was declared before the data were seen.
    is_refused : bool
        Whether the difference cannot be put down to what is asked about.

    Returns
    -------
    Conclusion
        The verdict, and where there is none the pairs needed.

    Notes
    -----
    *Equivalent* when the limits that hold for the whole family lie inside the margin on both
    sides: that a difference was not found is never taken for none. Else *better* or *worse* when
    the adjusted p-value does not exceed the error rate and the interval has left 0 behind. Else it
    cannot be told.

    **Unit of analysis**: the pair.
    **Denominator**: common pairs.
    **Undefined** never: without an interval nothing can be told.

    References
    ----------
    .. [1] D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the power
       approach", J. Pharmacokinetics and Biopharmaceutics 15 (1987) 657-680.
    """
    verdict, needed = Verdict.REFUSED, None
    if not is_refused:
        verdict = Verdict.NO_MARGIN if margin is None else _verdict(found, margin, adjusted)
    if verdict is Verdict.CANNOT_TELL and margin is not None:
        needed = _pairs_needed(found, margin)
    undone = _could_be_undone(found, verdict, margin)
    return Conclusion(verdict, margin, is_declared, adjusted, needed, undone)


def _verdict(found: Difference, margin: float, adjusted: float | None) -> Verdict:
    place = decide_margin(found.value, found.strict_low, found.strict_high, -margin, margin)
    if place.decision is MarginPlace.INSIDE:
        return Verdict.EQUIVALENT
    low, high = found.low, found.high
    is_found = adjusted is not None and adjusted <= 1 - found.level + 1e-12
    if not is_found or low is None or high is None or low <= 0 <= high:
        return Verdict.CANNOT_TELL
    if OUTCOMES[found.measure].larger_is_better:
        return Verdict.BETTER if low > 0 else Verdict.WORSE
    return Verdict.HIGHER if low > 0 else Verdict.LOWER


def _could_be_undone(found: Difference, verdict: Verdict, margin: float | None) -> bool:
    """Say whether the least or the most favourable missing verdicts contradict a verdict."""
    if found.least is None or found.most is None or margin is None:
        return False
    if verdict in {Verdict.BETTER, Verdict.HIGHER}:
        return found.least <= 0
    if verdict in {Verdict.WORSE, Verdict.LOWER}:
        return found.most >= 0
    return verdict is Verdict.EQUIVALENT and not -margin < found.least <= found.most < margin


def _pairs_needed(found: Difference, margin: float) -> int | None:
    """Return how many pairs like these find a difference of the margin, at the strict level."""
    error_rate = 1 - found.strict_level
    if not OUTCOMES[found.measure].is_binary:
        if found.spread is None:
            return None
        return mean_sample_size(margin, found.spread, POWER, error_rate).n_units
    if not found.n_common:
        return None
    # Few pairs tell little of how many differ: the upper limit plans rather too many than too few.
    upper = wilson_interval(found.n_gained + found.n_lost, found.n_common).high
    discordant = max(margin, 1.0 if upper is None else upper)
    alone = mcnemar_sample_size(margin, discordant, POWER, error_rate).n_units
    return None if alone is None else math.ceil(alone * crowding(found))


def crowding(found: Difference) -> float:
    """Return how many times as many pairs it takes because pairs share clusters; at least 1."""
    share = found.discordant_share
    if found.n_clusters == found.n_common:
        return 1.0
    if found.spread is None or share is None or found.value is None:
        return 1.0
    alone = share - found.value**2
    return max(1.0, found.spread**2 / alone) if alone > 0 else 1.0
