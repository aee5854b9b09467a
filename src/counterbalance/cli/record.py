"""``counterbalance record``: care of the record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from counterbalance.cli.places import record_place

if TYPE_CHECKING:
    from counterbalance.record.place import Place

__all__ = ["command"]

_EXIT_FAILED = 1


@click.group("record")
def command() -> None:
    """Check, export, copy or upgrade a record.

    A record is a file, or postgresql://USER@HOST/DATABASE#NAME. An export can be named wherever a
    record is only read.
    """


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


@command.command("export")
@click.argument("record", type=record_place)
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON.")
def export(record: Place, target: Path, as_json: bool) -> None:
    """Write every row of RECORD to TARGET, with every hash.

    TARGET is a file that ends in .jsonl, or a folder for one file per table. What is written can
    be verified and reported like a record, and `record migrate` makes a record of it again. It
    holds all texts and the secret that fences are derived from.
    """
    from counterbalance.record import open_record
    from counterbalance.record.exports import write_export

    with open_record(record, create=False, exclusive=False) as store:
        counts = write_export(store, target)
    _show_copy(record, target, counts, as_json)


@command.command("migrate")
@click.argument("source", type=record_place)
@click.argument("target", type=record_place, required=False)
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
def migrate(source: Place, target: Place | None, as_json: bool) -> int:
    """Copy SOURCE to TARGET, a new record under either engine; without TARGET, upgrade SOURCE.

    Rows, numbers and hashes stay the same; the copy is read back before it is committed and
    verified after. SOURCE is not changed. An upgrade brings the tables of a record that an older
    version wrote to those of today.
    """
    from counterbalance.cli.output import json_text
    from counterbalance.record import open_record

    if target is None:
        with open_record(source, create=False, exclusive=True) as store:
            problems = store.verify()
        if as_json:
            click.echo(json_text({"record": str(source), "problems": problems}))
        else:
            click.echo("\n".join(problems) or f"{source}: has the tables of this version")
        return _EXIT_FAILED if problems else 0
    with (
        open_record(source, create=False, exclusive=False) as original,
        open_record(target, create=True, exclusive=True) as copy,
    ):
        with original.tables() as tables:
            counts = copy.fill(tables)
        problems = copy.verify()
    _show_copy(source, target, counts, as_json, problems)
    return _EXIT_FAILED if problems else 0


def _show_copy(
    source: Place,
    target: Place,
    counts: dict[str, int],
    as_json: bool,
    problems: list[str] | None = None,
) -> None:
    if as_json:
        from counterbalance.cli.output import json_text

        shown = {"source": str(source), "target": str(target), "rows": counts}
        if problems is not None:
            shown["problems"] = problems
        click.echo(json_text(shown))
        return
    for problem in problems or ():
        click.echo(problem)
    rows = ", ".join(f"{n} {table}" for table, n in counts.items())
    click.echo(f"{target}: {rows}")
