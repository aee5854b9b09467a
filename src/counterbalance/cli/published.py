"""``--against FILE`` of ``audit``: the log's report, and what was printed about it beside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from counterbalance.report.report import Report
    from counterbalance.tables.description import Description

__all__ = ["print_against", "read_published"]

_EXIT_DIFFERS = 1
_EXIT_NOTHING_COMPARED = 3


def read_published(path: Path) -> Description:
    """Return what a description file says, before any log is read."""
    from counterbalance.tables.reading import read_description

    return read_description(path)


def print_against(report: Report, printed: Description, *, full: bool, as_json: bool) -> int:
    """Print a report with the comparison under it; return the exit code."""
    from counterbalance.cli.output import json_text
    from counterbalance.report.as_json import report_value
    from counterbalance.report.published import audit_against
    from counterbalance.report.tables_json import tables_value
    from counterbalance.report.tables_text import render_tables_text
    from counterbalance.report.text import render_text

    audit = audit_against(report, printed)
    if as_json:
        click.echo(json_text({**report_value(report), "against": tables_value(audit)}))
    else:
        click.echo(render_text(report, detail="full" if full else "groups"))
        click.echo(render_tables_text(audit, full=True).rstrip("\n"))
    counts = audit.counts
    if counts["inconsistent"]:
        return _EXIT_DIFFERS
    return 0 if counts["consistent"] else _EXIT_NOTHING_COMPARED
