"""One rule and one estimate to pass, fail or not enough evidence."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from counterbalance.protocol.bias_section import PROBE_MEASURES
from counterbalance.report.gate.result import GateVerdict
from counterbalance.statistics.proportions import mid_p_limits

if TYPE_CHECKING:
    from counterbalance.measures.estimate import Estimate
    from counterbalance.protocol.gate_section import GateRule

__all__ = ["bottom_of", "decided", "is_share", "two_sided_level", "units_needed"]

_MOST = 10_000_000
"""Units beyond which no number is named: nobody judges that many pairs to settle a rule."""
_FROM_MINUS_ONE = frozenset(
    {"lead_of_b", "bias_position", "preference_fairness", "preference_fairness_shi"}
)
"""Measures that are twice a share, less one."""
_NO_SHARES = frozenset(
    {"kappa_forward", "kappa_reversed", "kappa_orders", "order_excess_disagreement"}
    | PROBE_MEASURES.keys()
)
"""Measures whose interval is not that of a share."""


def is_share(measure: str) -> bool:
    """Return whether the interval of a measure is that of a share of pairs."""
    return measure not in _NO_SHARES


def bottom_of(measure: str) -> float:
    """Return the smallest value that a measure with the interval of a share can have."""
    return -1.0 if measure in _FROM_MINUS_ONE else 0.0


def two_sided_level(rule: GateRule, otherwise: float) -> float:
    """Return the two-sided level whose limits have the rule's confidence on each side.

    Parameters
    ----------
    rule : GateRule
        The rule.
    otherwise : float
        Level for a rule about the observed value, whose interval decides nothing.

    Returns
    -------
    float
        ``2 c - 1`` for a confidence of ``c``.
    """
    return otherwise if rule.confidence is None else 2 * rule.confidence - 1


def decided(rule: GateRule, estimate: Estimate) -> GateVerdict:
    """Hold an estimate to a rule.

    Parameters
    ----------
    rule : GateRule
        The rule.
    estimate : Estimate
        With the interval of `two_sided_level`.

    Returns
    -------
    GateVerdict
        With a confidence: pass when the whole interval keeps the limit, fail when none of it does.
        A value that is undefined decides nothing.
    """
    if estimate.value is None:
        return GateVerdict.NOT_ENOUGH
    if rule.observed:
        return GateVerdict.PASS if _keeps(rule, estimate.value) else GateVerdict.FAIL
    if estimate.low is None or estimate.high is None:
        return GateVerdict.NOT_ENOUGH
    kept = [_keeps(rule, end) for end in (estimate.low, estimate.high)]
    if all(kept):
        return GateVerdict.PASS
    return GateVerdict.NOT_ENOUGH if any(kept) else GateVerdict.FAIL


def _keeps(rule: GateRule, value: float) -> bool:
    return value <= rule.limit if rule.is_upper else value >= rule.limit


def units_needed(rule: GateRule, estimate: Estimate) -> int | None:
    """Return about how many units would decide an open rule if the value stayed as it is.

    Parameters
    ----------
    rule : GateRule
        The rule, with a confidence.
    estimate : Estimate
        An estimate that leaves it open.

    Returns
    -------
    int | None
        Units of the denominator; None when the value is at the limit itself or there is none.

    Notes
    -----
    The effective number of trials is read back from the interval that is there, so that clusters
    count as they did; then the smallest number of trials whose limit is on one side is searched.
    Where the interval is not that of a share, its width falls with the root of the number.
    """
    value, low, high = estimate.value, estimate.low, estimate.high
    if value is None or low is None or high is None or value == rule.limit or high <= low:
        return None
    above = value < rule.limit
    edge = high if above else low
    if not is_share(estimate.name):
        grown = ((edge - value) / (rule.limit - value)) ** 2
        return _whole(estimate.denominator * grown)
    bottom = bottom_of(estimate.name)

    def share(x: float) -> float:
        return (x - bottom) / (1 - bottom)

    outside = 2 * (1 - rule.confidence) if rule.confidence is not None else 1.0
    now = _trials(share(value), share(edge), outside, above=above)
    then = _trials(share(value), share(rule.limit), outside, above=above)
    return None if now is None or then is None else _whole(estimate.denominator * then / now)


def _trials(share: float, limit: float, outside: float, *, above: bool) -> float | None:
    """Return how many independent trials of this share bring the limit of its interval there."""

    def reaches(trials: float) -> bool:
        low, high = mid_p_limits(share * trials, trials, 1 - outside)
        return high <= limit if above else low >= limit

    few, many = 0.5, 1.0
    while not reaches(many):
        few, many = many, 2 * many
        if many > _MOST:
            return None
    for _ in range(40):
        between = (few + many) / 2
        few, many = (few, between) if reaches(between) else (between, many)
    return many


def _whole(units: float) -> int | None:
    return math.ceil(units) if units <= _MOST else None
