"""What the pairs of a plan can detect: power by the protocol's declarations, or by a pilot."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterbalance.compare.power import Detectable, WinRateDetectable
    from counterbalance.record.place import Place
    from counterbalance.run.forecast import Forecast
    from counterbalance.run.study import Study

__all__ = ["detectable_by"]


def detectable_by(
    study: Study, plan: Forecast, pilot: Place | None
) -> tuple[tuple[Detectable, ...], tuple[WinRateDetectable, ...]]:
    """Return the smallest differences between judges, and win rates, that the plan can detect."""
    from counterbalance.compare.power import PlannedPairs, detectable
    from counterbalance.protocol.sections import Compare
    from counterbalance.record import open_record
    from counterbalance.report.compared_records import n_declared, sides_of_record
    from counterbalance.report.evidence import read_evidence

    sides = []
    if pilot is not None:
        with open_record(pilot, create=False, exclusive=False) as store:
            sides = sides_of_record(read_evidence(store), cluster=study.protocol.analysis.cluster)
    protocol = study.protocol
    has_both = protocol.orders.assignment == "both"
    default = ("agreement_both", "position_consistency") if has_both else ("strategy_agreement",)
    compare = protocol.compare or Compare(measures=default)
    planned = PlannedPairs(
        n_pairs=plan.judged.pairs,
        n_referenced=plan.judged.with_reference,
        cluster_sizes=plan.judged.cluster_sizes,
        n_calls=protocol.repetitions.per_order * (2 if has_both else 1),
        has_both_orders=has_both,
        error_rate=round(1 - protocol.analysis.confidence_level, 12),
        family_size=1 if protocol.compare is None else n_declared(protocol),
    )
    return detectable(planned, compare.measures, compare.margins, sides)
