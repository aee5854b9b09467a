"""The base of every part of a protocol: frozen, and with no key that is not known."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

__all__ = ["ADDED_LATER", "LISTED_ONCE", "UNIQUE", "Section"]

T = TypeVar("T")


class Section(BaseModel):
    """A table of the protocol file; an unknown key is an error, not a wish that is passed over.

    The docstring under a key says what it means; `described` puts it into the schema for editors.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        # What reads a table is built with the first one: most are never read by themselves.
        defer_build=True,
    )


def _listed_once(values: tuple[T, ...]) -> tuple[T, ...]:
    seen: set[T] = set()
    for value in values:
        if value in seen:
            # A whole table is known by its id; nobody wants to read all of it.
            msg = f"{getattr(value, 'id', value)!r} is listed twice; list it once"
            raise ValueError(msg)
        seen.add(value)
    return values


LISTED_ONCE = AfterValidator(_listed_once)
"""Refuses a list that names something twice, which would be counted twice."""

UNIQUE = Field(json_schema_extra={"uniqueItems": True})
"""Says the same to editors."""

ADDED_LATER: Any = Field(default=None, exclude_if=lambda value: value is None)
"""Default of a key that came after the first records: absent, it is in no hash, so that protocols
without it keep theirs."""
