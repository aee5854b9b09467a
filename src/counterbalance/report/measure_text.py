"""How a number reads: the same digits and signs in the terminal and on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.measures.exploratory import EXPLORATORY_MEASURES
from counterbalance.protocol.bias_section import PROBE_MEASURES
from counterbalance.report.layout import number, percent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from counterbalance.measures.estimate import Estimate
    from counterbalance.measures.tested import TestResult

__all__ = [
    "IN_FULL_ONLY",
    "METHOD_WORDS",
    "SIGNED",
    "STRATEGY_WORDS",
    "count_text",
    "interval_text",
    "notes",
    "score_text",
    "share_text",
    "value_text",
]

SIGNED = frozenset(
    {
        "bias_position",
        "preference_fairness",
        "preference_fairness_shi",
        "order_excess_disagreement",
        "order_effect_between_pairs",
        "kappa_forward",
        "kappa_reversed",
        "kappa_orders",
        *EXPLORATORY_MEASURES,
        *PROBE_MEASURES,
    }
)
"""Measures that are shown with a sign; all others are shares."""
IN_FULL_ONLY = frozenset(
    {
        "preference_fairness_shi",
        "agreement_forward_all",
        "agreement_reversed_all",
        "agreement_both_all",
        "kappa_forward",
        "kappa_reversed",
        "kappa_orders",
        *EXPLORATORY_MEASURES,
    }
)
"""Shown in a brief report only where they are planned, and folded on a page."""
METHOD_WORDS = {
    "korn_graubard_mid_p": "mid-p limits on the effective number of independent trials",
    "tango_effective": "Tango's score limits on the effective number of pairs",
    "no_spread_bound": "all clusters gave the same value; a bound from their number",
    "cluster_jackknife_t": "a t interval from leaving out one cluster at a time",
    "lang_reiczigel": "Lang and Reiczigel's limits for a share corrected for errors",
    "cluster_robust_t": "a t interval from the spread of the sums of clusters",
    "fleiss_cohen_everitt": "large-sample error of kappa, which takes pairs as independent",
}
"""How intervals are made, by the name of the method."""
STRATEGY_WORDS = {
    "B0": "one order, taken as it is",
    "S1": "both orders; where they disagree, the rule makes a tie",
    "balanced_calibration": "label log-odds averaged over both orders and all labellings",
}


def value_text(name: str, value: float | None) -> str:
    """Return a value of the measure ``name``: with a sign, or as a percentage; a dash for none."""
    if value is None:
        return "–"
    return f"{value:+.3f}" if name in SIGNED else percent(value)


def score_text(estimate: Estimate) -> str:
    """Return a signed score with its interval; a dash where it is undefined."""
    if estimate.value is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:+.2f} (no interval)"
    return f"{estimate.value:+.2f} [{estimate.low:+.2f}, {estimate.high:+.2f}]"


def interval_text(estimate: Estimate) -> str:
    """Return the interval of a measure, or that it has none."""
    if estimate.low is None or estimate.high is None:
        return "no interval"
    low, high = (value_text(estimate.name, limit) for limit in (estimate.low, estimate.high))
    return f"[{low}, {high}]"


def count_text(estimate: Estimate) -> str:
    """Return numerator and denominator, or the denominator of what is no ratio."""
    if estimate.numerator is None:
        return f"n = {number(estimate.denominator)}"
    return f"{number(estimate.numerator)} / {number(estimate.denominator)}"


def share_text(estimate: Estimate) -> str:
    """Return a share's counts with its interval."""
    if estimate.value is None:
        return "–"
    counts = f"{number(estimate.numerator)} / {number(estimate.denominator)}"
    if estimate.low is None or estimate.high is None:
        return counts
    return f"{counts} [{percent(estimate.low)}, {percent(estimate.high)}]"


def notes(numbers: Iterable[Estimate | TestResult]) -> Iterator[str]:
    """Say each reason or caution once, with the measures and tests it is about."""
    about: dict[str, list[str]] = {}
    for each in numbers:
        for note in [each.undefined] if each.undefined else each.cautions:
            about.setdefault(note, []).append(each.name)
    for note, names in about.items():
        yield f"{', '.join(names)}: {note}"
