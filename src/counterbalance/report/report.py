"""The report as data: what every rendering shows, and nothing that a rendering computes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from counterbalance.dispositions.transition import Transition
    from counterbalance.measures.estimate import Estimate
    from counterbalance.measures.length_control import LengthControl
    from counterbalance.measures.margins import MarginVerdict
    from counterbalance.measures.quadrant import Quadrant
    from counterbalance.measures.style_control import StyleControl
    from counterbalance.measures.swap_identity import SwapIdentity
    from counterbalance.measures.tested import TestResult
    from counterbalance.report.cost import CostReport
    from counterbalance.report.history import History
    from counterbalance.report.log_reading import LogReading
    from counterbalance.report.quotes import QuoteReport
    from counterbalance.report.reconciliation import Reconciliation
    from counterbalance.report.reviewed import HumanReport
    from counterbalance.report.strategy_rows import StrategyReport
    from counterbalance.statistics.multiplicity import FamilyTest

__all__ = [
    "SCHEMA",
    "CategoryRow",
    "Counts",
    "GroupReport",
    "LabelReport",
    "MarginReport",
    "Report",
    "RequirementRow",
]

SCHEMA = "counterbalance.report/1"


@dataclass(frozen=True, slots=True)
class Counts:
    """Sizes of a group, each with a name of its own.

    Attributes
    ----------
    items : int
        Different items.
    clusters : int
        Different clusters.
    pairs : int
        Pairs planned, identical ones included.
    held_out : int
        Pairs kept back for confirmation; outside ``pairs``.
    excluded : int
        Pairs left out by the protocol; outside ``pairs``.
    presentations : int
        Planned presentations that enter dispositions.
    attempts : int
        Calls recorded for them.
    """

    items: int
    clusters: int
    pairs: int
    held_out: int
    excluded: int
    presentations: int
    attempts: int


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """One category's part of a group.

    Attributes
    ----------
    category : str
        Its name; empty for pairs without one.
    pairs : int
        Pairs planned.
    stable : int
        Pairs whose orders say the same.
    two_verdicts : int
        Pairs whose orders both have a verdict.
    order_disagreement : int
        Pairs whose orders prefer different candidates.
    agreeing : int
        Pairs with a reference that both verdicts agree with.
    referenced : int
        Pairs with a reference and two verdicts.
    """

    category: str
    pairs: int
    stable: int
    two_verdicts: int
    order_disagreement: int
    agreeing: int
    referenced: int


@dataclass(frozen=True, slots=True)
class MarginReport:
    """One declared margin, and whether the measure's interval lies inside it.

    Attributes
    ----------
    measure : str
        Name of the measure.
    margin : float
        Smallest difference from 0 that matters.
    verdict : MarginVerdict
        ``inside``, ``outside`` or ``undetermined``.
    """

    measure: str
    margin: float
    verdict: MarginVerdict


@dataclass(frozen=True, slots=True)
class RequirementRow:
    """One requirement over all pairs that have it, apart from any preference.

    Attributes
    ----------
    requirement : str
        Its id.
    mandatory : bool
        Whether it binds winners.
    met : Mapping[str, int]
        Candidates that meet it, by side.
    breached : Mapping[str, int]
        Candidates that break it.
    unknown : Mapping[str, int]
        Candidates where it cannot be told.
    """

    requirement: str
    mandatory: bool
    met: Mapping[str, int]
    breached: Mapping[str, int]
    unknown: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class LabelReport:
    """What one judge chose over all its labellings: by label, and by slot.

    Attributes
    ----------
    judge : str
        Name of the judge.
    labellings : tuple[str, ...]
        The labellings, each a full set of the same presentations.
    by_label : Mapping[str, int]
        Verdicts that choose a slot, by the label that the slot had.
    by_slot : Mapping[str, int]
        The same verdicts, by slot.
    """

    judge: str
    labellings: tuple[str, ...]
    by_label: Mapping[str, int]
    by_slot: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class GroupReport:
    """One judge under one labelling.

    Attributes
    ----------
    judge : str
        Name of the judge.
    labelling : str
        Name of the labelling.
    strategy : str
        ``S1`` for both orders, ``B0`` for one.
    counts : Counts
        Sizes.
    systems : Mapping[str, str]
        System of a and of b, where they are one each; else empty names.
    dispositions : Mapping[str, int]
        Pairs by disposition; every class is there.
    details : Mapping[str, int]
        Primacy and recency among order disagreements.
    incomplete_reasons : Mapping[str, int]
        Why incomplete pairs are, in presentations.
    outcomes : Mapping[str, int]
        Main presentations by last outcome; every class is there.
    transition : Transition
        Forward by reversed.
    measures : tuple[Estimate, ...]
        Every measure.
    tests : tuple[TestResult, ...]
        Every test.
    categories : tuple[CategoryRow, ...]
        By category.
    stable_against_reference : tuple[str, ...]
        Ids of stable pairs whose verdict is outside the accepted set, most consequential first.
    accepted_winners : Mapping[str, int]
        Stable winners that meet every mandatory requirement, by side; stable winners that break
        one (``breached``); and those where it cannot be told (``unknown``). Empty for a log, which
        holds no requirement.
    margins : tuple[MarginReport, ...]
        What the intervals say of the declared margins.
    requirements : tuple[RequirementRow, ...]
        What the candidates make of each requirement.
    label_mass : float | None
        Mean total probability of the offered labels, where log-probabilities were given.
    n_label_masses : int
        Presentations that the mean is over.
    subset : str
        Part of a log's data set; empty when groups are not split by it.
    verdict_by : str
        For a log: ``source`` or ``our reading``; empty for a run.
    is_unordered : bool
        Whether a log does not say of any pair which answer was shown first.
    length_control : LengthControl | None
        Rates with length held equal; None when nobody asked.
    style_control : StyleControl | None
        Strengths with style held equal; None when nobody asked.
    quadrant : Quadrant | None
        Slot preference by excess sensitivity; None unless margins for both are declared.
    cost : CostReport | None
        What its verdicts cost; None for a log.
    """

    judge: str
    labelling: str
    strategy: str
    counts: Counts
    systems: Mapping[str, str]
    dispositions: Mapping[str, int]
    details: Mapping[str, int]
    incomplete_reasons: Mapping[str, int]
    outcomes: Mapping[str, int]
    transition: Transition
    measures: tuple[Estimate, ...]
    tests: tuple[TestResult, ...]
    categories: tuple[CategoryRow, ...]
    stable_against_reference: tuple[str, ...]
    accepted_winners: Mapping[str, int] = field(default_factory=dict)
    margins: tuple[MarginReport, ...] = ()
    requirements: tuple[RequirementRow, ...] = ()
    label_mass: float | None = None
    n_label_masses: int = 0
    subset: str = ""
    verdict_by: str = ""
    is_unordered: bool = False
    length_control: LengthControl | None = None
    style_control: StyleControl | None = None
    quadrant: Quadrant | None = None
    cost: CostReport | None = None

    @property
    def name(self) -> str:
        """Judge and labelling, or what a log splits by, as texts call the group."""
        if self.labelling:
            return f"{self.judge}, labels {self.labelling}"
        parts = [self.judge, self.strategy, self.subset]
        shown = ", ".join(part for part in parts if part and part != "all") or "all judgments"
        return shown if self.verdict_by in {"", "source"} else f"{shown} ({self.verdict_by})"

    def measure(self, name: str) -> Estimate:
        """Return one measure by name."""
        return next(estimate for estimate in self.measures if estimate.name == name)


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that a record shows.

    Attributes
    ----------
    kind : str
        ``run``, ``demo`` or ``import``.
    title : str
        Title of the protocol.
    protocol : Mapping[str, Any]
        Canonical form of the protocol.
    protocol_digest : str
        Its hash, fixed before the first call.
    begun_at : str
        When the record was begun.
    program : str
        Program that began it.
    pairs_file : str
        Name of the pair file.
    pairs_sha256 : str
        Digest of the pair file.
    rows : int
        Pairs read from it.
    reconciliation : Reconciliation
        Planned against recorded.
    groups : tuple[GroupReport, ...]
        One for each judge and labelling.
    strategies : tuple[StrategyReport, ...]
        Strategy results.
    labels : tuple[LabelReport, ...]
        Choices by label and by slot, for judges with several labellings.
    planned : frozenset[str]
        Measures and tests decided on beforehand; all others are exploratory.
    family : FamilyTest | None
        Holm correction of the planned tests; None when none was planned.
    warnings : tuple[str, ...]
        What limits the evidence, in sentences.
    history : History
        Revisions of the record, and when held-out pairs were opened.
    log : LogReading | None
        How foreign logs were read; None for a run.
    is_exploratory : bool
        Whether calls beyond the retry rule count, so that nothing was decided beforehand.
    confirmation : Report | None
        The report of the held-out pairs once they were opened under this revision, apart from this
        one; its planned measures are those decided before they were seen.
    is_held_out : bool
        Whether this is that report.
    human : HumanReport | None
        The blind review of this revision; None without one.
    swap_identities : Mapping[str, SwapIdentity]
        For each judge that both S1 and B0 are tried with: what a tie on disagreement changes.
    quotes : tuple[QuoteReport, ...]
        What judges quoted from the source, for prompts that ask for it.
    """

    kind: str
    title: str
    protocol: Mapping[str, Any]
    protocol_digest: str
    begun_at: str
    program: str
    pairs_file: str
    pairs_sha256: str
    rows: int
    reconciliation: Reconciliation
    groups: tuple[GroupReport, ...]
    strategies: tuple[StrategyReport, ...]
    labels: tuple[LabelReport, ...]
    planned: frozenset[str]
    family: FamilyTest | None
    warnings: tuple[str, ...]
    history: History
    log: LogReading | None = None
    is_exploratory: bool = False
    confirmation: Report | None = None
    is_held_out: bool = False
    human: HumanReport | None = None
    swap_identities: Mapping[str, SwapIdentity] = field(default_factory=dict)
    quotes: tuple[QuoteReport, ...] = ()

    @property
    def named(self) -> frozenset[str]:
        """Measures and tests that the protocol names, whenever that was decided."""
        analysis = self.protocol.get("analysis")
        return frozenset((*analysis["measures"], *analysis["family"]) if analysis else ())
