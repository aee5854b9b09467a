"""What a cap on money buys, for ``plan --cap``: asked of the pilot, priced by the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterbalance.compare.budget import Offer
    from counterbalance.record.place import Place
    from counterbalance.run.study import Study

__all__ = ["offers_under"]


def offers_under(cap: float, study: Study, pilot: Place | None) -> tuple[Offer, ...]:
    """Return what a cap buys of each judge and strategy of the pilot.

    Parameters
    ----------
    cap : float
        Dollars.
    study : Study
        The planned study: its pairs, and its prices before those of the pilot.
    pilot : Place | None
        The pilot's record.

    Returns
    -------
    tuple[Offer, ...]
        The narrowest interval first.

    Raises
    ------
    UsageError
        If there is no pilot, or no judge of the pilot is one of the study.
    """
    from collections import Counter

    from counterbalance.compare.budget import budget_grid
    from counterbalance.compare.pilot import arms_of
    from counterbalance.errors import UsageError
    from counterbalance.presentations.assignment import judged_pairs
    from counterbalance.record import open_record
    from counterbalance.report.evidence import read_evidence

    if pilot is None:
        msg = "--cap needs the spread of verdicts and the tokens of a pilot: --pilot RECORD"
        raise UsageError(msg)
    with open_record(pilot, create=False, exclusive=False) as store:
        evidence = read_evidence(store)
    protocol = study.protocol
    names = [judge.name for judge in protocol.judges]
    unit = protocol.analysis.cluster
    first = evidence.protocol.labellings[0].name
    arms = [
        arm
        for group, pairs in evidence.groups.items()
        if group.judge in names and group.labelling == first
        for arm in arms_of(group.judge, pairs, unit)
    ]
    if not arms:
        known = ", ".join(dict.fromkeys(group.judge for group in evidence.groups))
        msg = f"--cap: no judge of the pilot ({known}) is one of the protocol ({', '.join(names)})"
        raise UsageError(msg)
    sizes = Counter(
        {"cluster": pair.item.cluster, "item": pair.item.id, "pair": pair.id}[unit]
        for pair in judged_pairs(study.pairs.pairs, protocol)
        if pair.reference is not None
    )
    prices = {**evidence.protocol.prices, **protocol.prices}
    level = protocol.analysis.confidence_level
    return budget_grid(cap, arms, prices, list(sizes.values()), level)
