"""What a cap on money buys, for ``plan --cap``: asked of the pilot, priced by the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterbalance.compare.budget import Aim, BudgetGrid
    from counterbalance.record.place import Place
    from counterbalance.run.study import Study

__all__ = ["grid_under"]


def grid_under(
    cap: float, study: Study, pilot: Place | None, aim: Aim, *, as_batches: bool = False
) -> BudgetGrid:
    """Return what a cap buys of each judge and strategy of the study.

    Parameters
    ----------
    cap : float
        Dollars.
    study : Study
        The planned study: its pairs and strategies, and its prices before those of the pilot.
    pilot : Place | None
        The pilot's record.
    aim : Aim
        What is sought.
    as_batches : bool
        Whether calls cost what the prices say of batches.

    Returns
    -------
    BudgetGrid
        What serves the aim best first.

    Raises
    ------
    UsageError
        If there is no pilot, or no judge of the pilot is one of the study.
    """
    from collections import Counter

    from counterbalance.compare.budget import budget_grid
    from counterbalance.compare.budget_cells import Planned
    from counterbalance.errors import UsageError
    from counterbalance.presentations.assignment import judged_pairs
    from counterbalance.record import open_record
    from counterbalance.report.evidence import read_evidence
    from counterbalance.report.pilot_arms import arms_in, differences_in

    if pilot is None:
        msg = "--cap needs the spread of verdicts and the tokens of a pilot: --pilot RECORD"
        raise UsageError(msg)
    with open_record(pilot, create=False, exclusive=False) as store:
        evidence = read_evidence(store)
    protocol = study.protocol
    arms = arms_in(evidence, protocol)
    if all(arm.missing for arm in arms):
        names = [judge.name for judge in protocol.judges]
        known = ", ".join(judge.name for judge in evidence.protocol.judges)
        msg = (
            f"--cap: the pilot asked nothing that this protocol asks; its judges are {known}, those"
            f" of the protocol {', '.join(names)}"
        )
        raise UsageError(msg)
    unit = protocol.analysis.cluster
    sizes = Counter(
        {"cluster": pair.item.cluster, "item": pair.item.id, "pair": pair.id}[unit]
        for pair in judged_pairs(study.pairs.pairs, protocol)
        if pair.reference is not None
    )
    level = protocol.analysis.confidence_level
    prices = {**evidence.protocol.prices, **protocol.prices}
    if as_batches:
        prices = {k: each for k, price in prices.items() if (each := price.of_batches) is not None}
    planned = Planned(
        cluster_sizes=list(sizes.values()),
        prices=prices,
        as_batches=as_batches,
        differences=dict(differences_in(evidence, arms, level)),
        level=level,
        family_size=max(1, sum(arm.strategy != "B0" for arm in arms)),
    )
    return budget_grid(cap, arms, planned, aim)
