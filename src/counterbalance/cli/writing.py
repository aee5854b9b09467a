"""Case files and pages, as ``report``, ``demo`` and ``audit`` write them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from counterbalance.importers.loading import ImportedLog
    from counterbalance.record.place import Place
    from counterbalance.record.store import RecordHeader
    from counterbalance.report.evidence import Evidence
    from counterbalance.report.report import Report

__all__ = [
    "CaseFiles",
    "check_targets",
    "write_cases",
    "write_log_cases",
    "write_markdown",
    "write_measures",
    "write_page",
    "write_pages",
]


@dataclass(frozen=True, slots=True)
class CaseFiles:
    """Files with one row for each pair and group; None for what is not asked for."""

    csv: Path | None = None
    jsonl: Path | None = None
    parquet: Path | None = None

    @property
    def paths(self) -> list[Path | None]:
        """Where they go."""
        return [self.csv, self.jsonl, self.parquet]


def check_targets(header: RecordHeader, record: Place, *paths: Path | None) -> None:
    """Refuse outputs that would replace the record, its study or one another."""
    from counterbalance.cli.output import refuse_to_replace

    kept = [record, record.parent / header.pairs_file] if isinstance(record, Path) else []
    refuse_to_replace([path for path in paths if path is not None], kept)


def write_cases(evidence: Evidence, files: CaseFiles) -> Iterator[str]:
    """Write the case files of a run that are asked for; yield one line for each."""
    from counterbalance.report.cases import case_values, flat_case

    yield from _write_cases(lambda: case_values(evidence), flat_case, files)


def write_log_cases(log: ImportedLog, files: CaseFiles) -> Iterator[str]:
    """Write the case files of an imported log that are asked for; yield one line for each."""
    from counterbalance.report.log_case_files import flat_log_case, log_case_values

    yield from _write_cases(lambda: log_case_values(log), flat_log_case, files)


def _write_cases(
    cases: Callable[[], Iterator[dict[str, Any]]],
    flat: Callable[[dict[str, Any]], dict[str, Any]],
    files: CaseFiles,
) -> Iterator[str]:
    from counterbalance.cli.output import written, written_bytes
    from counterbalance.report.cases import write_cases_csv, write_cases_jsonl
    from counterbalance.report.frames import write_rows_parquet

    if files.csv is not None:
        with written(files.csv) as file:
            n = write_cases_csv(cases(), file, flat)
        yield f"{files.csv}: {n} cases"
    if files.jsonl is not None:
        with written(files.jsonl) as file:
            n = write_cases_jsonl(cases(), file)
        yield f"{files.jsonl}: {n} cases"
    if files.parquet is not None:
        with written_bytes(files.parquet) as binary:
            n = write_rows_parquet(map(flat, cases()), binary)
        yield f"{files.parquet}: {n} cases"


def write_measures(path: Path, report: Report) -> str:
    """Write every measure of every group as a table; return a line that names it."""
    from counterbalance.cli.output import written, written_bytes
    from counterbalance.report.csv_rows import write_rows_csv
    from counterbalance.report.frames import write_rows_parquet

    if path.suffix.lower() == ".parquet":
        with written_bytes(path) as binary:
            n = write_rows_parquet(report.measure_rows(), binary)
    else:
        with written(path) as file:
            n = write_rows_csv(report.measure_rows(), file)
    return f"{path}: {n} measures"


def write_markdown(path: Path, report: Report, *, full: bool = False) -> str:
    """Write a report as a Markdown summary; return a line that names it."""
    from counterbalance.cli.output import written_text
    from counterbalance.report.markdown import render_markdown

    written_text(path, render_markdown(report, full=full))
    return f"{path}: the report as Markdown"


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
    from counterbalance.cli.ours import may_replace
    from counterbalance.cli.output import written_text
    from counterbalance.errors import InputError, UsageError
    from counterbalance.report.html.explorer import case_links, explorer_pages, is_page
    from counterbalance.report.html.page import render_html
    from counterbalance.report.html.page_cases import run_cases
    from counterbalance.report.strategies_of_record import table_of_record

    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = [p for p in folder.iterdir() if not (is_page(p.name) and may_replace(p))]
        if there:
            msg = f"{folder}: holds {there[0].name}, which is no page of ours; name a new folder"
            raise UsageError(msg)
        # Pages of an earlier, longer run must not stay among those of this one.
        for path in folder.iterdir():
            path.unlink()
    except OSError as error:
        msg = f"{folder}: cannot be written: {error.strerror}; choose another place"
        raise InputError(msg) from None
    cases = run_cases(evidence, all_in="cases.html", links=case_links(evidence))
    written_text(
        folder / "index.html",
        render_html(report, cases, compared=table_of_record(evidence), full=full),
    )
    n = 1
    for name, text in explorer_pages(evidence, "index.html"):
        written_text(folder / name, text)
        n += 1
    return f"{folder / 'index.html'}: the report, with every case, in {n} pages"
