"""``counterbalance report``: print or write what a record shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from counterbalance.cli.control_options import (
    control_options,
    controls_of_study,
    counter_for,
)
from counterbalance.cli.log_options import log_options
from counterbalance.cli.output_options import case_options, report_options
from counterbalance.cli.places import record_place

if TYPE_CHECKING:
    from counterbalance.cli.log_options import LogView
    from counterbalance.cli.output_options import ReportFiles
    from counterbalance.cli.writing import CaseFiles
    from counterbalance.measures.controls import Controls
    from counterbalance.record.place import Place
    from counterbalance.record.store import RecordHeader, Store
    from counterbalance.report.report import Report

__all__ = ["command"]


@click.command("report")
@click.argument("record", type=record_place)
@click.option("--full", is_flag=True, help="Also undefined measures, cautions and categories.")
@click.option(
    "--exploratory",
    is_flag=True,
    help="Count calls beyond the retry rule (`run --retry-failed`), and label everything so.",
)
@click.option(
    "--pages",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write a folder of pages: the report, and every case of a run to go through.",
)
@report_options
@case_options
@log_options
@control_options
def command(
    *,
    record: Place,
    full: bool,
    exploratory: bool,
    files: ReportFiles,
    case_files: CaseFiles,
    pages: Path | None,
    view: LogView,
    controls: Controls | None,
) -> int:
    """Print what RECORD shows: every pair in exactly one disposition, every number with its counts.

    A record can be reported while a run is writing it. Exit code 3 when presentations were not
    run. The options from --by on are for the record of an imported log, as `audit` has them.
    """
    from counterbalance.cli.running import EXIT_INCOMPLETE
    from counterbalance.record import open_record
    from counterbalance.record.imported import is_import

    outputs = _Outputs(record, files, case_files, pages, full, controls)
    with open_record(record, create=False, exclusive=False) as store:
        header = store.header()
        if header is not None and is_import(header):
            report, written = _of_log(store, header, view, outputs, exploratory)
        else:
            view.refuse_for_study()
            report, written = _of_study(store, outputs, exploratory)
    for line in written:
        click.echo(line, err=True)
    click.echo(files.printed(report, full=full))
    parts = [report] if report.confirmation is None else [report, report.confirmation]
    return EXIT_INCOMPLETE if any(part.reconciliation.not_run for part in parts) else 0


class _Outputs(NamedTuple):
    """The record, and what is to be written beside the report."""

    record: Place
    files: ReportFiles
    cases: CaseFiles
    pages: Path | None
    full: bool
    controls: Controls | None

    def check(self, header: RecordHeader) -> None:
        """Refuse to replace the record or its study."""
        from counterbalance.cli.writing import check_targets

        check_targets(header, self.record, *self.files.paths, *self.cases.paths)


def _of_study(store: Store, outputs: _Outputs, exploratory: bool) -> tuple[Report, list[str]]:
    """Return the report of a run, and a line for each file that was written."""
    from counterbalance.cli.writing import write_cases, write_pages
    from counterbalance.report.build import build_report
    from counterbalance.report.evidence import read_evidence

    evidence = read_evidence(store, exploratory=exploratory)
    report = build_report(evidence, controls=controls_of_study(outputs.controls, evidence.protocol))
    outputs.check(evidence.header)
    written = list(write_cases(evidence, outputs.cases))
    written += outputs.files.write(report, evidence, full=outputs.full)
    if outputs.pages is not None:
        written.append(write_pages(outputs.pages, report, evidence, full=outputs.full))
    return report, written


def _of_log(
    store: Store, header: RecordHeader, view: LogView, outputs: _Outputs, exploratory: bool
) -> tuple[Report, list[str]]:
    """Return the report of an imported log, and a line for each file that was written."""
    from counterbalance.cli.writing import write_log_cases
    from counterbalance.errors import UsageError
    from counterbalance.importers.from_record import recorded_log

    if exploratory:
        msg = "--exploratory: is for a run; every number of an imported log is exploratory"
        raise UsageError(msg)
    controls = outputs.controls
    if controls is not None and (controls.style or controls.unit != "characters"):
        msg = (
            "--style and --length tokens: a record of a log holds lengths in characters, not the"
            " answers; `audit` the files, or use --length characters"
        )
        raise UsageError(msg)
    if outputs.pages is not None:
        msg = "--pages: is for a run; --html with --cases N shows the cases of an imported log"
        raise UsageError(msg)
    log = recorded_log(
        store,
        header,
        by=view.splits,
        rereads=not view.no_reread,
        counter=counter_for(controls),
    )
    report = view.report(log, controls, with_second_opinions=outputs.full)
    outputs.check(header)
    written = list(write_log_cases(log, outputs.cases))
    written += outputs.files.write(report, None, full=outputs.full)
    return report, written
