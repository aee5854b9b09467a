"""The report of a probe battery as pure data: every rendering shows this and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterbalance.measures.estimate import Estimate
    from counterbalance.measures.human_baseline import HumanBaseline
    from counterbalance.measures.length_quality import LengthQuality
    from counterbalance.measures.likelihood import Reduction
    from counterbalance.measures.probe_decision import ProbeDecision
    from counterbalance.measures.probe_scores import ProbeScore
    from counterbalance.measures.self_preference import SelfPreference
    from counterbalance.probes.battery import Flaw, LeftOut
    from counterbalance.probes.probe import Probe
    from counterbalance.report.cross import CrossTable
    from counterbalance.report.rewriting import RewritingReport
    from counterbalance.statistics.margins import MarginPlace

__all__ = [
    "BiasReport",
    "CheckCount",
    "JudgePlane",
    "LikelihoodCell",
    "ProbeResult",
    "SameFormat",
]


@dataclass(frozen=True, slots=True)
class CheckCount:
    """One check of a probe, over its judged pairs.

    Attributes
    ----------
    name : str
        What holds, in words.
    passed : int
        Pairs of which it holds.
    pairs : int
        Pairs judged.
    """

    name: str
    passed: int
    pairs: int


@dataclass(frozen=True, slots=True)
class SameFormat:
    """The slot effect on pairs of one format, and what is left as an interaction.

    Attributes
    ----------
    slot : Estimate
        Score of the probe ``same_format``: the slot effect where both sides have Markdown.
    interaction : float | None
        Slot effect of the format pairs less that one: format and slot together.
    """

    slot: Estimate
    interaction: float | None


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What one judge made of one probe.

    Attributes
    ----------
    judge : str
        Name of the judge.
    probe : Probe
        The intervention, its target and what is expected.
    scores : ProbeScore | None
        The signed scores; None where no pair of the probe could be made or applies.
    checks : tuple[CheckCount, ...]
        What code verified of the judged pairs.
    place : MarginPlace | None
        Where the interval lies; None without a margin.
    adjusted_p_value : float | None
        By Holm over every declared probe and judge.
    is_rejected : bool | None
        Whether Holm rejects that the score is zero.
    decision : ProbeDecision
        The one result.
    self_preference : SelfPreference | None
        For the probe ``same_family``: what others say of the same pairs.
    same_format : SameFormat | None
        For probes of form, where the protocol has pairs of one format.
    people : HumanBaseline | None
        What people said of the same pairs in a closed review; None without one.
    """

    judge: str
    probe: Probe
    scores: ProbeScore | None
    checks: tuple[CheckCount, ...]
    place: MarginPlace | None
    adjusted_p_value: float | None
    is_rejected: bool | None
    decision: ProbeDecision
    self_preference: SelfPreference | None = None
    same_format: SameFormat | None = None
    people: HumanBaseline | None = None


@dataclass(frozen=True, slots=True)
class JudgePlane:
    """One judge on the plane of length and quality.

    Attributes
    ----------
    judge : str
        Name of the judge.
    place : LengthQuality
        Both scores and the region.
    """

    judge: str
    place: LengthQuality


@dataclass(frozen=True, slots=True)
class LikelihoodCell:
    """A probe's score where the more likely answer counts as preferred.

    Attributes
    ----------
    source : str
        Name of the judge that told the likelihoods; empty where a file did.
    probe : str
        Name of the probe.
    reduction : Reduction
        How the tokens of an answer became one number.
    score : Estimate
        b under it.
    missing : int
        Probe pairs without log-probabilities.
    """

    source: str
    probe: str
    reduction: Reduction
    score: Estimate
    missing: int


@dataclass(frozen=True, slots=True)
class BiasReport:
    """The battery of one protocol.

    Attributes
    ----------
    title : str
        Of the protocol.
    protocol_digest : str
        Hash of the protocol as it judges probes.
    pairs_file : str
        Where the pairs are from.
    level : float
        Nominal coverage of the intervals.
    margin : float | None
        Smallest score that matters; None where none was declared.
    family_size : int
        Probes times judges: how many tests Holm corrects.
    results : tuple[ProbeResult, ...]
        By judge, then by probe as declared.
    planes : tuple[JudgePlane, ...]
        Judges on the plane of length and quality, where both probes and a margin are declared.
    cross : CrossTable
        Every strategy by every probe.
    likelihoods : tuple[LikelihoodCell, ...]
        Probes by the likelihood of whole answers, where log-probabilities were given: each under
        both reductions.
    left_out : tuple[LeftOut, ...]
        Pairs that made no probe, and why.
    flaws : tuple[Flaw, ...]
        Probe pairs that failed a check and were not judged.
    not_drawn : tuple[tuple[str, int], ...]
        Sound pairs that the declared number or a balance left out, by probe.
    outstanding : int
        Planned presentations that were not asked yet.
    warnings : tuple[str, ...]
        What limits the evidence.
    rewriting : RewritingReport | None
        Who wrote texts of it, and what became of each request; None where no model wrote any.
    """

    title: str
    protocol_digest: str
    pairs_file: str
    level: float
    margin: float | None
    family_size: int
    results: tuple[ProbeResult, ...]
    planes: tuple[JudgePlane, ...]
    cross: CrossTable
    likelihoods: tuple[LikelihoodCell, ...]
    left_out: tuple[LeftOut, ...]
    flaws: tuple[Flaw, ...]
    not_drawn: tuple[tuple[str, int], ...]
    outstanding: int
    warnings: tuple[str, ...]
    rewriting: RewritingReport | None = None
