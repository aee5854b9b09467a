"""Self-preference held against judges of other families, or people, on the same pairs.

A judge that prefers its family's answers may prefer the better ones. What others prefer between the
same two answers is the measure of that; without it, nothing separates the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.items.frames import Side, Verdict
from counterbalance.measures.estimate import Estimate, clustered, undefined
from counterbalance.measures.probe_values import by_unit, family_side, probe_values
from counterbalance.probes.same_family import SAME_FAMILY
from counterbalance.statistics.clustered import cluster_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from counterbalance.items.item import Pair
    from counterbalance.measures.group import JudgedPair
    from counterbalance.measures.probe_values import Value
    from counterbalance.protocol.labelling import Labelling

__all__ = ["NOT_SEPARATED", "SelfPreference", "self_preference"]

NOT_SEPARATED = "not separated from quality"
"""What is said of a preference for one's own family that nobody else was asked about."""

_MORE = "the judge prefers its own family's answers more than others do between the same answers"


@dataclass(frozen=True, slots=True)
class SelfPreference:
    """What is left of a preference for one's own family once others were asked.

    Attributes
    ----------
    excess : Estimate
        Score of the judge less that of the others, over pairs that both have a verdict on.
    against : str
        Who the others are; the words of `NOT_SEPARATED` where there are none.
    """

    excess: Estimate
    against: str


def self_preference(
    judge: str,
    groups: Mapping[str, Sequence[tuple[Labelling, Sequence[JudgedPair]]]],
    families: Mapping[str, frozenset[str]],
    level: float = 0.95,
    people: Mapping[str, float] | None = None,
) -> SelfPreference:
    """Hold a judge's preference for its family against that of judges of other families, or people.

    Parameters
    ----------
    judge : str
        The judge in question.
    groups : Mapping[str, Sequence[tuple[Labelling, Sequence[JudgedPair]]]]
        Its judged pairs of the probe and those of every other judge, under each labelling.
    families : Mapping[str, frozenset[str]]
        Families of each judge.
    level : float
        Nominal coverage of the interval.
    people : Mapping[str, float] | None
        What people said of the pairs in a closed review, +1 for the judge's own family; None
        without one.

    Returns
    -------
    SelfPreference
        Against the judges of other families where there are any, else against the people of the
        review, else against the pairs' references that people set.

    Notes
    -----
    Both scores have the answer of the judge's own family as their target.

    **Unit of analysis**: the pair; the sampling unit is the cluster.
    **Denominator**: pairs with a verdict of the judge and one of the others.
    **Undefined** where nobody else judged, or no pair is shared.
    """
    own = families[judge]
    others = [name for name in groups if name != judge and families[name] and families[name] != own]
    others = [name for name in others if not families[name] & own]
    mine = _means(_values(groups[judge], own))
    if others:
        told = [_means(_values(groups[name], own)) for name in others]
        against, theirs = ", ".join(others), _pooled(told)
    elif people:
        against, theirs = "the people of the review", dict(people)
    else:
        against = "the references of the pairs"
        theirs = _references([each.pair for _, judged in groups[judge] for each in judged], own)
    shared = [unit for unit in mine if unit in theirs]
    if not shared:
        nobody = "no judge of another family and no person judged these pairs"
        return SelfPreference(undefined("excess", "pair", _MORE, nobody, level), NOT_SEPARATED)
    differences = [mine[unit] - theirs[unit] for unit in shared]
    clusters: dict[str, str] = {
        each.pair.id: each.pair.item.cluster for _, judged in groups[judge] for each in judged
    }
    found = cluster_mean(differences, [clusters[unit] for unit in shared], level, bounds=(-2, 2))
    return SelfPreference(clustered("excess", found, "pair", _MORE), against)


def _values(
    groups: Sequence[tuple[Labelling, Sequence[JudgedPair]]], own: frozenset[str]
) -> list[Value]:
    return probe_values(SAME_FAMILY, groups, "", own)


def _means(values: list[Value]) -> dict[str, float]:
    found: dict[str, float] = {}
    for unit, held in by_unit(values).items():
        valid = [value.value for value in held if value.value is not None]
        if valid:
            found[unit] = float(np.mean(valid))
    return found


def _pooled(told: list[dict[str, float]]) -> dict[str, float]:
    """Return the mean of the others, each judge with one voice."""
    units = {unit for means in told for unit in means}
    return {u: float(np.mean([means[u] for means in told if u in means])) for u in units}


def _references(pairs: Sequence[Pair], own: frozenset[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for pair in pairs:
        side = family_side(pair, own)
        if pair.reference is None or side is None:
            continue
        accepted = pair.reference.accepted
        by_side = {s: Verdict(s.value) in accepted for s in Side}
        found[pair.id] = float(by_side[side]) - float(by_side[side.other])
    return found
