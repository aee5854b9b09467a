"""``counterbalance lab``: what random slot assignment does by itself."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["command"]


@click.command("lab")
@click.option("--n", default=20, show_default=True, help="Presentations that are assigned.")
@click.option("--p", default=0.5, show_default=True, help="Probability of the first slot.")
@click.option(
    "--html",
    "html_path",
    type=click.Path(path_type=Path),
    default=Path("counterbalance-lab.html"),
    show_default=True,
    help="Where the page goes.",
)
@click.option("--json", "as_json", is_flag=True, help="Print schema counterbalance.lab/1, no page.")
def command(n: int, p: float, html_path: Path, as_json: bool) -> None:
    """Write the probability lab: independent randomised slot assignment, and nothing else.

    One page without a network: set n and p, predict how often a candidate is shown first, and see
    the exact distribution. It runs no judge.
    """
    from counterbalance.lab.summary import lab_json, lab_lines

    if as_json:
        from counterbalance.cli.output import json_text

        click.echo(json_text(lab_json(n, p)))
        return
    from counterbalance.cli.output import refuse_to_replace, written_text
    from counterbalance.lab.page import render_lab

    lines = list(lab_lines(n, p))
    refuse_to_replace([html_path], [])
    written_text(html_path, render_lab(n, p))
    for line in lines:
        click.echo(line)
    click.echo(f"{html_path}: the lab; open it in a browser")
