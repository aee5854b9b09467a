"""The signed score of each probe as a measure of a report: the number that ``bias`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.dispositions.evidence import GroupId
from counterbalance.measures.estimate import undefined
from counterbalance.measures.probe_scores import signed_score
from counterbalance.measures.probe_values import probe_values
from counterbalance.probes.catalogue import PROBES
from counterbalance.protocol.families import families_of
from counterbalance.run.fitting import judge_model

if TYPE_CHECKING:
    from counterbalance.measures.estimate import Estimate
    from counterbalance.measures.group import JudgedPair
    from counterbalance.protocol.labelling import Labelling
    from counterbalance.report.evidence import Evidence

__all__ = ["has_answers", "has_probes", "judged_by_probe", "probe_estimates"]

_NO_PAIR = "no pair of this probe could be judged, or it is not among the protocol's"


def has_probes(evidence: Evidence) -> bool:
    """Return whether any pair is a probe."""
    return any(each.pair.probe for pairs in evidence.groups.values() for each in pairs)


def has_answers(evidence: Evidence) -> bool:
    """Return whether any pair is no probe, or there is none at all."""
    pairs = [each.pair for held in evidence.groups.values() for each in held]
    return not pairs or not all(pair.probe for pair in pairs)


def judged_by_probe(
    evidence: Evidence, judge: str
) -> dict[str, list[tuple[Labelling, list[JudgedPair]]]]:
    """Return the judged pairs of each probe under each labelling; most are under the first only."""
    held: dict[str, list[tuple[Labelling, list[JudgedPair]]]] = {name: [] for name in PROBES}
    for labelling in evidence.protocol.labellings:
        by_probe: dict[str, list[JudgedPair]] = {name: [] for name in PROBES}
        for each in evidence.groups[GroupId(judge, labelling.name)]:
            if each.evidence.main and each.pair.probe in by_probe:
                by_probe[each.pair.probe].append(each)
        for name, judged in by_probe.items():
            held[name].append((labelling, judged))
    return held


def probe_estimates(evidence: Evidence, judge: str, level: float) -> list[Estimate]:
    """Return b of every probe that the protocol declares, as one judge answered.

    Parameters
    ----------
    evidence : Evidence
        What the record holds.
    judge : str
        Name of the judge.
    level : float
        Nominal coverage of the intervals.

    Returns
    -------
    list[Estimate]
        Over every labelling that a probe was shown under, as in the report of the battery; empty
        where the record holds no probes.
    """
    protocol = evidence.protocol
    if protocol.bias is None or not has_probes(evidence):
        return []
    settings = next(each for each in protocol.judges if each.name == judge)
    families = families_of(judge_model(settings))
    held = judged_by_probe(evidence, judge)
    estimates = []
    for name in protocol.bias.probes:
        probe = PROBES[name]
        values = probe_values(probe, held[name], protocol.labellings[0].first, families)
        estimates.append(
            signed_score(probe, values, level)
            if values
            else undefined(probe.measure, "pair", probe.target, _NO_PAIR, level)
        )
    return estimates
