"""``counterbalance run``: judge what is planned and not yet recorded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from counterbalance.cli.places import record_place

if TYPE_CHECKING:
    from counterbalance.record.place import Place
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
@click.option("--quiet", is_flag=True, help="No progress.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def command(
    protocol: Path,
    record: Place | None,
    threads: int | None,
    retry_failed: bool,
    revise: str | None,
    confirm: bool,
    quiet: bool,
    as_json: bool,
) -> int:
    """Judge every planned presentation that PROTOCOL's record does not hold yet.

    Each attempt is on disk before the next is made. Interrupt it at any time: the same command
    goes on where it stopped, and asks nothing twice. Exit code 3 when presentations are left.
    """
    from counterbalance.cli.output import json_text
    from counterbalance.cli.running import (
        EXIT_INCOMPLETE,
        run_watched,
        summary_lines,
        summary_value,
    )
    from counterbalance.run.study import load_study

    task = _task(revise, confirm)
    study = load_study(protocol)
    place = record or study.default_record
    summary = run_watched(
        study, place, threads=threads, quiet=quiet, retry_failed=retry_failed, task=task
    )
    if as_json:
        click.echo(json_text(summary_value(summary, place)))
    else:
        click.echo("\n".join(summary_lines(summary, place)))
        click.echo(f"next: counterbalance report {place}")
    return EXIT_INCOMPLETE if summary.outstanding or summary.stopped else 0


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
