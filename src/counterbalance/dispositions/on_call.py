"""Which presentations of judges on call are needed: where the first judge disagrees with itself.

A run asks by it and a report counts by it, so that the two cannot disagree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.dispositions.cell import order_cell
from counterbalance.dispositions.combining import disagrees_with_itself
from counterbalance.dispositions.disposition import PairDisposition, disposition_of
from counterbalance.items.frames import Order
from counterbalance.presentations.presentation import Purpose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from counterbalance.items.item import Pair, PairId
    from counterbalance.parsing.outcome import Outcome
    from counterbalance.presentations.presentation import PlanEntry, Presentation
    from counterbalance.protocol.protocol import Protocol

__all__ = ["needed_entries"]


def needed_entries(
    protocol: Protocol,
    plan: Iterable[PlanEntry],
    pairs: Iterable[Pair],
    outcome_of: Callable[[Presentation], Outcome | None],
) -> list[PlanEntry]:
    """Return the plan without what no strategy needs, as far as is known yet.

    Parameters
    ----------
    protocol : Protocol
        Declares the strategies.
    plan : Iterable[PlanEntry]
        Every planned presentation.
    pairs : Iterable[Pair]
        The pairs shown.
    outcome_of : Callable[[Presentation], Outcome | None]
        Gives the outcome that counts for a presentation; None while it has none.

    Returns
    -------
    list[PlanEntry]
        In the same sequence: everything but what judges on call are not (or not yet) needed for.
    """
    entries = list(plan)
    rows = [row for row in protocol.strategy_rows if row.strategy.stronger is not None]
    if not rows:
        return entries
    first_judges: dict[str, set[str]] = {}
    stronger = {}
    for row in rows:
        first_judges.setdefault(row.strategy.id, set()).add(row.judge)
        stronger[row.strategy.id] = row.strategy.stronger
    shown: dict[tuple[str, PairId, str], list[Presentation]] = {}
    for entry in entries:
        p = entry.presentation
        if entry.purpose is Purpose.STRATEGY and p.judge in first_judges.get(entry.strategy, ()):
            shown.setdefault((entry.strategy, p.pair_id, p.judge), []).append(p)
    known = {pair.id: pair for pair in pairs}
    in_doubt = {
        (strategy, pair_id)
        for (strategy, pair_id, _), presentations in shown.items()
        if _disagrees(known[pair_id], presentations, outcome_of)
    }
    return [
        entry
        for entry in entries
        if stronger.get(entry.strategy) != entry.presentation.judge
        or (entry.strategy, entry.presentation.pair_id) in in_doubt
    ]


def _disagrees(
    pair: Pair,
    presentations: Sequence[Presentation],
    outcome_of: Callable[[Presentation], Outcome | None],
) -> bool:
    cells = {
        order: order_cell([outcome_of(p) for p in presentations if p.order is order], order)
        for order in Order
    }
    disposition, detail = disposition_of(
        *(cells[order].cell for order in Order), is_identical=False, is_confounded=False
    )
    return disagrees_with_itself(PairDisposition(pair, disposition, detail, cells))
