"""One group counted and measured from its columns: the same for a live run and for a log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from counterbalance.dispositions.codes import (
    CONTRADICTORY,
    DETAILS,
    DISPOSITIONS,
    ORDERS,
    OUTCOMES,
    REASONS,
    kind_of,
)
from counterbalance.dispositions.disposition import STABLE, Disposition
from counterbalance.dispositions.transition import transition_table
from counterbalance.items.frames import Order
from counterbalance.measures.agreement import agreement_stable, is_accepted
from counterbalance.measures.catalogue import exploratory_results, group_measures, group_tests
from counterbalance.measures.margins import against_margin
from counterbalance.measures.quadrant import quadrant
from counterbalance.parsing.outcome import OutcomeKind
from counterbalance.report.group_parts import CategoryRow
from counterbalance.report.report import Counts, GroupReport, MarginReport

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from counterbalance.dispositions.codes import Booleans
    from counterbalance.dispositions.evidence import GroupId
    from counterbalance.dispositions.pair_columns import PairColumns
    from counterbalance.measures.estimate import Estimate

__all__ = ["counted_group"]


def counted_group(
    group: GroupId,
    pairs: PairColumns,
    *,
    strategy: str,
    baseline: str | None,
    level: float,
    margins: Mapping[str, float],
    held_out: int = 0,
    excluded: int = 0,
    with_second_opinions: bool = True,
) -> GroupReport:
    """Count and measure one group.

    Parameters
    ----------
    group : GroupId
        Judge and labelling.
    pairs : PairColumns
        Every planned pair.
    strategy : str
        ``S1`` for both orders, ``B0`` for one.
    baseline : str | None
        System that is candidate a throughout, if declared.
    level : float
        Nominal coverage of the intervals.
    margins : Mapping[str, float]
        Declared margins by measure.
    held_out : int
        Pairs kept back for confirmation.
    excluded : int
        Pairs left out.
    with_second_opinions : bool
        Whether the measures and tests that no protocol can plan are computed as well; over a
        million pairs they take longer than all others together.

    Returns
    -------
    GroupReport
        Everything but what only texts and replies show: requirements, accepted winners and
        label probabilities.
    """
    measures = group_measures(pairs, baseline=baseline, level=level)
    others, other_tests = exploratory_results(pairs, level) if with_second_opinions else ([], [])
    found = np.bincount(pairs.disposition, minlength=len(DISPOSITIONS)).tolist()
    strict = pairs.detail[pairs.is_any_of({Disposition.ORDER_DISAGREEMENT})]
    details = np.bincount(strict, minlength=len(DETAILS)).tolist()
    return GroupReport(
        judge=group.judge,
        labelling=group.labelling,
        strategy=strategy,
        counts=_counts(pairs, held_out, excluded),
        systems=_systems(pairs),
        dispositions={d.value: n for d, n in zip(DISPOSITIONS, found, strict=True)},
        details={name: details[DETAILS.index(name)] for name in ("primacy", "recency")},
        incomplete_reasons=_incomplete_reasons(pairs),
        outcomes=_outcomes(pairs),
        transition=transition_table(pairs),
        measures=(*measures, *others),
        margins=tuple(_margins(measures, margins)),
        tests=(*group_tests(pairs), *other_tests),
        quadrant=quadrant(measures, margins),
        categories=tuple(_categories(pairs)),
        stable_against_reference=tuple(_against_reference(pairs)),
        agreement_stable=agreement_stable(pairs, level),
    )


def _counts(pairs: PairColumns, held_out: int, excluded: int) -> Counts:
    return Counts(
        items=np.unique(pairs.table.item[pairs.pair]).size,
        clusters=np.unique(pairs.table.cluster[pairs.pair]).size,
        pairs=pairs.n_pairs,
        held_out=held_out,
        excluded=excluded,
        presentations=int(pairs.planned.sum()),
        attempts=pairs.rows.attempts,
    )


def _systems(pairs: PairColumns) -> dict[str, str]:
    compared = {pairs.table.system_pairs[code] for code in np.unique(pairs.systems)}
    named = {(a[0], b[0]) for a, b in compared}
    a, b = named.pop() if len(named) == 1 else ("", "")
    return {"a": a, "b": b}


def _incomplete_reasons(pairs: PairColumns) -> dict[str, int]:
    rows = pairs.reasons
    is_incomplete = pairs.is_any_of({Disposition.INCOMPLETE})[rows.place]
    counts = np.bincount(
        rows.reason[is_incomplete], weights=rows.count[is_incomplete], minlength=len(REASONS)
    )
    found = {name: int(n) for name, n in zip(REASONS, counts, strict=True) if n}
    return dict(sorted(found.items()))


def _outcomes(pairs: PairColumns) -> dict[str, int]:
    """Count presentations by class; contradictory ones, which only logs have, where there are."""
    counts = dict.fromkeys((kind.value for kind in OutcomeKind), 0)
    for code, n in enumerate(pairs.outcomes.tolist()):
        kind = kind_of(code)
        if kind is not None:
            counts[kind.value] += n
        elif OUTCOMES[code] == CONTRADICTORY and n:
            counts[CONTRADICTORY] = n
    return counts


def _margins(measures: Iterable[Estimate], declared: Mapping[str, float]) -> Iterable[MarginReport]:
    for estimate in measures:
        if estimate.name in declared:
            margin = declared[estimate.name]
            yield MarginReport(estimate.name, margin, against_margin(estimate, margin))


def _categories(pairs: PairColumns) -> Iterable[CategoryRow]:
    category = pairs.table.category[pairs.pair]
    n = len(pairs.table.categories)
    is_rated = pairs.has_two_verdicts & (pairs.accepted > 0)
    is_agreeing = is_rated.copy()
    for order in ORDERS:
        is_agreeing &= is_accepted(pairs.verdict(order), pairs.accepted)

    def count(which: Booleans) -> list[int]:
        found: list[int] = np.bincount(category[which], minlength=n).tolist()
        return found

    rows = zip(
        pairs.table.categories,
        count(np.ones(pairs.n_pairs, dtype=np.bool_)),
        count(pairs.is_any_of(STABLE)),
        count(pairs.has_two_verdicts),
        count(pairs.is_any_of({Disposition.ORDER_DISAGREEMENT})),
        count(is_agreeing),
        count(is_rated),
        strict=True,
    )
    for row in sorted(rows):
        if row[1]:
            yield CategoryRow(*row)


def _against_reference(pairs: PairColumns) -> list[str]:
    is_wrong = pairs.is_any_of(STABLE) & (pairs.accepted > 0)
    is_wrong &= ~is_accepted(pairs.verdict(Order.FORWARD), pairs.accepted)
    wrong = pairs.pair[is_wrong].tolist()
    consequence = pairs.table.consequence
    ids = [(-float(consequence[code]), pairs.table.ids[code]) for code in wrong]
    return [name for _, name in sorted(ids)]
