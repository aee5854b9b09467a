"""The base of every part of a protocol: frozen, and with no key that is not known."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

__all__ = ["Section"]


class Section(BaseModel):
    """A table of the protocol file; an unknown key is an error, not a wish that is passed over."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
