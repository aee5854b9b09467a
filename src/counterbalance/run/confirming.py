"""The confirmation: held-out pairs are opened once all else is done, and that is recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.dispositions.on_call import needed_entries
from counterbalance.errors import OutstandingError, ProtocolError
from counterbalance.presentations.assignment import (
    confirmation_plan,
    held_out_ids,
    work_order,
)
from counterbalance.record.store import Opening
from counterbalance.run.clock import now
from counterbalance.run.matching import check_same_study
from counterbalance.run.part import PROGRAM, Part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.presentations.presentation import PlanEntry
    from counterbalance.record.store import RecordHeader, Store
    from counterbalance.run.execution import Execution
    from counterbalance.run.study import Study

__all__ = ["confirmation_part", "open_held_out"]


def confirmation_part(store: Store, header: RecordHeader, study: Study) -> Part:
    """Return what a confirmation asks under the newest revision, whether it is opened yet or not.

    Parameters
    ----------
    store : Store
        The record.
    header : RecordHeader
        What its newest revision is of.
    study : Study
        Protocol and pairs; refused when they are not that revision's.

    Returns
    -------
    Part
        The plan over the held-out pairs; nothing is written.

    Raises
    ------
    ProtocolError
        If no pair is held out.
    """
    check_same_study(store, header, study.protocol, study.pairs.pairs)
    if not held_out_ids(study.pairs.pairs, study.protocol, header.held_out or ()):
        problem = (
            "--confirm judges held-out pairs, and this protocol declares no share that holds any"
            " out; pairs that nobody has seen can be added and held out with a revision"
        )
        raise ProtocolError(str(study.path), "held_out", problem)
    opening = _opening(store, header)
    if opening is None:
        pairs = study.pairs.pairs
        plan = list(confirmation_plan(pairs, study.protocol, header.secret, header.held_out))
        return Part(header.secret, plan, PROGRAM, lambda _: None)
    return Part(header.secret, list(store.plan(opened=True)), opening.program, lambda _: None)


def open_held_out(
    store: Store, study: Study, execution: Execution, plan: Sequence[PlanEntry]
) -> None:
    """Record that the held-out pairs are opened, before the first call for one of them.

    Parameters
    ----------
    store : Store
        The record.
    study : Study
        Protocol and pairs.
    execution : Execution
        Knows what is recorded.
    plan : Sequence[PlanEntry]
        What will be asked of them, from `confirmation_part`.

    Raises
    ------
    OutstandingError
        If the newest revision still has presentations to ask; nothing is opened then.
    """
    header = store.headers()[-1]
    if _opening(store, header) is not None:
        return
    needed = needed_entries(study.protocol, store.plan(), study.pairs.pairs, execution.outcome_of)
    ordinary = work_order(needed, study.protocol.seed)
    if due := execution.retrying.n_outstanding(ordinary):
        msg = (
            f"{due} of the {len(ordinary)} presentations of revision {header.number} are"
            " outstanding, so the held-out pairs stay closed; finish them first with:"
            f" counterbalance run {study.path}"
        )
        raise OutstandingError(msg)
    kept_back = held_out_ids(study.pairs.pairs, study.protocol, header.held_out)
    ids = tuple(pair.id for pair in study.pairs.pairs if pair.id in kept_back)
    store.open_held_out(Opening(now(), PROGRAM, ids), plan)


def _opening(store: Store, header: RecordHeader) -> Opening | None:
    opened = (x for x in store.openings() if x.revision == header.number)
    return next(opened, None)
