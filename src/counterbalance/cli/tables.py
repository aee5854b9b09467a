"""``counterbalance tables``: audit of published tables, link by link."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from counterbalance.errors import UsageError

if TYPE_CHECKING:
    from counterbalance.tables.check import Audit
    from counterbalance.tables.description import Description

__all__ = ["command"]

_EXIT_BROKEN = 1
_EXIT_NOTHING_CHECKED = 3


@click.command("tables")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--init", is_flag=True, help="Write a commented template to FILE instead.")
@click.option("--case", metavar="NAME", help="Audit a worked case that comes with the package.")
@click.option("--cases", is_flag=True, help="List the worked cases.")
@click.option("--show", is_flag=True, help="Print the description of --case instead.")
@click.option("--full", is_flag=True, help="Also list what is consistent.")
@click.option("--json", "as_json", is_flag=True, help="Print schema counterbalance.tables/1.")
@click.option(
    "--html",
    "html_path",
    type=click.Path(path_type=Path),
    help="Also write a page with the chain drawn.",
)
def command(
    file: Path | None, init: bool, case: str | None, cases: bool, show: bool, full: bool,
    as_json: bool, html_path: Path | None,
) -> int:  # fmt: skip
    """Check a comparison from its printed tables alone, and name the first link that breaks.

    FILE (.toml, .csv, .json, .yaml) says what is printed: marginals, agreements, kappas, counts,
    p-values, survivors and what sentences make of them; leave out what is not. Exit code 1 when
    something is inconsistent, 3 when nothing could be checked.
    """
    if cases:
        return _list_cases()
    if init:
        return _write_template(file)
    if show:
        return _show_case(case)
    from counterbalance.tables.audit import audit_tables

    audit = audit_tables(_description(file, case))
    if html_path is not None:
        _write_page(audit, html_path, file)
    click.echo(_shown(audit, full, as_json))
    counts = audit.counts
    if counts["inconsistent"]:
        return _EXIT_BROKEN
    return 0 if counts["consistent"] else _EXIT_NOTHING_CHECKED


def _description(file: Path | None, case: str | None) -> Description:
    from counterbalance.tables.reading import (
        case_text,
        description_from_text,
        read_description,
    )

    if (file is None) == (case is None):
        msg = "name a FILE, or a worked case with --case; --cases lists them, --init writes one"
        raise UsageError(msg)
    if file is not None:
        return read_description(file)
    name = _known_case(case)
    return description_from_text(case_text(name), f"{name}.toml", ".toml")


def _known_case(case: str | None) -> str:
    from counterbalance.errors import one_line
    from counterbalance.tables.reading import CASES

    if case in CASES:
        return case
    shown = "none is named" if case is None else f"there is no case {one_line(case)!r}"
    msg = f"{shown}; there are {', '.join(CASES)}"
    raise UsageError(msg)


def _list_cases() -> int:
    from counterbalance.report.layout import columns
    from counterbalance.tables.reading import CASES, case_text, description_from_text

    titles = [description_from_text(case_text(name), name, ".toml").title for name in CASES]
    for line in columns(list(zip(CASES, titles, strict=True)), indent=0):
        click.echo(line)
    return 0


def _show_case(case: str | None) -> int:
    from counterbalance.tables.reading import case_text

    click.echo(case_text(_known_case(case)).rstrip("\n"))
    return 0


def _write_template(file: Path | None) -> int:
    from counterbalance.cli.output import written_text
    from counterbalance.tables.reading import template_text

    target = file or Path("tables.toml")
    if target.exists():
        msg = f"{target} is there already; name another file or move it away"
        raise UsageError(msg)
    written_text(target, template_text())
    click.echo(str(target))
    click.echo(f"next: counterbalance tables {target}", err=True)
    return 0


def _write_page(audit: Audit, path: Path, file: Path | None) -> None:
    from counterbalance.cli.output import refuse_to_replace, written_text
    from counterbalance.report.tables_html import render_tables_html

    refuse_to_replace([path], [file] if file is not None else [])
    written_text(path, render_tables_html(audit))
    click.echo(f"{path}: written", err=True)


def _shown(audit: Audit, full: bool, as_json: bool) -> str:
    from counterbalance.report.tables_json import tables_json
    from counterbalance.report.tables_text import render_tables_text

    return tables_json(audit) if as_json else render_tables_text(audit, full=full).rstrip("\n")
