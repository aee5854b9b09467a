"""``counterbalance demo``: the main job on bundled pairs, with the embedded model."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["command"]

_DEFAULT_FOLDER = Path("counterbalance-demo")


@click.command("demo")
@click.argument("folder", type=click.Path(path_type=Path), default=_DEFAULT_FOLDER)
@click.option("--threads", type=click.IntRange(min=1), help="Threads of the embedded model.")
@click.option("--quiet", is_flag=True, help="No progress.")
@click.option("--json", "as_json", is_flag=True, help="Print schema counterbalance.report/1.")
def command(folder: Path, threads: int | None, quiet: bool, as_json: bool) -> int:
    """Judge the bundled pairs in both orders and under both labellings; write a report to FOLDER.

    Everything runs on this machine: a real language model of 135 million parameters, no key and no
    network. It is a bad judge, which is the point. A second run asks nothing again.
    """
    from counterbalance.cli.bundle import copy_demo
    from counterbalance.cli.output import written_text
    from counterbalance.cli.running import EXIT_INCOMPLETE, run_watched
    from counterbalance.cli.writing import CaseFiles, check_targets, write_cases, write_page
    from counterbalance.record import open_record
    from counterbalance.report.as_json import report_json
    from counterbalance.report.build import build_report
    from counterbalance.report.evidence import read_evidence
    from counterbalance.report.text import render_text
    from counterbalance.run.study import load_study

    study = load_study(copy_demo(folder))
    record = folder / "record.sqlite"
    summary = run_watched(study, record, threads=threads, quiet=quiet)
    with open_record(record, create=False, exclusive=False) as store:
        evidence = read_evidence(store)
    report = build_report(evidence, kind="demo")
    cases, page = CaseFiles(folder / "cases.csv", folder / "cases.jsonl"), folder / "report.html"
    texts = [folder / "report.txt", folder / "report.json"]
    check_targets(evidence.header, record, *cases.paths, page, *texts)
    files = [*write_cases(evidence, cases)]
    write_page(page, report, evidence)
    text = render_text(report, detail="brief")
    written_text(folder / "report.txt", render_text(report, detail="full"))
    written_text(folder / "report.json", report_json(report) + "\n")
    click.echo(report_json(report) if as_json else text)
    for line in (
        f"{record}: the record",
        f"{folder / 'report.txt'}: the full report; report.json holds the same as data",
        *files,
        f"{page}: the report as a page, to be opened in a browser",
    ):
        click.echo(line, err=as_json)
    return EXIT_INCOMPLETE if summary.outstanding else 0
