"""``counterbalance audit``: how far the verdicts of an existing judge log hold, without a call."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from counterbalance.cli.log_options import format_options, log_options, named_format

if TYPE_CHECKING:
    from counterbalance.cli.log_options import LogView

__all__ = ["command"]


@click.command("audit")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."
)
@format_options
@log_options
@click.option("--full", is_flag=True, help="Every group with all tables, and our own readings.")
@click.option("--json", "as_json", is_flag=True, help="Print schema counterbalance.report/1.")
def command(
    *,
    files: tuple[Path, ...],
    format_name: str | None,
    mapping: str | None,
    full: bool,
    as_json: bool,
    view: LogView,
) -> int:
    """Say how far the verdicts in judge logs can be trusted: FILE is a log, a folder or a zip.

    The format is detected. Nothing is called, unpickled or executed. Every row becomes a judgment
    or a counted reject with its reason.
    """
    from counterbalance.importers.loading import read_logs
    from counterbalance.report.as_json import report_json
    from counterbalance.report.text import render_text

    log_format, _ = named_format(format_name, mapping)
    log = read_logs(files, log_format=log_format, by=view.splits, rereads=not view.no_reread)
    report = view.report(log)
    text = render_text(report, detail="full" if full else "groups").rstrip("\n")
    click.echo(report_json(report) if as_json else text)
    return 0
