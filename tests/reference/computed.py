"""What rules that compute published numbers share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["ANY_SOURCE", "NotReproducibleError", "Rules"]

ANY_SOURCE = ""
"""Stands for every source in rules."""

Rules: TypeAlias = "Mapping[str, Mapping[str, Callable[..., Any] | str]]"
"""By source and pattern of the metric's name; a rule takes the number and the pattern's groups, or
says why there is none."""


class NotReproducibleError(Exception):
    """Raised for a number that does not follow from the files; says why."""
