"""The tables ``[prices.NAME]``: what a judge's tokens cost, from when, and where that was read."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import Field, StringConstraints

from counterbalance.protocol.section import ADDED_LATER, Section

__all__ = ["Price"]


class Price(Section):
    """What a judge costs; a judge without a price is unpriced, and reports say so."""

    prompt_usd_per_million: Annotated[float, Field(ge=0)]
    """Dollars for a million prompt tokens."""
    completion_usd_per_million: Annotated[float, Field(ge=0)]
    """Dollars for a million reply tokens, reasoning included."""
    as_of: date | None = ADDED_LATER
    """Day of the price, as "YYYY-MM-DD" in quotes; a record keeps the price that it began with."""
    source: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)] | None = (
        ADDED_LATER
    )
    """Where the price was read: a price list, or a table and its version."""

    @property
    def each(self) -> str:
        """The price of a million prompt tokens and of a million reply tokens, in words."""
        return (
            f"${self.prompt_usd_per_million:g} prompt, ${self.completion_usd_per_million:g} reply"
        )

    @property
    def provenance(self) -> str:
        """Say when and where the price was read, or that it is not said."""
        day = "" if self.as_of is None else f"of {self.as_of.isoformat()}"
        place = "" if self.source is None else f"from {self.source}"
        return " ".join(part for part in (day, place) if part) or "without a date"
