"""``counterbalance drift``: retained pairs under two versions of a judge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from counterbalance.cli.places import record_place

if TYPE_CHECKING:
    from counterbalance.record.place import Place

__all__ = ["command"]


@click.command("drift")
@click.argument("earlier", type=record_place, metavar="RECORD")
@click.argument("later", type=record_place, metavar="RECORD")
@click.option(
    "--judges",
    nargs=2,
    type=str,
    metavar="EARLIER LATER",
    help="Name of the judge in either record, where it is not the same.",
)
@click.option(
    "--margin",
    "margins",
    multiple=True,
    metavar="MEASURE=VALUE",
    help="Smallest move that matters, such as agreement_both=0.05; exploratory.",
)
@click.option("--full", is_flag=True, help="Name every pair whose disposition moved.")
@click.option(
    "--html",
    type=click.Path(path_type=Path),
    help="Write one page that needs no network and no script.",
)
@click.option("--json", "as_json", is_flag=True, help="Print schema counterbalance.drift/1.")
def command(
    *,
    earlier: Place,
    later: Place,
    judges: tuple[str, str] | None,
    margins: tuple[str, ...],
    full: bool,
    html: Path | None,
    as_json: bool,
) -> int:
    """Say what moved between two records of the same pairs: an earlier and a later judge version.

    Dispositions, agreement, consistency and biases are compared on the pairs that are the same to
    the byte. Where both records hold repetitions, changed verdicts are held against how often a
    version contradicts itself. Exit code 3 when no verdict can be compared.
    """
    from counterbalance.cli.margins import given_margins
    from counterbalance.cli.output import json_text, refuse_to_replace, written_text
    from counterbalance.cli.running import EXIT_INCOMPLETE
    from counterbalance.compare.drift import drift
    from counterbalance.compare.pairing import paired_runs
    from counterbalance.report.compared_records import plan_of, read_two
    from counterbalance.report.drift_text import drift_text, drift_value

    if html is not None:
        refuse_to_replace([html], [each for each in (earlier, later) if isinstance(each, Path)])
    found, sides = read_two(earlier, later)
    pairs = paired_runs(sides[0], sides[1], judges)
    plan = plan_of(found[1], given_margins(margins), n_comparisons=len(sides[1]))
    moved = drift(pairs, plan)
    text = drift_text(moved, full=full).rstrip("\n")
    click.echo(json_text(drift_value(moved)) if as_json else text)
    if html is not None:
        from counterbalance.report.html.drift_page import render_drift_html

        written_text(html, render_drift_html(moved, full=full))
        click.echo(f"{html}: the drift as a page", err=True)
    return 0 if any(verdicts.n_compared for verdicts in moved.verdicts) else EXIT_INCOMPLETE
