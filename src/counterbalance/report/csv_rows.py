"""Rows as CSV for a spreadsheet: no text of others becomes a formula in it."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["write_rows_csv"]

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What spreadsheets take for the beginning of a formula; the wide forms are read as narrow ones."""


def write_rows_csv(rows: Iterable[Mapping[str, Any]], file: TextIO) -> int:
    """Write rows under a header.

    Parameters
    ----------
    rows : Iterable[Mapping[str, Any]]
        The same columns in each; lists and mappings become JSON, None an empty cell.
    file : TextIO
        Open for writing, with ``newline=""``.

    Returns
    -------
    int
        Rows written, the header not counted.
    """
    writer: csv.DictWriter[str] | None = None
    n = 0
    for row in rows:
        cells = {key: _cell(value) for key, value in row.items()}
        if writer is None:
            writer = csv.DictWriter(file, fieldnames=list(cells))
            writer.writeheader()
        writer.writerow(cells)
        n += 1
    return n


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"'{text}" if text.startswith(_FORMULA_STARTS) and not _is_number(value) else text


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)
