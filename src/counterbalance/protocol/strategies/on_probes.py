"""Which probes a strategy can have a score on: told from the protocol alone, before any call."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterbalance.protocol.strategies.strategy import Strategy

__all__ = ["COMPARED_PROBES", "SLOT_PROBES", "why_no_score"]

SLOT_PROBES = frozenset({"identical", "position", "same_format"})
"""Probes whose target is the first slot."""
COMPARED_PROBES = frozenset({"criterion_inverted", "rubric_paraphrase"})
"""Probes that set two pairs of one source beside each other; their ids differ behind the last ~."""
_LABEL_PROBE = "labels"
_FAMILY_PROBE = "same_family"
_NEITHER_PROBE = "neither"
_AVERAGING = frozenset({"mean_log_odds", "mean_scores"})

_NO_SLOT = (
    "both orders are merged into one result, which is for no slot and no label: 0 by construction,"
    " no finding"
)
_ONE_LABELLING = (
    "one order under one labelling: the label cannot be told from its slot; the probe's own score"
    " does"
)
_BOTH_LABELS = (
    "both labellings are merged into one result, which is for no label: 0 by construction"
)
_NO_FAMILY = "several judges make the result, and the probe is about one judge's own family"
_NO_NEITHER = "its result cannot be that neither answer is acceptable"


def why_no_score(strategy: Strategy, probe: str, *, offers_neither: bool) -> str | None:
    """Return why a strategy has no score on a probe, whatever its judges say.

    Parameters
    ----------
    strategy : Strategy
        What is asked, and the rule.
    probe : str
        Name of the probe.
    offers_neither : bool
        Whether each of its prompts offers the verdict that neither answer is acceptable.

    Returns
    -------
    str | None
        In words, to be shown in place of a number; None where it has a score. No call is planned
        for what has none.
    """
    if probe in SLOT_PROBES or probe == _LABEL_PROBE:
        if strategy.orders == "both":
            return _NO_SLOT
        if probe == _LABEL_PROBE:
            return _BOTH_LABELS if strategy.labels == "exchanged" else _ONE_LABELLING
    if probe == _FAMILY_PROBE and (strategy.panel or strategy.stronger is not None):
        return _NO_FAMILY
    if probe == _NEITHER_PROBE and (strategy.rule in _AVERAGING or not offers_neither):
        return _NO_NEITHER
    return None
