"""``counterbalance import``: foreign logs into a record, and what is needed to read them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from counterbalance.cli.log_options import format_options, named_format
from counterbalance.cli.places import record_place

if TYPE_CHECKING:
    from counterbalance.importers.storing import StoredLog
    from counterbalance.record.place import Place

__all__ = ["command"]


@click.command("import")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE...]")
@click.option(
    "--record",
    type=record_place,
    metavar="RECORD",
    help="Where the log goes: a new file, or postgresql://USER@HOST/DATABASE#NAME.",
)
@format_options
@click.option(
    "--map-help",
    is_flag=True,
    help="Print a commented mapping, filled in for FILE if one is named.",
)
@click.option("--formats", is_flag=True, help="List the formats and bundled mappings.")
@click.option("--json", "as_json", is_flag=True, help="Print what was recorded as JSON.")
def command(
    *,
    files: tuple[Path, ...],
    record: Place | None,
    format_name: str | None,
    mapping: str | None,
    map_help: bool,
    formats: bool,
    as_json: bool,
) -> int:
    """Read judge logs into a record of their own: FILE is a log, a folder or a zip.

    `counterbalance report RECORD` then says what `audit FILE...` says, and the record can be
    verified, exported, and kept where a team keeps its others. All of a log is recorded, or
    nothing; the same files once more append nothing.

    Any table can be read with a mapping, a TOML file that names columns and says which word stands
    for which verdict: `counterbalance import --map-help FILE > map.toml`, then `--map map.toml`
    with this verb or with audit.
    """  # noqa: DOC501 (click shows the docstring)
    from counterbalance.errors import UsageError

    if [map_help, formats, record is not None].count(True) != 1:
        msg = (
            "import: name one of --record RECORD, --map-help [FILE] and --formats;"
            " `counterbalance audit FILE` reads a log and reports, without a record"
        )
        raise UsageError(msg)
    if record is None:
        _refuse(format_name, mapping, as_json)
        click.echo(_formats(files) if formats else _template(files))
        return 0
    if not files:
        msg = f"import --record {record}: name the files of the log"
        raise UsageError(msg)
    from counterbalance.importers.storing import store_log
    from counterbalance.run.clock import now

    log_format, said = named_format(format_name, mapping)
    stored = store_log(files, record, created_at=now(), log_format=log_format, mapping=said)
    click.echo(_stored_json(stored, record) if as_json else _stored_text(stored, record))
    return 0


def _refuse(format_name: str | None, mapping: str | None, as_json: bool) -> None:
    from counterbalance.errors import UsageError

    for name, given in (("--format", format_name), ("--map", mapping), ("--json", as_json)):
        if given:
            msg = f"{name}: is for import with --record RECORD"
            raise UsageError(msg)


def _stored_json(stored: StoredLog, record: Place) -> str:
    from counterbalance.cli.output import json_text

    held = stored.description
    return json_text(
        {
            "record": str(record),
            "is_new": stored.is_new,
            "format": held["format"]["name"],
            "files": held["files"],
            "other_files": held["other_files"],
            "counts": held["counts"],
        }
    )


def _stored_text(stored: StoredLog, record: Place) -> str:
    from counterbalance.report.layout import plural

    held, counts = stored.description, stored.description["counts"]
    parts = [
        plural(counts[name], name.removesuffix("s")) for name in ("judgments", "ratings", "rejects")
    ]
    files = plural(len(held["files"]), "file")
    what = f"{files} of {held['format']['name']} ({held['format']['title']})"
    lines = [
        f"{record}: {', '.join(parts)}, of {plural(counts['pairs'], 'pair')}, from {what}"
        if stored.is_new
        else f"{record}: holds this import already ({', '.join(parts)}, from {what});"
        " nothing was appended",
        f"next: counterbalance report {record}",
    ]
    if held["other_files"]:
        others = plural(len(held["other_files"]), "other file")
        lines.insert(1, f"not read: {others}; the report says what each is")
    return "\n".join(lines)


def _formats(files: tuple[Path, ...]) -> str:
    from counterbalance.errors import UsageError
    from counterbalance.importers.detection import described
    from counterbalance.importers.mapping_file import mapping_named, preset_names

    if files:
        msg = "import --formats: takes no file; `counterbalance audit FILE` tells a file's format"
        raise UsageError(msg)
    presets = (f"{name}: {mapping_named(name).title}" for name in preset_names())
    parts = ["Formats, detected from the content:", *(f"  {line}" for line in described())]
    parts += ["Bundled mappings, named with --map NAME:", *(f"  {line}" for line in presets)]
    return "\n".join(parts)


def _template(files: tuple[Path, ...]) -> str:
    from counterbalance.errors import UsageError
    from counterbalance.importers.log_file import log_files
    from counterbalance.importers.map_template import map_template

    found = log_files(files)
    if len(found) > 1:
        msg = f"import --map-help: is filled in for one file; {len(found)} were named"
        raise UsageError(msg)
    return map_template(found[0] if found else None).rstrip("\n")
