"""``counterbalance init``: a commented protocol and a small pair file to start from."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["command"]


@click.command("init")
@click.argument("folder", type=click.Path(path_type=Path), default=Path())
@click.option(
    "--strategies",
    is_flag=True,
    help="A protocol that compares nine strategies on the embedded judge, over a few demo pairs.",
)
@click.option(
    "--probes",
    is_flag=True,
    help="A protocol with a probe battery for `bias`; with --strategies, each judges the probes.",
)
def command(folder: Path, strategies: bool, probes: bool) -> None:
    """Write protocol.toml, protocol.schema.json and pairs.jsonl to FOLDER (default: here).

    Every key of the protocol is there with a comment, except with --strategies and --probes.
    Nothing is overwritten.
    """
    from counterbalance.cli.bundle import copy_start

    for path in copy_start(folder, strategies=strategies, probes=probes):
        click.echo(str(path))
    protocol = folder / "protocol.toml"
    click.echo(f"next: counterbalance plan {protocol}", err=True)
