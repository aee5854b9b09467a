"""``counterbalance audit``: how far the verdicts of an existing judge log hold, without a call."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from counterbalance.dispositions.attempt_columns import ClusterKind

__all__ = ["command"]

_SPLITS = ("judge", "strategy", "subset")


@click.command("audit")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."
)
@click.option(
    "--format",
    "format_name",
    metavar="NAME",
    help="Name the format; `import --formats` lists them.",
)
@click.option(
    "--map",
    "mapping",
    metavar="FILE",
    help="Read the rows as a mapping says: a TOML file, or a bundled one by name.",
)
@click.option(
    "--by",
    type=str,
    default="judge,strategy",
    show_default=True,
    help="What groups are split by: judge, strategy, subset, with commas between; none for one.",
)
@click.option("--baseline", metavar="SYSTEM", help="System that win rates are for (candidate a).")
@click.option(
    "--cluster",
    type=click.Choice(["cluster", "item", "pair"]),
    default="cluster",
    show_default=True,
    help="Unit that intervals are computed over.",
)
@click.option(
    "--level",
    type=click.FloatRange(0.5, 0.9999),
    default=0.95,
    show_default=True,
    help="Nominal coverage of intervals.",
)
@click.option(
    "--cases", type=click.IntRange(min=0), default=10, show_default=True, help="Cases to list."
)
@click.option("--no-reread", is_flag=True, help="Do not read the raw replies again.")
@click.option(
    "--full",
    is_flag=True,
    help="Every group with all tables, second opinions and our own readings.",
)
@click.option("--json", "as_json", is_flag=True, help="Print schema counterbalance.report/1.")
def command(
    *,
    files: tuple[Path, ...],
    format_name: str | None,
    mapping: str | None,
    by: str,
    baseline: str | None,
    cluster: ClusterKind,
    level: float,
    cases: int,
    no_reread: bool,
    full: bool,
    as_json: bool,
) -> int:
    """Say how far the verdicts in judge logs can be trusted: FILE is a log, a folder or a zip.

    The format is detected. Nothing is called, unpickled or executed. Every row becomes a judgment
    or a counted reject with its reason.
    """
    from counterbalance.cli.formats import named_format
    from counterbalance.importers.loading import read_logs
    from counterbalance.report.as_json import report_json
    from counterbalance.report.log_report import build_log_report
    from counterbalance.report.text import render_text

    log = read_logs(
        files,
        log_format=named_format(format_name, mapping),
        by=_splits(by),
        rereads=not no_reread,
    )
    report = build_log_report(
        log,
        baseline=baseline,
        cluster=cluster,
        level=level,
        n_listed=cases,
        with_second_opinions=full,
    )
    text = render_text(report, detail="full" if full else "groups").rstrip("\n")
    click.echo(report_json(report) if as_json else text)
    return 0


def _splits(by: str) -> tuple[str, ...]:
    from counterbalance.errors import UsageError, one_line

    chosen = tuple(part.strip() for part in by.split(",") if part.strip() not in {"", "none"})
    unknown = [part for part in chosen if part not in _SPLITS]
    if unknown:
        msg = f"--by {one_line(unknown[0])}: groups are split by {', '.join(_SPLITS)} or none"
        raise UsageError(msg)
    return chosen
