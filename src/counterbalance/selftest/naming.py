"""What a report shows of each judge, by rules that were fixed with the self-test's protocol.

A name is given only where an interval lies wholly beyond its line: what cannot be told is not
called anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.parsing.outcome import VERDICT_OUTCOMES, OutcomeKind
from counterbalance.selftest.planted import Name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from counterbalance.report.report import GroupReport, Report

__all__ = ["names_of"]

_OFTEN = 0.1
"""Share of presentations without a verdict above which a judge is called by the reason."""
_HALF = 0.5
_UNRELIABLE = 0.25
"""Chance that two repetitions differ, above which a judge is called noisy; a coin has one half."""


def names_of(report: Report, judge: str) -> frozenset[Name]:
    """Return what a report shows of one judge.

    Parameters
    ----------
    report : Report
        A report under two labellings, with the margins of the self-test's protocol.
    judge : str
        Name of the judge.

    Returns
    -------
    frozenset[Name]
        Every name that fits; none for a judge that nothing is shown of.
    """
    groups = [group for group in report.groups if group.judge == judge]
    return frozenset((*_preferences(report, groups), *_habits(groups)))


def _preferences(report: Report, groups: Sequence[GroupReport]) -> Iterator[Name]:
    """Tell a preference for a slot from one for a label: the second one moves with the labels."""
    signs = [_beyond_margin(group, "bias_position") for group in groups]
    if all(sign > 0 for sign in signs):
        yield Name.FIRST_SLOT
    elif all(sign < 0 for sign in signs):
        yield Name.SECOND_SLOT
    elif all(signs):
        (labels,) = (x for x in report.labels if x.judge == groups[0].judge)
        if labels.by_label["1"] > labels.by_label["2"]:
            yield Name.LABEL
    elif any(_beyond_margin(group, "order_excess_disagreement") for group in groups):
        yield Name.ORDER_SENSITIVE


def _beyond_margin(group: GroupReport, measure: str) -> int:
    """Return the sign of a measure whose interval lies outside its declared margin, else 0."""
    margin = next((m for m in group.margins if m.measure == measure), None)
    value = group.measure(measure).value
    if margin is None or value is None or margin.verdict != "outside":
        return 0
    return 1 if value > 0 else -1


def _habits(groups: Sequence[GroupReport]) -> Iterator[Name]:
    if all(_is_above(group, "tie_rate", _HALF) for group in groups):
        yield Name.TIES
    if all(_is_above(group, "repeat_disagreement", _UNRELIABLE) for group in groups):
        yield Name.NOISE
    asked = sum(group.counts.presentations for group in groups)
    refused = sum(group.outcomes[OutcomeKind.REFUSED] for group in groups)
    answered = sum(group.outcomes[kind] for group in groups for kind in VERDICT_OUTCOMES)
    if refused > _OFTEN * asked:
        yield Name.REFUSALS
    if asked - answered - refused > _OFTEN * asked:
        yield Name.MISSING


def _is_above(group: GroupReport, measure: str, line: float) -> bool:
    low = group.measure(measure).low
    return low is not None and low > line
