"""Where records are, as options and arguments take it: a file or a PostgreSQL address."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterbalance.record.place import Place

__all__ = ["record_place"]


def record_place(text: str) -> Place:
    """Return the place of a record as it was typed; nothing is opened yet."""
    from counterbalance.record.place import place_of

    return place_of(text)
