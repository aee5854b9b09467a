"""``counterbalance import``: what is needed to read a foreign log; its parts are one file each."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["command"]


@click.command("import")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE]")
@click.option(
    "--map-help",
    is_flag=True,
    help="Print a commented mapping, filled in for FILE if one is named.",
)
@click.option("--formats", is_flag=True, help="List the formats and bundled mappings.")
def command(*, files: tuple[Path, ...], map_help: bool, formats: bool) -> int:
    """Say how foreign logs are read: known formats, and a mapping for any other table.

    A mapping is a TOML file that names columns and says which word stands for which verdict:
    `counterbalance import --map-help FILE > map.toml`, then `counterbalance audit FILE --map
    map.toml`.
    """  # noqa: DOC501 (click shows the docstring)
    from counterbalance.errors import UsageError

    if map_help == formats:
        msg = (
            "import: name one of --map-help [FILE] and --formats; `counterbalance audit FILE` reads"
            " a log and reports"
        )
        raise UsageError(msg)
    click.echo(_formats(files) if formats else _template(files))
    return 0


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
