"""Probe ``neither``: two answers that both break a mandatory requirement.

They are the pairs of one's own whose answers both do so by a rule that code can check. The protocol
must offer the verdict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.items.frames import Side
from counterbalance.items.requirements import RequirementRule, is_fulfilled
from counterbalance.probes.probe import Check, Expects, Frame, Made, Probe, Wanted, probe_pair

if TYPE_CHECKING:
    from counterbalance.items.item import Pair

__all__ = ["NEITHER", "breaks_a_rule"]


def breaks_a_rule(pair: Pair, side: Side) -> bool:
    """Return whether a candidate breaks a mandatory requirement, as far as rules can tell."""
    text = pair.candidate(side).text
    return any(
        is_fulfilled(requirement, side, text) is False
        for requirement in pair.item.requirements
        if requirement.mandatory
    )


def _make(source: Pair, _: Wanted) -> Made:
    if not any(requirement.mandatory for requirement in source.item.requirements):
        return "the item has no mandatory requirement"
    if any(r.rule is RequirementRule.STATED for r in source.item.requirements):
        return "the pair file states who breaks a requirement, which belongs to its own answers"
    if not all(breaks_a_rule(source, side) for side in Side):
        return "no rule says that both answers break a mandatory requirement"
    texts, systems = (source.a.text, source.b.text), (source.a.system, source.b.system)
    return (probe_pair("neither", source, *texts, systems=systems),)


def _checks(pair: Pair) -> tuple[Check, ...]:
    broken = all(breaks_a_rule(pair, side) for side in Side)
    return (Check("both answers break a mandatory requirement by rule", broken),)


NEITHER = Probe(
    name="neither",
    measure="neither_recognised",
    intervention="two answers that both break a mandatory requirement",
    target="the verdict is that neither answer is acceptable, instead of a winner",
    frame=Frame.NEITHER,
    expects=Expects.TARGET,
    unchecked="requirements that no rule can check",
    make=_make,
    checks=_checks,
)
"""Two unacceptable answers."""
