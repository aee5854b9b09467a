"""``counterbalance report``: print or write what a record shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from counterbalance.cli.places import record_place

if TYPE_CHECKING:
    from counterbalance.record.place import Place

__all__ = ["command"]


@click.command("report")
@click.argument("record", type=record_place)
@click.option("--json", "as_json", is_flag=True, help="Print schema counterbalance.report/1.")
@click.option("--full", is_flag=True, help="Also undefined measures, cautions and categories.")
@click.option(
    "--exploratory",
    is_flag=True,
    help="Count calls beyond the retry rule (`run --retry-failed`), and label everything so.",
)
@click.option(
    "--csv",
    "csv_path",
    type=click.Path(path_type=Path),
    help="Write one row per pair and labelling for a spreadsheet.",
)
@click.option(
    "--jsonl",
    "jsonl_path",
    type=click.Path(path_type=Path),
    help="Write one JSON line per pair and labelling, with every attempt and raw reply.",
)
@click.option(
    "--html",
    "html_path",
    type=click.Path(path_type=Path),
    help="Write one page that needs no network and no script; --full shows every group on it.",
)
def command(
    record: Place,
    as_json: bool,
    full: bool,
    exploratory: bool,
    csv_path: Path | None,
    jsonl_path: Path | None,
    html_path: Path | None,
) -> int:
    """Print what RECORD shows: every pair in exactly one disposition, every number with its counts.

    A record can be reported while a run is writing it. Exit code 3 when presentations were not
    run.
    """
    from counterbalance.cli.running import EXIT_INCOMPLETE
    from counterbalance.cli.writing import check_targets, write_cases, write_page
    from counterbalance.record import open_record
    from counterbalance.report.as_json import report_json
    from counterbalance.report.build import build_report
    from counterbalance.report.evidence import read_evidence
    from counterbalance.report.text import render_text

    with open_record(record, create=False, exclusive=False) as store:
        evidence = read_evidence(store, exploratory=exploratory)
    report = build_report(evidence)
    check_targets(evidence, record, csv_path, jsonl_path, html_path)
    for line in write_cases(evidence, csv_path=csv_path, jsonl_path=jsonl_path):
        click.echo(line, err=True)
    if html_path is not None:
        click.echo(write_page(html_path, report, evidence, full=full), err=True)
    text = render_text(report, detail="full" if full else "groups").rstrip("\n")
    click.echo(report_json(report) if as_json else text)
    parts = [report] if report.confirmation is None else [report, report.confirmation]
    return EXIT_INCOMPLETE if any(part.reconciliation.not_run for part in parts) else 0
