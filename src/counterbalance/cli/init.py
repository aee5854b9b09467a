"""``counterbalance init``: a commented protocol and a small pair file to start from."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["command"]


@click.command("init")
@click.argument("folder", type=click.Path(path_type=Path), default=Path())
def command(folder: Path) -> None:
    """Write protocol.toml, protocol.schema.json and pairs.jsonl to FOLDER (default: here).

    Every key of the protocol is there with a comment. Nothing is overwritten.
    """
    from counterbalance.cli.bundle import copy_start

    for path in copy_start(folder):
        click.echo(str(path))
    protocol = folder / "protocol.toml"
    click.echo(f"next: counterbalance plan {protocol}", err=True)
