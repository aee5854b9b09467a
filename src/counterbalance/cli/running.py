"""What ``run`` and ``demo`` share: one run over a study, watched, with its exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from counterbalance.record.place import Place
    from counterbalance.run.batch_counts import BatchesWritten, ResultsRead
    from counterbalance.run.batching import Batch
    from counterbalance.run.execution import RunSummary
    from counterbalance.run.session import Task
    from counterbalance.run.study import Study

__all__ = ["EXIT_INCOMPLETE", "next_line", "run_watched", "summary_lines", "summary_value"]

EXIT_INCOMPLETE = 3

_IN_VAIN = (
    "no call brought a reply, and the retry rule asks for no further one: mend what failed, then"
    " begin a new record (--record), or declare [retry] and go on with --revise"
)


def run_watched(
    study: Study,
    record: Place,
    *,
    threads: int | None,
    quiet: bool,
    retry_failed: bool = False,
    task: Task | None = None,
    batch: Batch | None = None,
) -> RunSummary:
    """Judge what is outstanding, with progress on standard error."""
    import asyncio

    from counterbalance.cli.progress import RunProgress
    from counterbalance.run.session import run_study

    with RunProgress(quiet=quiet) as progress:
        return asyncio.run(
            run_study(
                study,
                record,
                task=task,
                threads=threads,
                retry_failed=retry_failed,
                batch=batch,
                announce=progress.announce,
                finished=progress.finished,
            )
        )


def summary_value(summary: RunSummary, record: Place) -> dict[str, object]:
    """Return the summary of a run as a JSON value."""
    return {
        "record": str(record),
        "planned": summary.planned,
        "recorded_before": summary.recorded_before,
        "calls": summary.calls,
        "failed": summary.failed,
        "last_failure": summary.last_failure or None,
        "lost": summary.lost,
        "beyond_retry_rule": summary.beyond_rule,
        "outstanding": summary.outstanding,
        "revision": summary.revision,
        "confirmation": summary.confirms,
        "stopped": summary.stopped or None,
        "batch": _batch_value(summary.batch),
    }


def _batch_value(batch: BatchesWritten | ResultsRead | None) -> dict[str, object] | None:
    from dataclasses import asdict

    if batch is None:
        return None
    value = asdict(batch)
    if "files" in value:
        value["files"] = [{"file": str(path), "requests": n} for path, n in value["files"]]
    return value


def next_line(summary: RunSummary, protocol: Path, record: Place) -> str:
    """Return what to do next, as a command where there is one."""
    from counterbalance.run.batch_counts import BatchesWritten

    if not isinstance(summary.batch, BatchesWritten):
        return f"next: counterbalance report {record}"
    if not summary.batch.files:
        return f"next: counterbalance run {protocol}"
    return (
        "next: have the provider work them off, then"
        f" counterbalance run {protocol} --read-batch FILE (each output and error file)"
    )


def summary_lines(summary: RunSummary, record: Place) -> list[str]:
    """Return the summary of a run in words."""
    what = f"revision {summary.revision}: " if summary.revision > 1 else ""
    what += "confirmation on held-out pairs: " if summary.confirms else ""
    lines = [
        (
            f"{what}{summary.planned} presentations planned, {summary.recorded_before} recorded"
            f" before, {summary.calls} calls made, {summary.outstanding} outstanding"
        )
    ]
    if summary.failed and not summary.stopped:
        lines.append(f"{summary.failed} calls failed; the last one, of {summary.last_failure}")
        if summary.failed == summary.calls and not summary.outstanding:
            lines.append(_IN_VAIN)
    if summary.lost:
        lines.append(f"{summary.lost} calls of an earlier run never came back; asked again")
    if summary.used_up is not None:
        lines.append(_beyond_line(summary.used_up, summary.beyond_rule))
    lines += _batch_lines(summary.batch)
    if summary.stopped:
        lines.append(f"stopped: {summary.stopped}")
    lines.append(f"record: {record}")
    return lines


def _beyond_line(used_up: int, calls: int) -> str:
    if not used_up:
        return (
            "--retry-failed: nothing is beyond the retry rule, as no presentation that ended in an"
            " outcome it names had used up its attempts"
        )
    return (
        f"{calls} of the calls lie beyond the retry rule, for {used_up} presentations that had used"
        " up their attempts; only `counterbalance report --exploratory` counts them"
    )


def _batch_lines(batch: BatchesWritten | ResultsRead | None) -> list[str]:
    from counterbalance.run.batch_counts import BatchesWritten

    if batch is None:
        return []
    if isinstance(batch, BatchesWritten):
        left = batch.left_to_run
        more = f"; {left} outstanding ones have no batch: run them without one" if left else ""
        counts = f"{batch.requests} requests written in {len(batch.files)} batch files{more}"
        return [counts, *(f"  {path}: {n} requests" for path, n in batch.files)]
    counts = (
        f"{batch.lines} results read: {batch.fitting} recorded, {batch.recorded_before} recorded"
        f" before, {batch.repeated} repeated, {batch.contradictory} contradictory,"
        f" {batch.other_plan} of another plan, {batch.unreadable} unreadable"
    )
    return [counts, *(f"  {problem}" for problem in batch.problems)]
