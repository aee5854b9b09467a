"""``counterbalance record``: care of the record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from counterbalance.cli.places import record_place

if TYPE_CHECKING:
    from counterbalance.record.place import Place

__all__ = ["command"]

_EXIT_FAILED = 1


@click.group("record")
def command() -> None:
    """Check a record."""


@command.command("verify")
@click.argument("record", type=record_place)
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def verify(record: Place, as_json: bool) -> int:
    """Derive every hash of RECORD anew; exit code 1 and one line for each that does not fit."""
    from counterbalance.cli.output import json_text
    from counterbalance.record import open_record

    with open_record(record, create=False, exclusive=False) as store:
        problems = store.verify()
    if as_json:
        click.echo(json_text({"record": str(record), "problems": problems}))
    else:
        click.echo("\n".join(problems) or f"{record}: every hash fits its content")
    return _EXIT_FAILED if problems else 0
