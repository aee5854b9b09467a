"""``counterbalance bias``: the probe battery of a judge, run and scored."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from counterbalance.cli.places import record_place

if TYPE_CHECKING:
    from counterbalance.record.place import Place
    from counterbalance.report.bias import BiasReport
    from counterbalance.run.battery import BatteryStudy

__all__ = ["command"]

_DEFAULT_FOLDER = Path("counterbalance-bias")


@click.command("bias")
@click.argument("protocol", type=click.Path(path_type=Path), required=False)
@click.option(
    "--record",
    type=record_place,
    metavar="RECORD",
    help=(
        "Where evidence goes: a file, or postgresql://USER@HOST/DATABASE#NAME."
        " Default: PROTOCOL's name with .bias.record.sqlite."
    ),
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    help="Threads of the embedded model. Default: all cores. Changes no result.",
)
@click.option("--full", is_flag=True, help="Add both scales, categories, checks and all flaws.")
@click.option("--quiet", is_flag=True, help="No progress.")
@click.option("--json", "as_json", is_flag=True, help="Print schema counterbalance.bias/1.")
def command(
    protocol: Path | None,
    *,
    record: Place | None,
    threads: int | None,
    full: bool,
    quiet: bool,
    as_json: bool,
) -> int:
    """Send the judges of PROTOCOL through its probes and print their signed sensitivities.

    The table [bias] of the protocol names the probes. Their pairs are made from the protocol's own,
    or written by hand under the key probe of the pair file. What is recorded is not asked again.
    Without PROTOCOL, the embedded model judges a bundled battery in ./counterbalance-bias. Exit
    code 3 when presentations are left.
    """
    from counterbalance.cli.bundle import copy_bias
    from counterbalance.cli.output import json_text
    from counterbalance.cli.running import EXIT_INCOMPLETE, run_watched
    from counterbalance.report.bias_json import bias_value
    from counterbalance.report.bias_text import bias_text
    from counterbalance.run.battery import load_battery

    path = protocol or copy_bias(_DEFAULT_FOLDER)
    whole = load_battery(path)
    place = record or whole.default_record
    summary = run_watched(whole.study, place, threads=threads, quiet=quiet)
    report = _report(whole, place)
    if as_json:
        click.echo(json_text(bias_value(report)))
    else:
        click.echo(bias_text(report, full=full).rstrip("\n"))
    click.echo(f"{place}: the record", err=True)
    if summary.stopped:
        click.echo(f"stopped: {summary.stopped}", err=True)
    return EXIT_INCOMPLETE if summary.outstanding or summary.stopped else 0


def _report(whole: BatteryStudy, place: Place) -> BiasReport:
    from counterbalance.record import open_record
    from counterbalance.report.build_bias import build_bias_report
    from counterbalance.report.evidence import read_evidence

    with open_record(place, create=False, exclusive=False) as store:
        evidence = read_evidence(store)
    return build_bias_report(evidence, whole.battery, whole.declared, whole.families)
