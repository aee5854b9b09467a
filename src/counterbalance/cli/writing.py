"""Case files and pages, as ``report``, ``demo`` and ``audit`` write them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterbalance.importers.loading import ImportedLog
    from counterbalance.record.place import Place
    from counterbalance.record.store import RecordHeader
    from counterbalance.report.evidence import Evidence
    from counterbalance.report.report import Report

__all__ = ["check_targets", "write_cases", "write_log_cases", "write_page", "write_pages"]


def check_targets(header: RecordHeader, record: Place, *paths: Path | None) -> None:
    """Refuse outputs that would replace the record, its study or one another."""
    from counterbalance.cli.output import refuse_to_replace

    kept = [record, record.parent / header.pairs_file] if isinstance(record, Path) else []
    refuse_to_replace([path for path in paths if path is not None], kept)


def write_cases(
    evidence: Evidence,
    *,
    csv_path: Path | None = None,
    jsonl_path: Path | None = None,
) -> Iterator[str]:
    """Write the case files that are asked for; yield one line for each."""
    from counterbalance.cli.output import written
    from counterbalance.report.cases import case_values, write_cases_csv, write_cases_jsonl

    for path, write in ((csv_path, write_cases_csv), (jsonl_path, write_cases_jsonl)):
        if path is not None:
            with written(path) as file:
                n = write(case_values(evidence), file)
            yield f"{path}: {n} cases"


def write_log_cases(
    log: ImportedLog, *, csv_path: Path | None = None, jsonl_path: Path | None = None
) -> Iterator[str]:
    """Write the case files of an imported log that are asked for; yield one line for each."""
    from counterbalance.cli.output import written
    from counterbalance.report.cases import write_cases_csv, write_cases_jsonl
    from counterbalance.report.log_case_files import flat_log_case, log_case_values

    if csv_path is not None:
        with written(csv_path) as file:
            n = write_cases_csv(log_case_values(log), file, flat_log_case)
        yield f"{csv_path}: {n} cases"
    if jsonl_path is not None:
        with written(jsonl_path) as file:
            n = write_cases_jsonl(log_case_values(log), file)
        yield f"{jsonl_path}: {n} cases"


def write_page(
    path: Path, report: Report, evidence: Evidence | None = None, *, full: bool = False
) -> str:
    """Write a report as one HTML page, with the cases of a run; return a line that names it."""
    from counterbalance.cli.output import written_text
    from counterbalance.report.html.page import render_html
    from counterbalance.report.html.page_cases import run_cases
    from counterbalance.report.strategies_of_record import table_of_record

    cases = None if evidence is None else run_cases(evidence)
    compared = None if evidence is None else table_of_record(evidence)
    written_text(path, render_html(report, cases, compared=compared, full=full))
    return f"{path}: the report as a page"


def write_pages(folder: Path, report: Report, evidence: Evidence, *, full: bool = False) -> str:
    """Write a report and every case of a run as a folder of pages; return a line that names it."""
    from counterbalance.cli.output import written_text
    from counterbalance.errors import InputError, UsageError
    from counterbalance.report.html.explorer import explorer_pages, is_page
    from counterbalance.report.html.page import render_html
    from counterbalance.report.html.page_cases import run_cases
    from counterbalance.report.strategies_of_record import table_of_record

    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = [path for path in folder.iterdir() if not is_page(path.name)]
        if there:
            msg = f"{folder}: holds {there[0].name}, which is no page of ours; name a new folder"
            raise UsageError(msg)
        # Pages of an earlier, longer run must not stay among those of this one.
        for path in folder.iterdir():
            path.unlink()
    except OSError as error:
        msg = f"{folder}: cannot be written: {error.strerror}; choose another place"
        raise InputError(msg) from None
    cases = run_cases(evidence, all_in="cases.html")
    written_text(
        folder / "index.html",
        render_html(report, cases, compared=table_of_record(evidence), full=full),
    )
    n = 1
    for name, text in explorer_pages(evidence, "index.html"):
        written_text(folder / name, text)
        n += 1
    return f"{folder / 'index.html'}: the report, with every case, in {n} pages"
