"""Signed scores of one judge on one probe, with what they rest on.

b = P(target) - P(other) over all valid verdicts, ties and abstentions in the denominator. Half the
sum of the two orders is the effect of the intervention, half their difference that of the slot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterbalance.items.frames import Order
from counterbalance.measures.estimate import Estimate, clustered, undefined
from counterbalance.measures.probe_values import by_unit
from counterbalance.probes.probe import Frame
from counterbalance.statistics.clustered import FEW_CLUSTERS, cluster_ratio
from counterbalance.statistics.mirrored import mirrored_effects
from counterbalance.statistics.p_values import t_p_value
from counterbalance.statistics.sign_test import sign_test

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from counterbalance.measures.probe_values import Value
    from counterbalance.probes.probe import Probe
    from counterbalance.statistics.clustered import ClusterEstimate

__all__ = ["ProbeCounts", "ProbeScore", "probe_score", "signed_score"]

_NO_VERDICT = "no presentation of this probe has a verdict"
_NO_SLOT = "its score is a slot effect itself"


@dataclass(frozen=True, slots=True)
class ProbeCounts:
    """What a score was counted from.

    Attributes
    ----------
    pairs : int
        Comparisons that were planned: probe pairs, or sources where two pairs make one.
    clusters : int
        Clusters of their sources.
    presentations : int
        Planned presentations.
    verdicts : int
        Those with a verdict: the denominator of b.
    target : int
        Verdicts for the target.
    other : int
        Verdicts for the other side.
    """

    pairs: int
    clusters: int
    presentations: int
    verdicts: int
    target: int
    other: int

    @property
    def undirected(self) -> int:
        """Verdicts for neither side: ties and abstentions."""
        return self.verdicts - self.target - self.other

    @property
    def missing(self) -> int:
        """Planned presentations without a verdict."""
        return self.presentations - self.verdicts


@dataclass(frozen=True, slots=True)
class ProbeScore:
    """The signed scores of one judge on one probe.

    Attributes
    ----------
    score : Estimate
        b, over all valid verdicts.
    effect : Estimate
        f: half the sum of both orders, over pairs with verdicts in both.
    slot : Estimate
        s: half the difference, positive when the target does better in the first slot.
    directional : Estimate
        Share of the target among the verdicts for a side.
    share : Estimate
        Share of the target among all valid verdicts.
    by_category : tuple[tuple[str, Estimate], ...]
        b within each category, where there are several.
    counts : ProbeCounts
        What they rest on.
    p_value : float | None
        Two-sided, that b is 0; None with fewer than 10 clusters, or without any directed verdict.
    p_undefined : str | None
        Why there is none.
    """

    score: Estimate
    effect: Estimate
    slot: Estimate
    directional: Estimate
    share: Estimate
    by_category: tuple[tuple[str, Estimate], ...]
    counts: ProbeCounts
    p_value: float | None
    p_undefined: str | None


def probe_score(probe: Probe, values: Sequence[Value], level: float = 0.95) -> ProbeScore:
    """Return the scores of one judge on one probe.

    Parameters
    ----------
    probe : Probe
        The probe.
    values : Sequence[Value]
        A value for every planned presentation.
    level : float
        Nominal coverage of the intervals.

    Returns
    -------
    ProbeScore
        Undefined ones with their reasons.

    Notes
    -----
    **Unit of analysis**: the probe pair; the sampling unit is the cluster of its source.
    **Denominator**: valid verdicts, for the effect and the slot effect pairs with both orders.
    **Undefined** without a verdict; the p-value with fewer than 10 clusters. Where every cluster
    agrees and no error can be estimated, the p-value is that of the exact sign test over clusters.

    References
    ----------
    .. [1] M. Hills, P. Armitage, "The two-period cross-over clinical trial", British Journal of
       Clinical Pharmacology 8 (1979) 7-20. doi:10.1111/j.1365-2125.1979.tb05903.x
    """
    valid = [value for value in values if value.value is not None]
    estimate = _ratio(valid, lambda v: float(v.value or 0), lambda _: 1.0, level, (-1, 1))
    score = clustered(probe.measure, estimate, "pair", probe.target, "verdicts")
    p_value, reason = _p_value(valid, estimate)
    directed = [value for value in valid if value.value]
    categories = sorted({value.category for value in valid})
    effect, slot = _mirrored(probe, values, level)
    return ProbeScore(
        score=score if valid else _missing(probe.measure, probe.target, level),
        effect=effect,
        slot=slot,
        directional=_share("directional_share", probe, directed, level),
        share=_share("target_share", probe, valid, level),
        by_category=tuple(
            (name, signed_score(probe, [v for v in valid if v.category == name], level))
            for name in categories
            if len(categories) > 1
        ),
        counts=_counts(values),
        p_value=p_value,
        p_undefined=reason,
    )


def signed_score(probe: Probe, values: Sequence[Value], level: float) -> Estimate:
    """Return b alone over some values.

    Parameters
    ----------
    probe : Probe
        The probe.
    values : Sequence[Value]
        Values, those without a verdict among them.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Estimate
        Undefined without a verdict.

    Notes
    -----
    **Unit of analysis**: the probe pair; the sampling unit is the cluster of its source.
    **Denominator**: valid verdicts.
    **Undefined** without one.
    """
    valid = [value for value in values if value.value is not None]
    if not valid:
        return _missing(probe.measure, probe.target, level)
    found = _ratio(valid, lambda v: float(v.value or 0), lambda _: 1.0, level, (-1, 1))
    return clustered(probe.measure, found, "pair", probe.target, "verdicts")


def _missing(name: str, positive_means: str, level: float) -> Estimate:
    return undefined(name, "pair", positive_means, _NO_VERDICT, level)


def _ratio(
    values: Sequence[Value],
    top: Callable[[Value], float],
    bottom: Callable[[Value], float],
    level: float,
    bounds: tuple[float, float],
) -> ClusterEstimate:
    units = by_unit(values)
    return cluster_ratio(
        [sum(map(top, held)) for held in units.values()],
        [sum(map(bottom, held)) for held in units.values()],
        [held[0].cluster for held in units.values()],
        level,
        bounds=bounds,
    )


def _share(name: str, probe: Probe, values: Sequence[Value], level: float) -> Estimate:
    positive_means = f"the share of verdicts in which {probe.target}"
    if not values:
        reason = "no verdict is for a side" if name == "directional_share" else _NO_VERDICT
        return undefined(name, "pair", positive_means, reason, level)
    found = _ratio(values, lambda v: float(v.value == 1), lambda _: 1.0, level, (0, 1))
    return clustered(name, found, "pair", positive_means, "verdicts")


def _mirrored(probe: Probe, values: Sequence[Value], level: float) -> tuple[Estimate, Estimate]:
    """Return the effect of the intervention and that of the slot, from pairs in both orders."""
    first, second, clusters = [], [], []
    for held in by_unit(values).values():
        orders = [
            [v.value for v in held if v.order is order and v.value is not None] for order in Order
        ]
        if all(orders):
            first.append(float(np.mean(orders[0])))
            second.append(float(np.mean(orders[1])))
            clusters.append(held[0].cluster)
    does_better = "the target does better in the first slot than in the second"
    found = mirrored_effects(first, second, clusters, level, bounds=(-1, 1))
    effect = clustered("effect", found.treatment, "pair", probe.target)
    if probe.frame is Frame.SLOT:
        return effect, undefined("slot_effect", "pair", does_better, _NO_SLOT, level)
    if probe.frame is Frame.LABEL:
        slots = [v for v in values if v.slot is not None]
        ratio = _ratio(slots, lambda v: float(v.slot or 0), lambda _: 1.0, level, (-1, 1))
        preferred = "the first slot is preferred, whatever its label"
        if not slots:
            return effect, undefined("slot_effect", "pair", preferred, _NO_VERDICT, level)
        return effect, clustered("slot_effect", ratio, "pair", preferred, "verdicts")
    return effect, clustered("slot_effect", found.place, "pair", does_better)


def _counts(values: Sequence[Value]) -> ProbeCounts:
    return ProbeCounts(
        pairs=len({value.unit for value in values}),
        clusters=len({value.cluster for value in values}),
        presentations=len(values),
        verdicts=sum(value.value is not None for value in values),
        target=sum(value.value == 1 for value in values),
        other=sum(value.value == -1 for value in values),
    )


def _p_value(
    valid: Sequence[Value], found: ClusterEstimate
) -> tuple[float, None] | tuple[None, str]:
    if not valid:
        return None, _NO_VERDICT
    if found.n_clusters < FEW_CLUSTERS:
        return None, f"{found.n_clusters} clusters are too few to test; {FEW_CLUSTERS} are needed"
    if not any(value.value for value in valid):
        return None, "no verdict is for a side"
    if found.se:
        p_value = t_p_value(found.estimate, found.se, found.degrees_of_freedom)
    else:
        sums: dict[str, int] = {}
        for value in valid:
            sums[value.cluster] = sums.get(value.cluster, 0) + (value.value or 0)
        signs = list(sums.values())
        p_value = sign_test(sum(x > 0 for x in signs), sum(x < 0 for x in signs)).p_value
    return (None, "no cluster prefers a side") if p_value is None else (p_value, None)
