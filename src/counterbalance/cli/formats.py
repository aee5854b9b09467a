"""Formats of logs as ``audit`` and ``compare`` take them on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterbalance.importers.log_format import LogFormat

__all__ = ["named_format"]


def named_format(format_name: str | None, mapping: str | None) -> LogFormat | None:
    """Return the format that was named, by name or by a mapping; None to detect it."""
    from counterbalance.errors import UsageError
    from counterbalance.importers.detection import format_named
    from counterbalance.importers.mapped_log import mapped_format
    from counterbalance.importers.mapping_file import mapping_named

    if mapping is None:
        return None if format_name is None else format_named(format_name)
    if format_name is not None:
        msg = "--format and --map: a log is read in one way; keep one of them"
        raise UsageError(msg)
    return mapped_format(mapping_named(mapping), f"map {Path(mapping).name}")
