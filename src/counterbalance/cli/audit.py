"""``counterbalance audit``: how far the verdicts of an existing judge log hold, without a call."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from counterbalance.cli.control_options import control_options, counter_for
from counterbalance.cli.log_options import format_options, log_options, named_format
from counterbalance.cli.output_options import report_options

if TYPE_CHECKING:
    from counterbalance.cli.log_options import LogView
    from counterbalance.cli.output_options import ReportFiles
    from counterbalance.measures.controls import Controls

__all__ = ["command"]


@click.command("audit")
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@format_options
@log_options
@control_options
@click.option(
    "--full",
    is_flag=True,
    help="Every group with all tables, second opinions and our own readings.",
)
@click.option(
    "--against",
    "published",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Hold what was printed about the log against it: a file as `tables` reads it.",
)
@report_options
def command(
    *,
    logs: tuple[Path, ...],
    files: ReportFiles,
    format_name: str | None,
    mapping: str | None,
    full: bool,
    published: Path | None,
    view: LogView,
    controls: Controls | None,
) -> int:
    """Say how far the verdicts in judge logs can be trusted: FILE is a log, a folder or a zip.

    The format is detected. Nothing is called, unpickled or executed. Every row becomes a judgment
    or a counted reject with its reason. With --against the exit code is 1 when something that is
    printed is not what the log shows, and 3 when nothing could be compared.
    """
    from counterbalance.cli.output import refuse_to_replace
    from counterbalance.cli.published import print_against, read_published
    from counterbalance.importers.loading import read_logs

    printed = None
    if published is not None:
        files.refuse_printed_markdown("--against")
        printed = read_published(published)
    log_format, _ = named_format(format_name, mapping)
    log = read_logs(
        logs,
        log_format=log_format,
        by=view.splits,
        rereads=not view.no_reread,
        counter=counter_for(controls),
    )
    report = view.report(log, controls, with_second_opinions=full)
    kept = [*logs, *(source.path for source in log.sources)]
    refuse_to_replace(
        [path for path in files.paths if path is not None],
        kept if published is None else [*kept, published],
    )
    for line in files.write(report, None, full=full):
        click.echo(line, err=True)
    if printed is not None:
        return print_against(report, printed, full=full, as_json=files.as_json)
    click.echo(files.printed(report, full=full))
    return 0
