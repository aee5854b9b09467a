"""How often the rules of a gate would be wrong about judges whose true rates are known."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from counterbalance.errors import UsageError
from counterbalance.measures.estimate import clustered
from counterbalance.report.gate.deciding import bottom_of, decided, is_share, two_sided_level
from counterbalance.report.gate.evaluating import NO_RULES
from counterbalance.report.gate.result import GateVerdict
from counterbalance.statistics.clustered_proportion import cluster_proportion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from counterbalance.protocol.gate_section import GateRule
    from counterbalance.protocol.protocol import Protocol

__all__ = ["SimulatedGate", "SimulatedRule", "Truth", "simulate_gate"]

_TRUTHS = (("half as harmful", 0.5), ("exactly at the limit", 1.0), ("twice as harmful", 2.0))
"""Judges by how often they do what the rule is against."""


@dataclass(frozen=True, slots=True)
class Truth:
    """What the gate said of judges with one true rate.

    Attributes
    ----------
    words : str
        Where that rate is.
    value : float
        The true value of the measure.
    passed : float
        Share of records that passed.
    failed : float
        Share that failed.
    standard_error : float
        Largest Monte Carlo error of the two shares.
    """

    words: str
    value: float
    passed: float
    failed: float
    standard_error: float


@dataclass(frozen=True, slots=True)
class SimulatedRule:
    """One rule over judges of known rates.

    Attributes
    ----------
    rule : GateRule
        The rule.
    truths : tuple[Truth, ...]
        From harmless to harmful.
    undefined : str | None
        Why the rule could not be simulated.
    """

    rule: GateRule
    truths: tuple[Truth, ...]
    undefined: str | None = None


@dataclass(frozen=True, slots=True)
class SimulatedGate:
    """A gate over simulated records.

    Attributes
    ----------
    rules : tuple[SimulatedRule, ...]
        In the order of the protocol.
    n_pairs : int
        Pairs of each record.
    n_clusters : int
        Their clusters.
    draws : int
        Records for each true rate.
    correlation : float
        Likeness of the pairs of one cluster.
    """

    rules: tuple[SimulatedRule, ...]
    n_pairs: int
    n_clusters: int
    draws: int
    correlation: float

    @property
    def as_json(self) -> dict[str, Any]:
        """Schema ``counterbalance.gate-simulation/1``."""
        return {
            "schema": "counterbalance.gate-simulation/1",
            "pairs": self.n_pairs,
            "clusters": self.n_clusters,
            "draws": self.draws,
            "correlation": self.correlation,
            "rules": [
                {
                    "rule": each.rule.model_dump(mode="json", exclude_none=True),
                    "truths": [dataclasses.asdict(truth) for truth in each.truths],
                    "undefined": each.undefined,
                }
                for each in self.rules
            ],
        }


def simulate_gate(
    protocol: Protocol, clusters: NDArray[np.int32], *, draws: int, correlation: float
) -> SimulatedGate:
    """Send records with known true rates through the rules of a protocol.

    Parameters
    ----------
    protocol : Protocol
        Declares the rules; its seed makes the same call print the same.
    clusters : NDArray[np.int32]
        The cluster of each pair that is to be judged.
    draws : int
        Records for each true rate.
    correlation : float
        Intraclass correlation within clusters, 0 to 1: 0 for pairs that have nothing in common,
        1 for clusters in which all pairs behave alike.

    Returns
    -------
    SimulatedGate
        At a rate that is exactly the limit, passing and failing are both false alarms, each of
        which a rule of confidence c promises in at most 1 - c of all records.

    Raises
    ------
    UsageError
        If there is no rule, no pair, or a number is out of range.
    """
    if not protocol.gate:
        raise UsageError(NO_RULES)
    if not 1 <= draws <= 100_000:  # noqa: PLR2004 (what a person waits for)
        msg = f"--simulate is {draws}; allowed are whole numbers from 1 to 100000"
        raise UsageError(msg)
    if not 0 <= correlation <= 1:
        msg = f"--correlation is {correlation}; allowed are numbers from 0 to 1"
        raise UsageError(msg)
    if not clusters.size:
        msg = "no pair is to be judged in two orders; there is nothing to simulate"
        raise UsageError(msg)
    sizes = np.bincount(clusters)
    sizes = sizes[sizes > 0]
    rng = np.random.default_rng([protocol.seed, draws])
    level = protocol.analysis.confidence_level
    rules = tuple(_simulated(rule, sizes, draws, correlation, level, rng) for rule in protocol.gate)
    return SimulatedGate(rules, int(sizes.sum()), sizes.size, draws, correlation)


def _simulated(
    rule: GateRule,
    sizes: NDArray[np.intp],
    draws: int,
    correlation: float,
    level: float,
    rng: np.random.Generator,
) -> SimulatedRule:
    if not is_share(rule.measure):
        return SimulatedRule(rule, (), "its interval is not that of a share of pairs")
    bottom = bottom_of(rule.measure)
    limit = (rule.limit - bottom) / (1 - bottom)
    harm = limit if rule.is_upper else 1 - limit
    truths = []
    for words, factor in _TRUTHS:
        rate = min(1.0, harm * factor)
        verdicts = [
            _verdict(rule, counts, sizes, level)
            for counts in _drawn(rate, sizes, draws, correlation, rng)
        ]
        passed, failed = (
            sum(each is verdict for each in verdicts) / draws
            for verdict in (GateVerdict.PASS, GateVerdict.FAIL)
        )
        error = max(math.sqrt(share * (1 - share) / draws) for share in (passed, failed))
        share = rate if rule.is_upper else 1 - rate
        truths.append(Truth(words, bottom + share * (1 - bottom), passed, failed, error))
    return SimulatedRule(rule, tuple(truths))


def _drawn(
    rate: float,
    sizes: NDArray[np.intp],
    draws: int,
    correlation: float,
    rng: np.random.Generator,
) -> Iterator[NDArray[np.int64]]:
    """Yield for each record how many pairs of each cluster do what the rule is against."""
    for _ in range(draws):
        rates = np.full(sizes.size, rate)
        if correlation == 1:
            rates = (rng.random(sizes.size) < rate).astype(np.float64)
        elif correlation > 0 and 0 < rate < 1:
            spread = (1 - correlation) / correlation
            rates = rng.beta(rate * spread, (1 - rate) * spread, sizes.size)
        yield rng.binomial(sizes, rates)


def _verdict(
    rule: GateRule, harmful: NDArray[np.int64], sizes: NDArray[np.intp], level: float
) -> GateVerdict:
    """Decide one simulated record as a real one would be."""
    counted = harmful if rule.is_upper else sizes - harmful
    result = cluster_proportion(counted, sizes, None, two_sided_level(rule, level))
    bottom = bottom_of(rule.measure)

    def scaled(share: float | None) -> float | None:
        return None if share is None else bottom + share * (1 - bottom)

    measured = dataclasses.replace(
        result,
        estimate=scaled(result.estimate),
        low=scaled(result.low),
        high=scaled(result.high),
    )
    return decided(rule, clustered(rule.measure, measured, "pair", ""))
