"""One run over a study's record: what it asks is prepared, begun in the record, and asked."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from counterbalance.dispositions.on_call import needed_entries
from counterbalance.dispositions.retry_rule import RetryRule
from counterbalance.errors import CounterbalanceError, RecordError
from counterbalance.presentations.assignment import work_order
from counterbalance.presentations.rendering import Renderer
from counterbalance.record import open_record
from counterbalance.record.imported import refuse_import
from counterbalance.record.opening import discard_empty, is_taken
from counterbalance.run.asides import aside_spending
from counterbalance.run.batch_reading import ReadBatch
from counterbalance.run.batch_writing import WriteBatch
from counterbalance.run.batching import Batch, set_to_read, summary_of_writing
from counterbalance.run.collection import rare_collection
from counterbalance.run.confirming import confirmation_part, open_held_out
from counterbalance.run.execution import (
    Execution,
    RunSummary,
    lost_attempt,
    remembered,
)
from counterbalance.run.matching import check_same_prompts
from counterbalance.run.opening import Given, open_judges
from counterbalance.run.part import Part, known_part, new_part
from counterbalance.run.revising import revised_part
from counterbalance.run.spending import charged_usd

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from counterbalance.judges.callable import JudgeFunction
    from counterbalance.parsing.outcome import Outcome
    from counterbalance.presentations.presentation import Presentation, PresentationKey
    from counterbalance.record.place import Place
    from counterbalance.record.store import Store
    from counterbalance.run.handed_in import Finished
    from counterbalance.run.study import Study

__all__ = ["Confirm", "GoOn", "Revise", "Task", "run_study"]


@dataclass(frozen=True, slots=True)
class GoOn:
    """Ask what is planned and not recorded yet; begin the record where there is none."""


@dataclass(frozen=True, slots=True)
class Revise:
    """Open a further revision of the record for a changed protocol, and ask what it adds.

    Attributes
    ----------
    reason : str
        Why the protocol or the pairs changed, from `counterbalance.run.revising.checked_reason`.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class Confirm:
    """Open the held-out pairs under the newest revision, and ask what is not recorded of them."""


Task = GoOn | Revise | Confirm
"""What a run is for."""


async def run_study(
    study: Study,
    record: Place,
    *,
    task: Task | None = None,
    threads: int | None = None,
    retry_failed: bool = False,
    functions: Mapping[str, JudgeFunction] | None = None,
    batch: Batch | None = None,
    announce: Callable[[int, int], None],
    finished: Finished,
) -> RunSummary:
    """Judge what is planned and not yet recorded.

    Parameters
    ----------
    study : Study
        What was fixed.
    record : Place
        Where evidence goes; begun here when it does not exist and the task allows it.
    task : Task | None
        What the run is for; None to go on, or to begin.
    threads : int | None
        Threads of the embedded model.
    retry_failed : bool
        Ask once more what the retry rule names where its attempts are used up, beyond the rule.
    functions : Mapping[str, JudgeFunction] | None
        Python functions that judge, by name; None for none.
    batch : Batch | None
        Write requests to batch files, or record results from them, instead of asking anybody.
    announce : Callable[[int, int], None]
        Told the number of planned and of recorded presentations before the first call.
    finished : Finished
        Told of every recorded attempt.

    Returns
    -------
    RunSummary
        What was done.

    Raises
    ------
    CounterbalanceError
        If the record is of another study, in use, or cannot be written; if there is nothing to
        revise or to confirm, or too early for it.
    """
    task = task or GoOn()
    was_there = is_taken(record)
    try:
        with open_record(record, create=isinstance(task, GoOn), exclusive=True) as store:
            refuse_import(store.header(), record, "name another record with --record")
            given = Given(threads, functions or {}, batch)
            return await _run_in(
                store, study, task, given, announce, finished, retry_failed=retry_failed
            )
    except CounterbalanceError:
        if not was_there:
            discard_empty(record)
        raise


def _part(store: Store, study: Study, task: Task) -> Part:
    header = store.header()
    match task:
        case GoOn():
            return new_part(store, study) if header is None else known_part(store, header, study)
        case _ if header is None:
            msg = "the record was never begun, so there is nothing to revise or to confirm in it"
            raise RecordError(msg)
        case Revise(reason):
            return revised_part(store, study, reason)
        case Confirm():
            return confirmation_part(store, header, study)


async def _run_in(
    store: Store,
    study: Study,
    task: Task,
    given: Given,
    announce: Callable[[int, int], None],
    finished: Finished,
    *,
    retry_failed: bool,
) -> RunSummary:
    part = _part(store, study, task)
    renderer = part.renderer or Renderer(study.protocol, part.secret)
    async with AsyncExitStack() as opened:
        judges = await open_judges(opened, study.protocol, list(part.plan), study.folder, given)
        part.begin(note for judge in judges.values() for note in judge.notes)
        asked = chain(part.plan, store.plan() if isinstance(task, Confirm) else ())
        execution = Execution(
            store=store,
            protocol=study.protocol,
            renderer=renderer,
            pairs={pair.id: pair for pair in study.pairs.pairs},
            judges=judges,
            finished=finished,
            rule=RetryRule(study.protocol, (entry.presentation for entry in asked)),
            retries_failed=retry_failed,
        )
        judges_of = {entry.presentation.key: entry.presentation.judge for entry in part.plan}
        await _take_stock(execution, store, judges_of)
        if isinstance(task, Confirm):
            open_held_out(store, study, execution, part.plan)
        execution.summary.revision = len(store.headers())
        execution.summary.confirms = isinstance(task, Confirm)
        work = _work(execution, study, part)
        within_reach = execution.within_reach(work)
        if part.renderer is None:
            check_same_prompts(part.planned_by, within_reach, execution.pairs, renderer)
        if isinstance(given.batch, WriteBatch):
            return summary_of_writing(execution, work, given.batch)
        if isinstance(given.batch, ReadBatch):
            set_to_read(execution, work, given.batch)
        announce(len(work), len(work) - len(within_reach))
        with rare_collection():
            await execution.run(work)
            further = _work(execution, study, part)
            if len(further) > len(work) and not execution.summary.stopped:
                # The first judges' verdicts say now where those on call are needed.
                announce(len(further), len(further) - len(execution.within_reach(further)))
                await execution.run(further)
        return execution.summary


def _work(execution: Execution, study: Study, part: Part) -> list[Presentation]:
    """Return what is to be asked, as far as is known: judges on call wait for the others."""
    needed = needed_entries(study.protocol, part.plan, study.pairs.pairs, execution.outcome_of)
    return work_order(needed, study.protocol.seed)


async def _take_stock(
    execution: Execution, store: Store, judges_of: Mapping[PresentationKey, str]
) -> None:
    """Count what is recorded; a call that never came back becomes a lost attempt."""
    recorded: dict[PresentationKey, list[Outcome]] = {}
    spending, prices = execution.spending, execution.protocol.prices
    aside_spending(store.asides.all(), spending)
    for attempt in store.attempts():
        recorded.setdefault(attempt.key, []).append(remembered(attempt.outcome))
        spending.calls += 1
        price = prices.get(judges_of.get(attempt.key, ""))
        usage = attempt.reply.usage if attempt.reply else None
        spending.add(usage, charged_usd(attempt, price))
    for call in list(store.unfinished()):
        attempt = lost_attempt(call.key, call.number, call.started_at)
        await store.append(attempt)
        recorded.setdefault(call.key, []).append(remembered(attempt.outcome))
        spending.calls += 1
        execution.summary.lost += 1
    execution.outcomes.update(recorded)
