"""What a report is printed as and written to, as ``report`` and ``audit`` take it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from counterbalance.cli.writing import CaseFiles, write_markdown, write_measures, write_page
from counterbalance.errors import UsageError

if TYPE_CHECKING:
    from counterbalance.report.evidence import Evidence
    from counterbalance.report.report import Report

__all__ = ["ReportFiles", "case_options", "report_options"]

_STANDARD_OUTPUT = Path("-")
_TABLES = (".csv", ".parquet")


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """How a report is printed, and the files that it is written to as well."""

    as_json: bool = False
    html: Path | None = None
    markdown: Path | None = None
    measures: Path | None = None

    @property
    def paths(self) -> list[Path | None]:
        """Files that would be written."""
        return [self.html, None if self.prints_markdown else self.markdown, self.measures]

    @property
    def prints_markdown(self) -> bool:
        """Whether Markdown is printed in place of the text."""
        return self.markdown == _STANDARD_OUTPUT

    def check(self) -> None:
        """Refuse, before anything is read, what cannot be done."""
        if self.as_json:
            self.refuse_printed_markdown("--json")
        if self.measures is not None and self.measures.suffix.lower() not in _TABLES:
            msg = (
                f"--measures {self.measures}: the ending says what is written; name a file that"
                f" ends in {' or '.join(_TABLES)}"
            )
            raise UsageError(msg)

    def refuse_printed_markdown(self, other: str) -> None:
        """Refuse Markdown on standard output where another option prints something else there."""
        if self.prints_markdown:
            msg = f"{other} and --markdown -: one of them is printed; name a file for the Markdown"
            raise UsageError(msg)

    def write(self, report: Report, evidence: Evidence | None, *, full: bool) -> Iterator[str]:
        """Write what is asked for; yield one line for each file."""
        if self.html is not None:
            yield write_page(self.html, report, evidence, full=full)
        if self.markdown is not None and not self.prints_markdown:
            yield write_markdown(self.markdown, report, full=full)
        if self.measures is not None:
            yield write_measures(self.measures, report)

    def printed(self, report: Report, *, full: bool) -> str:
        """Return the report as it is printed."""
        if self.as_json:
            from counterbalance.report.as_json import report_json

            return report_json(report)
        if self.prints_markdown:
            from counterbalance.report.markdown import render_markdown

            return render_markdown(report, full=full).rstrip("\n")
        from counterbalance.report.text import render_text

        return render_text(report, detail="full" if full else "groups").rstrip("\n")


_FILE = click.Path(path_type=Path)
_REPORT_OPTIONS = (
    click.option("--json", "as_json", is_flag=True, help="Print schema counterbalance.report/1."),
    click.option(
        "--html",
        type=_FILE,
        help="Write one page that needs no network and no script; --full shows every group on it.",
    ),
    click.option(
        "--markdown",
        type=_FILE,
        help="Write a summary for a pull request or a CI step; - prints it in place of the text.",
    ),
    click.option(
        "--measures",
        type=_FILE,
        help="Write one row per group and measure, as FILE.csv or FILE.parquet.",
    ),
)
_CASE_OPTIONS = (
    click.option(
        "--csv", type=_FILE, help="Write one row per pair and labelling for a spreadsheet."
    ),
    click.option(
        "--parquet",
        type=_FILE,
        help="Write the columns of --csv with their types and exact texts (extra frames).",
    ),
    click.option(
        "--jsonl",
        type=_FILE,
        help="Write one JSON line per pair and labelling, with every attempt and raw reply.",
    ),
)


def report_options(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb the options of a report, as one argument ``files``."""

    @functools.wraps(verb)
    def with_files(**words: Any) -> int:  # noqa: ANN401 (click's values)
        files = ReportFiles(**{each.name: words.pop(each.name) for each in fields(ReportFiles)})
        files.check()
        return verb(files=files, **words)

    for option in reversed(_REPORT_OPTIONS):
        with_files = option(with_files)
    return with_files


def case_options(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb the options for files of cases, as one argument ``case_files``."""

    @functools.wraps(verb)
    def with_cases(**words: Any) -> int:  # noqa: ANN401 (click's values)
        chosen = {each.name: words.pop(each.name) for each in fields(CaseFiles)}
        return verb(case_files=CaseFiles(**chosen), **words)

    for option in reversed(_CASE_OPTIONS):
        with_cases = option(with_cases)
    return with_cases
