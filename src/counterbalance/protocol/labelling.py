"""What the prompt calls the two slots."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints, model_validator

from counterbalance.items.frames import Slot
from counterbalance.protocol.section import Section

__all__ = ["Label", "Labelling"]

Label = Annotated[
    str,
    StringConstraints(
        min_length=1, max_length=40, pattern=r"^[^\s\[\]{}<>\"'|]+( [^\s\[\]{}<>\"'|]+)*$"
    ),
]


class Labelling(Section):
    """One assignment of labels to slots; labels belong to slots and never follow a candidate."""

    first: Label = Field(examples=["1", "A"])
    """What the prompt calls the answer shown first."""
    second: Label = Field(examples=["2", "B"])
    """What the prompt calls the answer shown second."""

    @model_validator(mode="after")
    def _differ(self) -> Labelling:
        if self.first.casefold() == self.second.casefold():
            msg = f"both slots are called {self.first!r}; give them different labels"
            raise ValueError(msg)
        return self

    @property
    def name(self) -> str:
        """Both labels in display order, as reports and keys write them."""
        return f"{self.first}/{self.second}"

    def label(self, slot: Slot) -> str:
        """Return what the prompt calls a slot."""
        return self.first if slot is Slot.FIRST else self.second
