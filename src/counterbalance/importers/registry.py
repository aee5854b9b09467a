"""Every log format that can be read, in the order that detection tries them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbalance.importers.formats import fastchat_pair

if TYPE_CHECKING:
    from counterbalance.importers.log_format import LogFormat

__all__ = ["FORMATS"]

FORMATS: tuple[LogFormat, ...] = (fastchat_pair.FORMAT,)
"""More particular formats stand before more general ones."""
