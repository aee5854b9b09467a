"""A run that goes through batch files: its judges ask nobody, and results go the common road."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from counterbalance.judges.batch import BatchedJudge
from counterbalance.judges.endpoint import limits_of_evidence, named_place
from counterbalance.protocol.judge_settings import HttpJudge
from counterbalance.protocol.sections import Budget
from counterbalance.run.batch_reading import ReadBatch, read_results
from counterbalance.run.batch_writing import WriteBatch, batched_judges, write_batches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counterbalance.presentations.presentation import Presentation
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.run.execution import Execution, RunSummary

__all__ = ["Batch", "judges_behind_batches", "set_to_read", "summary_of_writing"]

Batch = WriteBatch | ReadBatch
"""What is done with batch files."""

_AT_ONCE = 64
_NO_LIMIT = 2**31


def judges_behind_batches(protocol: Protocol) -> dict[str, BatchedJudge]:
    """Return a judge without results for each judge that has batch files; no key is needed.

    Parameters
    ----------
    protocol : Protocol
        The protocol.

    Returns
    -------
    dict[str, BatchedJudge]
        By name; they have the notes of the judges they stand for.
    """
    return {
        name: BatchedJudge({}, limits_of_evidence(settings, named_place(settings, os.environ)))
        for name, settings in batched_judges(protocol).items()
    }


def summary_of_writing(
    execution: Execution, work: Sequence[Presentation], task: WriteBatch
) -> RunSummary:
    """Write what is outstanding, and return the summary of a run that asked nobody.

    Parameters
    ----------
    execution : Execution
        The run.
    work : Sequence[Presentation]
        Every planned presentation, in the order of work.
    task : WriteBatch
        Where to.

    Returns
    -------
    RunSummary
        With the files.
    """
    summary = execution.summary
    summary.planned = len(work)
    summary.outstanding = execution.retrying.n_outstanding(work)
    summary.recorded_before = len(work) - len(execution.retrying.due(work))
    summary.batch = write_batches(execution, work, task)
    summary.stopped = summary.batch.stopped
    return summary


def set_to_read(execution: Execution, work: Sequence[Presentation], task: ReadBatch) -> None:
    """Let a run record the results in files, and nothing else.

    What was spent is spent: no budget, pace or row of failures keeps a result from the record.

    Parameters
    ----------
    execution : Execution
        The run.
    work : Sequence[Presentation]
        Every planned presentation.
    task : ReadBatch
        The files.
    """
    judges = batched_judges(execution.protocol)
    places = {name: named_place(settings, os.environ) for name, settings in judges.items()}
    read, results = read_results(execution, work, judges, places, task)
    execution.summary.batch = read
    execution.only = frozenset(results)
    execution.judges = {
        name: BatchedJudge(results, judge.notes) if name in judges else judge
        for name, judge in execution.judges.items()
    }
    execution.protocol = _unpaced(execution.protocol)


def _unpaced(protocol: Protocol) -> Protocol:
    changes = {
        "concurrency": _AT_ONCE,
        "requests_per_minute": None,
        "tokens_per_minute": None,
        "max_consecutive_failures": _NO_LIMIT,
    }
    judges = tuple(
        judge.model_copy(update=changes) if isinstance(judge, HttpJudge) else judge
        for judge in protocol.judges
    )
    return protocol.model_copy(update={"judges": judges, "budget": Budget()})
