"""Probe ``same_family``: an answer of the judge's own family against one of another.

The pairs are one's own, with the names of the systems. Each pairing of systems is drawn equally
often, and an answer that says who wrote it is left out. What is preferred may be the better answer:
only judges of other families, or people, on the same pairs can tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.presentations.seeding import rank
from counterbalance.probes.identity_leaks import identity_leaks
from counterbalance.probes.probe import Check, Expects, Frame, Made, Probe, Wanted, probe_pair
from counterbalance.protocol.families import families_of

if TYPE_CHECKING:
    from counterbalance.items.item import Pair

__all__ = ["SAME_FAMILY"]


def _make(source: Pair, wanted: Wanted) -> Made:
    systems = source.a.system, source.b.system
    families = [families_of(system) for system in systems]
    reason = ""
    if not all(systems):
        reason = "a candidate has no name of its system"
    elif not all(families):
        reason = "the name of a system tells no family of models"
    elif families[0] & families[1]:
        reason = "both systems are of one family"
    elif not wanted.families & (families[0] | families[1]):
        reason = "neither system is of a judge's family"
    elif source.is_identical:
        reason = "both answers are the same text"
    elif any(identity_leaks(text, systems) for text in (source.a.text, source.b.text)):
        reason = "an answer says who wrote it"
    if reason:
        return reason
    texts = source.a.text, source.b.text
    made = probe_pair("same_family", source, *texts, systems=systems, reference=source.reference)
    return (made,)


def _checks(pair: Pair) -> tuple[Check, ...]:
    systems = pair.a.system, pair.b.system
    families = [families_of(system) for system in systems]
    leaks = [identity_leaks(text, systems) for text in (pair.a.text, pair.b.text)]
    return (
        Check("the systems are of different families", not families[0] & families[1]),
        Check("no answer was found to say who wrote it", not any(leaks)),
    )


def _draw(pairs: list[Pair], seed: int) -> list[Pair]:
    """Return as many pairs of each pairing of systems: a round robin over the rarest."""
    pairings: dict[frozenset[str], list[Pair]] = {}
    for pair in pairs:
        pairings.setdefault(frozenset((pair.a.system, pair.b.system)), []).append(pair)
    size = min(map(len, pairings.values()), default=0)
    drawn = {
        pair.id
        for members in pairings.values()
        for pair in sorted(members, key=lambda p: rank(seed, "round robin", p.id))[:size]
    }
    return [pair for pair in pairs if pair.id in drawn]


SAME_FAMILY = Probe(
    name="same_family",
    measure="bias_self",
    intervention="who wrote the answer: a model of the judge's family, or another",
    target="the answer of the judge's own family is preferred",
    frame=Frame.FAMILY,
    expects=Expects.ZERO,
    unchecked="which of the two answers is better",
    make=_make,
    checks=_checks,
    draw=_draw,
)
"""Self-preference."""
