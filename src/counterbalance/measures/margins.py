"""Whether a difference from zero is smaller than what matters, larger, or not known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from counterbalance.measures.estimate import Estimate

__all__ = ["MarginVerdict", "against_margin"]

MarginVerdict = Literal["inside", "outside", "undetermined"]


def against_margin(estimate: Estimate, margin: float) -> MarginVerdict:
    """Compare a measure's interval with the margin that the protocol declares.

    Parameters
    ----------
    estimate : Estimate
        A measure that is 0 when nothing is favoured.
    margin : float
        Smallest difference from 0 that matters, above 0.

    Returns
    -------
    MarginVerdict
        ``inside`` when the whole interval is nearer to 0 than the margin, ``outside`` when the
        whole interval is beyond it, else ``undetermined``: absence of evidence is no equivalence.

    Notes
    -----
    **Unit of analysis**: that of the measure.
    **Denominator**: that of the measure.
    **Undefined** without an interval; the result is then ``undetermined``.
    A two-sided interval at level 1 - a makes this two one-sided tests at a / 2 each, which is
    stricter than the customary a.

    References
    ----------
    .. [1] D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the power
       approach", J. Pharmacokinetics and Biopharmaceutics 15 (1987) 657-680.
    """
    low, high = estimate.low, estimate.high
    if low is None or high is None:
        return "undetermined"
    if -margin < low and high < margin:
        return "inside"
    return "outside" if low > margin or high < -margin else "undetermined"
