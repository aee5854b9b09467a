"""The closed review of a battery: what people said of its probe pairs, for each judge's scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.measures.human_baseline import HumanBaseline, human_baseline, human_means
from counterbalance.measures.probe_values import probe_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.measures.group import JudgedPair
    from counterbalance.measures.human import HumanAnswer
    from counterbalance.probes.probe import Probe
    from counterbalance.protocol.labelling import Labelling
    from counterbalance.report.evidence import Evidence

__all__ = ["closed_answers", "means_of_people", "people_beside"]


def closed_answers(evidence: Evidence) -> tuple[HumanAnswer, ...]:
    """Return the answers of the review; none while it is open, or without one."""
    return () if evidence.review is None else evidence.review.answers


def means_of_people(
    probe: Probe,
    groups: Sequence[tuple[Labelling, Sequence[JudgedPair]]],
    answers: Sequence[HumanAnswer],
    families: frozenset[str],
) -> dict[str, float]:
    """Return what people said of each judged pair of a probe, +1 for the target."""
    pairs = {each.pair.id: each.pair for _, judged in groups for each in judged}
    return human_means(probe, pairs.values(), answers, families)


def people_beside(
    probe: Probe,
    groups: Sequence[tuple[Labelling, Sequence[JudgedPair]]],
    answers: Sequence[HumanAnswer],
    families: frozenset[str],
    level: float,
) -> HumanBaseline | None:
    """Hold one judge beside the people of the review, on one probe.

    Parameters
    ----------
    probe : Probe
        The probe.
    groups : Sequence[tuple[Labelling, Sequence[JudgedPair]]]
        The judge's pairs of it, under each labelling.
    answers : Sequence[HumanAnswer]
        Answers of the closed review.
    families : frozenset[str]
        Families of the judge.
    level : float
        Nominal coverage of the intervals.

    Returns
    -------
    HumanBaseline | None
        None where nobody answered a pair of this probe, or its target is a slot, a label or a
        criterion.
    """
    means = means_of_people(probe, groups, answers, families)
    if not means:
        return None
    return human_baseline(probe, probe_values(probe, groups, "", families), means, level)
