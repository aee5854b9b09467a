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

    batch_discount: Annotated[float, Field(ge=0, le=1)] | None = ADDED_LATER
    """Part of the price that is taken off what comes back in batch files, 0.5 for half; left out,
    such calls are unpriced."""

    @property
    def of_batches(self) -> Price | None:
        """The price of what comes back in batch files; None where nobody declared one."""
        if self.batch_discount is None:
            return None
        left = 1 - self.batch_discount
        changes = {
            "prompt_usd_per_million": left * self.prompt_usd_per_million,
            "completion_usd_per_million": left * self.completion_usd_per_million,
            "batch_discount": None,
        }
        return self.model_copy(update=changes)

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
        said = " ".join(part for part in (day, place) if part) or "without a date"
        if self.batch_discount is None:
            return said
        return f"{said}, {self.batch_discount:.3g} of it off in batches"
