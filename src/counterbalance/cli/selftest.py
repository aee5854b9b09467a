"""``counterbalance selftest``: whether the instrument finds what was planted, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["command"]

EXIT_FAILED = 1
_SAID_EVERY = 100


@click.command("selftest")
@click.option(
    "--thorough",
    is_flag=True,
    help="Simulate 4,000 replicates instead of 60; takes half an hour or so.",
)
@click.option("--quiet", is_flag=True, help="No progress.")
@click.option("--json", "as_json", is_flag=True, help="Print schema counterbalance.selftest/1.")
def command(*, thorough: bool, quiet: bool, as_json: bool) -> int:
    """Send judges with planted biases through the whole product, and simulate its intervals.

    The judges are scripted. Each must be called what was planted, and the fair ones nothing.
    Coverage of intervals and false alarms of tests are simulated with fixed seeds and printed with
    their Monte Carlo error. Exit code 1 when something fails.
    """
    from counterbalance.cli.output import json_text
    from counterbalance.selftest.planted_bias import recovered
    from counterbalance.selftest.rendering import is_passed, selftest_text, selftest_value
    from counterbalance.selftest.simulation import QUICK, THOROUGH, simulated
    from counterbalance.selftest.whole_product import recognised

    judges, probed = recognised(), recovered()
    simulations = simulated(THOROUGH if thorough else QUICK, _progress(quiet=quiet))
    if as_json:
        click.echo(json_text(selftest_value(judges, simulations, probed)))
    else:
        click.echo(selftest_text(judges, simulations, probed).rstrip("\n"))
    return 0 if is_passed(judges, simulations, probed) else EXIT_FAILED


def _progress(*, quiet: bool) -> Callable[[int, int], None]:
    def said(made: int, total: int) -> None:
        if not quiet and made % _SAID_EVERY == 0:
            click.echo(f"simulated {made} of {total}", err=True)

    return said
