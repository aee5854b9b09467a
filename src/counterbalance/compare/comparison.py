"""Comparisons as data: sides in pairs, by declared measures, corrected together and concluded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from counterbalance.compare.attribution import attribute
from counterbalance.compare.corrected import corrected_win_rates
from counterbalance.compare.difference import difference
from counterbalance.compare.matching import match
from counterbalance.compare.moves import moves
from counterbalance.compare.verdict import conclude
from counterbalance.errors import InputError
from counterbalance.protocol.sections import COMPARED
from counterbalance.statistics.multiplicity import FamilyTest, holm

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from counterbalance.compare.attribution import Attribution
    from counterbalance.compare.difference import Difference
    from counterbalance.compare.matching import Matched, MatchedBy
    from counterbalance.compare.moves import Moves
    from counterbalance.compare.odds import JudgeOdds
    from counterbalance.compare.panel import Panel
    from counterbalance.compare.side import Side
    from counterbalance.compare.verdict import Conclusion
    from counterbalance.measures.estimate import Estimate
    from counterbalance.protocol.sections import ComparedMeasure

__all__ = ["Comparison", "Comparisons", "Plan", "compare"]


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be compared and how it will be concluded.

    Attributes
    ----------
    measures : tuple[ComparedMeasure, ...]
        Measures of the family.
    margins : Mapping[ComparedMeasure, float]
        Smallest difference that matters, by measure.
    declared_margins : frozenset[ComparedMeasure]
        Those that a protocol declared before the data were seen.
    is_declared : bool
        Whether the family was declared before the data were seen.
    family_size : int | None
        Declared tests, None for as many as are run.
    level : float
        Nominal coverage of intervals; one minus it is the error rate of the family.
    by : MatchedBy
        What makes two pairs the same.
    """

    measures: tuple[ComparedMeasure, ...] = COMPARED
    margins: Mapping[ComparedMeasure, float] = field(default_factory=dict)
    declared_margins: frozenset[ComparedMeasure] = frozenset()
    is_declared: bool = False
    family_size: int | None = None
    level: float = 0.95
    by: MatchedBy = "content"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sides beside one another.

    Attributes
    ----------
    first : Side
        What is compared with.
    second : Side
        What is compared.
    matched : Matched
        The pairs that they share.
    attribution : Attribution
        What a difference can be put down to.
    differences : tuple[tuple[Difference, Conclusion], ...]
        One for each measure of the family, with what it comes to.
    moves : Moves
        Dispositions on either side.
    corrected : tuple[tuple[Estimate, ...], tuple[Estimate, ...]]
        Of each side, over all its pairs: the win rate as judged and by the references; empty unless
        some pairs have a reference and others have not.
    """

    first: Side
    second: Side
    matched: Matched
    attribution: Attribution
    differences: tuple[tuple[Difference, Conclusion], ...]
    moves: Moves
    corrected: tuple[tuple[Estimate, ...], tuple[Estimate, ...]] = ((), ())


@dataclass(frozen=True, slots=True)
class Comparisons:
    """Every comparison of one family.

    Attributes
    ----------
    plan : Plan
        What was decided, and when.
    comparisons : tuple[Comparison, ...]
        In the sequence of the sides.
    family : FamilyTest
        Their tests under Holm, every step: named by the measure, and by the number of the
        comparison where there are several.
    notes : tuple[str, ...]
        What limits the evidence, in sentences.
    panels : tuple[Panel, ...]
        Agreement of all judges of a record or log with one another, where it was asked for.
    odds : tuple[JudgeOdds, ...]
        Conditional and marginal odds, where they were asked for.
    """

    plan: Plan
    comparisons: tuple[Comparison, ...]
    family: FamilyTest
    notes: tuple[str, ...] = ()
    panels: tuple[Panel, ...] = ()
    odds: tuple[JudgeOdds, ...] = ()


def compare(
    pairs: Sequence[tuple[Side, Side]], plan: Plan, notes: Sequence[str] = ()
) -> Comparisons:
    """Compare pairs of sides.

    Parameters
    ----------
    pairs : Sequence[tuple[Side, Side]]
        First and second of each comparison.
    plan : Plan
        Measures, margins and family.
    notes : Sequence[str]
        What limits the evidence beside what the sides themselves say.

    Returns
    -------
    Comparisons
        Every difference with its conclusion.

    Raises
    ------
    InputError
        If two sides share no pair.
    """
    matched = [_shared(first, second, plan) for first, second in pairs]
    n_run = len(pairs) * len(plan.measures)
    size = n_run if plan.family_size is None else max(plan.family_size, n_run)
    found = [
        [difference(name, sides, shared, plan.level, size) for name in plan.measures]
        for sides, shared in zip(pairs, matched, strict=True)
    ]
    names = [
        [each.measure if len(found) == 1 else f"{each.measure} [{n}]" for each in differences]
        for n, differences in enumerate(found, start=1)
    ]
    p_values = {
        name: each.p_value
        for row, differences in zip(names, found, strict=True)
        for name, each in zip(row, differences, strict=True)
    }
    family = holm(p_values, size, round(1 - plan.level, 12))
    comparisons = []
    for (first, second), shared, row, differences in zip(pairs, matched, names, found, strict=True):
        attribution = attribute(first, second, shared)
        concluded = tuple(
            (each, _concluded(each, plan, family.adjusted[name], attribution))
            for name, each in zip(row, differences, strict=True)
        )
        moved = moves(first, second, shared)
        by_references = tuple(corrected_win_rates(side, plan.level) for side in (first, second))
        comparisons.append(
            Comparison(
                first,
                second,
                shared,
                attribution,
                concluded,
                moved,
                corrected=(by_references[0], by_references[1]),
            )
        )
    said = [note for pair in pairs for side in pair for note in side.notes]
    return Comparisons(plan, tuple(comparisons), family, tuple(dict.fromkeys([*notes, *said])))


def _concluded(
    found: Difference, plan: Plan, adjusted: float | None, attribution: Attribution
) -> Conclusion:
    return conclude(
        found,
        plan.margins.get(found.measure),
        adjusted=adjusted,
        is_declared=found.measure in plan.declared_margins,
        is_refused=attribution.is_refused,
    )


def _shared(first: Side, second: Side, plan: Plan) -> Matched:
    shared = match(first, second, plan.by)
    if shared.n_shared:
        return shared
    msg = (
        f"{first.name} and {second.name} share no pair: {shared.n_first} and {shared.n_second}"
        f" pairs, none with the same {plan.by}"
    )
    if shared.n_other_texts:
        msg += (
            f"; {shared.n_other_texts} have the same id and other texts: --match id compares them,"
            " where both were judged with one configuration"
        )
    raise InputError(msg)
