"""Probes under strategies: what a rule that combines calls makes of each bias.

Where a strategy merges both orders its result is for no slot; the protocol tells such cells apart
before any call (`Protocol.why_no_score`), and none of them comes here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from counterbalance.dispositions.strategy_result import StrategyResult, balanced_calibration
from counterbalance.items.frames import Order, Side, Verdict
from counterbalance.measures.estimate import Estimate, undefined
from counterbalance.measures.probe_scores import signed_score
from counterbalance.measures.probe_values import Value, family_side, signed
from counterbalance.probes.criterion_inverted import DECLARED, EXCHANGED
from counterbalance.probes.probe import Frame
from counterbalance.statistics.clustered import FEW_CLUSTERS
from counterbalance.statistics.paired_means import PairedMeanDifference, paired_mean_difference
from counterbalance.statistics.sign_test import sign_test

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from counterbalance.dispositions.strategy_evidence import StrategyEvidence
    from counterbalance.items.item import Pair
    from counterbalance.measures.group import JudgedPair
    from counterbalance.probes.probe import Probe

__all__ = [
    "CrossScore",
    "Moved",
    "Result",
    "calibrated_results",
    "cross_score",
    "moved",
    "results_of",
]

_COMPARED = frozenset({Frame.FLIP, Frame.KEEP})
_NO_PAIRS = "no pair of this probe could be judged"
_NO_FAMILY = "no pair of this probe is between the judge's family and another"
_NO_RESULT = "the strategy has no result for any pair of this probe"
_NONE_SHARED = "no probe pair has a result under both"


@dataclass(frozen=True, slots=True)
class Result:
    """What a strategy made of one probe pair.

    Attributes
    ----------
    pair : Pair
        The probe pair.
    result : StrategyResult
        The result.
    order : Order | None
        The order it was shown in, where that was one; None where both were merged.
    """

    pair: Pair
    result: StrategyResult
    order: Order | None = None


@dataclass(frozen=True, slots=True)
class CrossScore:
    """The score of one strategy on one probe.

    Attributes
    ----------
    score : Estimate
        b over the results of the strategy.
    values : Mapping[str, Value]
        What each comparison says, by its id; what has no result among them.
    """

    score: Estimate
    values: Mapping[str, Value]

    @property
    def missing(self) -> int:
        """Comparisons without a result."""
        return sum(value.value is None for value in self.values.values())


@dataclass(frozen=True, slots=True)
class Moved:
    """How far a strategy moves a bias from where one call has it, on the same probe pairs.

    Attributes
    ----------
    difference : Estimate
        b of the strategy less b of the baseline, over pairs with a result under both.
    n_up : int
        Pairs on which the strategy says more for the target.
    n_down : int
        Pairs on which it says less.
    p_value : float | None
        Two-sided, that nothing moves, before any correction.
    p_undefined : str | None
        Why there is none.
    """

    difference: Estimate
    n_up: int = 0
    n_down: int = 0
    p_value: float | None = None
    p_undefined: str | None = None


def results_of(found: StrategyEvidence, probe: str) -> list[Result]:
    """Return what a strategy made of the pairs of one probe, in their sequence."""
    first = found.voters[found.row.voters[0]]
    results = []
    for pair, result, voter in zip(found.pairs, found.results, first, strict=True):
        if pair.probe == probe:
            shown = tuple(voter.evidence.main)
            results.append(Result(pair, result, shown[0] if len(shown) == 1 else None))
    return results


def calibrated_results(groups: Sequence[Sequence[JudgedPair]]) -> list[Result]:
    """Average label log-odds over both orders and all labellings of each pair of a probe.

    Parameters
    ----------
    groups : Sequence[Sequence[JudgedPair]]
        The same pairs under each labelling.

    Returns
    -------
    list[Result]
        Without a result where orders differ in more than the order.
    """
    results = []
    for same in zip(*groups, strict=True):
        is_confounded = any(each.result.is_confounded for each in same)
        evidence = [] if is_confounded else [each.evidence for each in same]
        results.append(Result(same[0].pair, balanced_calibration(evidence)))
    return results


def cross_score(
    probe: Probe, results: Sequence[Result], families: frozenset[str], level: float = 0.95
) -> CrossScore:
    """Return the score of one strategy on one probe.

    Parameters
    ----------
    probe : Probe
        The probe.
    results : Sequence[Result]
        What the strategy made of its pairs.
    families : frozenset[str]
        Families of the judge.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    CrossScore
        b = P(target) - P(other) over the strategy's results, ties in the denominator.

    Notes
    -----
    **Unit of analysis**: the probe pair, or the source where two pairs make one comparison; the
    sampling unit is the cluster.
    **Denominator**: results that the strategy has.
    **Undefined** without one.
    """
    values = {value.unit: value for value in _values(probe, results, families)}
    if not any(value.value is not None for value in values.values()):
        reason = _NO_RESULT if values else _NO_PAIRS
        if results and not values and probe.frame is Frame.FAMILY:
            reason = _NO_FAMILY
        return CrossScore(undefined(probe.measure, "pair", probe.target, reason, level), values)
    score = replace(signed_score(probe, list(values.values()), level), counted="pairs")
    return CrossScore(score, values)


def _values(probe: Probe, results: Sequence[Result], families: frozenset[str]) -> Iterator[Value]:
    if probe.frame in _COMPARED:
        yield from _compared(probe.frame, {each.pair.id: each for each in results})
        return
    for each in results:
        side = family_side(each.pair, families) if probe.frame is Frame.FAMILY else Side.A
        if side is not None:
            verdict, said = _verdict(each), None
            if verdict is not None:
                said = signed(verdict, each.order or Order.FORWARD, probe.frame, side, 1)
            yield _value(each, each.pair.id, said)


def _verdict(each: Result) -> Verdict | None:
    return None if each.result.value == "none" else Verdict(each.result.value)


def _compared(frame: Frame, results: Mapping[str, Result]) -> Iterator[Value]:
    for name, each in results.items():
        source, _, variant = name.rpartition("~")
        other = results.get(f"{source}~{EXCHANGED}")
        if variant != DECLARED or other is None:
            continue
        before, after = _verdict(each), _verdict(other)
        said: int | None = None
        if before is not None and after is not None:
            said = 0
            if before.side is not None and after.side is not None:
                said = 1 if (before.side is after.side) == (frame is Frame.KEEP) else -1
        yield _value(each, source, said)


def _value(each: Result, unit: str, said: int | None) -> Value:
    item = each.pair.item
    return Value(unit, item.cluster, item.category, each.order or Order.FORWARD, said, None)


def moved(probe: Probe, strategy: CrossScore, baseline: CrossScore, level: float = 0.95) -> Moved:
    """Return how far a strategy moves a bias, on the probe pairs that both have a result for.

    Parameters
    ----------
    probe : Probe
        The probe.
    strategy : CrossScore
        What is compared.
    baseline : CrossScore
        What it is compared with.
    level : float
        Nominal coverage of the interval.

    Returns
    -------
    Moved
        Strategy less baseline.

    Notes
    -----
    `statistics.paired_mean_difference`: the cluster-robust t of the differences of single pairs.
    Where every pair moves alike and no error can be estimated, the p-value is that of the exact
    sign test over clusters.

    **Unit of analysis**: the probe pair; the sampling unit is the cluster.
    **Denominator**: pairs with a result under both.
    **Undefined** without one; interval and p-value also with fewer than 10 clusters.

    References
    ----------
    .. [1] A. C. Cameron, D. L. Miller, "A practitioner's guide to cluster-robust inference",
       Journal of Human Resources 50 (2015) 317-372. doi:10.3368/jhr.50.2.317
    """
    means = f"more than under the baseline, {probe.target}"
    shared = [
        (one, other)
        for unit, one in strategy.values.items()
        if (other := baseline.values.get(unit)) is not None
        and one.value is not None
        and other.value is not None
    ]
    if not shared:
        reason = strategy.score.undefined or baseline.score.undefined or _NONE_SHARED
        return Moved(undefined(probe.measure, "pair", means, reason, level), p_undefined=reason)
    first = [float(one.value or 0) for one, _ in shared]
    second = [float(other.value or 0) for _, other in shared]
    clusters = [one.cluster for one, _ in shared]
    found = paired_mean_difference(first, second, clusters, level, bounds=(-1, 1))
    p_value, untested = _p_value(found, first, second, clusters)
    cautions = [caution.sentence for caution in found.cautions]
    if found.interval_undefined is not None:
        cautions.append(f"No interval: {found.interval_undefined.sentence}")
    difference = Estimate(
        name=probe.measure,
        value=found.estimate,
        numerator=sum(first) - sum(second),
        denominator=found.n_common,
        low=found.low,
        high=found.high,
        level=level,
        method=found.method,
        unit="pair",
        positive_means=means,
        n_clusters=found.n_clusters,
        cautions=tuple(cautions),
    )
    return Moved(difference, found.n_gained, found.n_lost, p_value, untested)


def _p_value(
    found: PairedMeanDifference,
    first: Sequence[float],
    second: Sequence[float],
    clusters: Sequence[str],
) -> tuple[float | None, str | None]:
    if found.p_value is not None:
        return found.p_value, None
    sums: dict[str, float] = {}
    for one, other, cluster in zip(first, second, clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0) + one - other
    ups, downs = (sum(sign * x > 0 for x in sums.values()) for sign in (1, -1))
    if found.n_clusters >= FEW_CLUSTERS and ups + downs:
        return sign_test(ups, downs).p_value, None
    return None, None if found.p_undefined is None else found.p_undefined.sentence
