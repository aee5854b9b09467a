"""Whether a file that is there already is one that this program wrote, and may write again."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["may_replace"]

_LOOKED_AT = 1 << 16
"""Bytes at the beginning and at the end of a file that are looked at."""
_BEGINNINGS = re.compile(
    rb"""
    <!(?i:doctype)\ html>.{0,20000}?<title>[^<]*\ \xe2\x80\x93\ counterbalance  # pages
    | (\#\ )?counterbalance\                                 # Markdown and text
    | \{\s*"schema":\s*"counterbalance\.                     # JSON
    | \{\s*"\$schema":[^{}]*sarif.{0,200}"name":\s*"counterbalance"
    | <\?xml[^>]*>\s*<testsuites\ name="counterbalance\ gate"
    | pair,item,cluster,category,consequence,judge,          # cases for a spreadsheet
    | judge,labelling,strategy,subset,verdict_by,            # measures
    | \{"pair":\ .{1,60000}"disposition":                    # cases
    """,
    re.DOTALL | re.VERBOSE,
)
_PARQUET = b"PAR1"
_PARQUET_COLUMNS = ((b"disposition", b"consequence"), (b"verdict_by", b"positive_means"))
"""Names that stand in the footers of our Parquet files: of cases, and of measures."""


def may_replace(path: Path) -> bool:
    """Return whether an output may take the place of what is there.

    Parameters
    ----------
    path : Path
        Where the output would go.

    Returns
    -------
    bool
        True where nothing is there, or an empty file, a pipe, a device, or what begins as our
        outputs do; False for a file of somebody else's.
    """
    try:
        if not path.is_file() or not path.stat().st_size:
            return True
        with path.open("rb") as file:
            head = file.read(_LOOKED_AT)
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - _LOOKED_AT))
            tail = file.read()
    except OSError:
        return True  # writing it will say what is wrong
    if head.startswith(_PARQUET):
        return any(all(name in tail for name in names) for names in _PARQUET_COLUMNS)
    return _BEGINNINGS.match(head) is not None
