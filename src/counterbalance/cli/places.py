"""Where records are, as options and arguments take it: a file or a PostgreSQL address."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from counterbalance.record.place import Place

__all__ = ["RECORD"]


class _RecordPlace(click.ParamType):
    name = "record"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> Place:
        """Return the place; nothing is opened yet."""
        from counterbalance.record.place import place_of

        return place_of(str(value))


RECORD = _RecordPlace()
"""Type of a parameter that names a record."""
