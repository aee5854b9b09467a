"""What a signed score comes to, by a margin and a family of tests that were fixed in advance."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from counterbalance.probes.probe import Expects
from counterbalance.statistics.margins import MarginPlace, decide_margin

if TYPE_CHECKING:
    from counterbalance.measures.estimate import Estimate

__all__ = ["ProbeDecision", "margin_place", "probe_decision"]


class ProbeDecision(StrEnum):
    """The one result of a probe."""

    SENSITIVE = "sensitive"
    """Holm rejects zero on the side that should not be preferred, and the size matters (or no
    margin says what does)."""
    DIFFERS = "differs"
    """The same, but whether the size matters is open."""
    WITHIN_MARGIN = "within_margin"
    """The whole interval is within the margin."""
    AS_EXPECTED = "as_expected"
    """Holm rejects zero on the side that should be preferred."""
    OPEN = "open"
    """Neither is shown."""
    UNTESTED = "untested"
    """There is no p-value, and no interval within the margin."""


def margin_place(score: Estimate, margin: float | None) -> MarginPlace | None:
    """Return where the interval of a score lies, None without a margin.

    Parameters
    ----------
    score : Estimate
        The score.
    margin : float | None
        Smallest score that matters.

    Returns
    -------
    MarginPlace | None
        Undetermined also where there is no interval.

    Notes
    -----
    **Unit of analysis**: that of the score.
    **Denominator**: that of the score.
    **Undefined** without a margin.
    """
    if margin is None:
        return None
    return decide_margin(score.value, score.low, score.high, -margin, margin).decision


def probe_decision(
    expects: Expects, score: Estimate, *, is_rejected: bool | None, place: MarginPlace | None
) -> ProbeDecision:
    """Return what a probe came to.

    Parameters
    ----------
    expects : Expects
        Which side a judge without the sensitivity would prefer.
    score : Estimate
        The signed score.
    is_rejected : bool | None
        Whether Holm rejects that it is zero; None without a test.
    place : MarginPlace | None
        Where its interval lies; None without a margin.

    Returns
    -------
    ProbeDecision
        Exactly one.

    Notes
    -----
    **Unit of analysis**: that of the score.
    **Denominator**: that of the score.
    **Undefined** never: without test and margin the probe is untested.
    """
    if place is MarginPlace.INSIDE:
        return ProbeDecision.WITHIN_MARGIN
    if is_rejected is None:
        # A score of exactly 0 has no test where no source prefers a side; it shows nothing.
        return ProbeDecision.OPEN if score.value == 0 else ProbeDecision.UNTESTED
    if not is_rejected or score.value is None:
        return ProbeDecision.OPEN
    expected = {Expects.ZERO: 0, Expects.TARGET: 1, Expects.OTHER: -1}[expects]
    if expected * score.value > 0:
        return ProbeDecision.AS_EXPECTED
    is_open = place is MarginPlace.UNDETERMINED
    return ProbeDecision.DIFFERS if is_open else ProbeDecision.SENSITIVE
