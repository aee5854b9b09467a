"""``counterbalance run``: judge what is planned and not yet recorded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from counterbalance.cli.places import record_place

if TYPE_CHECKING:
    from counterbalance.record.place import Place
    from counterbalance.run.batching import Batch
    from counterbalance.run.session import Task

__all__ = ["command"]


@click.command("run")
@click.argument("protocol", type=click.Path(path_type=Path))
@click.option(
    "--record",
    type=record_place,
    metavar="RECORD",
    help=(
        "Where evidence goes: a file, or postgresql://USER@HOST/DATABASE#NAME."
        " Default: PROTOCOL's name with .record.sqlite."
    ),
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    help="Threads of the embedded model. Default: all cores. Changes no result.",
)
@click.option(
    "--retry-failed",
    is_flag=True,
    help=(
        "Ask once more, beyond the retry rule, whatever it names and has no attempts left for."
        " Such calls are recorded, and counted by `report --exploratory` only."
    ),
)
@click.option(
    "--revise",
    metavar="REASON",
    help=(
        "Open a further revision of the record for a changed protocol or pair file. What is"
        " recorded stays, what is planned as before is not asked again, and the report says so."
    ),
)
@click.option(
    "--confirm",
    is_flag=True,
    help=(
        "Judge the held-out pairs under the newest revision, once everything else is done. That"
        " they were opened is recorded and cannot be undone."
    ),
)
@click.option(
    "--write-batch",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help=("Ask nobody: write what is outstanding as batch files of OpenAI or Anthropic into DIR."),
)
@click.option(
    "--read-batch",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Ask nobody: record the results in FILE, as the provider gave them. May be repeated.",
)
@click.option("--quiet", is_flag=True, help="No progress.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def command(
    protocol: Path,
    *,
    record: Place | None,
    threads: int | None,
    retry_failed: bool,
    revise: str | None,
    confirm: bool,
    write_batch: Path | None,
    read_batch: tuple[Path, ...],
    quiet: bool,
    as_json: bool,
) -> int:
    """Judge every planned presentation that PROTOCOL's record does not hold yet.

    Each attempt is on disk before the next is made. Interrupt it at any time: the same command
    goes on where it stopped, and asks nothing twice. Exit code 3 when presentations are left, or
    no call brought a reply.
    """
    from counterbalance.cli.output import json_text
    from counterbalance.cli.running import (
        EXIT_INCOMPLETE,
        next_line,
        run_watched,
        summary_lines,
        summary_value,
    )
    from counterbalance.run.study import load_study

    task = _task(revise, confirm)
    batch = _batch(write_batch, read_batch, retry_failed)
    study = load_study(protocol)
    place = record or study.default_record
    summary = run_watched(
        study,
        place,
        threads=threads,
        quiet=quiet,
        retry_failed=retry_failed,
        task=task,
        batch=batch,
    )
    if as_json:
        click.echo(json_text(summary_value(summary, place)))
    else:
        click.echo("\n".join(summary_lines(summary, place)))
        click.echo(next_line(summary, protocol, place))
    is_left = summary.outstanding and write_batch is None
    is_vain = summary.calls and summary.failed == summary.calls
    return EXIT_INCOMPLETE if is_left or summary.stopped or is_vain else 0


def _task(revise: str | None, confirm: bool) -> Task | None:
    from counterbalance.errors import UsageError
    from counterbalance.run.revising import checked_reason
    from counterbalance.run.session import Confirm, Revise

    if revise is None:
        return Confirm() if confirm else None
    if confirm:
        msg = (
            "--revise and --confirm do not go together: run the revision to its end, then confirm"
            " it with --confirm"
        )
        raise UsageError(msg)
    return Revise(checked_reason(revise))


def _batch(folder: Path | None, files: tuple[Path, ...], retry_failed: bool) -> Batch | None:
    from counterbalance.errors import UsageError
    from counterbalance.run.batch_reading import ReadBatch
    from counterbalance.run.batch_writing import WriteBatch

    if folder is None and not files:
        return None
    if retry_failed or (folder is not None and files):
        msg = (
            "--write-batch, --read-batch and --retry-failed do not go together: write the batch,"
            " have it done, read what came back, and retry what is left in a run of its own"
        )
        raise UsageError(msg)
    return ReadBatch(files) if folder is None else WriteBatch(folder)
