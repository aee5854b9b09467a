"""Strategies beside one another, judge by judge: one table, its tests, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterbalance.compare.frontier import Priced, frontier
from counterbalance.compare.strategy_difference import (
    detectable,
    pairs_needed,
    strategy_difference,
)
from counterbalance.errors import UsageError, one_line
from counterbalance.statistics.clustered import cluster_mean
from counterbalance.statistics.clustered_proportion import cluster_proportion
from counterbalance.statistics.multiplicity import holm

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

    from counterbalance.compare.frontier import FrontierPoint
    from counterbalance.compare.strategy_difference import Figure, StrategyDifference
    from counterbalance.compare.strategy_side import StrategySide
    from counterbalance.statistics.clustered import ClusterEstimate
    from counterbalance.statistics.multiplicity import FamilyTest

__all__ = [
    "StrategyPlan",
    "StrategyRow",
    "StrategyTable",
    "Tested",
    "base_of",
    "corrected_together",
    "strategy_table",
]


@dataclass(frozen=True, slots=True)
class StrategyPlan:
    """How strategies will be compared.

    Attributes
    ----------
    baseline : str
        The strategy that the others are compared with.
    level : float
        Nominal coverage of intervals; one minus it is the error rate of each family.
    margin : float | None
        Smallest difference in agreement that matters; None where nobody said.
    family_size : int | None
        Declared comparisons; None for as many as are made, which is exploratory.
    """

    baseline: str
    level: float = 0.95
    margin: float | None = None
    family_size: int | None = None


@dataclass(frozen=True, slots=True)
class StrategyRow:
    """One strategy of one judge.

    Attributes
    ----------
    side : StrategySide
        What it made of the pairs.
    agreement : ClusterEstimate
        Mean agreement over pairs with a reference and a result.
    n_undecided : int
        Pairs without a result.
    tie_share : float | None
        Share of results that are ties.
    made_ties : int
        Results that the rule made out of orders that disagree.
    stable : int
        Pairs whose orders say the same.
    disagreeing : int
        Pairs whose orders say something different.
    two_verdicts : int
        Pairs with a verdict in both orders: the denominator of both.
    """

    side: StrategySide
    agreement: ClusterEstimate
    n_undecided: int
    tie_share: float | None
    made_ties: int
    stable: int
    disagreeing: int
    two_verdicts: int


@dataclass(frozen=True, slots=True)
class Tested:
    """One difference after the correction over its family.

    Attributes
    ----------
    found : StrategyDifference
        The difference.
    adjusted : float | None
        p-value corrected by Holm.
    is_found : bool
        Whether it is told from none at the error rate of the family.
    detectable : float | None
        Smallest difference that these pairs detect with a power of 80 %, in this family.
    pairs_needed : int | None
        Pairs like these that would find the margin, or without one a difference as large as seen;
        None where it was found, or cannot be computed.
    """

    found: StrategyDifference
    adjusted: float | None
    is_found: bool
    detectable: float | None
    pairs_needed: int | None

    @property
    def more_needed(self) -> int | None:
        """Pairs that are needed beside the common ones; None where none are or it is unknown."""
        if self.pairs_needed is None or self.has_enough:
            return None
        return self.pairs_needed - self.found.n_common

    @property
    def has_enough(self) -> bool:
        """Whether there are pairs enough to find what was asked for, and it was not found."""
        return self.pairs_needed is not None and self.pairs_needed <= self.found.n_common


@dataclass(frozen=True, slots=True)
class StrategyTable:
    """Strategies of every judge, compared with the baseline.

    Attributes
    ----------
    plan : StrategyPlan
        How they were compared.
    rows : tuple[StrategyRow, ...]
        By judge; within one the baseline first.
    tests : tuple[Tested, ...]
        Agreement of every strategy against the baseline, over all pairs.
    family : FamilyTest
        These tests under Holm.
    by_category : tuple[Tested, ...]
        The same by category: a family of its own, exploratory.
    category_family : FamilyTest | None
        That family; None where there are not two categories.
    consistency : tuple[Tested, ...]
        Share of stable pairs of every strategy against the baseline's: needs no reference, a family
        of its own; empty where both rest on the same two verdicts.
    points : tuple[FrontierPoint, ...]
        Cost and agreement of every strategy, where both are known: of all judges together in
        dollars, of each judge by itself in calls, which cost another sum with every judge.
    cost_unit : str
        ``dollars``, or ``calls`` where not every strategy is priced; empty where neither is known.
    notes : tuple[str, ...]
        What limits the evidence, in sentences.
    """

    plan: StrategyPlan
    rows: tuple[StrategyRow, ...]
    tests: tuple[Tested, ...]
    family: FamilyTest
    by_category: tuple[Tested, ...]
    category_family: FamilyTest | None
    consistency: tuple[Tested, ...]
    points: tuple[FrontierPoint, ...]
    cost_unit: str
    notes: tuple[str, ...] = ()

    @property
    def judges(self) -> tuple[str, ...]:
        """Names of the judges."""
        return tuple(dict.fromkeys(row.side.judge for row in self.rows))

    def of_judge(self, judge: str) -> tuple[StrategyRow, ...]:
        """Return the rows of one judge."""
        return tuple(row for row in self.rows if row.side.judge == judge)


def strategy_table(
    sides: Sequence[StrategySide], plan: StrategyPlan, notes: Sequence[str] = ()
) -> StrategyTable:
    """Compare every strategy with the baseline, judge by judge.

    Parameters
    ----------
    sides : Sequence[StrategySide]
        All strategies of all judges.
    plan : StrategyPlan
        Baseline, level, margin and family.
    notes : Sequence[str]
        What limits the evidence.

    Returns
    -------
    StrategyTable
        Rows, tests and frontier.

    Raises
    ------
    UsageError
        If no judge has the baseline.
    """
    judges = list(dict.fromkeys(side.judge for side in sides))
    bases = {side.judge: side for side in sides if side.strategy == plan.baseline}
    if not bases:
        known = ", ".join(dict.fromkeys(side.strategy for side in sides))
        msg = (
            f"no strategy is called {one_line(plan.baseline)!r}; there are: {one_line(known, 400)}"
        )
        raise UsageError(msg)
    ordered = sorted(
        sides, key=lambda s: (judges.index(s.judge), s.strategy != plan.baseline, s.strategy)
    )
    couples = [(s, base) for s in ordered if (base := base_of(s, bases)) is not None]
    tests, family = corrected_together(
        [strategy_difference(*couple, level=plan.level) for couple in couples],
        plan,
        plan.family_size,
    )
    categories = sorted({name for side in sides for name in side.category})
    by_category, category_family = _by_category(couples, categories, plan)
    rows = tuple(_row(side, plan.level) for side in ordered)
    unit, points = _points(rows)
    if any(row.made_ties for row in rows) and not any(side.accepts_ties for side in sides):
        notes = [*notes, _NO_TIES]
    missing = [f"{judge}: {plan.baseline} is not there to compare with." for judge in judges]
    return StrategyTable(
        plan=plan,
        rows=rows,
        tests=tests,
        family=family,
        by_category=by_category,
        category_family=category_family,
        consistency=_consistency(couples, sides, plan),
        points=points,
        cost_unit=unit,
        notes=(
            *notes,
            *(
                note
                for judge, note in zip(judges, missing, strict=True)
                if judge not in bases and judge not in {side.judge for side, _ in couples}
            ),
        ),
    )


def base_of(side: StrategySide, bases: Mapping[str, StrategySide]) -> StrategySide | None:
    """Return what a strategy is compared with.

    Parameters
    ----------
    side : StrategySide
        The strategy.
    bases : Mapping[str, StrategySide]
        The baseline of each judge.

    Returns
    -------
    StrategySide | None
        None for a baseline itself, and where its judge has none.
    """
    base = bases.get(side.compared_with or side.judge)
    return None if base is side else base


_SWAP = "S1"
_NO_TIES = (
    "No reference accepts a tie: a rule that calls a tie where the orders disagree can only lose"
    " agreement here, whatever it shows of the order."
)
_Couples = list[tuple["StrategySide", "StrategySide"]]


def _by_category(
    couples: _Couples, categories: Sequence[str], plan: StrategyPlan
) -> tuple[tuple[Tested, ...], FamilyTest | None]:
    if len(categories) < 2:  # noqa: PLR2004 (one category is all pairs)
        return (), None
    return corrected_together(
        [
            strategy_difference(*couple, categories=(name,), named=name, level=plan.level)
            for couple in couples
            for name in categories
        ],
        plan,
        None,
    )


def _consistency(
    couples: _Couples, sides: Sequence[StrategySide], plan: StrategyPlan
) -> tuple[Tested, ...]:
    """Compare stable shares where a strategy rests on other verdicts than the baseline."""
    swapped = {side.judge: side for side in sides if side.stands_for == _SWAP and not side.is_loose}
    # A baseline that asks in one order has no stable share; both orders of its prompt are S1's.
    couples = [
        (side, base if base.has_two_verdicts.any() else swapped.get(base.judge, base))
        for side, base in couples
    ]
    figure: Figure = "stable"
    found = [
        strategy_difference(*couple, figure, level=plan.level)
        for couple in couples
        if couple[0] is not couple[1]
        and couple[0].has_two_verdicts.any()
        and couple[1].has_two_verdicts.any()
    ]
    differing = [each for each in found if each.n_gained or each.n_lost]
    return corrected_together(differing, plan, None)[0]


def corrected_together(
    found: Sequence[StrategyDifference], plan: StrategyPlan, declared: int | None = None
) -> tuple[tuple[Tested, ...], FamilyTest]:
    """Correct differences together, and say of those not found what would find them.

    Parameters
    ----------
    found : Sequence[StrategyDifference]
        The differences of one family.
    plan : StrategyPlan
        Level and margin.
    declared : int | None
        Declared comparisons; None for as many as are made.

    Returns
    -------
    tuple[tuple[Tested, ...], FamilyTest]
        In the same sequence, and the correction.
    """
    rate = round(1 - plan.level, 12)
    size = max(declared or 0, len(found), 1)
    family = holm({each.name: each.p_value for each in found}, size, rate)
    adjusted = {step.name: step.adjusted for step in family.steps}
    return tuple(_tested(each, adjusted[each.name], plan, rate, size) for each in found), family


def _tested(
    each: StrategyDifference, adjusted: float | None, plan: StrategyPlan, rate: float, size: int
) -> Tested:
    is_found = adjusted is not None and adjusted <= rate + 1e-12
    needed = None if is_found else pairs_needed(each, rate / size, plan.margin)
    smallest = None if is_found else detectable(each, rate / size)
    return Tested(each, adjusted, is_found, smallest, needed)


def _row(side: StrategySide, level: float) -> StrategyRow:
    counted = side.is_referenced & side.made.is_known
    is_tie_known = int(side.made.is_known.sum())
    return StrategyRow(
        side=side,
        agreement=_agreement(side, counted, level),
        n_undecided=int((~side.made.is_known).sum()),
        tie_share=float(side.made.tie.sum()) / is_tie_known if is_tie_known else None,
        made_ties=int(side.made.is_made_tie.sum()),
        stable=int(side.is_stable.sum()),
        disagreeing=int(side.is_disagreeing.sum()),
        two_verdicts=int(side.has_two_verdicts.sum()),
    )


def _agreement(side: StrategySide, counted: np.ndarray, level: float) -> ClusterEstimate:
    credit = side.made.credit
    if side.is_binary:
        return cluster_proportion(counted & (credit > 0), counted, side.cluster, level)
    return cluster_mean(credit[counted], side.cluster[counted], level, bounds=(0.0, 1.0))


def _points(rows: Sequence[StrategyRow]) -> tuple[str, tuple[FrontierPoint, ...]]:
    """Place strategies by cost: in dollars where every one is priced, else in calls."""
    known = [row for row in rows if row.agreement.estimate is not None]
    for unit, cost in (
        ("dollars", [row.side.cost.dollars for row in known]),
        ("calls", [row.side.cost.calls for row in known]),
    ):
        if known and None not in cost:
            points: dict[str, list[Priced]] = {}
            for row, each in zip(known, cost, strict=True):
                place = Priced(row.side.name, each or 0.0, row.agreement.estimate or 0.0)
                together = row.side.judge if unit == "calls" else ""
                points.setdefault(together, []).append(place)
            return unit, tuple(point for group in points.values() for point in frontier(group))
    return "", ()
