"""Rows of a report as polars frames and Parquet files; the one module of this stage that knows it.

polars is the extra ``frames`` and is loaded with the first frame. A column has one type whatever
the rows hold, so that files of different records can be put together.
"""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from counterbalance.errors import MissingExtraError
from counterbalance.items.parquet import INSTALL_FRAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import polars as pl

    Frame: TypeAlias = pl.DataFrame

__all__ = ["COLUMN_TYPES", "frame_of", "write_rows_parquet"]

COLUMN_TYPES: Mapping[str, type] = {
    **dict.fromkeys(("value", "numerator", "denominator", "low", "high", "level", "margin"), float),
    **dict.fromkeys(("consequence", "balanced_log_odds_a", "cost_usd", "seconds"), float),
    **dict.fromkeys(("clusters", "attempts", "attempts_beyond_retry_rule", "prompt_tokens"), int),
    **dict.fromkeys(("held_out", "from_disagreement", "exploratory", "raised_limit"), bool),
    "agrees_with_reference": bool,
    **dict.fromkeys(("cautions", "reference", "breaches", "verdicts", "lines"), list),
}
"""Types of columns that hold no text, whatever side or order stands before the name.

Lists hold texts. A mapping becomes JSON text, as in a CSV file.
"""

_PREFIXES = ("forward_", "reversed_", "unknown_order_", "a_", "b_")
_BATCH_ROWS = 8192


def frame_of(rows: Iterable[Mapping[str, Any]], columns: Sequence[str] = ()) -> Frame:
    """Return rows as a frame.

    Parameters
    ----------
    rows : Iterable[Mapping[str, Any]]
        The same columns in each.
    columns : Sequence[str]
        Names of the columns, for a frame that may have no row.

    Returns
    -------
    Frame
        A ``polars.DataFrame``; what is None stays null.

    Raises
    ------
    MissingExtraError
        If polars is not installed.
    """
    try:
        import polars as pl  # noqa: PLC0415 (large, and needed by few)
    except ImportError:
        part = "the writer of frames and Parquet files (polars)"
        raise MissingExtraError(part, INSTALL_FRAMES) from None
    kinds: dict[type, pl.DataType] = {
        float: pl.Float64(),
        int: pl.Int64(),
        bool: pl.Boolean(),
        list: pl.List(pl.String),
        str: pl.String(),
    }
    remaining, parts = iter(rows), []
    names = list(columns)
    # A batch at a time: rows as Python holds them take many times the room of columns.
    while batch := list(islice(remaining, _BATCH_ROWS)):
        names = names or list(batch[0])
        cells = {name: [_cell(row[name], name) for row in batch] for name in names}
        schema = {name: kinds[_type_of(name)] for name in names}
        parts.append(pl.DataFrame(cells, schema=schema))
    if not parts:
        return pl.DataFrame(schema={name: kinds[_type_of(name)] for name in names})
    return pl.concat(parts)


def write_rows_parquet(rows: Iterable[Mapping[str, Any]], file: BinaryIO) -> int:
    """Write rows as a Parquet file, numbers as numbers and texts exactly as they were.

    Parameters
    ----------
    rows : Iterable[Mapping[str, Any]]
        The same columns in each.
    file : BinaryIO
        Open for writing.

    Returns
    -------
    int
        Rows written.
    """
    frame = frame_of(rows)
    frame.write_parquet(file)
    return frame.height


def _type_of(name: str) -> type:
    for prefix in _PREFIXES:
        bare = name.removeprefix(prefix)
        if bare in COLUMN_TYPES:
            return COLUMN_TYPES[bare]
    return str


def _cell(value: object, name: str) -> object:
    if value is None or isinstance(value, str):
        return None if value is None else _encodable(value)
    kind = _type_of(name)
    if kind is str:
        return _encodable(json.dumps(value, ensure_ascii=False))
    if kind is float and isinstance(value, int):
        return float(value)
    if isinstance(value, list | tuple):
        return [None if each is None else _encodable(str(each)) for each in value]
    return value


def _encodable(text: str) -> str:
    """Escape half characters, which JSON can hold and UTF-8 cannot."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
