"""A mapping to a format of its own: the way in for ``--map``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from counterbalance.errors import InputError
from counterbalance.importers.container_rows import container_rows
from counterbalance.importers.judgment import Reject
from counterbalance.importers.log_format import Container, Holds, LogFormat, Shape
from counterbalance.importers.mapped_blocks import BlockReader, can_read_blocks
from counterbalance.importers.mapped_rows import RowReader
from counterbalance.importers.row_blocks import row_blocks
from counterbalance.importers.rows import json_object
from counterbalance.importers.word_lookup import getter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from counterbalance.importers.judgment import Row
    from counterbalance.importers.judgment_block import JudgmentBlock
    from counterbalance.importers.log_file import LogFile
    from counterbalance.importers.log_format import Notes
    from counterbalance.importers.mapping import Mapping

__all__ = ["mapped_format"]

_TABLES = (Container.JSON_LINES, Container.JSON_ARRAY, Container.TABLE, Container.PARQUET)


def mapped_format(mapping: Mapping, name: str) -> LogFormat:
    """Return a format that reads rows as a mapping says.

    Parameters
    ----------
    mapping : Mapping
        The mapping.
    name : str
        What the report calls it, such as the name of the mapping's file.

    Returns
    -------
    LogFormat
        Its shapes are the tables that have the columns every row needs.
    """
    holds = Holds.RATINGS if mapping.holds_ratings else Holds.JUDGMENTS
    title = mapping.title or "rows as a mapping describes them"
    if mapping.rows.source != "rows":
        from counterbalance.importers.mapped_batch import read_mapped_batch, shapes_of  # noqa: PLC0415 (few maps are of batches)

        return LogFormat(
            name,
            title,
            shapes_of(mapping.rows.source),
            holds,
            read_together=partial(read_mapped_batch, mapping),
        )

    blocks = partial(_blocks, mapping) if can_read_blocks(mapping) else None
    shapes = _shapes(mapping)
    return LogFormat(name, title, shapes, holds, read=partial(_rows, mapping), read_blocks=blocks)


def _rows(mapping: Mapping, file: LogFile, notes: Notes) -> Iterator[Row]:
    reader = RowReader(mapping, notes)
    for line, row in _source_rows(file, mapping):
        if isinstance(row, Reject):
            yield row
        else:
            yield from reader.rows(line, row)


def _blocks(mapping: Mapping, file: LogFile, notes: Notes) -> Iterator[Row | JudgmentBlock]:
    reader = BlockReader(mapping, notes)
    for block in row_blocks(file, _columns(mapping)):
        if isinstance(block, Reject):
            yield block
        else:
            yield from reader.rows(block)


def _source_rows(file: LogFile, mapping: Mapping) -> Iterator[tuple[int, dict[str, Any] | Reject]]:
    if mapping.rows.at is None:
        yield from container_rows(file, _columns(mapping))
        return
    rows = getter(mapping.rows.at)(_object(file))
    if not isinstance(rows, list):
        msg = f"{file.name}: there is no list of rows at {mapping.rows.at}, which rows.at names"
        raise InputError(msg)
    for number, row in enumerate(rows, 1):
        is_row = isinstance(row, dict)
        yield number, row if is_row else Reject(number, "the row is no object", type(row).__name__)


def _object(file: LogFile) -> dict[str, Any]:
    value = json_object(file)
    if isinstance(value, dict):
        return value
    msg = f"{file.name}: is {type(value).__name__}; rows.at names a list inside one JSON object"
    raise InputError(msg)


def _columns(mapping: Mapping) -> frozenset[str]:
    """Return every column that is looked at: whole names, and where paths begin."""
    paths = {path for path in mapping.columns.model_dump().values() if path is not None}
    paths |= {split.column for split in mapping.split} | set(mapping.rows.same)
    paths |= {flag.column for flag in mapping.flags} | set(mapping.rows.where)
    for game in mapping.games:
        called = game.model_dump(exclude={"order", "flags"}, exclude_none=True)
        paths |= set(called.values()) | {flag.column for flag in game.flags}
    return frozenset(paths | {path.split(".", maxsplit=1)[0] for path in paths})


def _shapes(mapping: Mapping) -> tuple[Shape, ...]:
    """Return what files must look like where several are named and only some are meant."""
    if mapping.rows.at is not None:
        keys = frozenset({mapping.rows.at.split(".", maxsplit=1)[0]})
        return (Shape(Container.JSON_OBJECT, keys),)
    needed = mapping.split[0].column if mapping.split else mapping.columns.item
    begin = frozenset({needed, needed.split(".", maxsplit=1)[0]})
    return tuple(Shape(container, frozenset({key})) for container in _TABLES for key in begin)
