"""``counterbalance audit``: how far the verdicts of an existing judge log hold, without a call."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from counterbalance.cli.control_options import control_options, counter_for
from counterbalance.cli.log_options import format_options, log_options, named_format

if TYPE_CHECKING:
    from counterbalance.cli.log_options import LogView
    from counterbalance.measures.controls import Controls

__all__ = ["command"]


@click.command("audit")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."
)
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
@click.option("--json", "as_json", is_flag=True, help="Print schema counterbalance.report/1.")
@click.option(
    "--html",
    "html_path",
    type=click.Path(path_type=Path),
    help="Write one page that needs no network and no script; --full shows every group on it.",
)
def command(
    *,
    files: tuple[Path, ...],
    format_name: str | None,
    mapping: str | None,
    full: bool,
    published: Path | None,
    as_json: bool,
    html_path: Path | None,
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
    from counterbalance.cli.writing import write_page
    from counterbalance.importers.loading import read_logs
    from counterbalance.report.as_json import report_json
    from counterbalance.report.text import render_text

    printed = None if published is None else read_published(published)
    log_format, _ = named_format(format_name, mapping)
    log = read_logs(
        files,
        log_format=log_format,
        by=view.splits,
        rereads=not view.no_reread,
        counter=counter_for(controls),
    )
    report = view.report(log, controls, with_second_opinions=full)
    if html_path is not None:
        kept = [*files, *(source.path for source in log.sources)]
        refuse_to_replace([html_path], kept if published is None else [*kept, published])
        click.echo(write_page(html_path, report, full=full), err=True)
    if printed is not None:
        return print_against(report, printed, full=full, as_json=as_json)
    text = render_text(report, detail="full" if full else "groups").rstrip("\n")
    click.echo(report_json(report) if as_json else text)
    return 0
