"""What people said of the probe pairs that a judge was sent through: the baseline of its scores.

A preference that people share is no error of the judge; only what goes beyond theirs can be one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.items.frames import Side
from counterbalance.measures.estimate import Estimate, clustered, undefined
from counterbalance.measures.probe_values import by_unit, family_side, signed
from counterbalance.probes.probe import Frame
from counterbalance.statistics.clustered import cluster_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from counterbalance.items.item import Pair, PairId
    from counterbalance.measures.human import HumanAnswer
    from counterbalance.measures.probe_values import Value
    from counterbalance.probes.probe import Probe

__all__ = ["HumanBaseline", "human_baseline", "human_means"]

_FRAMES = frozenset({Frame.CANDIDATE, Frame.FAMILY, Frame.NEITHER})
"""Probes whose target is a text or a verdict: people, too, can prefer it."""
_NOBODY = "no pair of this probe has a verdict of the judge and an answer of a person"


@dataclass(frozen=True, slots=True)
class HumanBaseline:
    """A judge's score beside that of people, on the probe pairs that both judged.

    Attributes
    ----------
    people : Estimate
        b of the people, each pair with one voice however many answered.
    excess : Estimate
        b of the judge less that of the people, on the same pairs.
    """

    people: Estimate
    excess: Estimate

    @property
    def is_told_apart(self) -> bool:
        """Whether the interval of the excess leaves out 0."""
        low, high = self.excess.low, self.excess.high
        return low is not None and high is not None and (low > 0 or high < 0)


def human_means(
    probe: Probe, pairs: Iterable[Pair], answers: Sequence[HumanAnswer], families: frozenset[str]
) -> dict[str, float]:
    """Return the mean signed answer of people to each pair of a probe.

    Parameters
    ----------
    probe : Probe
        The probe.
    pairs : Iterable[Pair]
        Its pairs.
    answers : Sequence[HumanAnswer]
        Answers that stand; a second showing of the same pair does not count.
    families : frozenset[str]
        Families of the judge, which tell the target of ``same_family``.

    Returns
    -------
    dict[str, float]
        By pair, +1 for the target, -1 for the other side; empty for probes of slots, labels and
        criteria.
    """
    if probe.frame not in _FRAMES:
        return {}
    said: dict[PairId, list[HumanAnswer]] = {}
    for answer in answers:
        if not answer.is_repeat:
            said.setdefault(answer.pair_id, []).append(answer)
    means: dict[str, float] = {}
    for pair in pairs:
        side = family_side(pair, families) if probe.frame is Frame.FAMILY else Side.A
        if side is not None and pair.id in said:
            values = [signed(a.verdict, a.order, probe.frame, side, 1) for a in said[pair.id]]
            means[pair.id] = float(np.mean(values))
    return means


def human_baseline(
    probe: Probe, values: Sequence[Value], people: Mapping[str, float], level: float = 0.95
) -> HumanBaseline:
    """Hold the score of a judge on a probe beside that of people.

    Parameters
    ----------
    probe : Probe
        The probe.
    values : Sequence[Value]
        What the judge said in every presentation.
    people : Mapping[str, float]
        What people said, from `human_means`.
    level : float
        Nominal coverage of the intervals.

    Returns
    -------
    HumanBaseline
        Over the pairs that both have an answer for.

    Notes
    -----
    **Unit of analysis**: the probe pair; the sampling unit is the cluster.
    **Denominator**: pairs with a verdict of the judge and an answer of a person.
    **Undefined** where there is none.
    """
    judge, clusters = {}, {}
    for unit, held in by_unit(values).items():
        valid = [value.value for value in held if value.value is not None]
        if valid and unit in people:
            judge[unit] = float(np.mean(valid))
            clusters[unit] = held[0].cluster
    more = f"the judge says more often than people that {probe.target}"
    if not judge:
        return HumanBaseline(
            undefined("people", "pair", probe.target, _NOBODY, level),
            undefined("excess", "pair", more, _NOBODY, level),
        )
    named = list(clusters.values())
    theirs = cluster_mean([people[unit] for unit in judge], named, level, bounds=(-1, 1))
    beyond = cluster_mean([judge[u] - people[u] for u in judge], named, level, bounds=(-2, 2))
    return HumanBaseline(
        clustered("people", theirs, "pair", probe.target), clustered("excess", beyond, "pair", more)
    )
